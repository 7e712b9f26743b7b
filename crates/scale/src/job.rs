//! The folder of a job: what it is, how far it came, and who works at it.
//!
//! | file | holds |
//! |---|---|
//! | `job` | lines that say what is computed, by which plan; written before anything else |
//! | `journal` | a line for each band that is on the disk, with the sums of its tiles; only ever made longer |
//! | `lock` | locked by the process that works at it, which it names |
//! | `columns`, `rows` | the matrix between passes |
//!
//! A line of the journal ends with its own sum. What follows the last line that is whole was being written when the process ended: those
//! bands are computed again.

use crate::error::ScaleError;
use crate::matrix::Run;
use crate::plan::Plan;
use crate::storage::{Storage, StoredFile};
use std::fs::{self, File, TryLockError};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// The form of folders; another program that writes another form refuses this one.
const FORM: &str = "sunzi transform through files, form 1";

/// What the names of folders begin with.
const PREFIX: &str = "sunzi-dft-";

/// What a job computes, in lines `name value`, and what was drawn for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Description {
    /// Lines that must be the same for the job to go on.
    pub(crate) facts: Vec<(&'static str, String)>,
    pub(crate) plan: Plan,
    /// The places of the values that are checked.
    pub(crate) places: Vec<usize>,
}

/// A band that is on the disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) pass: usize,
    pub(crate) band: usize,
    /// The sums of its tiles.
    pub(crate) sums: Vec<u64>,
    /// What it comes to in the values that are checked, in words; only of the first pass.
    pub(crate) shares: Vec<u64>,
}

/// A job that this process works at.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) folder: PathBuf,
    pub(crate) description: Description,
    /// All bands that are done, in turn.
    pub(crate) entries: Vec<Entry>,
    /// Whether the result was complete, and was about to get its name.
    pub(crate) is_complete: bool,
    journal: StoredFile,
    /// Bytes of the journal.
    length: u64,
    _lock: File,
}

/// The last line, before the result gets its name.
const COMPLETE: &str = "complete";

impl Job {
    /// Opens the job of this name in a folder for scratch files: goes on with what is there, if it is the same job by a plan that `fits`,
    /// or makes a new one, with the plan and places that `new` gives.
    pub(crate) fn open(
        storage: &Storage,
        scratch: &Path,
        name: &str,
        facts: Vec<(&'static str, String)>,
        fresh: bool,
        fits: impl FnOnce(&Plan) -> bool,
        new: impl FnOnce() -> Result<(Plan, Vec<usize>), ScaleError>,
    ) -> Result<Self, ScaleError> {
        let folder = scratch.join(format!("{PREFIX}{name}"));
        let made = fs::create_dir(&folder).or_else(|error| match error.kind() {
            ErrorKind::AlreadyExists => Ok(()),
            _ => Err(error),
        });
        made.map_err(ScaleError::disk(&folder, "the folder cannot be made"))?;
        let lock = lock(&folder)?;
        if fresh {
            clear(&folder)?;
        }
        let path = folder.join("job");
        let description = match fs::read_to_string(&path) {
            Ok(text) => Description::of_text(&text, facts, &folder, fits)?,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                clear(&folder)?;
                let (plan, places) = new()?;
                let description = Description {
                    facts,
                    plan,
                    places,
                };
                description.write(storage, &folder)?;
                description
            }
            Err(error) => return Err(ScaleError::disk(&path, "cannot be read")(error)),
        };
        let path = folder.join("journal");
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                storage.create(&path, 0)?;
                Vec::new()
            }
            Err(error) => return Err(ScaleError::disk(&path, "cannot be read")(error)),
        };
        let (entries, is_complete, length) = parse(&bytes);
        let journal = storage.reopen(&path)?;
        journal.cut(length as u64)?;
        Ok(Self {
            folder,
            description,
            entries,
            is_complete,
            journal,
            length: length as u64,
            _lock: lock,
        })
    }

    /// The path of a scratch file.
    pub(crate) fn scratch(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Puts down that a band is on the disk; then it is.
    pub(crate) fn done(
        &mut self,
        storage: &Storage,
        file: &StoredFile,
        entry: Entry,
    ) -> Result<(), ScaleError> {
        storage.sync(file)?;
        self.append(storage, &entry.text())?;
        self.entries.push(entry);
        Ok(())
    }

    /// Puts down that the result is complete under another name.
    pub(crate) fn complete(&mut self, storage: &Storage) -> Result<(), ScaleError> {
        self.append(storage, COMPLETE)?;
        self.is_complete = true;
        Ok(())
    }

    fn append(&mut self, storage: &Storage, text: &str) -> Result<(), ScaleError> {
        let line = format!("{text} {:016x}\n", xxh3_64(text.as_bytes()));
        let run = Run::whole(self.length, line.len());
        storage.write_run(&self.journal, &run, line.as_bytes())?;
        storage.sync(&self.journal)?;
        self.length += line.len() as u64;
        Ok(())
    }

    /// Removes all of it.
    pub(crate) fn remove(self) -> Result<(), ScaleError> {
        fs::remove_dir_all(&self.folder).map_err(ScaleError::disk(
            &self.folder,
            "the folder cannot be removed",
        ))
    }
}

