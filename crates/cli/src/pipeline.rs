//! Reads, computes and writes, batch after batch.
//!
//! A batch holds many short lines or one long one. Its lines are parsed together, their outcomes
//! computed together and written in order, each of the three in parallel, so that results depend
//! neither on the number of threads nor on how lines fall into batches.

use crate::args::Common;
use crate::images::{self, InParts};
use crate::operation::{LineFormat, Operation, OperationInParts, Plan, Wording};
use crate::report::{Figures, Head, Seconds, timed};
use std::error::Error;
use std::path::Path;
use sunzi::{engine::EngineError, images::Images, memory::Budget};
use sunzi_files::failure::Failure;
use sunzi_files::input::LineError;
use sunzi_files::input::lines::Line;
use sunzi_files::input::rows::{Batch, DataFile, Rows};
use sunzi_files::memory;
use sunzi_files::output::Output;
use sunzi_files::progress::Progress;
use sunzi_files::results::Results;
use sunzi_machine::threads::Threads;

/// Files that are open, so that what cannot be read or written is told before any work.
pub struct Pipeline {
    rows: Rows,
    output: Output,
    json: bool,
    budget: Budget,
    figures: Figures,
}

impl Pipeline {
    /// Opens the files to read, each line of which holds what `noun` says, and the one to write.
    pub fn open(
        paths: &[&Path],
        noun: &'static str,
        budget: Budget,
        common: &Common,
    ) -> Result<Self, Failure> {
        Self::open_to(paths, noun, budget, common, common.output.as_deref())
    }

    /// The same with another file to write, or standard output.
    pub fn open_to(
        paths: &[&Path],
        noun: &'static str,
        budget: Budget,
        common: &Common,
        output: Option<&Path>,
    ) -> Result<Self, Failure> {
        let mut figures = Figures::start();
        let rows = timed(&mut figures.seconds.reading, || {
            Rows::open(paths, noun, budget)
        })?;
        Ok(Self {
            rows,
            output: Output::create(output)?,
            json: common.json,
            budget,
            figures,
        })
    }

    /// Whether each file has one line.
    pub fn is_single(&self) -> bool {
        self.rows.is_single()
    }

    /// Where the time goes to of what has to be done before the lines are read.
    pub fn seconds(&mut self) -> &mut Seconds {
        &mut self.figures.seconds
    }

    /// Counts bytes that the command keeps for all lines.
    pub fn hold(&mut self, bytes: u64) {
        self.budget = self.budget.holding(bytes);
    }

    /// Does to the lines of the N files what the operation says. `head` is what the JSON form tells first.
    pub fn run<T: LineFormat, const N: usize>(
        self,
        format: &T,
        operation: &dyn Operation<T, N>,
        head: Head,
    ) -> Result<(), Failure> {
        let Self {
            mut rows, output, ..
        } = self;
        let is_single = rows.is_single();
        let mut results = Results::new(output, self.json);
        results.facts(|| head)?;
        let mut run = Run {
            format,
            operation,
            wording: operation.wording(),
            budget: self.budget,
            results,
            progress: Progress::new(rows.total_bytes()),
            figures: self.figures,
            largest: 0,
            is_single,
        };
        let (repeated, repeated_weight) = run.repeated(&mut rows)?;
        run.prepare(&rows, &repeated)?;
        loop {
            // What has been read so far has been dealt with.
            run.progress.at(rows.bytes_read());
            run.progress.say("reading");
            let weight = run.weight();
            let batch = timed(run.reading(), || rows.next_batch(weight, repeated_weight))?;
            let Some(batch) = batch else { break };
            run.batch(&rows, batch, &repeated)?;
        }
        run.results.close(|| run.figures.ended())?.finish()
    }

