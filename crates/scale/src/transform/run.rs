//! The passes of a transform that has its plan and its folder, one after the other.

use super::band::BandWork;
use super::folder_of;
use super::input::Vector;
use super::stages::{Place, Stage, Step, Task};
use crate::buffer::Buffer;
use crate::error::ScaleError;
use crate::job::Job;
use crate::job::journal::FileId;
use crate::matrix::{Bands, Layout, Matrix, Run};
use crate::pass::{End, Pass};
use crate::plan::{BUFFERS, Order, Plan};
use crate::storage::{Storage, StoredFile};
use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;
use sunzi_dft::AnyBands;
use sunzi_field::WordRows;
use sunzi_machine::memory::Budget;
use sunzi_machine::threads::{Work, look};

/// A transform that has its folder and its plan, and knows what is done already.
#[derive(Debug)]
pub struct Started {
    task: Task,
    vector: Vector,
    /// By what the input is known again.
    contents: String,
    storage: Storage,
    paths: Paths,
    job: Job,
}

/// The files that are not in the folder of the job.
#[derive(Debug)]
pub(super) struct Paths {
    /// As it was given.
    pub(super) input: PathBuf,
    pub(super) output: PathBuf,
    /// The output until it is complete.
    pub(super) unfinished: PathBuf,
}

/// Where a job goes on that was begun before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resumed {
    /// The pass, from 1 on.
    pub pass: usize,
    /// The first band that is still to be done, from 1 on; more than there are where nothing is left but the last checks.
    pub band: usize,
    /// How many bands the pass has.
    pub bands: usize,
}

/// What a transform took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// What was done.
    pub plan: Plan,
    /// Where it went on, if it had been begun before.
    pub resumed: Option<Resumed>,
    /// Bytes of a word of the output: 4 or 8.
    pub word: usize,
    /// Bytes read from files by this process.
    pub read: u64,
    /// Bytes written to files by this process.
    pub written: u64,
    /// Why the folder of the job could not be removed, if it could not; the result is complete.
    pub left: Option<String>,
}

impl Started {
    pub(super) fn new(
        task: Task,
        vector: Vector,
        contents: String,
        storage: Storage,
        paths: Paths,
        job: Job,
    ) -> Self {
        Self {
            task,
            vector,
            contents,
            storage,
            paths,
            job,
        }
    }

