//! Reads, multiplies and writes, batch after batch.
//!
//! A batch holds many short lines or one long one. Its lines are parsed together, its products
//! computed together and its results written in order, each of the three in parallel, so that
//! results depend neither on the number of threads nor on how lines fall into batches.

use crate::args::{Common, Operands};
use crate::error::Failure;
use crate::input::LineError;
use crate::input::lines::Line;
use crate::input::pairs::{Batch, Pairs, Side, Which};
use crate::memory::{self, Available};
use crate::operation::{Operation, Style};
use crate::output::Output;
use crate::progress::Progress;
use crate::report::{Report, timed};
use rayon::prelude::*;
use serde_json::{Map, Value};
use std::time::Instant;

/// Batches that need less than this are not compared with the memory of the machine.
const UNCHECKED_BYTES: u64 = 1 << 26;

/// A parsed line and its number in the file.
struct Numbered<T> {
    line: u64,
    value: T,
}

/// Multiplies the lines of two files. `facts` are what the JSON form tells first.
pub fn run<O: Operation>(
    operation: &O,
    operands: &Operands,
    common: &Common,
    facts: Map<String, Value>,
) -> Result<(), Failure> {
    let start = Instant::now();
    let mut report = Report::new();
    let available = Available::detect(operands.max_memory);
    let mut pairs = timed(&mut report.seconds.reading, || {
        Pairs::open(
            &operands.left,
            &operands.right,
            O::NOUN,
            O::weight,
            available,
        )
    })?;
    let output = Output::create(common.output.as_deref())?;
    let progress = Progress::new(pairs.total_bytes());
    let style = if common.json {
        Style::Json
    } else {
        Style::Plain
    };
    let mut run = Run {
        operation,
        max_memory: operands.max_memory,
        style,
        output,
        progress,
        report,
        largest: 0,
    };
    if style == Style::Json {
        run.output.write(&json_head(&facts))?;
    }
    let repeated = match pairs.take_repeated()? {
        Some((which, line)) => {
            let side = if which == Which::Left {
                &pairs.left
            } else {
                &pairs.right
            };
            let parsed = timed(&mut run.report.seconds.reading, || {
                parse(operation, vec![line])
            });
            Some((which, in_order(side, parsed.into_iter().next())?))
        }
        None => None,
    };
    loop {
        run.progress.at(pairs.bytes_read(), "reading");
        let batch = timed(&mut run.report.seconds.reading, || pairs.next_batch())?;
        let Some(batch) = batch else { break };
        run.batch(
            &pairs,
            batch,
            repeated.as_ref().map(|(which, value)| (*which, value)),
        )?;
    }
    run.report.seconds.total = start.elapsed().as_secs_f64();
    if style == Style::Json {
        run.output.write(&json_tail(&run.report))?;
    }
    run.output.finish()
}

/// A command under way.
struct Run<'o, O> {
    operation: &'o O,
    max_memory: Option<u64>,
    style: Style,
    output: Output,
    progress: Progress,
    report: Report,
    /// Bytes of the operands of the largest product so far.
    largest: u64,
}

/// The two operands of a product.
type Couple<'a, O> = (
    &'a Numbered<<O as Operation>::Operand>,
    &'a Numbered<<O as Operation>::Operand>,
);

/// The result of parsing a line: its value, or the line and what is wrong in it.
type Parsed<T> = Result<Numbered<T>, (Line, LineError)>;