/// Locks a folder, as long as the file is open.
fn lock(folder: &Path) -> Result<File, ScaleError> {
    let path = folder.join("lock");
    let opened = File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(&path);
    let mut file = opened.map_err(ScaleError::disk(&path, "cannot be opened"))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let holder = fs::read_to_string(&path).unwrap_or_default();
            let holder = match holder.trim() {
                "" => "another process".to_owned(),
                holder => holder.to_owned(),
            };
            return Err(ScaleError::Busy {
                folder: folder.to_owned(),
                holder,
            });
        }
        Err(TryLockError::Error(error)) => {
            return Err(ScaleError::disk(&path, "cannot be locked")(error));
        }
    }
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let holder = format!("process {} on {}\n", std::process::id(), host.trim());
    let written = file
        .set_len(0)
        .and_then(|()| file.write_all(holder.as_bytes()));
    written.map_err(ScaleError::disk(&path, "cannot be written"))?;
    Ok(file)
}

/// Removes all but the lock.
fn clear(folder: &Path) -> Result<(), ScaleError> {
    for name in ["job", "job.new", "journal", "columns", "rows"] {
        let path = folder.join(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(ScaleError::disk(&path, "cannot be removed")(error));
            }
            _ => {}
        }
    }
    Ok(())
}

impl Description {
    /// As the file `job`, which is there as a whole or not at all.
    fn write(&self, storage: &Storage, folder: &Path) -> Result<(), ScaleError> {
        let (unfinished, path, text) = (folder.join("job.new"), folder.join("job"), self.text());
        let file = storage.create(&unfinished, 0)?;
        storage.write_run(&file, &Run::whole(0, text.len()), text.as_bytes())?;
        storage.sync(&file)?;
        let named = storage.disk.rename(&unfinished, &path);
        named.map_err(ScaleError::disk(&path, "cannot be written"))
    }

    fn text(&self) -> String {
        let mut text = format!("{FORM}\n");
        for (name, value) in &self.facts {
            text += &format!("{name} {value}\n");
        }
        let places: Vec<_> = self.places.iter().map(usize::to_string).collect();
        text + &format!("plan {}\nplaces {}\n", self.plan.line(), places.join(" "))
    }

    fn of_text(
        text: &str,
        facts: Vec<(&'static str, String)>,
        folder: &Path,
        fits: impl FnOnce(&Plan) -> bool,
    ) -> Result<Self, ScaleError> {
        let other = |difference: String| ScaleError::OtherJob {
            folder: folder.to_owned(),
            difference,
        };
        let mut lines = text.lines();
        if lines.next() != Some(FORM) {
            return Err(other("another version of the program".to_owned()));
        }
        for (name, value) in &facts {
            let line = lines.next().unwrap_or_default();
            let found = line
                .strip_prefix(name)
                .and_then(|line| line.strip_prefix(' '));
            if found != Some(value) {
                return Err(other(format!(
                    "another {name} ({})",
                    found.unwrap_or("none")
                )));
            }
        }
        let mut rest = |name: &str| lines.next().and_then(|line| line.strip_prefix(name));
        let plan = rest("plan ").and_then(Plan::of_line);
        let places = rest("places ").and_then(|places| {
            let places = places.split(' ').filter(|place| !place.is_empty());
            places
                .map(|place| place.parse().ok())
                .collect::<Option<Vec<usize>>>()
        });
        let damaged = || ScaleError::damaged(&folder.join("job"), "it is not as it was written");
        let (Some(plan), Some(places)) = (plan, places) else {
            return Err(damaged());
        };
        let description = Self {
            facts,
            plan,
            places,
        };
        if description.text() != text {
            return Err(damaged());
        }
        match fits(&plan) {
            true => Ok(description),
            false => Err(other(format!("another plan ({plan})"))),
        }
    }
}

impl Entry {
    fn text(&self) -> String {
        let words = |words: &[u64]| {
            let words: Vec<_> = words.iter().map(|word| format!("{word:x}")).collect();
            words.join(",")
        };
        format!(
            "band {} {} {} {}",
            self.pass,
            self.band,
            words(&self.sums),
            words(&self.shares)
        )
    }

