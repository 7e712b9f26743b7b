//! Which bands are on the disk: a line for each, which ends with its own sum.
//!
//! What follows the last line that is whole was being written when the process ended: those bands are computed again. A line that is
//! not whole before others that are can only be damage.

use super::folder::Folder;
use crate::error::ScaleError;
use crate::matrix::Run;
use crate::storage::{Storage, StoredFile};
use std::fs::{File, Metadata};
use std::io::{BufRead, BufReader, ErrorKind};
use std::os::unix::fs::MetadataExt;
use xxhash_rust::xxh3::xxh3_64;

/// A band that is on the disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) pass: usize,
    pub(crate) band: usize,
    /// The sums of its tiles, or the sum of a band of the result.
    pub(crate) sums: Vec<u64>,
    /// What it comes to in what is checked, in words.
    pub(crate) shares: Vec<u64>,
}

/// What tells a file from others of its folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileId {
    inode: u64,
    bytes: u64,
}

/// How far a job came.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    /// How many bands each pass has, and the pass that reads what it writes last.
    passes: Vec<[usize; 2]>,
    /// How many bands of each pass are done.
    done: Vec<usize>,
    /// The sums of the bands of each pass; those that no pass reads any more are let go.
    sums: Vec<Vec<Vec<u64>>>,
    /// The shares of the bands of each pass.
    shares: Vec<Vec<Vec<u64>>>,
    /// The file with the result, once it was complete.
    pub(crate) complete: Option<FileId>,
}

/// The journal of a job.
#[derive(Debug)]
pub(super) struct Journal {
    file: StoredFile,
    /// Where each line begins, and the next one will.
    starts: Vec<u64>,
}

/// What the last line begins with, before the result gets its name.
const COMPLETE: &str = "complete";

impl FileId {
    pub(crate) fn of(metadata: &Metadata) -> Self {
        Self {
            inode: metadata.ino(),
            bytes: metadata.len(),
        }
    }

    pub(crate) fn text(self) -> String {
        format!("{COMPLETE} {} {}", self.inode, self.bytes)
    }

    pub(crate) fn of_text(text: &str) -> Option<Self> {
        let numbers = text.strip_prefix(COMPLETE)?.trim_start().split(' ');
        let numbers: Option<Vec<u64>> = numbers.map(|number| number.parse().ok()).collect();
        let [inode, bytes] = numbers?.try_into().ok()?;
        Some(Self { inode, bytes })
    }
}

