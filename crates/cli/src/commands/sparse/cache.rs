//! `sunzi sparse cache`.

use super::matrix;
use crate::args::Common;
use crate::args::sparse::{Cache, Policy};
use crate::commands::write_facts;
use crate::error::Failure;
use crate::progress::Progress;
use crate::report::{Figures, timed};
use serde::Serialize;
use std::time::Instant;
use sunzi::model::{CacheReport, CacheShape, Replacement, Spmv, simulate};

/// What is counted for an array.
#[derive(Serialize)]
struct Counts {
    array: String,
    accesses: u64,
    misses: u64,
    /// Those that no cache could avoid.
    cold: u64,
}

#[derive(Serialize)]
struct Facts {
    command: &'static str,
    rows: usize,
    columns: usize,
    nonzeros: usize,
    words: usize,
    line: usize,
    policy: &'static str,
    arrays: Vec<Counts>,
    total: Counts,
    /// Misses of x that are not cold, by non-zeros.
    #[serde(flatten)]
    figures: Figures,
}

/// Counts the cache misses of a product.
pub fn run(wanted: &Cache, common: &Common) -> Result<(), Failure> {
    let start = Instant::now();
    let mut figures = Figures::new();
    let shape = CacheShape::new(wanted.words, wanted.line)
        .map_err(|error| Failure::Usage(format!("--words {} --line {}: {error}", wanted.words, wanted.line)))?;
    let (policy, replacement) = match wanted.policy {
        Policy::Opt => ("opt", Replacement::Optimal),
        Policy::Lru => ("lru", Replacement::LeastRecentlyUsed),
    };
    let input = matrix::read_pattern(&wanted.matrix, &mut figures.seconds)?;
    let pattern = &input.matrix;
    let progress = Progress::without_total("simulating");
    let refuse = |error| Failure::Computation(format!("{}: {error}", input.name));
    let report = timed(&mut figures.seconds.computing, || {
        let product = Spmv::new(pattern.row_starts(), pattern.column_indices(), pattern.columns())?;
        simulate(&product, shape, replacement)
    });
    let report = report.map_err(refuse)?;
    drop(progress);
    figures.seconds.total = start.elapsed().as_secs_f64();
    let facts = Facts {
        command: "sparse cache",
        rows: pattern.rows(),
        columns: pattern.columns(),
        nonzeros: pattern.nnz(),
        words: wanted.words,
        line: wanted.line,
        policy,
        arrays: counts(&report),
        total: total(&report),
        figures,
    };
    todo!()
}
