//! The passes of an operation that has its plan and its folder, one after the other.

use crate::buffer::Buffer;
use crate::error::ScaleError;
use crate::input::Vector;
use crate::job::Job;
use crate::job::journal::FileId;
use crate::matrix::{Layout, Matrix, Run};
use crate::pass::{End, Pass};
use crate::plan::{BUFFERS, Plan};
use crate::request::folder_of;
use crate::storage::{Storage, StoredFile};
use crate::task::band::BandWork;
use crate::task::check::Check;
use crate::task::stages::{Place, Share, Stage, reader, writer};
use crate::task::{Operation, Task};
use std::fs;
use std::io::ErrorKind;
use std::ops::Range;
use std::path::PathBuf;
use sunzi_dft::AnyBands;
use sunzi_field::WordRows;
use sunzi_machine::memory::Budget;
use sunzi_machine::threads::{Work, look};

/// A transform or a product that has its folder and its plan, and knows what is done already.
#[derive(Debug)]
pub struct Started {
    pub(crate) task: Task,
    pub(crate) vectors: Vec<Vector>,
    /// By what each is known again.
    pub(crate) contents: Vec<String>,
    pub(crate) storage: Storage,
    pub(crate) paths: Paths,
    pub(crate) job: Job,
}

/// The files that are not in the folder of the job.
#[derive(Debug)]
pub(crate) struct Paths {
    /// As they were given.
    pub(crate) inputs: Vec<PathBuf>,
    pub(crate) output: PathBuf,
    /// The output until it is complete.
    pub(crate) unfinished: PathBuf,
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

/// What a transform or a product took.
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
        let found = |path: &PathBuf| match fs::symlink_metadata(path) {
            Ok(found) => Ok(Some(FileId::of(&found))),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(ScaleError::disk(path, "cannot be read")(error)),
        };
        match found(unfinished)? {
            Some(file) => {
                if file != complete {
                    // A copy is as good, if it is one.
                    let stages = self.task.stages();
                    self.test_result(stages.len() - 1, &stages[stages.len() - 1])?;
                }
                let named = self.storage.disk.rename(unfinished, output);
                named.map_err(ScaleError::disk(output, "it cannot be given its name"))?;
                self.storage.sync_folder(folder_of(output))
            }
            None if found(output)? == Some(complete) => Ok(()),
            None => Err(ScaleError::damaged(
                output,
                "the result was complete, and is gone",
            )),
        }
    }

    /// Does what is left of all passes; gives the file with the result.
    fn compute(&mut self) -> Result<FileId, ScaleError> {
        let stages = self.task.stages();
        let check = Check::new(&self.task, &self.job.description.drawn)?;
        let mut tables = Tables::default();
        let last = stages.len() - 1;
        self.test_result(last, &stages[last])?;
        let work = Work::new(self.job.progress.all() as u64, "bands");
        work.done(self.job.progress.all_done() as u64);
        for number in 0..stages.len() {
            self.stage(number, &stages, check.as_ref(), &mut tables, &work)?;
        }
        if let Some(check) = &check {
            self.compare(&stages, check)?;
        }
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
        stages: &[Stage],
        check: Option<&Check>,
        tables: &mut Tables,
        work: &Work,
    ) -> Result<(), ScaleError> {
        let (stage, progress) = (&stages[number], &self.job.progress);
        let bands = progress.done(number)..progress.bands(number);
        if !bands.is_empty() {
            let tables = tables.of(&self.task, stage.prime)?;
            self.pass(number, stages, check, tables, work, bands)?;
            for &(place, _) in &stage.sources {
                self.test_input(place)?;
            }
        }
        // What no pass reads any more gives its room back.
        for &(place, _) in &stage.sources {
            let is_last =
                writer(stages, place).is_some_and(|writer| reader(stages, writer) == number);
            if is_last {
                let path = self.path(place);
                match self.storage.disk.remove(&path) {
                    Err(error) if error.kind() != ErrorKind::NotFound => {
                        return Err(ScaleError::disk(&path, "cannot be removed")(error));
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// Looks whether an input is what it was when the job began.
    fn test_input(&self, place: Place) -> Result<(), ScaleError> {
        let Place::Input(input) = place else {
            return Ok(());
        };
        match self.vectors[input].contents(&self.storage)? == self.contents[input] {
            true => Ok(()),
            false => Err(ScaleError::changed(&self.paths.inputs[input])),
        }
    }

    fn pass(
        &mut self,
        number: usize,
        stages: &[Stage],
        check: Option<&Check>,
        tables: &AnyBands,
        work: &Work,
        bands: Range<usize>,
    ) -> Result<(), ScaleError> {
        let stage = &stages[number];
        let sums = stage
            .sources
            .iter()
            .map(|source| self.sums(stages, source.0))
            .collect();
        let opened = stage.sources.iter().map(|&(place, _)| match place {
            Place::Input(_) => Ok(None),
            place => {
                let bytes = self.task.matrix(place).bytes();
                self.storage.open_whole(&self.path(place), bytes).map(Some)
            }
        });
        let opened = opened.collect::<Result<Vec<_>, _>>()?;
        let sources = stage
            .sources
            .iter()
            .zip(&opened)
            .map(|(&(place, bands), opened)| End {
                matrix: self.task.matrix(place),
                bands,
                file: match (opened, place) {
                    (None, Place::Input(input)) => &self.vectors[input].file,
                    (Some(opened), _) => opened,
                    (None, _) => unreachable!("all but inputs were opened"),
                },
            });
        let sources: Vec<_> = sources.collect();
        let to = self.task.matrix(stage.sink.0);
        let sink = self.sink(stage.sink.0, &to, bands.start > 0)?;
        let pass = Pass {
            number,
            sums,
            sources,
            sink: End {
                matrix: to,
                bands: stage.sink.1,
                file: &sink,
            },
            bytes: self.task.band_bytes(stage),
            bands,
        };
        let (storage, job) = (&self.storage, &mut self.job);
        let mut band_work = BandWork {
            task: &self.task,
            tables,
            stage,
            check,
            inputs: &self.paths.inputs,
            carried: self.task.carried(job.progress.shares(number)),
        };
        pass.run(
            storage,
            BUFFERS,
            self.task.has_spare(stage),
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
        let path = self.path(place);
        let bytes = matrix.start + matrix.bytes();
        let file = match is_begun {
            true => self.storage.open_whole(&path, bytes)?,
            false => self.storage.create(&path, bytes)?,
        };
        if !is_begun {
            self.storage.sync_folder(folder_of(&path))?;
        }
        // No sum tells whether it is as it was written.
        if place == Place::Output {
            let header = self.task.header().bytes();
            self.storage
                .write_run(&file, &Run::whole(0, header.len()), &header)?;
        }
        Ok(file)
    }

    fn path(&self, place: Place) -> PathBuf {
        match place.scratch() {
            Some(name) => self.job.scratch(name),
            None => self.paths.unfinished.clone(),
        }
    }

    /// The sums of the tiles at a place, by their numbers.
    fn sums(&self, stages: &[Stage], place: Place) -> Vec<u64> {
        let matrix = self.task.matrix(place);
        let Some(writer) = writer(stages, place).filter(|_| matrix.layout == Layout::Tiles) else {
            return Vec::new();
        };
        let mut sums = vec![0; matrix.tiles()];
        for (band, of_band) in self.job.progress.sums(writer).iter().enumerate() {
            let runs = matrix.runs(stages[writer].sink.1, band);
            for (run, &sum) in runs.iter().zip(of_band) {
                sums[run.tile] = sum;
            }
        }
        sums
    }

    /// What all bands come to in what is checked, in turn; `None` where that is not summed up.
    fn shares(&self, stages: &[Stage], check: &Check, share: Share) -> Option<Vec<Vec<u64>>> {
        let (field, width) = (&check.field, check.field.width());
        let points = self.job.description.drawn.len();
        let (pass, before) = stages.iter().enumerate().find_map(|(pass, stage)| {
            let before = stage.shares.iter().position(|&found| found == share)?;
            Some((pass, before * points * width))
        })?;
        let sum_at = |index: usize| {
            let start = before + index * width;
            let shares = self.job.progress.shares(pass).iter();
            let shares = shares.filter_map(|shares| shares.get(start..start + width));
            shares.fold(vec![0; width], |sum, share| field.sum_row(&sum, share))
        };
        Some((0..points).map(sum_at).collect())
    }

    /// Compares values with what was summed up for them, or those of a product with the products of those of the operands.
    fn compare(&self, stages: &[Stage], check: &Check) -> Result<(), ScaleError> {
        let of_inputs: Vec<_> = (0..self.vectors.len())
            .filter_map(|input| self.shares(stages, check, Share::Input(input)))
            .collect();
        let of_output = self.shares(stages, check, Share::Output);
        let file = self.storage.open(&self.paths.unfinished)?;
        for (index, &drawn) in self.job.description.drawn.iter().enumerate() {
            let (expected, found) = match (self.task.operation, &of_output) {
                (Operation::Product, Some(of_output)) => {
                    let [a, b] = [&of_inputs[0], &of_inputs[of_inputs.len() - 1]];
                    (
                        check.field.product_row(&a[index], &b[index]),
                        of_output[index].clone(),
                    )
                }
                _ => (of_inputs[0][index].clone(), self.value(&file, drawn)?),
            };
            if found != expected {
                let problem = format!("the value at {drawn} is not what it is by its definition");
                return Err(ScaleError::damaged(&self.paths.unfinished, problem));
            }
        }
        Ok(())
    }

    /// A value of the output.
    fn value(&self, file: &StoredFile, place: usize) -> Result<Vec<u64>, ScaleError> {
        let (matrix, width) = (self.task.matrix(Place::Output), self.task.digits_of_output);
        let mut buffer = Buffer::new(matrix.element);
        let at = matrix.start + (self.task.place_in_output(place) * matrix.element) as u64;
        self.storage
            .read_run(file, &Run::whole(at, matrix.element), buffer.bytes_mut())?;
        buffer.resize_words(width, self.task.word_of_output, 8);
        match buffer.words(width, 8) {
            WordRows::Words64(words) => Ok(words.to_vec()),
            WordRows::Words32(_) => unreachable!("words were made long"),
        }
    }
}

/// The tables of one of the fields, which passes one after the other compute in.
#[derive(Default)]
struct Tables(Option<(usize, AnyBands)>);

impl Tables {
    fn of(&mut self, task: &Task, prime: usize) -> Result<&AnyBands, ScaleError> {
        if self.0.as_ref().is_none_or(|kept| kept.0 != prime) {
            // Those of the prime before are no longer needed.
            self.0 = None;
            let plan = &task.plan;
            let budget = Budget::within(Some(plan.memory.max(1)));
            let tables = AnyBands::new(&task.fields[prime], plan.height, plan.width, budget)?;
            self.0 = Some((prime, tables));
        }
        match &self.0 {
            Some((_, tables)) => Ok(tables),
            None => unreachable!("they were just made"),
        }
    }
}
