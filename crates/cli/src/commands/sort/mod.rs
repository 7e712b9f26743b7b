//! `sunzi sort`.

mod dense;
mod sparse;

use crate::args::Common;
use crate::args::sort::{Bits, SortArguments, SortOrder};
use crate::report::{Figures, timed};
use serde::Serialize;
use std::time::Instant;
use sunzi_files::error::Failure;
use sunzi_files::input::lines::LineReader;
use sunzi_files::input::vector::{Grown, Vector};
use sunzi_files::memory::{self, Available};
use sunzi_files::output::Output;
use sunzi_files::progress::Progress;
use sunzi_files::results::Results;

/// Integers in ascending order and what sorted them, or why that cannot be done.
type Sorted<T> = Result<(Vec<T>, String), String>;

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

/// What the JSON form tells before the integers.
#[derive(Serialize)]
struct Head {
    command: &'static str,
    bits: &'static str,
    order: &'static str,
    reverse: bool,
    unique: bool,
}

/// What it tells after them.
#[derive(Serialize)]
struct Tail {
    /// Integers that were read, and that were written.
    read: usize,
    written: usize,
    algorithm: String,
    #[serde(flatten)]
    figures: Figures,
}

/// Sorts the integers of a file.
pub fn run(wanted: &SortArguments, common: &Common) -> Result<(), Failure> {
    match wanted.bits {
        Bits::Dense => run_kind(&dense::Dense::new(wanted.order), wanted, common),
        Bits::Sparse => run_kind(&sparse::Sparse::new(wanted.order), wanted, common),
    }
}

fn run_kind<K: Kind>(kind: &K, wanted: &SortArguments, common: &Common) -> Result<(), Failure> {
    let start = Instant::now();
    let mut figures = Figures::new();
    let seconds = &mut figures.seconds;
    let max_memory = wanted.memory.bytes;
    let mut reader = LineReader::open(&wanted.file, Available::detect(max_memory))?;
    let output = Output::create(common.output.as_deref())?;
    let progress = Progress::new(reader.size());

    let (mut weighed, mut bytes) = (0, 0);
    let numbers = timed(&mut seconds.reading, || {
        kind.read(&mut reader, &mut |reader, vector| {
            progress.at(reader.bytes_read(), "reading");
            let items = &vector.entries;
            bytes += items[weighed..]
                .iter()
                .map(|item| kind.bytes(item))
                .sum::<u64>();
            weighed = items.len();
            memory::check(reader.name(), "sorting", 2 * bytes, bytes, max_memory)
        })
    })?;
    let read = numbers.entries.len();
    progress.at(reader.bytes_read(), "sorting");
    let sorted = timed(&mut seconds.computing, || -> Result<_, String> {
        let (mut items, algorithm) = kind.sort(numbers.entries)?;
        if wanted.unique {
            items.dedup();
        }
        if wanted.reverse {
            items.reverse();
        }
        Ok((items, algorithm))
    });
    let refuse = |problem| Failure::Computation(format!("{}: {problem}", reader.name()));
    let (items, algorithm) = sorted.map_err(refuse)?;

    progress.at(reader.bytes_read(), "writing");
    let json = common.json;
    let mut results = Results::new(output, json);
    results.facts(|| Head {
        command: "sort",
        bits: match wanted.bits {
            Bits::Dense => "dense",
            Bits::Sparse => "sparse",
        },
        order: match wanted.order {
            SortOrder::Value => "value",
            SortOrder::Gray => "gray",
        },
        reverse: wanted.reverse,
        unique: wanted.unique,
    })?;
    timed(&mut seconds.writing, || {
        kind.write(&items, json, &mut results)
    })?;
    seconds.total = start.elapsed().as_secs_f64();
    let output = results.close(|| Tail {
        read,
        written: items.len(),
        algorithm,
        figures,
    })?;
    output.finish()
}
