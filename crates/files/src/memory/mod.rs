//! How much memory a computation may use: refusals, and sizes; and the limit on all that the program takes.

mod allocator;
mod heap_limit;
mod size;

pub use allocator::Counted;
pub use heap_limit::limit_heap;
pub use size::{parse_size, shown};

use crate::failure::Failure;
use sunzi_machine::memory::{Budget, OutOfMemory};

/// How a need is told of what has not been read to its end.
pub(crate) const AT_LEAST: &str = "at least about";

/// Refuses work on a file that takes at least this many bytes beside those that are held.
pub fn check(file: &str, work: &str, bytes: u64, budget: Budget) -> Result<(), Failure> {
    let refused = |error| refusal(file, work, AT_LEAST, error);
    budget.require(bytes).map_err(refused)
}

/// Why there is no work at a place: it needs `about` so much memory.
pub fn refusal(place: &str, work: &str, about: &str, error: OutOfMemory) -> Failure {
    Failure::Computation(format!(
        "{place}: the {work} needs {about} {} of memory, and {} can be used",
        shown(error.needed),
        shown(error.available),
    ))
}
