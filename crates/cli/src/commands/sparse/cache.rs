//! `sunzi sparse cache`.

use super::matrix;
use super::matrix::MatrixFile;
use crate::args::Common;
use crate::commands::Run;
use crate::report::{Figures, Head, Report, files, timed};
use crate::table::Table;
use crate::table::grouped;
use clap::{Args, ValueEnum};
use serde::Serialize;
use serde_json::json;
use sunzi::sparse::cache::{Array, ArrayReport, CacheShape, Replacement, Spmv, Trace, simulate};
use sunzi_files::failure::Failure;
use sunzi_files::input::sparse;
use sunzi_files::output::Output;
use sunzi_files::progress::Progress;

/// A matrix and a cache.
#[derive(Debug, Args)]
#[command(after_help = concat!(matrices!(), "
The cache holds Z words in lines of L words; an element of any array is a word. With `opt` the line that
is needed last leaves first, which no cache does better; with `lru` the one that was used least recently.
A miss is `cold` where the line comes for the first time. Only the misses of x depend on the order of rows
and columns.

Examples:
  sunzi sparse cache m.mtx
  sunzi sparse cache m.mtx --words 65536 --line 8 --policy lru
  sunzi sparse reorder m.mtx | sunzi sparse cache - --json"))]
pub struct Cache {
    #[command(flatten)]
    pub matrix: MatrixFile,
    /// Z: the words of the cache
    #[arg(long, value_name = "Z", default_value_t = 32_768)]
    pub words: usize,
    /// L: the words of a line
    #[arg(long, value_name = "L", default_value_t = 8)]
    pub line: usize,
    /// Which line leaves a full cache
    #[arg(long, value_enum, default_value_t = Policy::Opt)]
    pub policy: Policy,
}

/// Which line leaves a full cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Policy {
    /// The one that is needed last
    Opt,
    /// The one that was used least recently
    Lru,
}

/// What is counted for an array.
#[derive(Serialize)]
struct Counts {
    array: String,
    accesses: u64,
    misses: u64,
    /// Those that no cache could avoid.
    cold: u64,
}

/// What is counted.
#[derive(Serialize)]
struct Found {
    arrays: Vec<Counts>,
    total: Counts,
}

impl Run for Cache {
    /// Counts the cache misses of a product.
    fn run(&self, common: &Common) -> Result<(), Failure> {
        let mut figures = Figures::start();
        let shape = CacheShape::new(self.words, self.line).map_err(|error| {
            Failure::Usage(format!(
                "--words {} --line {}: {error}",
                self.words, self.line
            ))
        })?;
        let (policy, replacement) = match self.policy {
            Policy::Opt => ("opt", Replacement::Optimal),
            Policy::Lru => ("lru", Replacement::LeastRecentlyUsed),
        };
        let output = Output::create(common.output.as_deref())?;
        let input = matrix::read(&self.matrix, &mut figures.seconds, sparse::read_places)?;
        let pattern = &input.matrix;
        let progress = Progress::over(pattern.nnz() as u64, "non-zeros");
        progress.say("simulating");
        let refuse = |error| Failure::Computation(format!("{}: {error}", input.name));
        let counted = timed(&mut figures.seconds.computing, || {
            let product = Spmv::new(
                pattern.row_starts(),
                pattern.column_indices(),
                pattern.columns(),
            )?;
            simulate(
                &Watched {
                    product,
                    progress: &progress,
                },
                shape,
                replacement,
            )
        });
        let counted = counted.map_err(refuse)?;
        drop(progress);
        let inputs = json!({
            "files": files([&self.matrix.file]),
            "rows": pattern.rows(),
            "columns": pattern.columns(),
            "nonzeros": pattern.nnz(),
            "words": self.words,
            "line": self.line,
            "policy": policy,
        });
        let report = Report {
            head: Head::new("sparse cache", inputs),
            result: Found {
                arrays: counted.arrays.iter().map(Counts::of).collect(),
                total: Counts {
                    array: "total".to_owned(),
                    accesses: counted.accesses(),
                    misses: counted.misses(),
                    cold: counted.cold(),
                },
            },
            figures: figures.ended(),
        };
        report.write(output, common.json, |found| self.text(found, &input.name))
    }
}

/// A product that tells how far it is.
struct Watched<'a, T> {
    product: T,
    progress: &'a Progress,
}

/// Non-zeros after which it does so.
const STEP: usize = 1 << 18;

impl<T: Trace> Trace for Watched<'_, T> {
    fn arrays(&self) -> Vec<Array> {
        self.product.arrays()
    }

    fn replay(&self, touch: &mut dyn FnMut(usize, usize)) {
        self.product.replay(&mut |array, element| {
            // The values are the first array, and come one after the other.
            if array == 0 && element.is_multiple_of(STEP) {
                self.progress.at(element as u64);
            }
            touch(array, element);
        });
    }
}

impl Counts {
    fn of(array: &ArrayReport) -> Self {
        Self {
            array: array.name.clone(),
            accesses: array.accesses,
            misses: array.misses,
            cold: array.cold,
        }
    }
}

impl Cache {
    /// The counts as a table.
    fn text(&self, found: &Found, input: &str) -> String {
        let mut table = Table::new(["array", "accesses", "misses", "cold"]);
        for counts in found.arrays.iter().chain([&found.total]) {
            table.push([
                counts.array.clone(),
                grouped(counts.accesses as usize),
                grouped(counts.misses as usize),
                grouped(counts.cold as usize),
            ]);
        }
        format!(
            "{input}: y = M x in a cache of {} words in lines of {}, {}\n{table}",
            grouped(self.words),
            self.line,
            match self.policy {
                Policy::Opt => "optimal replacement",
                Policy::Lru => "least recently used out",
            },
        )
    }
}
