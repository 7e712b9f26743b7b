//! Sorting in linear time: keys of a known range, big integers, Gray codes.
//!
//! - Keys: [`CountingSort`], or [`sort()`], [`sort_pairs`], [`sort_by_key`] and [`sorting_permutation`], which find
//!   the range themselves.
//! - Big integers: [`sort_sparse_integers`] by the positions of ones, [`sort_integers`] by limbs.
//! - Bit strings by their ranks as Gray codes: [`sort_by_gray_rank`].
//! - [`Partition`], the refinement under the latter three, for other orders.
//!
//! The algorithms are those of the 2013 thesis, chapters 4 and 5, and §6.2.5 and 6.2.6.

mod counting;
mod error;
mod gray;
mod integers;
#[cfg(test)]
mod on_threads;
mod refinement;

pub use counting::{
    CountingSort, Finish, Key, SortPlan, reference, sort, sort_by_key, sort_pairs,
    sorting_permutation,
};
pub use error::OrderError;
pub use gray::{compare_gray_ranks, gray_code, gray_rank, sort_by_gray_rank};
pub use integers::{compare_sparse_integers, sort_integers, sort_sparse_integers};
pub use refinement::{Direction, Partition, PositionLists};