    /// What will be done.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.task.plan
    }

    /// Where it goes on, if it was begun before.
    #[must_use]
    pub fn resumed(&self) -> Option<Resumed> {
        let progress = &self.job.progress;
        let (pass, band) = progress.next();
        (progress.all_done() > 0).then(|| Resumed {
            pass: pass + 1,
            band: band + 1,
            bands: progress.bands(pass),
        })
    }

    /// Computes what is left, checks it, and gives the result its name.
    ///
    /// # Errors
    /// [`ScaleError::Input`] for entries that are no elements, and if the input changes meanwhile, after which there is no job any more;
    /// [`ScaleError::Damaged`] if a tile or a value is not what it must be; [`ScaleError::Disk`]. What was done is kept, and the same call
    /// goes on from there.
    pub fn finish(mut self) -> Result<Report, ScaleError> {
        let resumed = self.resumed();
        let complete = match self.job.progress.complete {
            Some(file) => file,
            None => match self.compute() {
                Ok(file) => file,
                // Only another input can be computed, which is another job.
                Err(error @ ScaleError::Input { .. }) => {
                    let _ = fs::remove_file(&self.paths.unfinished);
                    let _ = self.job.remove();
                    return Err(error);
                }
                Err(error) => return Err(error),
            },
        };
        self.give_name(complete)?;
        let [read, written] = self.storage.traffic();
        Ok(Report {
            plan: self.task.plan,
            resumed,
            word: self.task.word_of_output,
            read,
            written,
            left: self.job.remove().err().map(|error| error.to_string()),
        })
    }

    /// Gives the file that is complete the name of the result, if it has not yet got it.
    fn give_name(&self, complete: FileId) -> Result<(), ScaleError> {
        let Paths {
            output, unfinished, ..
        } = &self.paths;
        let is_there = |path: &PathBuf| match fs::symlink_metadata(path) {
            Ok(found) => Ok(FileId::of(&found) == complete),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(ScaleError::disk(path, "cannot be read")(error)),
        };
        if is_there(unfinished)? {
            let named = self.storage.disk.rename(unfinished, output);
            named.map_err(ScaleError::disk(output, "it cannot be given its name"))?;
            return self.storage.sync_folder(folder_of(output));
        }
        match is_there(output)? {
            true => Ok(()),
            false => Err(ScaleError::damaged(
                output,
                "the result was complete, and is gone",
            )),
        }
    }

    /// Does what is left of all passes; gives the file with the result.
    fn compute(&mut self) -> Result<FileId, ScaleError> {
        let (plan, stages) = (self.task.plan, self.task.plan.route.stages());
        let budget = Budget::within(Some(plan.memory.max(1)));
        let tables = AnyBands::new(&self.task.field, plan.height, plan.width, budget)?;
        let last = stages.len() - 1;
        self.test_result(last, &stages[last])?;
        let work = Work::new(self.job.progress.all() as u64, "bands");
        work.done(self.job.progress.all_done() as u64);
        for (number, stage) in stages.iter().enumerate() {
            self.stage(number, stage, &tables, &work)?;
        }
        self.check()?;
        let file = self.storage.open(&self.paths.unfinished)?;
        let id = FileId::of(&file.metadata()?);
        self.job.complete(&self.storage, id)?;
        Ok(id)
    }

    /// Compares what an earlier process has written of the result with its sums.
    fn test_result(&self, last: usize, stage: &Stage) -> Result<(), ScaleError> {
        let sums = self.job.progress.sums(last);
        if sums.is_empty() {
            return Ok(());
        }
        let matrix = self.task.matrix(Place::Output);
        let file = self.sink(Place::Output, &matrix, true)?;
        let end = End {
            matrix,
            bands: stage.sink.1,
            file: &file,
        };
        end.test(
            &self.storage,
            matrix.band_elements(stage.sink.1) * matrix.element,
            sums,
        )
    }

    /// Does what is left of one pass.
    fn stage(
        &mut self,
        number: usize,
        stage: &Stage,
        tables: &AnyBands,
        work: &Work,
    ) -> Result<(), ScaleError> {
        let (done, bands) = (
            self.job.progress.done(number),
            self.job.progress.bands(number),
        );
        if done < bands {
            self.pass(number, stage, tables, work, done..bands)?;
        }
        if stage.source.0 == Place::Input
            && done < bands
            && self.vector.contents(&self.storage)? != self.contents
        {
            let problem = "it has changed while it was read: run the command again";
            return Err(ScaleError::input(&self.paths.input, problem));
        }
        // What no pass reads any more gives its room back.
        if (stage.source.0, stage.sink.0) == (Place::First, Place::Second) {
            let path = self.path(Place::First);
            match self.storage.disk.remove(&path) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(ScaleError::disk(&path, "cannot be removed")(error));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn pass(
        &mut self,
        number: usize,
        stage: &Stage,
        tables: &AnyBands,
        work: &Work,
        bands: std::ops::Range<usize>,
    ) -> Result<(), ScaleError> {
        let [from, to] = [stage.source.0, stage.sink.0].map(|place| self.task.matrix(place));
        let sums = self.take_sums(number, &from, stage.source.1);
        let opened;
        let source = match stage.source.0 {
            Place::Input => &self.vector.file,
            place => {
                opened = self.storage.open_whole(&self.path(place), from.bytes())?;
                &opened
            }
        };
        let sink = self.sink(stage.sink.0, &to, bands.start > 0)?;
        let in_buffer = self.task.plan.elements.into_iter().max().unwrap_or(0);
        let pass = Pass {
            number,
            sums,
            source: End {
                matrix: from,
                bands: stage.source.1,
                file: source,
            },
            sink: End {
                matrix: to,
                bands: stage.sink.1,
                file: &sink,
            },
            bytes: from.band_elements(stage.source.1) * in_buffer,
            bands,
        };
        let (storage, job) = (&self.storage, &mut self.job);
        let places = job.description.places.clone();
        let band_work = BandWork {
            task: &self.task,
            tables,
            stage,
            places: if number == 0 { &places } else { &[] },
            input: &self.paths.input,
        };
        let transposes = match stage.step {
            Step::Transposition => true,
            Step::All => self.task.order == Order::Natural,
            Step::Columns(_) | Step::Rows => false,
        };
        pass.run(
            storage,
            BUFFERS,
            transposes,
            &mut |band, buffer, spare| {
                look();
                band_work.run(band, buffer, spare)
            },
            &mut |entry| {
                job.done(storage, &sink, entry)?;
                work.done(1);
                Ok(())
            },
        )
    }

    /// Opens what a pass writes to, or makes it.
    fn sink(
        &self,
        place: Place,
        matrix: &Matrix,
        is_begun: bool,
    ) -> Result<StoredFile, ScaleError> {
        let path = match place {
            Place::Output => self.paths.unfinished.clone(),
            place => self.path(place),
        };
        let bytes = matrix.start + matrix.bytes();
        if is_begun {
            return self.storage.open_whole(&path, bytes);
        }
        let file = self.storage.create(&path, bytes)?;
        self.storage.sync_folder(folder_of(&path))?;
        if place == Place::Output {
            let header = self.task.header().bytes();
            self.storage
                .write_run(&file, &Run::whole(0, header.len()), &header)?;
        }
        Ok(file)
    }

    fn path(&self, place: Place) -> PathBuf {
        self.job.scratch(match place {
            Place::First => "columns",
            _ => "rows",
        })
    }

    /// The sums of the tiles that the pass before has written, by their numbers; bands need not keep them any more.
    fn take_sums(&mut self, pass: usize, matrix: &Matrix, read_by: Bands) -> Vec<u64> {
        if matrix.layout == Layout::RowMajor {
            return Vec::new();
        }
        // Rows are read of what was written as columns, and then columns of what was written as rows.
        let written_by = match read_by {
            Bands::Rows => Bands::Columns,
            Bands::Columns => Bands::Rows,
        };
        let mut sums = vec![0; matrix.tiles()];
        for (band, of_band) in self.job.progress.sums(pass - 1).iter().enumerate() {
            let runs = matrix.runs(written_by, band);
            for (run, &sum) in runs.iter().zip(of_band) {
                sums[run.tile] = sum;
            }
        }
        self.job.progress.forget_sums(pass - 1);
        sums
    }

    /// Compares values with what the first pass has summed up for them.
    fn check(&self) -> Result<(), ScaleError> {
        let field = &self.task.field;
        let matrix = self.task.matrix(Place::Output);
        let file = self.storage.open(&self.paths.unfinished)?;
        let width = field.width();
        for (index, &place) in self.job.description.places.iter().enumerate() {
            let shares = self.job.progress.shares.iter();
            let shares = shares.filter_map(|shares| shares.get(index * width..(index + 1) * width));
            let expected = shares.fold(vec![0; width], |sum, share| field.sum_row(&sum, share));
            let mut buffer = Buffer::new(matrix.element);
            let at = matrix.start + (self.task.place_in_output(place) * matrix.element) as u64;
            self.storage
                .read_run(&file, &Run::whole(at, matrix.element), buffer.bytes_mut())?;
            buffer.resize_words(width, self.task.word_of_output, 8);
            if buffer.words(width, 8) != WordRows::Words64(&expected) {
                let problem = format!("value {place} is not the sum of its definition");
                return Err(ScaleError::damaged(&self.paths.unfinished, problem));
            }
        }
        Ok(())
    }
}