    /// Computes images of the result of the only row, or puts it together from them.
    pub fn run_in_parts<T, O, const N: usize>(
        mut self,
        format: &T,
        operation: &O,
        head: Head,
        in_parts: InParts,
    ) -> Result<(), Failure>
    where
        T: LineFormat,
        O: OperationInParts<T, N>,
        <O::Job as Images>::Error: Error + Send + 'static,
        EngineError: From<<O::Job as Images>::Error>,
    {
        let only = self.only_row(format, operation);
        let (values, place) = images::agreed(Some(&in_parts), only)?;
        let operands = values.each_ref().map(|operand| &operand.value);
        let progress = Progress::of(operation.wording().doing);
        let job = || operation.job(operands);
        let failed = |error: EngineError| Failure::Computation(format!("{place}: {error}"));
        let source = match in_parts {
            InParts::Compute(numbers) => {
                return images::compute(job, numbers, progress, self.output, failed);
            }
            InParts::Find(source) => source,
        };
        let seconds = &mut self.figures.seconds;
        let found = timed(&mut seconds.computing, || {
            images::find(job, &source, &progress, failed)
        })?;
        drop(progress);
        // Another process writes it.
        let Some(found) = found else { return Ok(()) };
        let mut text = Vec::new();
        timed(&mut seconds.writing, || {
            format.write(&operation.outcome(found.value, found.primes), &mut text);
        });
        self.figures.explanation = found.explanation;
        let mut results = Results::new(self.output, self.json);
        results.facts(|| head)?;
        results.push(&text)?;
        results.close(|| self.figures.ended())?.finish()
    }

    /// The operands of the only row, for whose result there is memory, and how sentences call them.
    fn only_row<T: LineFormat, const N: usize>(
        &mut self,
        format: &T,
        operation: &dyn Operation<T, N>,
    ) -> Result<OnlyRow<T::Operand, N>, Failure> {
        let several =
            || Failure::Usage("images in parts are of one result: give one line a file".to_owned());
        if !self.is_single() {
            return Err(several());
        }
        let rows = &mut self.rows;
        let operands = timed(&mut self.figures.seconds.reading, || {
            let batch = rows.next_batch(|_| 0, 0)?.unwrap_or_default();
            let parse = |(file, lines): (usize, Vec<Line>)| {
                let lines = lines.into_iter();
                lines.map(|line| parse_line(format, file, line)).collect()
            };
            let parsed = batch.into_iter().enumerate().map(parse).collect();
            in_order(rows.files(), parsed)
        })?;
        let operands: Vec<_> = operands.into_iter().flatten().collect();
        let operands: [Numbered<T::Operand>; N] = operands.try_into().map_err(|_| several())?;
        let values = operands.each_ref().map(|operand| &operand.value);
        let row = Row {
            operands: operands.each_ref(),
            plan: operation.plan(values).ok(),
        };
        let wording = operation.wording();
        let place = place(&self.rows, wording, &row);
        let held = values.map(|value| format.bytes(value)).iter().sum();
        let bytes = row.plan.map_or(0, |plan| plan.bytes);
        let room = self.budget.holding(held).require(bytes);
        room.map_err(|error| memory::refusal(&place, wording.one, "about", error))?;
        Ok((operands, place))
    }
}

/// A parsed line and its number in the file.
struct Numbered<T> {
    line: u64,
    value: T,
}

/// A command under way.
struct Run<'o, T: LineFormat, const N: usize> {
    format: &'o T,
    operation: &'o dyn Operation<T, N>,
    wording: &'static Wording,
    budget: Budget,
    results: Results,
    progress: Progress,
    figures: Figures,
    /// Bytes of the largest operands so far.
    largest: u64,
    /// Whether each file has one line: then bytes of input tell nothing of how far the work is.
    is_single: bool,
}

/// Operands that belong together, and what runs for them, if anything can.
struct Row<'a, T, const N: usize> {
    operands: [&'a Numbered<T>; N],
    plan: Option<Plan>,
}

/// Operands that have no others beside them, and how sentences call them.
type OnlyRow<T, const N: usize> = ([Numbered<T>; N], String);

/// By files, what is repeated; and its weight.
type Repeated<T> = (Vec<Option<Numbered<T>>>, usize);

/// The result of parsing a line: its value, or the line and what is wrong in it.
type Parsed<T> = Result<Numbered<T>, (Line, LineError)>;

impl<'o, T: LineFormat, const N: usize> Run<'o, T, N> {
    fn reading(&mut self) -> &mut f64 {
        &mut self.figures.seconds.reading
    }

