//! Folders of jobs: their names, who works at them, and how they go.

use super::description;
use super::journal;
use crate::error::ScaleError;
use crate::storage::Storage;
use crate::task::stages::SCRATCH;
use rustix::process::geteuid;
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

/// What the names of folders begin with; 16 hexadecimal digits follow.
const PREFIX: &str = "sunzi-job-";

/// What is put behind the name of a folder that is being removed.
const REMOVED: &str = ".removed";

/// The files that a folder may hold beside the matrices between passes; the lock goes last.
const OTHERS: [&str; 4] = ["journal", "job.new", "job", LOCK];
const LOCK: &str = "lock";

/// All files that a folder may hold; the lock goes last.
fn files() -> impl Iterator<Item = &'static str> {
    SCRATCH.into_iter().chain(OTHERS)
}

/// Whoever lists jobs holds a lock for a moment.
const TRIES: usize = 20;
const BETWEEN_TRIES: Duration = Duration::from_millis(10);

/// The fact by which the path of a result that is not complete is told to programs: its bytes in hexadecimal digits.
pub(crate) const RESULT: &str = "result";

/// A folder that this process has locked.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    lock: File,
}

/// The folder of the job of this name, 16 hexadecimal digits.
pub(crate) fn of_job(scratch: &Path, name: &str) -> PathBuf {
    scratch.join(format!("{PREFIX}{name}"))
}

/// Where the result of this name is until it is complete.
pub(crate) fn unfinished(output: &Path, name: &str) -> PathBuf {
    output.with_file_name(format!("{UNFINISHED}{name}.unfinished"))
}

/// What hidden names of results begin with.
const UNFINISHED: &str = ".sunzi-";

/// Whether a path has such a name: nothing else is removed, whatever a description says.
fn is_unfinished(path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str);
    let name = name.and_then(|name| name.strip_prefix(UNFINISHED)?.strip_suffix(".unfinished"));
    name.is_some_and(|name| name.len() == 16 && name.bytes().all(|digit| digit.is_ascii_hexdigit()))
}

/// The bytes of a path in hexadecimal digits.
pub(crate) fn in_hex(path: &Path) -> String {
    let bytes = path.as_os_str().as_bytes().iter();
    bytes.map(|byte| format!("{byte:02x}")).collect()
}

fn of_hex(digits: &str) -> Option<PathBuf> {
    let pairs = digits.as_bytes().chunks(2);
    let bytes = pairs.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok());
    Some(PathBuf::from(std::ffi::OsString::from_vec(
        bytes.collect::<Option<Vec<u8>>>()?,
    )))
}

/// Opens the file of a lock, and no link.
fn open_lock(folder: &Path, options: &mut OpenOptions) -> io::Result<File> {
    options.custom_flags(rustix::fs::OFlags::NOFOLLOW.bits().cast_signed());
    options.open(folder.join(LOCK))
}

/// Who holds a lock, as it tells.
fn holder(mut lock: &File) -> String {
    let mut text = String::new();
    let read = Read::take(&mut lock, 200).read_to_string(&mut text);
    match (read, text.trim()) {
        (Ok(_), holder) if !holder.is_empty() => holder.escape_debug().to_string(),
        _ => "another process".to_owned(),
    }
}

/// What came of one try to lock a folder.
enum Tried {
    Locked(Folder),
    /// Somebody else has it.
    Held(String),
    /// It was removed meanwhile.
    Gone,
}

impl Folder {
    /// Makes the folder, if it is not there, and locks it.
    pub(super) fn lock(storage: &Storage, path: PathBuf) -> Result<Self, ScaleError> {
        let mut holder = String::new();
        for _ in 0..TRIES {
            let scratch = path.parent().unwrap_or(Path::new("."));
            match fs::create_dir(&path) {
                Ok(()) => storage.sync_folder(scratch)?,
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => {
                    return Err(ScaleError::disk(scratch, "no folder can be made in it")(
                        error,
                    ));
                }
            }
            match Self::try_lock(&path)? {
                Tried::Locked(folder) => return Ok(folder),
                Tried::Held(by) => holder = by,
                Tried::Gone => continue,
            }
            sleep(BETWEEN_TRIES);
        }
        Err(ScaleError::Busy {
            folder: path,
            holder,
        })
    }

