//! Curves from files that the project's comparison with GMP and FLINT saved.

use super::clock::Timing;
use super::series::{Series, Sized};
use crate::error::{Failure, Place, reason, shown};
use crate::input::source::Source;
use serde::Deserialize;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// The section of transforms modulo the named primes.
const SECTION: &str = "gfp-fft";
/// What Sunzi's own rows are named: they are measured anew.
const SUNZI: &str = "Sunzi";

/// What is read of a line.
#[derive(Debug, Deserialize)]
struct Row {
    section: String,
    /// `transform mod P8`.
    group: String,
    size: u64,
    threads: usize,
    contender: String,
    median_s: f64,
    quartile1_s: f64,
    quartile3_s: f64,
}

/// The curves of all files.
pub struct Saved {
    files: Vec<SavedFile>,
}

struct SavedFile {
    name: String,
    /// The processor that the file names.
    processor: Option<String>,
    rows: Vec<Row>,
}

impl Saved {
    /// Reads the files.
    pub fn read(paths: &[PathBuf]) -> Result<Self, Failure> {
        let files = paths.iter().map(|path| SavedFile::read(path));
        Ok(Self {
            files: files.collect::<Result<_, _>>()?,
        })
    }

    /// Where each file was measured, in a line.
    pub fn origins(&self) -> impl Iterator<Item = String> {
        self.files.iter().map(|file| {
            let processor = file.processor.as_deref().unwrap_or("an unknown processor");
            format!("{}: measured on {processor}", file.name)
        })
    }

    /// The curves modulo a prime, at sizes that `own` has; `before` methods have marks already.
    pub fn curves(&self, prime: &str, own: &Series, before: usize) -> Vec<Series> {
        let mut all: Vec<Series> = Vec::new();
        for file in &self.files {
            let of_prime = |row: &&Row| row.group.split(' ').next_back() == Some(prime);
            for row in file.rows.iter().filter(of_prime) {
                if own.at(row.size).is_none() {
                    continue;
                }
                let known = all.iter().position(|series| {
                    series.name == row.contender && series.file.as_ref() == Some(&file.name)
                });
                let place = known.unwrap_or(all.len());
                if known.is_none() {
                    let mut series = Series::new(before + place, row.contender.as_str());
                    series.file = Some(file.name.clone());
                    all.push(series);
                }
                all[place].times.push(Sized {
                    points: row.size,
                    timing: Timing {
                        median: row.median_s,
                        quartile1: row.quartile1_s,
                        quartile3: row.quartile3_s,
                    },
                });
            }
        }
        for series in &mut all {
            series.times.sort_by_key(|time| time.points);
        }
        all
    }
}

impl SavedFile {
    fn read(path: &Path) -> Result<Self, Failure> {
        let name = shown(path);
        let problem = |line: Option<u64>, problem: String| Failure::Input {
            place: Place {
                file: name.clone(),
                line,
                column: None,
            },
            problem,
        };
        let mut bytes = Vec::new();
        let mut source = Source::open(path)?;
        let read = source.bytes.read_to_end(&mut bytes);
        read.map_err(|error| problem(None, reason(&error)))?;
        let mut reader = csv::ReaderBuilder::new()
            .comment(Some(b'#'))
            .from_reader(&bytes[..]);
        let mut rows = Vec::new();
        let located = |error: &csv::Error, line: Option<u64>| {
            let place = error.position().map(csv::Position::line).or(line);
            problem(place, in_words(error))
        };
        let names = reader.headers().map_err(|error| located(&error, None))?;
        let names = names.clone();
        for record in reader.records() {
            let record = record.map_err(|error| located(&error, None))?;
            let line = record.position().map(csv::Position::line);
            let row: Row = record
                .deserialize(Some(&names))
                .map_err(|error| located(&error, line))?;
            let positive = |seconds: f64| seconds.is_finite() && seconds > 0.0;
            let times = [row.median_s, row.quartile1_s, row.quartile3_s];
            if !times.into_iter().all(positive) {
                let who = &row.contender;
                let what = format!("the times of {who} must be seconds above 0");
                return Err(problem(line, what));
            }
            if row.section == SECTION && row.contender != SUNZI && row.threads == 1 {
                rows.push(row);
            }
        }
        if rows.is_empty() {
            return Err(problem(
                None,
                format!(
                    "there are no timings of others in the section {SECTION} on one thread: give a file that `peers --csv` wrote"
                ),
            ));
        }
        let processor = String::from_utf8_lossy(&bytes)
            .lines()
            .find_map(|line| line.strip_prefix("# processor: ").map(str::to_owned));
        Ok(Self {
            name,
            processor,
            rows,
        })
    }
}

/// What is wrong in a line.
fn in_words(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::Utf8 { .. } => "this is no UTF-8 text".to_owned(),
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => format!("there are {len} values, but {expected_len} names of columns"),
        csv::ErrorKind::Deserialize { err, .. } => match err.field() {
            Some(field) => format!("column {}: {}", field + 1, err.kind()),
            None => format!("{}", err.kind()),
        },
        _ => error.to_string(),
    }
}
