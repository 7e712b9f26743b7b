//! Algorithms as traces.

mod counting_sort;
mod partition;
mod scan;
mod spmv;

pub use counting_sort::CountingSort;
pub use partition::{BetweenRounds, PartitionFurther, Preprocessing, PreprocessingThenSort};
pub use scan::Scan;
pub use spmv::{CsrIndex, Spmv};
