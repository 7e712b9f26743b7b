//! How much of a device is used, and where compiled kernels are kept.

use crate::error::GpuError;
use std::env;
use std::path::PathBuf;

/// Bytes that [`DeviceOptions::from_env`] lets a device use at most.
const MEMORY_VARIABLE: &str = "SUNZI_GPU_MEMORY";
/// Threads of a group, and bytes that they share, that [`DeviceOptions::from_env`] lets a device use at most.
const THREADS_VARIABLE: &str = "SUNZI_GPU_GROUP_THREADS";
const SHARED_VARIABLE: &str = "SUNZI_GPU_GROUP_MEMORY";
/// The folder that [`DeviceOptions::from_env`] keeps compiled kernels in; empty for none.
const CACHE_VARIABLE: &str = "SUNZI_GPU_CACHE";

/// Where compiled kernels are kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum CacheFolder {
    /// Where the system keeps such things: `$XDG_CACHE_HOME/sunzi`, or `~/.cache/sunzi`, or the like.
    #[default]
    OfUser,
    /// In this folder.
    At(PathBuf),
    /// Nowhere: they are compiled anew in every process.
    None,
}

/// What of a device is used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeviceOptions {
    /// Bytes of its memory that may be used; all that it has where `None`.
    pub memory_limit: Option<u64>,
    /// Threads of a group that may be used; all that it has where `None`.
    pub group_threads: Option<usize>,
    /// Bytes that the threads of a group may share; all that it has where `None`.
    pub group_memory: Option<usize>,
    /// Where compiled kernels are kept between runs.
    pub cache: CacheFolder,
    /// NVIDIA's run-time compiler, or its folder. Where `None`, the environment variable `SUNZI_NVRTC` names it, or it is
    /// looked for.
    pub compiler: Option<PathBuf>,
    /// Whether the time of every command is kept, for [`Device::take_times`](crate::Device::take_times): that takes the device
    /// more of it.
    pub keep_times: bool,
}

impl DeviceOptions {
    /// What the environment says: `SUNZI_GPU_MEMORY` is a number of bytes, with `K`, `M` or `G` for powers of 1024, and so is
    /// `SUNZI_GPU_GROUP_MEMORY` for a group of threads; `SUNZI_GPU_GROUP_THREADS` is how many those are; `SUNZI_GPU_CACHE` is
    /// a folder, or empty to keep nothing.
    ///
    /// # Errors
    /// [`GpuError::Shape`] for what is no such number, or no threads.
    pub fn from_env() -> Result<Self, GpuError> {
        let bytes = |variable, example| {
            number(
                variable,
                parse_bytes,
                &format!("of bytes was expected, {example}"),
            )
        };
        let threads = |text: &str| text.trim().parse().ok().filter(|&threads| threads > 0);
        let group_memory = bytes(SHARED_VARIABLE, "as 16K or 49152")?;
        let cache = match env::var_os(CACHE_VARIABLE) {
            None => CacheFolder::OfUser,
            Some(folder) if folder.is_empty() => CacheFolder::None,
            Some(folder) => CacheFolder::At(folder.into()),
        };
        Ok(Self {
            memory_limit: bytes(MEMORY_VARIABLE, "as 64M or 2G")?,
            group_threads: number(THREADS_VARIABLE, threads, "from 1 on was expected, as 64")?,
            group_memory: group_memory.map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX)),
            cache,
            compiler: None,
            keep_times: false,
        })
    }
}

/// The number that a variable of the environment is, or what was expected of it.
fn number<T>(
    variable: &str,
    parse: impl Fn(&str) -> Option<T>,
    expected: &str,
) -> Result<Option<T>, GpuError> {
    let Some(text) = env::var_os(variable) else {
        return Ok(None);
    };
    match text.to_str().and_then(parse) {
        None => Err(GpuError::Shape(format!(
            "{variable} is `{}`: a number {expected}",
            text.display()
        ))),
        number => Ok(number),
    }
}

/// A number of bytes with an optional suffix.
fn parse_bytes(text: &str) -> Option<u64> {
    let text = text.trim();
    let (digits, shift) = match text.as_bytes().last()?.to_ascii_uppercase() {
        b'K' => (&text[..text.len() - 1], 10),
        b'M' => (&text[..text.len() - 1], 20),
        b'G' => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    let count: u64 = digits.trim().parse().ok()?;
    count.checked_mul(1 << shift)
}

#[cfg(test)]
mod tests {
    use super::parse_bytes;

    #[test]
    fn sizes_as_people_write_them() {
        assert_eq!(parse_bytes("64M"), Some(64 << 20));
        assert_eq!(parse_bytes(" 2 g "), Some(2 << 30));
        assert_eq!(parse_bytes("12k"), Some(12 << 10));
        assert_eq!(parse_bytes("17"), Some(17));
        for wrong in ["", "M", "-1", "1.5G", "99999999999G", "é"] {
            assert_eq!(parse_bytes(wrong), None, "{wrong}");
        }
    }
}