    /// Locks a folder that is there, and is this user's.
    fn try_lock(path: &Path) -> Result<Tried, ScaleError> {
        let cannot = || ScaleError::disk(path, "it cannot be locked");
        match fs::symlink_metadata(path) {
            Ok(found) if found.is_dir() && found.uid() == geteuid().as_raw() => {}
            Ok(_) => {
                let other = "it is no folder of this user";
                return Err(cannot()(io::Error::new(ErrorKind::PermissionDenied, other)));
            }
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Tried::Gone),
            Err(error) => return Err(cannot()(error)),
        }
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut lock = match open_lock(path, &mut options) {
            Ok(lock) => lock,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Tried::Gone),
            Err(error) => return Err(cannot()(error)),
        };
        match lock.try_lock() {
            Ok(()) if !is_same(&lock, &path.join(LOCK)) => return Ok(Tried::Gone),
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(Tried::Held(holder(&lock))),
            Err(TryLockError::Error(error)) => return Err(cannot()(error)),
        }
        let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        let holder = format!("process {} on {}\n", std::process::id(), host.trim());
        let written = lock
            .set_len(0)
            .and_then(|()| lock.write_all(holder.as_bytes()));
        written.map_err(cannot())?;
        Ok(Tried::Locked(Self {
            path: path.to_owned(),
            lock,
        }))
    }

    /// Whether there are matrices in it.
    pub(super) fn has_matrices(&self) -> bool {
        SCRATCH.iter().any(|name| self.file(name).exists())
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    pub(super) fn other_job(&self, difference: String) -> ScaleError {
        ScaleError::OtherJob {
            folder: self.path.clone(),
            difference,
        }
    }

    /// Removes all files but the lock.
    pub(super) fn clear(&self) -> Result<(), ScaleError> {
        files()
            .filter(|&name| name != LOCK)
            .try_for_each(|name| remove_file(&self.file(name)))
    }

    /// Removes the folder if nothing was made in it.
    pub(super) fn remove_if_empty(self) {
        let others = files().any(|name| name != LOCK && self.file(name).exists());
        if !others {
            // What is told is why there is no job.
            let _ = self.remove();
        }
    }

    /// Removes the folder. It has another name by then, so that nobody takes it for a job, however this ends.
    pub(super) fn remove(self) -> Result<(), ScaleError> {
        let mut removed = self.path.clone().into_os_string();
        removed.push(REMOVED);
        let removed = PathBuf::from(removed);
        // Of an earlier removal that did not come to its end.
        remove_files(&removed)?;
        let renamed = fs::rename(&self.path, &removed);
        renamed.map_err(ScaleError::disk(&self.path, "the folder cannot be removed"))?;
        remove_files(&removed)?;
        drop(self.lock);
        Ok(())
    }
}

/// Whether a path leads to a file that is open.
fn is_same(file: &File, path: &Path) -> bool {
    let id =
        |metadata: io::Result<fs::Metadata>| metadata.ok().map(|found| (found.dev(), found.ino()));
    id(file.metadata()) == id(fs::symlink_metadata(path))
}

fn remove_file(path: &Path) -> Result<(), ScaleError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(ScaleError::disk(path, "cannot be removed")(error))
        }
        _ => Ok(()),
    }
}

/// Removes a folder with the files of a job, if it is there; one that holds anything else stays.
fn remove_files(folder: &Path) -> Result<(), ScaleError> {
    match fs::symlink_metadata(folder) {
        Ok(found) if found.is_dir() => {}
        Ok(_) => {
            let error = io::Error::new(ErrorKind::PermissionDenied, "it is no folder");
            return Err(ScaleError::disk(folder, "cannot be removed")(error));
        }
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(ScaleError::disk(folder, "cannot be removed")(error)),
    }
    files().try_for_each(|name| remove_file(&folder.join(name)))?;
    fs::remove_dir(folder).map_err(ScaleError::disk(folder, "the folder cannot be removed"))
}