    /// About how many bytes the work on a line takes.
    fn weight(&self) -> impl Fn(&[u8]) -> usize + use<'o, T, N> {
        let format = self.format;
        let least = usize::try_from(self.operation.least_bytes()).unwrap_or(usize::MAX);
        move |content| format.weight(content).saturating_add(least)
    }

    /// By files: the operand that goes with every line of the others, where there is one; and what all of
    /// them weigh in every row.
    fn repeated(&mut self, rows: &mut Rows) -> Result<Repeated<T::Operand>, Failure> {
        let format = self.format;
        let lines = rows.take_repeated()?;
        let weights = lines.iter().flatten();
        let weight = self.weight();
        let weights = weights.map(|line| weight(line.content()));
        let weight = weights.fold(0, usize::saturating_add);
        let parse_one = |(file, line): (usize, Option<Line>)| Some(parse_line(format, file, line?));
        let parsed: Vec<_> = timed(self.reading(), || {
            lines.into_iter().enumerate().map(parse_one).collect()
        });
        let files = rows.files().iter().zip(parsed);
        let operands: Result<_, _> = files
            .map(|(file, parsed)| parsed.map(|parsed| accepted(file, parsed)).transpose())
            .collect();
        Ok((operands?, weight))
    }

    /// Prepares what is repeated.
    fn prepare(
        &mut self,
        rows: &Rows,
        repeated: &[Option<Numbered<T::Operand>>],
    ) -> Result<(), Failure> {
        let operands = std::array::from_fn(|file| Some(&repeated[file].as_ref()?.value));
        let Some(preparation) = self.operation.preparation(operands) else {
            return Ok(());
        };
        let lines = rows.files().iter().zip(repeated);
        let mut places = lines.filter_map(|(file, only)| Some(file.place(only.as_ref()?.line)));
        let place = places.next().unwrap_or_default();
        let room = self.budget.require(preparation.bytes);
        room.map_err(|error| memory::refusal(&place, self.wording.one, "about", error))?;
        self.progress.say("preparing");
        timed(&mut self.figures.seconds.computing, preparation.work)
            .map_err(|error| Failure::Computation(format!("{place}: {error}")))
    }

    /// Deals with a batch from parsing to writing.
    fn batch(
        &mut self,
        rows: &Rows,
        batch: Batch,
        repeated: &[Option<Numbered<T::Operand>>],
    ) -> Result<(), Failure> {
        let (format, operation) = (self.format, self.operation);
        let parsed: Vec<Vec<_>> = timed(self.reading(), || {
            Threads::all().map(batch.into_iter().enumerate(), |(file, lines)| {
                Threads::all().map(lines, |line| parse_line(format, file, line))
            })
        });
        let columns = in_order(rows.files(), parsed)?;
        let mut planned = Vec::new();
        for operands in together(&columns, repeated) {
            let values = operands.map(|operand| &operand.value);
            let plan = operation.plan(values).ok();
            planned.push(Row { operands, plan });
        }
        let all = columns.iter().flatten().chain(repeated.iter().flatten());
        let held = all.map(|operand| format.bytes(&operand.value)).sum();
        self.outcomes(rows, &planned, held)
    }

    /// Computes and writes, as many rows together as fit the memory; all operands take `held` bytes.
    fn outcomes(
        &mut self,
        files: &Rows,
        rows: &[Row<'_, T::Operand, N>],
        held: u64,
    ) -> Result<(), Failure> {
        if let Some(refusal) = self.shortage(files, rows, held) {
            let (first, second) = rows.split_at(rows.len() / 2);
            if first.is_empty() {
                return Err(refusal);
            }
            self.outcomes(files, first, held)?;
            return self.outcomes(files, second, held);
        }
        match self.is_single {
            true => self.progress.goes_on(self.wording.doing),
            false => self.progress.say(self.wording.doing),
        }
        let operands: Vec<_> = rows
            .iter()
            .map(|row| row.operands.map(|operand| &operand.value))
            .collect();
        let compute = || self.operation.compute(&operands);
        let found = timed(&mut self.figures.seconds.computing, || {
            match self.is_single {
                true => self.progress.watch(compute),
                // Bytes of input tell more than what is counted for one line.
                false => compute(),
            }
        })
        .map_err(|error| Failure::Computation(error.to_string()))?;
        if let Some(device) = &found.device {
            self.figures.computed_on(device);
        }
        self.count(rows, found.on_device > 0);
        for warning in &found.warnings {
            self.progress.warn(warning);
        }
        self.progress.say("writing");
        let mut writing = 0.0;
        let written = timed(&mut writing, || {
            self.write(found.results, |index| {
                place(files, self.wording, &rows[index])
            })
        });
        self.figures.seconds.writing += writing;
        written
    }

    /// Writes outcomes in their order; `place` names the operands of one that does not exist.
    fn write(
        &mut self,
        outcomes: Vec<Result<T::Outcome, EngineError>>,
        place: impl Fn(usize) -> String,
    ) -> Result<(), Failure> {
        let format = self.format;
        let texts = Threads::all().map(outcomes, |outcome| {
            outcome.map(|outcome| {
                let mut text = Vec::new();
                format.write(&outcome, &mut text);
                text
            })
        });
        for (index, text) in texts.into_iter().enumerate() {
            let text = text
                .map_err(|problem| Failure::Computation(format!("{}: {problem}", place(index))))?;
            self.results.push(&text)?;
        }
        Ok(())
    }

    /// Why rows cannot be computed together: they would not fit the memory.
    fn shortage(
        &self,
        files: &Rows,
        rows: &[Row<'_, T::Operand, N>],
        held: u64,
    ) -> Option<Failure> {
        let plans = rows.iter().filter_map(|row| row.plan.as_ref());
        let bytes = plans.map(|plan| plan.bytes).fold(0, u64::saturating_add);
        let error = self.budget.holding(held).require(bytes).err()?;
        let place = place(files, self.wording, rows.first()?);
        Some(memory::refusal(&place, self.wording.one, "about", error))
    }

    /// Notes what is computed, and by which algorithms.
    fn count(&mut self, rows: &[Row<'_, T::Operand, N>], on_device: bool) {
        let figures = &mut self.figures;
        for row in rows {
            let Some(plan) = &row.plan else { continue };
            let algorithm = if on_device {
                Some(ON_DEVICE)
            } else {
                plan.algorithm
            };
            if let Some(algorithm) = algorithm {
                *figures.algorithms.entry(algorithm).or_default() += 1;
            }
            let operands = row.operands.iter();
            let bytes = operands
                .map(|operand| self.format.bytes(&operand.value))
                .sum();
            if bytes > self.largest || figures.explanation.is_none() {
                self.largest = bytes;
                figures.explanation = Some(if on_device {
                    format!("{bytes} bytes: on the device")
                } else {
                    plan.sentence.to_string()
                });
            }
        }
    }
}

/// What stands for the algorithm where a device computes.
pub const ON_DEVICE: &str = "device";

/// Parses a line of the file with this number; its text is freed.
fn parse_line<T: LineFormat>(format: &T, file: usize, line: Line) -> Parsed<T::Operand> {
    match format.parse_of(file, line.content()) {
        Ok(value) => Ok(Numbered {
            line: line.number,
            value,
        }),
        Err(error) => Err((line, error)),
    }
}

/// The value of a parsed line, or its error with file, line and column.
fn accepted<T>(file: &DataFile, parsed: Parsed<T>) -> Result<Numbered<T>, Failure> {
    parsed.map_err(|(line, error)| match error.too_large {
        true => Failure::Computation(format!("{}: {}", file.place(line.number), error.problem)),
        false => file.error_at(&line, error.offset, error.problem),
    })
}

/// The values of parsed lines, by files. The error told is the first in the order of the lines, and of
/// one line the one in the first file.
fn in_order<T>(
    files: &[DataFile],
    parsed: Vec<Vec<Parsed<T>>>,
) -> Result<Vec<Vec<Numbered<T>>>, Failure> {
    let count = parsed.iter().map(Vec::len).max().unwrap_or(0);
    let mut columns: Vec<Vec<_>> = parsed
        .iter()
        .map(|lines| Vec::with_capacity(lines.len()))
        .collect();
    let mut parsed: Vec<_> = parsed.into_iter().map(Vec::into_iter).collect();
    for _ in 0..count {
        for ((column, lines), file) in columns.iter_mut().zip(&mut parsed).zip(files) {
            if let Some(line) = lines.next() {
                column.push(accepted(file, line)?);
            }
        }
    }
    Ok(columns)
}

/// Operands by rows: line i of each file, or what is repeated.
fn together<'a, T, const N: usize>(
    columns: &'a [Vec<Numbered<T>>],
    repeated: &'a [Option<Numbered<T>>],
) -> impl Iterator<Item = [&'a Numbered<T>; N]> {
    let count = columns.iter().map(Vec::len).max().unwrap_or(0);
    let operand = |file: usize, row: usize| match &repeated[file] {
        Some(only) => only,
        None => &columns[file][row],
    };
    (0..count).map(move |row| std::array::from_fn(|file| operand(file, row)))
}

/// Names the lines of a row.
fn place<T, const N: usize>(files: &Rows, wording: &Wording, row: &Row<'_, T, N>) -> String {
    let lines = files.files().iter().zip(row.operands);
    let lines: Vec<_> = lines
        .map(|(file, operand)| file.place(operand.line))
        .collect();
    lines.join(&format!(", {} ", wording.between))
}
