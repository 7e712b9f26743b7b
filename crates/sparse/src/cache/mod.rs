//! The ideal cache: an algorithm as a trace of accesses, and the count of its misses.
//!
//! **Problem.** How often does an algorithm have to wait for memory? The *ideal cache* answers without a machine: Z words
//! in lines of L words, any line in any place, and the line whose next use is furthest away leaves first (Frigo,
//! Leiserson, Prokop and Ramachandran, 1999; §2.3 of the 2013 thesis). [`simulate`] counts its misses for a [`Trace`],
//! and those of a cache that lets the least recently used line go.
//!
//! **Bounds.** Misses are exact. A trace may have any length; the arrays it touches may hold up to 2^30 lines together.
//!
//! **Algorithm.** The misses of the best replacement are counted in one pass, without keeping the trace: see
//! `optimal.rs`.
//!
//! **Floor.** An access reads and writes the last use of its line, one random access to a table of 4 bytes a line, and
//! follows a few links in a table of the same size.
//!
//! ```
//! use sunzi::sparse::cache::{CacheShape, Replacement, Scan, simulate};
//!
//! let cache = CacheShape::new(1024, 8)?;
//! let report = simulate(&Scan::new(1000), cache, Replacement::Optimal)?;
//! assert_eq!((report.misses(), report.hits()), (125, 875)); // 1000 words in lines of 8
//! # Ok::<(), sunzi::sparse::cache::CacheError>(())
//! ```

mod least_recently_used;
mod optimal;
mod problem;
mod report;
mod simulation;
mod trace;

pub use problem::{Array, CacheError, CacheShape};
pub use report::{ArrayReport, CacheReport};
pub use simulation::{Replacement, Trace, simulate};
pub use trace::{
    BetweenRounds, CountingSort, CsrIndex, PartitionFurther, Preprocessing, PreprocessingThenSort,
    Scan, Spmv,
};

/// What one access to a line meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Hit,
    /// The line was never used before, so that no cache could hold it.
    ColdMiss,
    Miss,
}

/// A cache by its rule of replacement; lines are numbered from 0.
trait Cache {
    fn access(&mut self, line: u32) -> Outcome;
}