/// A job in a folder for scratch files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundJob {
    /// Its folder.
    pub folder: PathBuf,
    /// What it computes, in lines `name value`; none where it had not begun, or what it was is no longer known.
    pub facts: String,
    /// Bytes of its files, as the disk has them.
    pub bytes: u64,
    /// How many bands are done.
    pub bands: usize,
    /// Who works at it.
    pub holder: Option<String>,
}

/// The digits in the name of a folder of a job.
fn name_of(folder: &Path) -> Option<&str> {
    let name = folder
        .file_name()
        .and_then(OsStr::to_str)?
        .strip_prefix(PREFIX)?;
    let digits = name.strip_suffix(REMOVED).unwrap_or(name);
    let is_hex = digits.len() == 16 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_hex.then_some(digits)
}

/// All jobs in a folder for scratch files, in the order of their names. Nothing is written.
///
/// # Errors
/// [`ScaleError::Disk`] if the folder cannot be read.
pub fn found(scratch: &Path) -> Result<Vec<FoundJob>, ScaleError> {
    let unreadable = || ScaleError::disk(scratch, "the folder cannot be read");
    let mut jobs = Vec::new();
    for entry in fs::read_dir(scratch).map_err(unreadable())? {
        let folder = entry.map_err(unreadable())?.path();
        if name_of(&folder).is_some() {
            jobs.extend(job_in(&folder));
        }
    }
    jobs.sort_by(|a, b| a.folder.cmp(&b.folder));
    Ok(jobs)
}

/// The job in a folder, if it holds the files of a job and nothing else.
fn job_in(folder: &Path) -> Option<FoundJob> {
    if !fs::symlink_metadata(folder).ok()?.is_dir() {
        return None;
    }
    let mut bytes = 0;
    for entry in fs::read_dir(folder).ok()? {
        let entry = entry.ok()?;
        let metadata = entry.metadata().ok()?;
        let is_ours = files().any(|name| entry.file_name() == name);
        if !is_ours || !metadata.is_file() {
            return None;
        }
        bytes += metadata.blocks() * 512;
    }
    let lock = open_lock(folder, OpenOptions::new().read(true)).ok();
    let holder = lock.as_ref().and_then(|lock| match lock.try_lock_shared() {
        Err(TryLockError::WouldBlock) => Some(holder(lock)),
        _ => None,
    });
    let text = fs::read_to_string(folder.join("job")).unwrap_or_default();
    let lines = description::lines(&text).unwrap_or_default();
    Some(FoundJob {
        facts: lines.iter().map(|line| format!("{line}\n")).collect(),
        bytes,
        bands: File::open(folder.join("journal")).map_or(0, journal::count),
        folder: folder.to_owned(),
        holder,
    })
}

/// Removes the jobs in a folder for scratch files at which nobody works, and the beginnings of their results; gives those that were
/// removed.
///
/// # Errors
/// [`ScaleError::Disk`] if something cannot be removed.
pub fn clean(scratch: &Path) -> Result<Vec<FoundJob>, ScaleError> {
    let mut removed = Vec::new();
    for job in found(scratch)? {
        let Tried::Locked(folder) = Folder::try_lock(&job.folder)? else {
            continue;
        };
        let result = job
            .facts
            .lines()
            .find_map(|line| line.strip_prefix(RESULT)?.strip_prefix(' '));
        let unfinished = result.and_then(of_hex);
        if let Some(unfinished) = unfinished.filter(|path| is_unfinished(path)) {
            remove_file(&unfinished)?;
        }
        match job.folder.extension() {
            // A removal that did not come to its end.
            Some(_) => remove_files(&job.folder)?,
            None => folder.remove()?,
        }
        removed.push(job);
    }
    Ok(removed)
}
