//! The folder of a job: what it is, how far it came, and who works at it.
//!
//! | file | holds |
//! |---|---|
//! | `job` | lines that say what is computed, by which plan; written before anything else ([`description`]) |
//! | `journal` | a line for each band that is on the disk, with the sums of its tiles; only ever made longer ([`journal`]) |
//! | `lock` | locked by the process that works at it, which it names ([`folder`]) |
//! | `columns-0-0`, `rows-0`, `residues-0` … | matrices between passes, of each prime and operand |

pub(crate) mod description;
pub(crate) mod folder;
pub(crate) mod journal;

use crate::error::ScaleError;
use crate::plan::Plan;
use crate::storage::{Storage, StoredFile};
use description::Description;
use folder::Folder;
use journal::{Entry, FileId, Journal, Progress};
use std::path::PathBuf;

/// A job that this process works at.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) description: Description,
    pub(crate) progress: Progress,
    /// Nothing, where all is in memory: no other process goes on with it.
    kept: Option<Kept>,
}

/// What is on the disk of a job.
#[derive(Debug)]
struct Kept {
    folder: Folder,
    journal: Journal,
}

/// How a job is opened.
pub(crate) struct Opening<'a> {
    pub(crate) storage: &'a Storage,
    /// Lines that must be the same for the job to go on.
    pub(crate) facts: Vec<(&'static str, String)>,
    /// Whether to begin anew.
    pub(crate) fresh: bool,
    /// Looks at the plan of a job that was begun; an error says why it cannot be gone on with.
    pub(crate) accept: &'a dyn Fn(&mut Plan) -> Result<(), String>,
    /// The plan of a new job, and what is drawn for what it checks.
    pub(crate) new: &'a dyn Fn() -> Result<(Plan, Vec<usize>), ScaleError>,
    /// How many bands each pass of a plan has, and the pass that reads what it writes last.
    pub(crate) passes: &'a dyn Fn(&Plan) -> Vec<[usize; 2]>,
}

impl Job {
    /// Opens the job in a folder: goes on with what is there, if it is the same job, or makes a new one.
    pub(crate) fn open(path: PathBuf, opening: Opening<'_>) -> Result<Self, ScaleError> {
        let Opening { storage, facts, .. } = opening;
        let folder = Folder::lock(storage, path)?;
        let found = match opening.fresh {
            true => None,
            false => Description::read(folder.path(), &facts)?,
        };
        let description = match found {
            Some(mut description) => {
                let accepted = (opening.accept)(&mut description.plan);
                accepted.map_err(|difference| folder.other_job(difference))?;
                description
            }
            None => {
                // Before anything is removed or made.
                let planned = (opening.new)();
                let (plan, drawn) = match planned {
                    Ok(planned) => planned,
                    Err(error) => {
                        folder.remove_if_empty();
                        return Err(error);
                    }
                };
                folder.clear()?;
                let description = Description {
                    facts,
                    plan,
                    drawn,
                };
                description.write(storage, &folder)?;
                description
            }
        };
        let passes = (opening.passes)(&description.plan);
        let (journal, progress) = Journal::open(storage, &folder, passes)?;
        Ok(Self {
            description,
            progress,
            kept: Some(Kept { folder, journal }),
        })
    }

    /// A job of which nothing is kept.
    pub(crate) fn in_memory(description: Description, passes: Vec<[usize; 2]>) -> Self {
        Self {
            description,
            progress: Progress::new(passes),
            kept: None,
        }
    }

    /// Takes back what is done beyond a band of a pass, which other ranks have not done.
    pub(crate) fn go_back(&mut self, to: (usize, usize)) -> Result<(), ScaleError> {
        while self.progress.next() > to {
            self.progress.take_back();
            if let Some(kept) = &mut self.kept {
                kept.journal.take_back()?;
            }
        }
        Ok(())
    }

    /// Whether another process can go on with it.
    pub(crate) fn is_kept(&self) -> bool {
        self.kept.is_some()
    }

    /// The path of a scratch file, if they are on a disk.
    pub(crate) fn scratch(&self, name: &str) -> Option<PathBuf> {
        self.kept.as_ref().map(|kept| kept.folder.file(name))
    }

    /// Puts down that a band is on the disk; then it is.
    pub(crate) fn done(
        &mut self,
        storage: &Storage,
        file: &StoredFile,
        entry: Entry,
    ) -> Result<(), ScaleError> {
        if let Some(kept) = &mut self.kept {
            storage.sync(file)?;
            kept.journal.append(storage, &entry.text())?;
        }
        self.progress.add(entry);
        Ok(())
    }

    /// Puts down that the result is complete, in this file.
    pub(crate) fn complete(&mut self, storage: &Storage, file: FileId) -> Result<(), ScaleError> {
        if let Some(kept) = &mut self.kept {
            kept.journal.append(storage, &file.text())?;
        }
        self.progress.complete = Some(file);
        Ok(())
    }

    /// Removes all of it.
    pub(crate) fn remove(self) -> Result<(), ScaleError> {
        self.kept.map_or(Ok(()), |kept| kept.folder.remove())
    }
}
