//! How much of a device is used, and where compiled kernels are kept.

use crate::error::GpuError;
use std::env;
use std::path::PathBuf;

/// Bytes that [`DeviceOptions::from_env`] lets a device use at most.
const MEMORY_VARIABLE: &str = "SUNZI_GPU_MEMORY";
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
    /// Where compiled kernels are kept between runs.
    pub cache: CacheFolder,
    /// NVIDIA's run-time compiler, or its folder. Where `None`, the environment variable `SUNZI_NVRTC` names it, or it is
    /// looked for.
    pub compiler: Option<PathBuf>,
}

impl DeviceOptions {
    /// What the environment says: `SUNZI_GPU_MEMORY` is a number of bytes, with `K`, `M` or `G` for powers of 1024;
    /// `SUNZI_GPU_CACHE` is a folder, or empty to keep nothing.
    ///
    /// # Errors
    /// [`GpuError::Shape`] if `SUNZI_GPU_MEMORY` is no such number.
    pub fn from_env() -> Result<Self, GpuError> {
        let memory_limit = match env::var_os(MEMORY_VARIABLE) {
            Some(text) => Some(text.to_str().and_then(parse_bytes).ok_or_else(|| {
                GpuError::Shape(format!(
                    "{MEMORY_VARIABLE} is `{}`: a number of bytes was expected, as 64M or 2G",
                    text.display()
                ))
            })?),
            None => None,
        };
        let cache = match env::var_os(CACHE_VARIABLE) {
            None => CacheFolder::OfUser,
            Some(folder) if folder.is_empty() => CacheFolder::None,
            Some(folder) => CacheFolder::At(folder.into()),
        };
        Ok(Self {
            memory_limit,
            cache,
            compiler: None,
        })
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
