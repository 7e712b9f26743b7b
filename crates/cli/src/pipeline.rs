//! Reads, computes and writes, batch after batch.
//!
//! A batch holds many short lines or one long one. Its lines are parsed together, their outcomes
//! computed together and written in order, each of the three in parallel, so that results depend
//! neither on the number of threads nor on how lines fall into batches.

use crate::args::Common;
use crate::operation::{Operation, Words};
use crate::report::{Report, Seconds, timed};
use serde_json::{Map, Value};
use std::path::Path;
use std::time::Instant;
use sunzi::engine::EngineError;
use sunzi_files::error::Failure;
use sunzi_files::input::LineError;
use sunzi_files::input::lines::Line;
use sunzi_files::input::rows::{Batch, DataFile, Rows};
use sunzi_files::memory::{self, Available};
use sunzi_files::output::Output;
use sunzi_files::progress::Progress;
use sunzi_files::results::Results;
use sunzi_files::style::Style;
use sunzi_threads::Threads;

/// Files that are open, so that what cannot be read or written is told before any work.
pub struct Pipeline {
    rows: Rows,
    output: Output,
    max_memory: Option<u64>,
    start: Instant,
    report: Report,
}

impl Pipeline {
    /// Opens the files to read, each line of which holds what `noun` says, and the one to write.
    pub fn open(
        paths: &[&Path],
        noun: &'static str,
        max_memory: Option<u64>,
        common: &Common,
    ) -> Result<Self, Failure> {
        let start = Instant::now();
        let mut report = Report::new();
        let rows = timed(&mut report.figures.seconds.reading, || {
            Rows::open(paths, noun, Available::detect(max_memory))
        })?;
        Ok(Self {
            rows,
            output: Output::create(common.output.as_deref())?,
            max_memory,
            start,
            report,
        })
    }

    /// Where the time goes to of what has to be done before the lines are read.
    pub fn seconds(&mut self) -> &mut Seconds {
        &mut self.report.figures.seconds
    }

    /// Does to the lines of the N files what the operation says. `facts` are what the JSON form
    /// tells first.
    pub fn run<O: Operation<N>, const N: usize>(
        self,
        operation: &O,
        style: Style,
        facts: Map<String, Value>,
    ) -> Result<(), Failure> {
        let Self {
            mut rows, output, ..
        } = self;
        let mut results = Results::new(output, style.json);
        results.facts(|| facts)?;
        let mut run = Run {
            operation,
            max_memory: self.max_memory,
            style,
            results,
            progress: Progress::new(rows.total_bytes()),
            report: self.report,
            largest: 0,
        };
        let (repeated, repeated_weight) = run.repeated(&mut rows)?;
        run.prepare(&rows, &repeated)?;
        loop {
            run.progress.at(rows.bytes_read(), "reading");
            let batch = timed(run.reading(), || {
                rows.next_batch(|content| operation.weight(content), repeated_weight)
            })?;
            let Some(batch) = batch else { break };
            run.batch(&rows, batch, &repeated)?;
        }
        run.report.figures.seconds.total = self.start.elapsed().as_secs_f64();
        run.results.close(|| &run.report)?.finish()
    }
}

/// A parsed line and its number in the file.
struct Numbered<T> {
    line: u64,
    value: T,
}

/// A command under way.
struct Run<'o, O> {
    operation: &'o O,
    max_memory: Option<u64>,
    style: Style,
    results: Results,
    progress: Progress,
    report: Report,
    /// Bytes of the largest operands so far.
    largest: u64,
}

/// Operands that belong together.
type Row<'a, T, const N: usize> = [&'a Numbered<T>; N];

/// By files, what is repeated; and its weight.
type Repeated<T> = (Vec<Option<Numbered<T>>>, usize);

/// The result of parsing a line: its value, or the line and what is wrong in it.
type Parsed<T> = Result<Numbered<T>, (Line, LineError)>;