    fn of_text(text: &str) -> Option<Self> {
        let words = |words: &str| {
            let words = words.split(',').filter(|word| !word.is_empty());
            words
                .map(|word| u64::from_str_radix(word, 16).ok())
                .collect::<Option<Vec<u64>>>()
        };
        let fields: Vec<_> = text.split(' ').collect();
        let &["band", pass, band, sums, shares] = &fields[..] else {
            return None;
        };
        Some(Self {
            pass: pass.parse().ok()?,
            band: band.parse().ok()?,
            sums: words(sums)?,
            shares: words(shares)?,
        })
    }
}

/// The bands of a journal that follow one another, whether the result was complete, and how many bytes tell this.
fn parse(bytes: &[u8]) -> (Vec<Entry>, bool, usize) {
    let (mut entries, mut length) = (Vec::<Entry>::new(), 0);
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let Some(text) = line
            .strip_suffix(b"\n")
            .and_then(|line| std::str::from_utf8(line).ok())
        else {
            break;
        };
        let Some((text, sum)) = text.rsplit_once(' ') else {
            break;
        };
        if sum != format!("{:016x}", xxh3_64(text.as_bytes())) {
            break;
        }
        length += line.len();
        if text == COMPLETE {
            return (entries, true, length);
        }
        let Some(entry) = Entry::of_text(text) else {
            length -= line.len();
            break;
        };
        entries.push(entry);
    }
    (entries, false, length)
}

/// A job in a folder for scratch files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundJob {
    /// Its folder.
    pub folder: PathBuf,
    /// What it computes, in lines.
    pub facts: String,
    /// Bytes of its files, as the disk has them.
    pub bytes: u64,
    /// How many bands are done.
    pub bands: usize,
    /// Who works at it.
    pub holder: Option<String>,
}

/// All jobs in a folder for scratch files, in the order of their names.
///
/// # Errors
/// [`ScaleError::Disk`] if the folder cannot be read.
pub fn found(scratch: &Path) -> Result<Vec<FoundJob>, ScaleError> {
    let unreadable = || ScaleError::disk(scratch, "the folder cannot be read");
    let mut jobs = Vec::new();
    for entry in fs::read_dir(scratch).map_err(unreadable())? {
        let entry = entry.map_err(unreadable())?;
        let folder = entry.path();
        if !entry.file_name().to_string_lossy().starts_with(PREFIX) || !folder.is_dir() {
            continue;
        }
        let holder = match lock(&folder) {
            Ok(_) => None,
            Err(ScaleError::Busy { holder, .. }) => Some(holder),
            Err(error) => return Err(error),
        };
        let text = fs::read_to_string(folder.join("job")).unwrap_or_default();
        let journal = fs::read(folder.join("journal")).unwrap_or_default();
        jobs.push(FoundJob {
            facts: text
                .lines()
                .skip(1)
                .map(|line| format!("{line}\n"))
                .collect(),
            bytes: bytes_of(&folder),
            bands: parse(&journal).0.len(),
            folder,
            holder,
        });
    }
    jobs.sort_by(|a, b| a.folder.cmp(&b.folder));
    Ok(jobs)
}

fn bytes_of(folder: &Path) -> u64 {
    use std::os::unix::fs::MetadataExt;
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let blocks = entries.filter_map(|entry| Some(entry.metadata().ok()?.blocks()));
    blocks.sum::<u64>() * 512
}

/// Removes the jobs in a folder for scratch files at which nobody works, and the beginnings of their results; gives those that were removed.
///
/// # Errors
/// [`ScaleError::Disk`] if something cannot be removed.
pub fn clean(scratch: &Path) -> Result<Vec<FoundJob>, ScaleError> {
    let mut removed = Vec::new();
    for job in found(scratch)? {
        let lock = match lock(&job.folder) {
            Ok(lock) => lock,
            Err(ScaleError::Busy { .. }) => continue,
            Err(error) => return Err(error),
        };
        let unfinished = job
            .facts
            .lines()
            .find_map(|line| line.strip_prefix("unfinished "));
        if let Some(path) = unfinished.map(Path::new) {
            match fs::remove_file(path) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(ScaleError::disk(path, "cannot be removed")(error));
                }
                _ => {}
            }
        }
        fs::remove_dir_all(&job.folder).map_err(ScaleError::disk(
            &job.folder,
            "the folder cannot be removed",
        ))?;
        drop(lock);
        removed.push(job);
    }
    Ok(removed)
}