impl<O: Operation> Run<'_, O> {
    /// Deals with a batch from parsing to writing.
    fn batch(
        &mut self,
        pairs: &Pairs,
        batch: Batch,
        repeated: Option<(Which, &Numbered<O::Operand>)>,
    ) -> Result<(), Failure> {
        let operation = self.operation;
        let (left, right) = timed(&mut self.report.seconds.reading, || {
            rayon::join(
                || parse(operation, batch.left),
                || parse(operation, batch.right),
            )
        });
        // Errors in the order of the lines, the first file first.
        let (mut left_values, mut right_values) = (Vec::new(), Vec::new());
        let mut right = right.into_iter();
        for parsed in left {
            left_values.push(in_order(&pairs.left, Some(parsed))?);
            if let Some(parsed) = right.next() {
                right_values.push(in_order(&pairs.right, Some(parsed))?);
            }
        }
        for parsed in right {
            right_values.push(in_order(&pairs.right, Some(parsed))?);
        }
        let couples: Vec<_> = match repeated {
            Some((Which::Left, only)) => right_values.iter().map(|right| (only, right)).collect(),
            Some((Which::Right, only)) => left_values.iter().map(|left| (left, only)).collect(),
            None => left_values.iter().zip(&right_values).collect(),
        };
        self.check_memory(pairs, &couples)?;
        self.count(&couples);

        self.progress.at(pairs.bytes_read(), "multiplying");
        let products: Vec<_> = timed(&mut self.report.seconds.computing, || {
            couples
                .par_iter()
                .map(|(left, right)| operation.multiply(&left.value, &right.value))
                .collect()
        });
        self.progress.at(pairs.bytes_read(), "writing");
        let first = self.report.products == couples.len() as u64;
        let style = self.style;
        let separator: &[u8] = if style == Style::Json { b",\n" } else { b"\n" };
        let mut writing = 0.0;
        let written = timed(&mut writing, || {
            let texts: Vec<_> = products
                .into_par_iter()
                .map(|product| {
                    product.map(|product| {
                        let mut text = Vec::new();
                        operation.write(&product, style, &mut text);
                        text
                    })
                })
                .collect();
            for (i, text) in texts.into_iter().enumerate() {
                let text = text.map_err(|problem| {
                    let (left, right) = couples[i];
                    Failure::Computation(format!("{}: {problem}", place(pairs, left, right)))
                })?;
                if style == Style::Json && !(first && i == 0) {
                    self.output.write(separator)?;
                }
                self.output.write(&text)?;
                if style == Style::Plain {
                    self.output.write(separator)?;
                }
            }
            Ok(())
        });
        self.report.seconds.writing += writing;
        written
    }

    /// Refuses a batch that would not fit, before it starts.
    fn check_memory(&self, pairs: &Pairs, couples: &[Couple<'_, O>]) -> Result<(), Failure> {
        let needed_by =
            |(left, right): &Couple<'_, O>| self.operation.needed_bytes(&left.value, &right.value);
        let needed = couples.iter().map(needed_by).fold(0, u64::saturating_add);
        if needed < UNCHECKED_BYTES && self.max_memory.is_none() {
            return Ok(());
        }
        let available = Available::detect(self.max_memory)
            .bytes()
            .unwrap_or(u64::MAX);
        if needed <= available {
            return Ok(());
        }
        let Some((left, right)) = couples.iter().max_by_key(|couple| needed_by(couple)) else {
            return Ok(());
        };
        let more = match couples.len() {
            1 => String::new(),
            count => format!(" with the {} other products computed beside it", count - 1),
        };
        Err(Failure::Computation(format!(
            "{}: the product needs about {} of memory{more}, and {} can be used",
            place(pairs, left, right),
            memory::shown(needed),
            memory::shown(available),
        )))
    }

    /// Notes which algorithms the products run.
    fn count(&mut self, couples: &[Couple<'_, O>]) {
        self.report.products += couples.len() as u64;
        for (left, right) in couples {
            let (left, right) = (&left.value, &right.value);
            *self
                .report
                .algorithms
                .entry(self.operation.algorithm(left, right))
                .or_default() += 1;
            let bytes = self.operation.bytes(left) + self.operation.bytes(right);
            if bytes > self.largest || self.report.largest.is_none() {
                self.largest = bytes;
                self.report.largest = Some(self.operation.explain(left, right));
            }
        }
    }
}

/// Parses lines in parallel; their text is freed on the way.
fn parse<O: Operation>(operation: &O, lines: Vec<Line>) -> Vec<Parsed<O::Operand>> {
    lines
        .into_par_iter()
        .map(|line| match operation.parse(line.content()) {
            Ok(value) => Ok(Numbered {
                line: line.number,
                value,
            }),
            Err(error) => Err((line, error)),
        })
        .collect()
}

/// The value of a parsed line, or its error with file, line and column.
fn in_order<T>(side: &Side, parsed: Option<Parsed<T>>) -> Result<Numbered<T>, Failure> {
    match parsed {
        Some(Ok(numbered)) => Ok(numbered),
        Some(Err((line, error))) => Err(side.error_at(&line, error.offset, error.problem)),
        // One line was given, so one result came back.
        None => Err(Failure::Computation(format!(
            "{}: a line was lost",
            side.name()
        ))),
    }
}

/// Names the lines of a product.
fn place<T>(pairs: &Pairs, left: &Numbered<T>, right: &Numbered<T>) -> String {
    format!(
        "{}, line {}, times {}, line {}",
        pairs.left.name(),
        left.line,
        pairs.right.name(),
        right.line
    )
}

/// The JSON form up to the results: an object that is closed by [`json_tail`].
fn json_head(facts: &Map<String, Value>) -> Vec<u8> {
    let mut head = Value::Object(facts.clone()).to_string();
    head.pop();
    head.push_str(",\"results\":[\n");
    head.into_bytes()
}

fn json_tail(report: &Report) -> Vec<u8> {
    // A report has no keys that are no strings, so it always has a JSON form.
    let figures = serde_json::to_string(report).unwrap_or_else(|_| "{}".to_owned());
    let mut tail = String::from("\n],");
    tail.push_str(figures.strip_prefix('{').unwrap_or("}"));
    tail.push('\n');
    tail.into_bytes()
}