impl Entry {
    pub(super) fn text(&self) -> String {
        let words = |words: &[u64]| {
            let words: Vec<_> = words.iter().map(|word| format!("{word:x}")).collect();
            words.join(",")
        };
        let (sums, shares) = (words(&self.sums), words(&self.shares));
        format!("band {} {} {sums} {shares}", self.pass, self.band)
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

impl Progress {
    pub(super) fn new(passes: Vec<[usize; 2]>) -> Self {
        Self {
            done: vec![0; passes.len()],
            sums: vec![Vec::new(); passes.len()],
            shares: vec![Vec::new(); passes.len()],
            passes,
            ..Self::default()
        }
    }

    /// How many bands of a pass are done.
    pub(crate) fn done(&self, pass: usize) -> usize {
        self.done[pass]
    }

    /// How many bands a pass has.
    pub(crate) fn bands(&self, pass: usize) -> usize {
        self.passes[pass][0]
    }

    /// How many bands are done in all.
    pub(crate) fn all_done(&self) -> usize {
        self.done.iter().sum()
    }

    /// How many bands there are in all.
    pub(crate) fn all(&self) -> usize {
        self.passes.iter().map(|pass| pass[0]).sum()
    }

    /// The pass and the band that are next; those behind the last ones if all are done.
    pub(crate) fn next(&self) -> (usize, usize) {
        let last = self.passes.len() - 1;
        let pass = (0..last)
            .find(|&pass| self.done[pass] < self.bands(pass))
            .unwrap_or(last);
        (pass, self.done[pass])
    }

    /// The sums of the bands of a pass that are done.
    pub(crate) fn sums(&self, pass: usize) -> &[Vec<u64>] {
        &self.sums[pass]
    }

    /// Lets go of the sums of a pass.
    pub(crate) fn forget_sums(&mut self, pass: usize) {
        self.sums[pass] = Vec::new();
    }

    /// Whether an entry is that of the next band.
    fn is_next(&self, entry: &Entry) -> bool {
        self.next() == (entry.pass, entry.band) && entry.band < self.bands(entry.pass)
    }

    /// One more band is done, the next one.
    pub(super) fn add(&mut self, entry: Entry) {
        self.done[entry.pass] += 1;
        self.sums[entry.pass].push(entry.sums);
        self.shares[entry.pass].push(entry.shares);
        if entry.band == 0 {
            for pass in 0..entry.pass {
                if self.passes[pass][1] < entry.pass {
                    self.forget_sums(pass);
                }
            }
        }
    }

    /// Takes back the last band.
    pub(super) fn take_back(&mut self) {
        if let Some(pass) = self.done.iter().rposition(|&done| done > 0) {
            self.done[pass] -= 1;
            self.sums[pass].pop();
            self.shares[pass].pop();
        }
    }

    /// The shares of the bands of a pass that are done.
    pub(crate) fn shares(&self, pass: usize) -> &[Vec<u64>] {
        &self.shares[pass]
    }
}

/// The text of a line that is whole.
fn whole(line: &[u8]) -> Option<&str> {
    let line = std::str::from_utf8(line.strip_suffix(b"\n")?).ok()?;
    let (text, sum) = line.rsplit_once(' ')?;
    (sum == format!("{:016x}", xxh3_64(text.as_bytes()))).then_some(text)
}

/// How many bands a journal tells of.
pub(super) fn count(journal: File) -> usize {
    let lines = BufReader::new(journal).split(b'\n').map_while(Result::ok);
    let is_band = |line: &Vec<u8>| {
        whole(&[line, &b"\n"[..]].concat()).is_some_and(|text| text.starts_with("band "))
    };
    lines.filter(is_band).count()
}

impl Journal {
    /// Opens the journal in a folder, or makes one; and what it tells of a job with these passes.
    pub(super) fn open(
        storage: &Storage,
        folder: &Folder,
        passes: Vec<[usize; 2]>,
    ) -> Result<(Self, Progress), ScaleError> {
        let path = folder.file("journal");
        let mut progress = Progress::new(passes);
        let unreadable = || ScaleError::disk(&path, "cannot be read");
        let (mut bytes, mut starts) = (0, vec![0]);
        match File::open(&path) {
            Ok(file) => {
                let mut reader = BufReader::new(file);
                let (mut line, mut lost) = (Vec::new(), 0);
                loop {
                    line.clear();
                    if reader.read_until(b'\n', &mut line).map_err(unreadable())? == 0 {
                        break;
                    }
                    let Some(text) = whole(&line) else {
                        lost += 1;
                        continue;
                    };
                    let entry = Entry::of_text(text).filter(|entry| progress.is_next(entry));
                    match (entry, FileId::of_text(text)) {
                        _ if lost > 0 || progress.complete.is_some() => {
                            return Err(ScaleError::damaged(&path, "lines of it have changed"));
                        }
                        (Some(entry), _) => progress.add(entry),
                        (None, Some(file)) => progress.complete = Some(file),
                        (None, None) => {
                            return Err(ScaleError::damaged(&path, "it is of another plan"));
                        }
                    }
                    bytes += line.len() as u64;
                    starts.push(bytes);
                }
                // A line is on the disk before the next one is begun.
                if lost > 1 {
                    return Err(ScaleError::damaged(&path, "lines of it have changed"));
                }
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                if folder.has_matrices() {
                    return Err(ScaleError::damaged(&path, "it is gone"));
                }
                storage.create(&path, 0)?;
                storage.sync_folder(folder.path())?;
            }
            Err(error) => return Err(unreadable()(error)),
        }
        let file = storage.reopen(&path)?;
        file.cut(bytes)?;
        Ok((Self { file, starts }, progress))
    }

    /// Puts a line behind the others; then it is on the disk.
    pub(super) fn append(&mut self, storage: &Storage, text: &str) -> Result<(), ScaleError> {
        let line = format!("{text} {:016x}\n", xxh3_64(text.as_bytes()));
        let start = self.starts.last().copied().unwrap_or(0);
        storage.write_run(
            &self.file,
            &Run::whole(start, line.len()),
            line.as_bytes(),
        )?;
        storage.sync(&self.file)?;
        self.starts.push(start + line.len() as u64);
        Ok(())
    }

    /// Takes back the last line.
    pub(super) fn take_back(&mut self) -> Result<(), ScaleError> {
        self.starts.pop();
        self.file.cut(self.starts.last().copied().unwrap_or(0))
    }
}
