//! The passes of an operation that has its plan and its folder, one after the other.

use crate::buffer::Buffer;
use crate::error::ScaleError;
use crate::input::Vector;
use crate::job::Job;
use crate::job::journal::FileId;
use crate::matrix::{Layout, Matrix, Run};
use crate::pass::{End, Pass};
use crate::plan::{BUFFERS, Plan};
use crate::ranks::{Deal, Ranks};
use crate::request::folder_of;
use crate::storage::{Storage, StoredFile};
use crate::task::band::BandWork;
use crate::task::carry::Carries;
use crate::task::check::Check;
use crate::task::stages::{Place, Share, Stage, reader, writer};
use crate::task::{Operation, Task};
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
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
    pub(crate) ranks: Arc<dyn Ranks>,
    /// Matrices between passes that are in memory alone, by their names.
    pub(crate) in_memory: HashMap<&'static str, Arc<StoredFile>>,
    /// What keeps others from writing the output.
    pub(crate) _output_lock: Option<File>,
}

/// Tells the other ranks when this one ends before the job has.
pub(crate) struct Leaving<'a>(pub(crate) Option<&'a dyn Ranks>);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        if let Some(ranks) = self.0 {
            ranks.leave();
        }
    }
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
    /// Bytes that ranks have sent each other, all of them.
    pub sent: u64,
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
        let ranks = Arc::clone(&self.ranks);
        let mut leaving = Leaving(Some(&*ranks));
        let resumed = self.resumed();
        let sent = self.task.plan.sent();
        let complete = match self.complete()? {
            Some(file) => Some(file),
            None => match self.compute() {
                Ok(file) => file,
                Err(error) => {
                    // Only another input can be computed, which is another job; and what is not kept cannot be gone on with.
                    if matches!(error, ScaleError::Input { .. }) || !self.job.is_kept() {
                        let _ = fs::remove_file(&self.paths.unfinished);
                        let _ = self.job.remove();
                    }
                    return Err(error);
                }
            },
        };
        // The first rank does for all what is done once.
        if let Some(file) = complete.filter(|_| ranks.rank() == 0) {
            self.give_name(file)?;
        }
        // What would be gone on with stays until the result has its name.
        ranks.gather(&[])?;
        leaving.0 = None;
        let [read, written] = self.storage.traffic();
        Ok(Report {
            plan: self.task.plan,
            resumed,
            word: self.task.word_of_output,
            read,
            written,
            sent,
            left: self.job.remove().err().map(|error| error.to_string()),
        })
    }

    /// The file with the result, if it was complete before.
    fn complete(&self) -> Result<Option<FileId>, ScaleError> {
        let own = self.job.progress.complete.map_or_else(String::new, FileId::text);
        let first = self.ranks.gather(own.as_bytes())?.into_iter().next().unwrap_or_default();
        Ok(FileId::of_text(&String::from_utf8_lossy(&first)))
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

    /// Does what is left of all passes; gives the file with the result, on the first rank.
    fn compute(&mut self) -> Result<Option<FileId>, ScaleError> {
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
        if self.ranks.rank() > 0 {
            return Ok(None);
        }
        let file = self.storage.open(&self.paths.unfinished)?;
        let id = FileId::of(&file.metadata()?);
        self.job.complete(&self.storage, id)?;
        Ok(Some(id))
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
            share: matrix,
            bands: stage.sink.1,
            file: &file,
        };
        end.test(
            &self.storage,
            matrix.band_elements(stage.sink.1) * matrix.element,
            sums,
            Deal::of(&*self.ranks),
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
        let rounds = progress.done(number)..progress.bands(number);
        if !rounds.is_empty() {
            let tables = tables.of(&self.task, stage.prime)?;
            self.pass(number, stages, check, tables, work, rounds)?;
            for &(place, _) in &stage.sources {
                self.test_input(place)?;
            }
            // What it reads stays until no rank has to do it again.
            self.ranks.gather(&[])?;
        }
        // What no pass reads any more gives its room back.
        for &(place, _) in &stage.sources {
            let is_last =
                writer(stages, place).is_some_and(|writer| reader(stages, writer) == number);
            if is_last && let Some(name) = place.scratch() {
                self.in_memory.remove(name);
                let Some(path) = self.job.scratch(name) else {
                    continue;
                };
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
        rounds: Range<usize>,
    ) -> Result<(), ScaleError> {
        let (stage, deal) = (&stages[number], Deal::of(&*self.ranks));
        let sums = stage
            .sources
            .iter()
            .map(|source| self.sums(stages, source.0))
            .collect();
        let opened = stage.sources.iter().map(|&(place, _)| match place {
            Place::Input(_) => Ok(None),
            place => self.written(place).map(Some),
        });
        let opened = opened.collect::<Result<Vec<_>, _>>()?;
        let sources = stage
            .sources
            .iter()
            .zip(&opened)
            .map(|(&(place, bands), opened)| End {
                matrix: self.task.matrix(place),
                share: self.task.share(place, deal),
                bands,
                file: match (opened, place) {
                    (None, Place::Input(input)) => &self.vectors[input].file,
                    (Some(opened), _) => opened,
                    (None, _) => unreachable!("all but inputs were opened"),
                },
            });
        let sources: Vec<_> = sources.collect();
        let (place, bands) = stage.sink;
        let share = self.task.share(place, deal);
        let sink = match place.scratch() {
            Some(name) if self.job.scratch(name).is_none() => {
                let bytes = share.bytes();
                let made = Arc::new(self.storage.in_memory(name, bytes)?);
                self.in_memory.insert(name, Arc::clone(&made));
                made
            }
            _ => Arc::new(self.sink(place, &share, rounds.start > 0)?),
        };
        let ranks = Arc::clone(&self.ranks);
        let pass = Pass {
            number,
            sums,
            count: self.task.bands(stage),
            sources,
            sink: End {
                matrix: self.task.matrix(place),
                share,
                bands,
                file: &sink,
            },
            bytes: self.task.band_bytes(stage),
            rounds,
            stays: self.task.stays(stage.sink),
            ranks: &*ranks,
        };
        let (storage, job) = (&self.storage, &mut self.job);
        let mut band_work = BandWork {
            task: &self.task,
            tables,
            stage,
            check,
            inputs: &self.paths.inputs,
            carries: Carries::behind(self.task.carried(job.progress.shares(number)), &*ranks),
        };
        pass.run(
            storage,
            BUFFERS,
            self.task.has_spare(stage),
            &mut |band, buffer, spare| {
                look();
                match band {
                    Some(band) => band_work.run(band, buffer, spare),
                    None => band_work.without_band().map(|()| Vec::new()),
                }
            },
            &mut |entry| {
                job.done(storage, &sink, entry)?;
                work.done(1);
                Ok(())
            },
        )
    }

    /// Opens what an earlier pass has written.
    fn written(&self, place: Place) -> Result<Arc<StoredFile>, ScaleError> {
        let kept = place.scratch().and_then(|name| self.in_memory.get(name));
        match kept {
            Some(kept) => Ok(Arc::clone(kept)),
            None => {
                let bytes = self.task.share(place, Deal::of(&*self.ranks)).bytes();
                self.storage.open_whole(&self.path(place), bytes).map(Arc::new)
            }
        }
    }

    /// Opens what a pass writes to, or makes it: the first rank the output, which all write to.
    fn sink(
        &self,
        place: Place,
        matrix: &Matrix,
        is_begun: bool,
    ) -> Result<StoredFile, ScaleError> {
        let path = self.path(place);
        let bytes = matrix.start + matrix.bytes();
        let is_first = self.ranks.rank() == 0;
        let makes = !is_begun && (is_first || place != Place::Output);
        if !is_begun && place == Place::Output && !is_first {
            self.ranks.gather(&[])?;
        }
        let file = match makes {
            false => self.storage.open_whole(&path, bytes)?,
            true => self.storage.create(&path, bytes)?,
        };
        if makes {
            self.storage.sync_folder(folder_of(&path))?;
        }
        if !is_begun && place == Place::Output && is_first {
            self.ranks.gather(&[])?;
        }
        // No sum tells whether it is as it was written.
        if place == Place::Output && is_first {
            let header = self.task.header().bytes();
            self.storage
                .write_run(&file, &Run::whole(0, header.len()), &header)?;
        }
        Ok(file)
    }

    fn path(&self, place: Place) -> PathBuf {
        let scratch = place.scratch().and_then(|name| self.job.scratch(name));
        scratch.unwrap_or_else(|| self.paths.unfinished.clone())
    }

    /// The sums of the tiles at a place, by their numbers.
    fn sums(&self, stages: &[Stage], place: Place) -> Vec<u64> {
        let deal = Deal::of(&*self.ranks);
        let (matrix, share) = (self.task.matrix(place), self.task.share(place, deal));
        let Some(writer) = writer(stages, place).filter(|_| matrix.layout == Layout::Tiles) else {
            return Vec::new();
        };
        let (bands, stays) = (stages[writer].sink.1, self.task.stays(stages[writer].sink));
        let mut sums = vec![0; share.tiles()];
        for (round, of_round) in self.job.progress.sums(writer).iter().enumerate() {
            let all = match stays {
                true => round..round + 1,
                false => deal.bands(round, matrix.count(bands)),
            };
            let runs = all.flat_map(|band| share.runs(bands, band));
            for (run, &sum) in runs.zip(of_round) {
                sums[run.tile] = sum;
            }
        }
        sums
    }

    /// What all bands come to in what is checked, in turn; `None` where that is not summed up.
    fn shares(
        &self,
        stages: &[Stage],
        check: &Check,
        share: Share,
    ) -> Result<Option<Vec<Vec<u64>>>, ScaleError> {
        let (field, width) = (&check.field, check.field.width());
        let points = self.job.description.drawn.len();
        let found = stages.iter().enumerate().find_map(|(pass, stage)| {
            let before = stage.shares.iter().position(|&found| found == share)?;
            Some((pass, before * points * width))
        });
        let Some((pass, before)) = found else {
            return Ok(None);
        };
        let sum_at = |index: usize| {
            let start = before + index * width;
            let shares = self.job.progress.shares(pass).iter();
            let shares = shares.filter_map(|shares| shares.get(start..start + width));
            shares.fold(vec![0; width], |sum, share| field.sum_row(&sum, share))
        };
        let own: Vec<u64> = (0..points).flat_map(sum_at).collect();
        let of_ranks = self.ranks.gather(bytemuck::cast_slice(&own))?;
        let mut all = vec![vec![0; width]; points];
        for of_rank in of_ranks {
            let words: Vec<u64> = bytemuck::pod_collect_to_vec(&of_rank);
            for (sum, share) in all.iter_mut().zip(words.chunks_exact(width)) {
                *sum = field.sum_row(sum, share);
            }
        }
        Ok(Some(all))
    }

    /// Compares values with what was summed up for them, or those of a product with the products of those of the operands.
    fn compare(&self, stages: &[Stage], check: &Check) -> Result<(), ScaleError> {
        let mut of_inputs = Vec::new();
        for input in 0..self.vectors.len() {
            of_inputs.extend(self.shares(stages, check, Share::Input(input))?);
        }
        let of_output = self.shares(stages, check, Share::Output)?;
        if self.ranks.rank() > 0 {
            return Ok(());
        }
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
                let problem = match self.task.entries.field() {
                    Some(_) => format!("the value at {drawn} is not what it is by its definition"),
                    None => format!("modulo {drawn} it is not the product by its definition"),
                };
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
