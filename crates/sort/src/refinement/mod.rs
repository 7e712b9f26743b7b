//! Partition refinement by the positions of ones: items fall into ever smaller lists.
//!
//! **Problem.** Items have ascending lists of positions, the ones of big integers or of columns of a
//! sparse matrix. Put the items in the order of their lists, one position after the other, and know
//! which items agree so far. **Algorithm.** Algorithms 4 and 5 of the thesis (2013, §5.4): A^0 is one list
//! of all items; A^(k+1) comes from A^k when every list is sorted stably by the k-th position and is cut
//! where that changes. An item without a k-th position has the position m, one beyond the last.
//! **Bound.** Lists are told apart as soon as they differ; a list of one item, or of items that have
//! no positions left and so are equal, is settled and never looked at again. A step takes time
//! proportional to the items in lists that are not settled, whatever m: long lists are sorted by
//! counting, in up to three digits of 11 bits, short ones by comparison of words.
//!
//! **Floor.** A step reads one position of each item, at a place that is anywhere in memory: a cache
//! miss, 10 to 20 ns where the processor has several in flight. Sorting the pairs takes about as long.

mod lists;
mod partition;
mod step;

pub use lists::PositionLists;
pub use partition::Partition;

/// Which way a step of the refinement sorts by position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Small positions first; items without a position come last.
    Ascending,
    /// Great positions first; items without a position come before all others. When position 0 is the
    /// most significant bit, this puts integers in ascending order.
    Descending,
}