impl<O> Run<'_, O> {
    fn reading(&mut self) -> &mut f64 {
        &mut self.report.figures.seconds.reading
    }

    /// By files: the operand that goes with every line of the others, where there is one; and what all of
    /// them weigh in every row.
    fn repeated<const N: usize>(&mut self, rows: &mut Rows) -> Result<Repeated<O::Operand>, Failure>
    where
        O: Operation<N>,
    {
        let operation = self.operation;
        let lines = rows.take_repeated()?;
        let weights = lines.iter().flatten();
        let weights = weights.map(|line| operation.weight(line.content()));
        let weight = weights.fold(0, usize::saturating_add);
        let parse_one = |line: Option<Line>| line.map(|line| parse_line(operation, line));
        let parsed: Vec<_> = timed(self.reading(), || {
            lines.into_iter().map(parse_one).collect()
        });
        let files = rows.files().iter().zip(parsed);
        let operands: Result<_, _> = files
            .map(|(file, parsed)| parsed.map(|parsed| accepted(file, parsed)).transpose())
            .collect();
        Ok((operands?, weight))
    }

    /// Prepares what is repeated.
    fn prepare<const N: usize>(
        &mut self,
        rows: &Rows,
        repeated: &[Option<Numbered<O::Operand>>],
    ) -> Result<(), Failure>
    where
        O: Operation<N>,
    {
        let operation = self.operation;
        let operands = std::array::from_fn(|file| Some(&repeated[file].as_ref()?.value));
        let failure = |problem: String| {
            let lines = rows.files().iter().zip(repeated);
            let mut places = lines.filter_map(|(file, only)| Some(file.place(only.as_ref()?.line)));
            let place = places.next().unwrap_or_default();
            Failure::Computation(format!("{place}: {problem}"))
        };
        let held = operation.held_bytes();
        let needed = operation.preparation_bytes(operands).saturating_add(held);
        if let Some(available) = memory::shortage(needed, held, self.max_memory) {
            return Err(failure(too_much(operation.words(), needed, available)));
        }
        self.progress.at(rows.bytes_read(), "preparing");
        timed(&mut self.report.figures.seconds.computing, || {
            operation.prepare(operands)
        })
        .map_err(|error| failure(error.to_string()))
    }

    /// Deals with a batch from parsing to writing.
    fn batch<const N: usize>(
        &mut self,
        rows: &Rows,
        batch: Batch,
        repeated: &[Option<Numbered<O::Operand>>],
    ) -> Result<(), Failure>
    where
        O: Operation<N>,
    {
        let operation = self.operation;
        let parsed: Vec<Vec<_>> = timed(self.reading(), || {
            Threads::all().map(batch, |lines| {
                Threads::all().map(lines, |line| parse_line(operation, line))
            })
        });
        let columns = in_order(rows.files(), parsed)?;
        let operands: Vec<Row<'_, _, N>> = together(&columns, repeated);
        let all = columns.iter().flatten().chain(repeated.iter().flatten());
        let held = all.map(|operand| operation.bytes(&operand.value)).sum();
        self.outcomes(rows, &operands, held)
    }

    /// Computes and writes, as many rows together as fit the memory; all operands take `held` bytes.
    fn outcomes<const N: usize>(
        &mut self,
        rows: &Rows,
        operands: &[Row<'_, O::Operand, N>],
        held: u64,
    ) -> Result<(), Failure>
    where
        O: Operation<N>,
    {
        if let Some(refusal) = self.shortage(rows, operands, held) {
            let (first, second) = operands.split_at(operands.len() / 2);
            if first.is_empty() {
                return Err(refusal);
            }
            self.outcomes(rows, first, held)?;
            return self.outcomes(rows, second, held);
        }
        let operation = self.operation;
        let words = operation.words();
        self.progress.at(rows.bytes_read(), words.doing);
        let values: Vec<_> = operands
            .iter()
            .map(|row| row.map(|operand| &operand.value))
            .collect();
        let found = timed(&mut self.report.figures.seconds.computing, || {
            operation.compute(&values)
        })
        .map_err(|error| Failure::Computation(error.to_string()))?;
        if let Some(device) = &found.device {
            self.report.figures.device = format!("{}:{}", device.backend.name(), device.index);
        }
        self.count(&values, found.on_device > 0);
        for notice in &found.notices {
            self.progress.note(notice);
        }
        self.progress.at(rows.bytes_read(), "writing");
        let mut writing = 0.0;
        let written = timed(&mut writing, || {
            self.write(found.results, |index| {
                place(rows, operation, &operands[index])
            })
        });
        self.report.figures.seconds.writing += writing;
        written
    }

    /// Writes outcomes in their order; `place` names the operands of one that does not exist.
    fn write<const N: usize>(
        &mut self,
        outcomes: Vec<Result<O::Outcome, EngineError>>,
        place: impl Fn(usize) -> String,
    ) -> Result<(), Failure>
    where
        O: Operation<N>,
    {
        let (operation, style) = (self.operation, self.style);
        let texts = Threads::all().map(outcomes, |outcome| {
            outcome.map(|outcome| {
                let mut text = Vec::new();
                operation.write(&outcome, style, &mut text);
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
    fn shortage<const N: usize>(
        &self,
        rows: &Rows,
        operands: &[Row<'_, O::Operand, N>],
        held: u64,
    ) -> Option<Failure>
    where
        O: Operation<N>,
    {
        let operation = self.operation;
        let needed_by = |row: &Row<'_, O::Operand, N>| {
            operation.needed_bytes(row.map(|operand| &operand.value))
        };
        let held = held.saturating_add(operation.held_bytes());
        let needed = operands
            .iter()
            .map(needed_by)
            .fold(held, u64::saturating_add);
        let available = memory::shortage(needed, held, self.max_memory)?;
        let place = place(rows, operation, operands.first()?);
        let problem = too_much(operation.words(), needed, available);
        Some(Failure::Computation(format!("{place}: {problem}")))
    }

    /// Notes what is computed, and by which algorithms.
    fn count<const N: usize>(&mut self, rows: &[[&O::Operand; N]], on_device: bool)
    where
        O: Operation<N>,
    {
        let operation = self.operation;
        let report = &mut self.report;
        *report.counted.entry(operation.words().many).or_default() += rows.len() as u64;
        for &row in rows {
            let algorithm = if on_device {
                Some(ON_DEVICE)
            } else {
                operation.algorithm(row)
            };
            if let Some(algorithm) = algorithm {
                *report.algorithms.entry(algorithm).or_default() += 1;
            }
            let bytes = row.iter().map(|operand| operation.bytes(operand)).sum();
            if bytes > self.largest || report.largest.is_none() {
                self.largest = bytes;
                report.largest = Some(if on_device {
                    format!("{bytes} bytes: on the device")
                } else {
                    operation.explain(row)
                });
            }
        }
    }
}

/// What stands for the algorithm where a device computes.
const ON_DEVICE: &str = "device";

/// That the memory does not suffice.
fn too_much(words: &Words, needed: u64, available: u64) -> String {
    format!(
        "the {} needs about {} of memory, and {} can be used",
        words.one,
        memory::shown(needed),
        memory::shown(available),
    )
}

/// Parses a line; its text is freed.
fn parse_line<O: Operation<N>, const N: usize>(operation: &O, line: Line) -> Parsed<O::Operand> {
    match operation.parse(line.content()) {
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
/// one line that of the first file.
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
) -> Vec<Row<'a, T, N>> {
    let count = columns.iter().map(Vec::len).max().unwrap_or(0);
    let operand = |file: usize, row: usize| match &repeated[file] {
        Some(only) => only,
        None => &columns[file][row],
    };
    (0..count)
        .map(|row| std::array::from_fn(|file| operand(file, row)))
        .collect()
}

/// Names the lines of operands.
fn place<O: Operation<N>, const N: usize>(
    rows: &Rows,
    operation: &O,
    operands: &Row<'_, O::Operand, N>,
) -> String {
    let lines = rows.files().iter().zip(operands);
    let lines: Vec<_> = lines
        .map(|(file, operand)| file.place(operand.line))
        .collect();
    lines.join(&format!(", {} ", operation.words().between))
}
