//! `sunzi dft`.

use crate::args::{Common, Vector};
use crate::error::Failure;
use crate::fields::{self, CommandField, CommandTask};
use crate::input::{lines::LineReader, vector};
use crate::memory::{self, Available};
use crate::operation::{Style, quoted, residues::Residues};
use crate::output::Output;
use crate::progress::Progress;
use crate::report::{Seconds, timed};
use rayon::prelude::*;
use serde::Serialize;
use std::time::Instant;
use sunzi::dft::{DftError, Direction, Ordering};

/// Vectors of working memory and tables that a transform takes at most beside its own, and the vector
/// while it grows.
const VECTORS: u64 = 6;

/// Vectors that need less than this are not compared with the memory of the machine.
const UNCHECKED_BYTES: u64 = 1 << 26;

/// Values that one task turns into text, and tasks whose texts are in memory together.
const GROUP: usize = 1 << 10;
const GROUPS: usize = 1 << 6;

/// What the JSON form tells before the values.
#[derive(Serialize)]
struct Head<'a> {
    command: &'static str,
    /// As decimal text, like all residues: JSON numbers lose digits in many programs.
    modulus: &'a str,
    points: usize,
    inverse: bool,
    /// Of order `points`.
    root_of_unity: String,
}

/// What it tells after them.
#[derive(Serialize)]
struct Tail {
    algorithm: String,
    threads: usize,
    device: &'static str,
    seconds: Seconds,
}

/// Transforms a vector.
pub fn run(vector: &Vector, common: &Common) -> Result<(), Failure> {
    fields::run(&vector.modulus, Transform { vector, common })
}

/// The command in a field.
struct Transform<'a> {
    vector: &'a Vector,
    common: &'a Common,
}

impl CommandTask for Transform<'_> {
    fn run<F: CommandField>(self, field: F) -> Result<(), Failure> {
        let start = Instant::now();
        let mut seconds = Seconds::default();
        let available = Available::detect(self.vector.max_memory);
        let mut reader = LineReader::open(&self.vector.file, available)?;
        let mut output = Output::create(self.common.output.as_deref())?;
        let progress = Progress::new(reader.size());
        let residues = Residues::new(field.clone(), "entry");

        let mut values = timed(&mut seconds.reading, || {
            self.read(&mut reader, &residues, &progress)
        })?;
        let points = values.len();
        progress.at(reader.bytes_read(), "transforming");
        let direction = match self.vector.inverse {
            true => Direction::Inverse,
            false => Direction::Forward,
        };
        let plan = timed(&mut seconds.computing, || {
            let plan = field.transforms(points)?;
            plan.transform(&mut values, direction, Ordering::Natural)?;
            Ok(plan)
        });
        let plan = plan.map_err(|error| refusal(&field, reader.name(), points, &error))?;

        progress.at(reader.bytes_read(), "writing");
        let json = self.common.json;
        if json {
            let root = field.root_of_unity(points.trailing_zeros());
            let mut text = Vec::new();
            residues.write(root.unwrap_or_else(|| field.one()), &mut text);
            let head = Head {
                command: "dft",
                modulus: residues.prime(),
                points,
                inverse: self.vector.inverse,
                root_of_unity: String::from_utf8_lossy(&text).into_owned(),
            };
            output.write(json_head(&head)?.as_bytes())?;
        }
        timed(&mut seconds.writing, || {
            write_all(&values, &residues, json, &mut output)
        })?;
        if json {
            seconds.total = start.elapsed().as_secs_f64();
            let tail = Tail {
                algorithm: plan.to_string(),
                threads: rayon::current_num_threads(),
                device: "cpu",
                seconds,
            };
            output.write(json_tail(&tail)?.as_bytes())?;
        }
        output.finish()
    }
}

