//! What is asked for of files: inputs, an output, and how; the start of a job.

mod opened;
pub(crate) mod product;
mod together;
pub(crate) mod transform;

use crate::disk::{Disk, System};
use crate::error::ScaleError;
use crate::input::Vector;
use crate::job::description::{CONTENTS, Description};
use crate::job::folder::{RESULT, in_hex, of_job, unfinished};
use crate::job::{Job, Opening};
use crate::plan::Plan;
use crate::ranks::{Alone, Deal, Ranks};
use crate::run::{Leaving, Paths, Started};
use crate::storage::Storage;
use crate::task::entries::Entries;
use crate::task::stages::reader;
use crate::task::Operation;
use opened::Opened;
use together::agree;
use std::collections::HashMap;
use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use sunzi_machine::memory::Budget;
use xxhash_rust::xxh3::xxh3_64;

/// Memory that is used where no limit is given: this share of what the system can give.
const SHARE: u64 = 2;

/// Symbolic links that are followed one after the other, as many as Linux follows.
const MOST_LINKS: usize = 40;

/// What all operations have as methods.
macro_rules! options {
    ($values:literal) => {
        /// In this memory, all of it: bands, tables, and what transforms work in; without a limit in half of what the system can give.
        #[must_use]
        pub fn within(mut self, budget: ::sunzi_machine::memory::Budget) -> Self {
            self.request.budget = budget;
            self
        }

        /// Whether to begin anew where the same job was begun before.
        #[must_use]
        pub fn fresh(mut self, fresh: bool) -> Self {
            self.request.fresh = fresh;
            self
        }

        #[doc = concat!(
            "Whether to compare three ", $values,
            " with their definition, in a job that begins; it takes about a tenth of the processor's time."
        )]
        #[must_use]
        pub fn verify(mut self, verify: bool) -> Self {
            self.request.verify = verify;
            self
        }

        /// By this plan, whatever memory it takes.
        #[must_use]
        pub fn by(mut self, plan: Plan) -> Self {
            self.request.plan = Some(plan);
            self
        }

        /// As one of several ranks, each of which makes the same request, and reads the inputs and writes the output: a rank does its
        /// share of all bands, and has its own folder for scratch files.
        #[must_use]
        pub fn among(mut self, ranks: ::std::sync::Arc<dyn $crate::ranks::Ranks>) -> Self {
            self.request.ranks = ranks;
            self
        }

        /// With matrices between passes in memory, in place of scratch files; nothing is kept then of what does not come to its end.
        #[must_use]
        pub fn without_scratch(mut self) -> Self {
            self.request.scratch = None;
            self
        }

        /// On a disk that is not the system's.
        #[cfg(feature = "internals")]
        #[must_use]
        pub fn on(mut self, disk: ::std::sync::Arc<dyn $crate::disk::Disk>) -> Self {
            self.request.disk = disk;
            self
        }
    };
}
use options;

/// What all operations are asked for with.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    entries: Entries,
    inputs: Vec<PathBuf>,
    output: PathBuf,
    /// The folder for scratch files; `None` for matrices in memory.
    scratch: Option<PathBuf>,
    budget: Budget,
    fresh: bool,
    verify: bool,
    plan: Option<Plan>,
    disk: Arc<dyn Disk>,
    ranks: Arc<dyn Ranks>,
}

/// A request with its inputs, and the names of all files.
struct Prepared<'a> {
    opened: Opened<'a>,
    /// Of the job, if there is anything to go on with.
    folder: Option<PathBuf>,
    facts: Vec<(&'static str, String)>,
    contents: Vec<String>,
    paths: Paths,
}

impl Request {
    fn new(entries: Entries, inputs: Vec<PathBuf>, output: PathBuf, scratch: PathBuf) -> Self {
        Self {
            entries,
            inputs,
            output,
            scratch: Some(scratch),
            budget: Budget::system(),
            fresh: false,
            verify: true,
            plan: None,
            disk: Arc::new(System),
            ranks: Arc::new(Alone),
        }
    }

