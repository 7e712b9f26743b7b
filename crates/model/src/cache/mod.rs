//! A cache of lines, the arrays in the memory behind it, and the count of misses.

mod least_recently_used;
mod optimal;
mod problem;
mod report;
mod simulation;

pub use problem::{Array, CacheError, CacheShape};
pub use report::{ArrayReport, CacheReport};
pub use simulation::{Replacement, Trace, simulate};

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
