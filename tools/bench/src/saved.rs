//! Curves from files that the project's comparison with GMP and FLINT saved.

use super::series::{Series, Sized};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use sunzi_files::failure::{Failure, Place, reason, shown};
use sunzi_files::input::source::Source;
use sunzi_measure::{Record, Records, Timing};

/// The section of transforms modulo the named primes.
const SECTION: &str = "gfp-fft";
/// What Sunzi's own rows are named: they are measured anew.
const SUNZI: &str = "Sunzi";

/// The curves of all files.
pub struct Saved {
    files: Vec<SavedFile>,
}

struct SavedFile {
    name: String,
    /// The processor that the file names.
    processor: Option<String>,
    rows: Vec<Record>,
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
            let of_prime = |row: &&Record| row.group.split(' ').next_back() == Some(prime);
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
        let records = Records::parse(&bytes).map_err(|error| problem(error.line, error.problem))?;
        let processor = records.fact("processor").map(str::to_owned);
        let mut rows = records.rows;
        rows.retain(|row| row.section == SECTION && row.contender != SUNZI && row.threads == 1);
        if rows.is_empty() {
            return Err(problem(
                None,
                format!(
                    "there are no timings of others in the section {SECTION} on one thread: give a file that `peers --csv` wrote"
                ),
            ));
        }
        Ok(Self {
            name,
            processor,
            rows,
        })
    }
}
