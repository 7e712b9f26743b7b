//! Sorting in linear time.

mod counting;
mod error;
pub mod refinement;

pub use counting::{
    CountingSort, Finish, Key, SortPlan, classical_counting_sort, classical_counting_sort_pairs,
    sort, sort_by_key, sort_pairs, sorting_permutation,
};
pub use error::OrderError;
pub use refinement::{Direction, Partition, PositionLists};
