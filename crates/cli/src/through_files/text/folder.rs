//! Folders with arrays of text, beside those of jobs: who works in them, and what they hold.

use super::{DIGITS, of_output};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::ErrorKind;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use sunzi_files::failure::{Failure, reason, shown};

/// What the names of folders begin with; 16 hexadecimal digits follow.
pub(super) const PREFIX: &str = "sunzi-text-";

/// The array that a result is until it is text, and what the names of operands begin with.
pub(super) const RESULT: &str = "result.npy";
pub(super) const OPERAND: &str = "operand-";

/// The file that is locked.
const LOCK: &str = "lock";

/// A folder with arrays, in which this process alone works.
#[derive(Debug)]
pub struct Folder {
    /// Where it is.
    pub path: PathBuf,
    _lock: File,
}

impl Folder {
    /// Makes it, if it is not there, and locks it.
    pub(super) fn lock(path: PathBuf, scratch: &Path) -> Result<Self, Failure> {
        match fs::create_dir(&path) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => {
                return Err(Failure::Usage(format!(
                    "{}: no folder can be made in it: {}",
                    shown(scratch),
                    reason(&error)
                )));
            }
            _ => {}
        }
        let busy = format!(
            "{}: another process works at the same: wait for it",
            shown(&path)
        );
        Self::try_lock(path)?.ok_or(Failure::Computation(busy))
    }

    /// Locks one that is there and is this user's, unless somebody else has.
    pub fn try_lock(path: PathBuf) -> Result<Option<Self>, Failure> {
        // SAFETY: it only asks the system for a number.
        let own = unsafe { libc::geteuid() };
        let found = fs::symlink_metadata(&path).map_err(of_output(&path))?;
        if !found.is_dir() || found.uid() != own {
            return Err(Failure::Usage(format!(
                "{}: it is no folder of this user",
                shown(&path)
            )));
        }
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        options.custom_flags(libc::O_NOFOLLOW);
        let lock = options.open(path.join(LOCK)).map_err(of_output(&path))?;
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => Ok(None),
            // There are file systems without locks.
            _ => Ok(Some(Self { path, _lock: lock })),
        }
    }

    /// Removes all arrays; whether nothing else is there.
    pub(super) fn clear(&self) -> bool {
        let files = fs::read_dir(&self.path).into_iter().flatten().flatten();
        files
            .map(|file| {
                let name = file.file_name();
                let name = name.to_string_lossy();
                let is_ours = name.starts_with(OPERAND)
                    || name == RESULT
                    || (name.starts_with(".sunzi-") && name.ends_with(".unfinished"));
                name == LOCK || (is_ours && fs::remove_file(file.path()).is_ok())
            })
            .filter(|gone| !gone)
            .count()
            == 0
    }

    /// Removes it, if nothing else is in it.
    pub fn remove(&self) -> bool {
        self.clear()
            && fs::remove_file(self.path.join(LOCK)).is_ok()
            && fs::remove_dir(&self.path).is_ok()
    }
}

/// The folders with arrays of text in a folder for scratch files, and their bytes.
pub fn found(scratch: &Path) -> Vec<(PathBuf, u64)> {
    let Ok(entries) = fs::read_dir(scratch) else {
        return Vec::new();
    };
    let folders = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let is_ours = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        let digits = name.and_then(|name| name.strip_prefix(PREFIX));
        digits.is_some_and(|digits| {
            digits.len() == DIGITS && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
        })
    };
    let bytes = |path: &PathBuf| {
        let files = fs::read_dir(path).into_iter().flatten();
        files
            .filter_map(|file| Some(file.ok()?.metadata().ok()?.len()))
            .sum()
    };
    let mut found: Vec<_> = folders
        .filter(is_ours)
        .map(|path| (path.clone(), bytes(&path)))
        .collect();
    found.sort();
    found
}
