//! Sorting in linear time: keys of a known range, big integers, Gray codes.
//!
//! **Problem.** Sort n items in time O(n), stably, with few cache misses. **Algorithms**, all on every thread, with results that do
//! not depend on how many there are:
//!
//! | to sort | with | time | by |
//! |---|---|---|---|
//! | keys of one word | [`CountingSort`], or [`sort()`], [`sort_pairs`], [`sort_by_key`], [`sorting_permutation`], which find the range | O(n + r), r the range; digits of 11 bits where r is much greater than n | counting within buckets of neighbouring keys |
//! | sparse big integers | [`sort_sparse_integers`] | about log_p n steps of O(n) where a bit is 1 with probability 1/p | refinement by first, second, … position of a one |
//! | dense big integers | [`sort_integers`] | a step for each digit of 32 bits that is needed | the same by digits |
//! | bit strings as Gray codes | [`sort_by_gray_rank`] | as for sparse integers | directions that alternate |
//! | by other orders | [`Partition`] | O(n) a step | the refinement itself |
//!
//! A bucket of the counting sort is made to fit the cache; one that got too many keys is distributed again. The refinement stops
//! when lists have at most four items on average, which are then sorted by comparison. **Floor.** Bare keys of 32 bits: 16 bytes
//! of memory traffic a key; with values of 32 bits, 40. **Memory.** A second copy of what is sorted, at most about twice. A key
//! out of range is an error, and nothing has been moved.
//!
//! Source: S. A. Haque, *Hardware acceleration technologies in computer algebra: challenges and impact*, thesis, 2013,
//! chapters 4 and 5, §6.2.5 and §6.2.6.
//!
//! ```
//! use sunzi::sort::{CountingSort, gray_rank, sorting_permutation};
//!
//! assert_eq!(sorting_permutation(&[30u32, 10, 20, 10])?, [1, 3, 2, 0]); // equal keys keep their order
//! let mut keys = [500u32, 3, 999, 3];
//! CountingSort::new(1000).sort(&mut keys)?;
//! assert_eq!(keys, [3, 3, 500, 999]);
//! assert_eq!(gray_rank(0b011), 2);
//! # Ok::<(), sunzi::sort::SortError>(())
//! ```

// What is public for tests alone is documented for readers of its file.
#![cfg_attr(feature = "internals", allow(missing_docs))]

mod counting;
mod error;
mod gray;
mod integers;
mod refinement;

pub use counting::{
    CountingSort, Finish, Key, SortPlan, reference, sort, sort_by_key, sort_pairs,
    sorting_permutation,
};
pub use error::SortError;
pub use gray::{compare_gray_ranks, gray_code, gray_rank, sort_by_gray_rank};
pub use integers::{compare_sparse_integers, sort_integers, sort_sparse_integers};
pub use refinement::{Direction, Partition, PositionLists};

/// What the tests of this crate reach into.
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod internals {
    pub use crate::counting::dense::rewrite;
    pub use crate::counting::plan::{Cuts, planned};
    pub use crate::counting::records::count_into;
    pub use crate::counting::split::{Reciprocal, Split};
    pub use crate::counting::{permutation, sort_keys, sort_pairs_planned};
}