impl Transform<'_> {
    /// All entries, of which there is at least one.
    fn read<F: CommandField>(
        &self,
        reader: &mut LineReader,
        residues: &Residues<F>,
        progress: &Progress,
    ) -> Result<Vec<F::Elem>, Failure> {
        let mut values = Vec::new();
        while vector::read_some(reader, &mut values, |entry| residues.read(entry))? {
            progress.at(reader.bytes_read(), "reading");
            self.check_memory(reader.name(), size_of_val(&values[..]) as u64)?;
        }
        if values.is_empty() {
            let problem = "the file holds no integer: write one a line".to_owned();
            return Err(reader.error(None, None, problem));
        }
        Ok(values)
    }

    /// Refuses a vector that grows too long for its transform, while it is read.
    fn check_memory(&self, name: &str, bytes: u64) -> Result<(), Failure> {
        let needed = bytes.saturating_mul(VECTORS);
        let limit = self.vector.max_memory;
        if needed < UNCHECKED_BYTES && limit.is_none() {
            return Ok(());
        }
        // What lies in memory already is no more available.
        let free = Available::detect(None).bytes().unwrap_or(u64::MAX);
        let available = free.saturating_add(bytes).min(limit.unwrap_or(u64::MAX));
        if needed <= available {
            return Ok(());
        }
        Err(Failure::Computation(format!(
            "{name}: the transform needs at least about {} of memory, and {} can be used",
            memory::shown(needed),
            memory::shown(available),
        )))
    }
}

/// Why there is no transform of so many points, and what would work.
fn refusal<F: CommandField>(field: &F, name: &str, points: usize, error: &DftError) -> Failure {
    let log_max = field.two_adicity();
    let entries = match points {
        1 => "1 entry".to_owned(),
        _ => format!("{points} entries"),
    };
    let fits = |points: usize| points.trailing_zeros() <= log_max;
    let sentence = match error {
        DftError::OutOfMemory(error) => error.to_string(),
        _ if points.is_power_of_two() => format!(
            "the vector has {entries}, but the longest transform modulo this prime has 2^{log_max}: \
             2^{log_max} is the greatest power of two that divides p - 1; choose a prime whose p - 1 has a \
             greater one, such as 469762049 (2^26) or P8 (2^312)"
        ),
        _ => {
            let (more, fewer) = (points.next_power_of_two(), points.next_power_of_two() / 2);
            let zeros = match more - points {
                1 => "1 zero".to_owned(),
                missing => format!("{missing} zeros"),
            };
            let longer = match fits(more) {
                true => format!("append {zeros} for {more}"),
                false => format!(
                    "append {zeros} for {more} and choose a prime with 2^{} dividing p - 1 (here 2^{log_max})",
                    more.trailing_zeros()
                ),
            };
            let shorter = match fits(fewer) {
                true => format!(", or give the first {fewer} only"),
                false => String::new(),
            };
            format!(
                "the vector has {entries}, but the number of points must be a power of two that divides \
                 p - 1: {longer}{shorter}"
            )
        }
    };
    Failure::Computation(format!("{name}: {sentence}"))
}

/// Writes the values, of which only some are in memory as text.
fn write_all<F: CommandField>(
    values: &[F::Elem],
    residues: &Residues<F>,
    json: bool,
    output: &mut Output,
) -> Result<(), Failure> {
    let (style, separator) = match json {
        true => (Style::Json, ",\n"),
        false => (Style::Plain, "\n"),
    };
    let text_of = |group: &[F::Elem]| {
        let mut text = Vec::new();
        for &value in group {
            quoted(style, &mut text, |text| residues.write(value, text));
            text.extend_from_slice(separator.as_bytes());
        }
        text
    };
    let stretches = values.chunks(GROUP * GROUPS);
    let last = stretches.len().saturating_sub(1);
    for (index, stretch) in stretches.enumerate() {
        let mut texts: Vec<_> = stretch.par_chunks(GROUP).map(text_of).collect();
        if json && index == last {
            // Nothing follows the last value.
            if let Some(text) = texts.last_mut() {
                text.truncate(text.len() - separator.len());
            }
        }
        for text in texts {
            output.write(&text)?;
        }
    }
    Ok(())
}

/// The JSON form up to the values: an object that [`json_tail`] closes.
fn json_head(head: &Head<'_>) -> Result<String, Failure> {
    let mut text = json_text(head)?;
    text.pop();
    text.push_str(",\"results\":[\n");
    Ok(text)
}

fn json_tail(tail: &Tail) -> Result<String, Failure> {
    let text = json_text(tail)?;
    Ok(format!("\n],{}\n", text.strip_prefix('{').unwrap_or(&text)))
}

fn json_text(value: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string(value).map_err(|error| Failure::Computation(error.to_string()))
}