    /// Opens the inputs, each once, and finds all names.
    fn prepare<'a>(
        &'a self,
        operation: Operation,
        storage: &Storage,
    ) -> Result<Prepared<'a>, ScaleError> {
        let [is_matrix, _] = operation.is_transposed();
        let open = |path: &PathBuf| Vector::open(path, &self.entries, is_matrix, storage);
        let vectors = self
            .inputs
            .iter()
            .map(open)
            .collect::<Result<Vec<_>, _>>()?;
        let real = |path: &PathBuf| {
            fs::canonicalize(path).map_err(ScaleError::disk(path, "cannot be read"))
        };
        let inputs = self
            .inputs
            .iter()
            .map(real)
            .collect::<Result<Vec<_>, _>>()?;
        let mut opened = Opened::new(self, operation, vectors)?;
        let mut given = self.inputs.clone();
        let is_square = inputs.windows(2).any(|two| two[0] == two[1]);
        let inputs = match is_square {
            // One transform serves both operands.
            true => {
                opened.vectors.truncate(1);
                given.truncate(1);
                inputs[..1].to_vec()
            }
            false => inputs,
        };
        let output = self.place()?;
        if inputs.contains(&output) {
            return Err(ScaleError::Output {
                path: self.output.clone(),
                problem: "the input would be written over: give -o (`output` in Rust) another name"
                    .to_owned(),
            });
        }
        let real_folder = |scratch: &PathBuf| {
            let found = fs::canonicalize(scratch);
            found.map_err(ScaleError::disk(scratch, "the folder cannot be read"))
        };
        let scratch = self.scratch.as_ref().map(real_folder).transpose()?;
        let ring = self.entries.name();
        let mut identity = Vec::new();
        for path in inputs.iter().chain([&output]) {
            identity.extend(path.as_os_str().as_bytes());
            identity.push(0);
        }
        identity.extend(ring.bytes());
        let size = self.ranks.size();
        let name = |identity: &[u8]| format!("{:016x}", xxh3_64(identity));
        let of_folder = scratch.as_ref().map(|scratch| {
            let path = scratch.as_os_str().as_bytes();
            let rank = match size {
                1 => String::new(),
                _ => format!("rank {} of {size}", self.ranks.rank()),
            };
            [&identity[..], &[0], path, &[0], rank.as_bytes()].concat()
        });
        let of_result = match &of_folder {
            Some(of_folder) if size == 1 => name(of_folder),
            // The same for all ranks, whose folders may be one or may be not.
            _ => name(format!("{operation:?} on {size} ranks of {}", name(&identity)).as_bytes()),
        };
        let unfinished = unfinished(&output, &of_result);
        let folder = scratch
            .zip(of_folder)
            .map(|(scratch, identity)| of_job(&scratch, &name(&identity)));
        let contents = opened.vectors.iter().map(|vector| vector.contents(storage));
        let contents = contents.collect::<Result<Vec<_>, _>>()?;
        let facts = vec![
            ("input", format!("{inputs:?}")),
            ("output", format!("{output:?}")),
            (RESULT, in_hex(&unfinished)),
            ("version", env!("CARGO_PKG_VERSION").to_owned()),
            ("modulus", ring),
            ("operation", format!("{operation:?}")),
            ("ranks", size.to_string()),
            (CONTENTS, contents.join("; ")),
        ];
        Ok(Prepared {
            folder,
            paths: Paths {
                inputs: given,
                unfinished,
                output,
            },
            opened,
            contents,
            facts,
        })
    }

    fn plan(&self, operation: Operation) -> Result<Plan, ScaleError> {
        let storage = Storage::new(Arc::clone(&self.disk));
        let Prepared {
            opened,
            folder,
            facts,
            ..
        } = self.prepare(operation, &storage)?;
        let begun = match (self.fresh, &folder) {
            (false, Some(folder)) => Description::read(folder, &facts)?,
            _ => None,
        };
        match (begun, folder) {
            (Some(Description { mut plan, .. }), Some(folder)) => {
                let accepted = opened.accept(&mut plan);
                accepted.map_err(|difference| ScaleError::OtherJob { folder, difference })?;
                Ok(plan)
            }
            _ => opened.plan(),
        }
    }

    /// The memory for a new job, and for one that was begun.
    fn memory(&self) -> [u64; 2] {
        match (self.budget.limit(), self.budget.available()) {
            (Some(_), Some(bytes)) => [bytes; 2],
            (None, Some(bytes)) => [bytes / SHARE, bytes],
            (_, None) => [1 << 30; 2],
        }
    }

    fn start(&self, operation: Operation) -> Result<Started, ScaleError> {
        let mut leaving = Leaving(Some(&*self.ranks));
        let started = self.start_with_others(operation)?;
        leaving.0 = None;
        Ok(started)
    }

    /// Starts if all ranks can.
    fn start_with_others(&self, operation: Operation) -> Result<Started, ScaleError> {
        let ranks = &*self.ranks;
        let storage = Storage::new(Arc::clone(&self.disk));
        let prepared = agree(ranks, self.prepare(operation, &storage))?;
        let Prepared {
            opened,
            folder,
            facts,
            contents,
            paths,
        } = prepared;
        agree(ranks, self.compare(&facts))?;
        let passes = |plan: &Plan| {
            let task = opened.task(*plan);
            let stages = task.stages();
            let deal = Deal::of(ranks);
            let pass =
                |number| [deal.rounds(task.bands(&stages[number])), reader(&stages, number)];
            (0..stages.len()).map(pass).collect()
        };
        // No rank leaves out what others take part in.
        let go_on = self.all_go_on(folder.as_deref(), &facts)?;
        let fresh = self.fresh || !go_on;
        let chosen = match ranks.size() > 1 && fresh {
            true => Some(self.choose(&opened)?),
            false => None,
        };
        let new = || match &chosen {
            Some((plan, drawn)) => Ok((*plan, drawn.clone())),
            None => Ok((opened.plan()?, opened.drawn())),
        };
        let job = match folder {
            Some(folder) => Job::open(
                folder,
                Opening {
                    storage: &storage,
                    facts,
                    fresh,
                    accept: &|plan| opened.accept(plan),
                    new: &new,
                    passes: &passes,
                },
            ),
            None => new().map(|(plan, drawn)| {
                let passes = passes(&plan);
                let description = Description { facts, plan, drawn };
                Job::in_memory(description, passes)
            }),
        };
        let mut job = agree(ranks, job)?;
        together::go_back(ranks, &mut job)?;
        let is_first = ranks.rank() == 0;
        let written = match job.progress.complete.is_none() && is_first {
            true => self.try_output(&storage, &paths).map(Some),
            false => Ok(None),
        };
        let output_lock = match agree(ranks, written) {
            Ok(lock) => lock,
            Err(error) => {
                if job.progress.all_done() == 0 {
                    // There is nothing to go on with.
                    let _ = job.remove();
                }
                return Err(error);
            }
        };
        Ok(Started {
            task: opened.task(job.description.plan),
            vectors: opened.vectors,
            contents,
            storage,
            paths,
            job,
            ranks: Arc::clone(&self.ranks),
            in_memory: HashMap::new(),
            _output_lock: output_lock,
        })
    }

    /// That it cannot be written is told before the work; nobody else writes it as long as what is given is there.
    fn try_output(&self, storage: &Storage, paths: &Paths) -> Result<File, ScaleError> {
        let refused = |problem: String| ScaleError::Output {
            path: self.output.clone(),
            problem,
        };
        let file = storage.open_or_create(&paths.unfinished);
        let file = file.map_err(|error| refused(error.to_string()))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(refused(
                    "another process writes it: wait for it, or give -o (`output` in Rust) another name".to_owned(),
                ));
            }
            // There are file systems without locks.
            Err(TryLockError::Error(_)) => {}
        }
        storage.sync_folder(folder_of(&paths.output))?;
        Ok(file)
    }

    /// Where the output is to be, through links, which stay.
    fn place(&self) -> Result<PathBuf, ScaleError> {
        let refused = |problem: String| ScaleError::Output {
            path: self.output.clone(),
            problem,
        };
        let mut path = self.output.clone();
        for _ in 0..MOST_LINKS {
            match fs::read_link(&path) {
                // An absolute link replaces the whole path.
                Ok(next) => path = path.parent().unwrap_or(Path::new("")).join(next),
                Err(_) => break,
            }
        }
        match fs::symlink_metadata(&path) {
            Ok(found) if !found.is_file() => {
                return Err(refused(
                    "results of this length go to a file, and this is none".to_owned(),
                ));
            }
            // Such as that of a name that is too long.
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(refused(format!("it cannot be made: {error}")));
            }
            _ => {}
        }
        let name = path
            .file_name()
            .ok_or_else(|| refused("this is no name of a file".to_owned()))?;
        let folder = fs::canonicalize(folder_of(&path));
        let folder =
            folder.map_err(|error| refused(format!("its folder cannot be found: {error}")))?;
        Ok(folder.join(name))
    }
}

/// The folder that a file is in, or is to be in.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}
