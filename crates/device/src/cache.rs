//! Compiled programs on disk.
//!
//! One file a program, named by a hash of its key: all that decides what the compiler makes. That is the text, prelude
//! and definitions included, the compiler's options, the device and its architecture, and the versions of driver and
//! compiler. The file repeats the whole key, so that a collision is a miss, and ends with a checksum, so that a damaged
//! file is one too. Files are written beside and renamed: a reader never sees half of one.

use crate::info::DeviceInfo;
use crate::options::CacheFolder;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The first bytes of every file; a new layout gets a new number.
const MAGIC: &[u8; 8] = b"sunzi-k2";

/// The files of compiled programs.
pub(crate) struct Cache {
    folder: Option<PathBuf>,
}

impl Cache {
    pub(crate) fn new(folder: &CacheFolder) -> Self {
        let folder = match folder {
            CacheFolder::OfUser => folder_of_user(),
            CacheFolder::At(folder) => Some(folder.clone()),
            CacheFolder::None => None,
        };
        Self { folder }
    }

    /// The key of a program, or of anything else that is kept for a device.
    pub(crate) fn key(&self, device: &DeviceInfo, options: &str, text: &str) -> String {
        let DeviceInfo {
            backend,
            name,
            driver,
            architecture,
            ..
        } = device;
        format!("{backend}\n{name}\n{driver}\n{architecture}\n{options}\n{text}")
    }

    /// The compiled program, if it is there and whole.
    pub(crate) fn find(&self, key: &str) -> Option<Vec<u8>> {
        let content = fs::read(self.file(key)?).ok()?;
        let rest = content.strip_prefix(MAGIC)?;
        let (length, rest) = rest.split_first_chunk::<8>()?;
        let rest = rest.strip_prefix(key.as_bytes())?;
        let (checksum, binary) = rest.split_first_chunk::<8>()?;
        let whole = u64::from_le_bytes(*length) == binary.len() as u64
            && u64::from_le_bytes(*checksum) == fnv(FNV_OFFSET, binary);
        whole.then(|| binary.to_vec())
    }

    /// Keeps a compiled program; says so if it could not.
    pub(crate) fn keep(&self, key: &str, binary: &[u8]) -> Option<String> {
        let file = self.file(key)?;
        let problem = store(&file, key, binary).err()?;
        let folder = file.parent().unwrap_or(&file).display();
        Some(format!(
            "compiled kernels cannot be kept in {folder} ({problem}): they will be compiled again next time; \
             SUNZI_GPU_CACHE names another folder"
        ))
    }

    fn file(&self, key: &str) -> Option<PathBuf> {
        // Two different offsets make 128 bits.
        let (high, low) = (
            fnv(FNV_OFFSET, key.as_bytes()),
            fnv(!FNV_OFFSET, key.as_bytes()),
        );
        Some(
            self.folder
                .as_ref()?
                .join(format!("{high:016x}{low:016x}.kernel")),
        )
    }
}

/// Writes a file beside its place and renames it.
fn store(file: &Path, key: &str, binary: &[u8]) -> io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let content = [
        MAGIC,
        &(binary.len() as u64).to_le_bytes()[..],
        key.as_bytes(),
        &fnv(FNV_OFFSET, binary).to_le_bytes(),
        binary,
    ]
    .concat();
    let mut beside = tempfile::NamedTempFile::new_in(folder)?;
    beside.write_all(&content)?;
    beside.persist(file)?;
    Ok(())
}

/// The folder for such files on this system, if the environment names one.
fn folder_of_user() -> Option<PathBuf> {
    let named = |variable: &str| {
        std::env::var_os(variable)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let base = named("XDG_CACHE_HOME")
        .or_else(|| named("LOCALAPPDATA"))
        .or_else(|| named("HOME").map(|home| home.join(".cache")))?;
    Some(base.join("sunzi").join("kernels"))
}

/// Where FNV-1a of 64 bits begins.
const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;

/// FNV-1a of 64 bits from a state on.
fn fnv(state: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(state, |state, &byte| {
        (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::info::{Backend, DeviceKind};

    #[test]
    fn whatever_decides_the_program_is_in_the_key() {
        let cache = Cache::new(&CacheFolder::None);
        let device = DeviceInfo {
            driver: "driver 12.4, NVRTC 12.9".to_owned(),
            architecture: "sm_90".to_owned(),
            ..DeviceInfo::sample(Backend::Cuda, DeviceKind::Gpu)
        };
        let changed = |change: fn(&mut DeviceInfo)| {
            let mut other = device.clone();
            change(&mut other);
            cache.key(&other, "-w", "text")
        };
        let all = [
            cache.key(&device, "-w", "text"),
            cache.key(&device, "-w -x", "text"),
            cache.key(&device, "-w", "other text"),
            changed(|device| device.backend = Backend::OpenCl),
            changed(|device| device.name.push('!')),
            changed(|device| device.driver = "driver 12.4, NVRTC 13.0".to_owned()),
            changed(|device| device.architecture = "sm_100".to_owned()),
        ];
        let different: std::collections::HashSet<_> = all.iter().collect();
        assert_eq!(different.len(), all.len(), "{all:?}");
        // Another number of the same device is none.
        assert_eq!(changed(|device| device.index = 1), all[0]);
    }
}
