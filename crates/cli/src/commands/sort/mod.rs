//! `sunzi sort`.

mod dense;
mod sparse;

use crate::args::{Common, MaxMemory};
use crate::commands::Run;
use crate::report::{Figures, Head, Tail, files, timed};
use clap::{Args, ValueEnum};
use serde::Serialize;
use serde_json::json;
use std::path::PathBuf;
use sunzi_files::failure::Failure;
use sunzi_files::input::lines::LineReader;
use sunzi_files::input::vector::{Grown, Vector};
use sunzi_files::memory;
use sunzi_files::output::Output;
use sunzi_files::progress::Progress;
use sunzi_files::results::Results;

/// What is told behind the options.
const HELP: &str = "One integer a line, decimal or 0x…, of any size, negative ones too; # starts a comment; empty lines do not
count. Integers are written in decimal, one a line.

With --bits sparse a line holds the positions of the ones of an integer that is not negative, in any
order and separated by blanks: position 0 is the last, least significant bit, so that `0 3` is 9. `none`
is the integer 0, which has no ones. Lines are written in the same form, the highest position first.

--order gray sorts integers that are not negative by their place in the binary reflected Gray code, in
which neighbours differ in one bit: 0 1 3 2 6 7 5 4 12 …

Examples:
  sunzi sort numbers.txt
  sunzi sort numbers.txt --reverse --unique -o sorted.txt
  sunzi sort codes.txt --order gray
  sunzi sort rows.txt --bits sparse --order gray --json
  seq 9 -1 1 | sunzi sort -";

/// What is sorted, and how.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct SortArguments {
    /// File with the integers (`-`: standard input)
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// What a line holds: an integer, or the positions of its ones
    #[arg(long, value_enum, default_value_t = Bits::Dense)]
    pub bits: Bits,
    /// What integers are sorted by: their value, or their place in the Gray code
    #[arg(long, value_enum, default_value_t = SortOrder::Value)]
    pub order: SortOrder,
    /// The greatest first
    #[arg(long)]
    pub reverse: bool,
    /// Equal integers once
    #[arg(long)]
    pub unique: bool,
    #[command(flatten)]
    pub memory: MaxMemory,
}

/// How integers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Bits {
    /// An integer a line
    Dense,
    /// The positions of its ones
    Sparse,
}

/// What integers are sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SortOrder {
    /// Their value
    Value,
    /// Their place in the binary reflected Gray code
    Gray,
}

/// Integers in ascending order, the algorithm that sorted them and how it did, or why that cannot be done.
type Sorted<T> = Result<(Vec<T>, &'static str, String), String>;

/// What a file of integers holds, and how that is sorted.
trait Kind: Sync {
    /// An integer.
    type Item: Send + Sync + PartialEq;

    /// Reads a file, an integer a line.
    fn read(
        &self,
        reader: &mut LineReader,
        grown: &mut Grown<'_, Self::Item>,
    ) -> Result<Vector<Self::Item>, Failure>;

    /// Bytes that an integer takes, and that sorting it takes beside.
    fn bytes(&self, item: &Self::Item) -> u64;

    /// Sorts integers.
    fn sort(&self, items: Vec<Self::Item>) -> Sorted<Self::Item>;

    /// Writes integers.
    fn write(&self, items: &[Self::Item], json: bool, results: &mut Results)
    -> Result<(), Failure>;
}

/// How many integers there are.
#[derive(Serialize)]
struct Details {
    read: usize,
    written: usize,
}

impl Run for SortArguments {
    /// Sorts the integers of a file.
    fn run(&self, common: &Common) -> Result<(), Failure> {
        match self.bits {
            Bits::Dense => run_kind(&dense::Dense::new(self.order), self, common),
            Bits::Sparse => run_kind(&sparse::Sparse::new(self.order), self, common),
        }
    }
}

fn run_kind<K: Kind>(kind: &K, wanted: &SortArguments, common: &Common) -> Result<(), Failure> {
    let mut figures = Figures::start();
    let seconds = &mut figures.seconds;
    let budget = wanted.memory.budget();
    let mut reader = LineReader::open(&wanted.file, budget)?;
    let output = Output::create(common.output.as_deref())?;
    let progress = Progress::reading(reader.size());

    let (mut weighed, mut bytes) = (0, 0);
    let numbers = timed(&mut seconds.reading, || {
        kind.read(&mut reader, &mut |reader, vector| {
            progress.at(reader.bytes_read());
            let items = &vector.entries;
            bytes += items[weighed..]
                .iter()
                .map(|item| kind.bytes(item))
                .sum::<u64>();
            weighed = items.len();
            memory::check(reader.name(), "sorting", bytes, budget.holding(bytes))
        })
    })?;
    let read = numbers.entries.len();
    progress.goes_on("sorting");
    let sorted = timed(&mut seconds.computing, || -> Result<_, String> {
        let (mut items, algorithm, explanation) = kind.sort(numbers.entries)?;
        if wanted.unique {
            items.dedup();
        }
        if wanted.reverse {
            items.reverse();
        }
        Ok((items, algorithm, explanation))
    });
    let refuse = |problem| Failure::Computation(format!("{}: {problem}", reader.name()));
    let (items, algorithm, explanation) = sorted.map_err(refuse)?;

    progress.goes_on("writing");
    let json = common.json;
    let mut results = Results::new(output, json);
    results.facts(|| {
        let inputs = json!({
            "files": files([&wanted.file]),
            "bits": match wanted.bits {
                Bits::Dense => "dense",
                Bits::Sparse => "sparse",
            },
            "order": match wanted.order {
                SortOrder::Value => "value",
                SortOrder::Gray => "gray",
            },
            "reverse": wanted.reverse,
            "unique": wanted.unique,
        });
        Head::new("sort", inputs)
    })?;
    timed(&mut seconds.writing, || {
        kind.write(&items, json, &mut results)
    })?;
    figures.chosen(algorithm, explanation);
    let output = results.close(|| Tail {
        details: Details {
            read,
            written: items.len(),
        },
        figures: figures.ended(),
    })?;
    output.finish()
}
