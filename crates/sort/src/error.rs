//! What can be wrong with an input to be sorted.

use thiserror::Error;

/// Why something can't be sorted as asked.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SortError {
    /// A key lies outside the range that was told.
    #[error("key {key} at index {index} is out of range: keys must be below {range}")]
    KeyOutOfRange {
        /// Position of the first such key.
        index: usize,
        /// The key.
        key: u64,
        /// Keys must be below it.
        range: u64,
    },
    /// Two slices that belong together have different lengths.
    #[error("{keys} keys have {values} values: give as many values as keys")]
    Lengths {
        /// Number of keys.
        keys: usize,
        /// Number of values.
        values: usize,
    },
    /// More items than 32-bit indices can number.
    #[error("{items} items are too many: at most 4294967295 can be numbered by 32 bits")]
    TooManyItems {
        /// Number of items.
        items: usize,
    },
    /// There is no memory for a counter of each key.
    #[error(
        "keys below {range} need {range} counters, for which there is no memory: give a smaller range, or use CountingSort"
    )]
    NoMemoryForRange {
        /// The number of counters.
        range: u64,
    },
    /// An integer whose digits 32-bit indices can't number.
    #[error("an integer of {limbs} limbs is too long: fewer than 2^31 are possible")]
    TooManyLimbs {
        /// Number of limbs.
        limbs: usize,
    },
    /// The boundaries of position lists do not begin at 0.
    #[error("the first list starts at {start}: the first start must be 0")]
    FirstStart {
        /// The first boundary, if there is one.
        start: usize,
    },
    /// There is not even one boundary of position lists.
    #[error("position lists have no starts: n lists need n + 1 of them, the first 0")]
    NoStarts,
    /// The boundaries of position lists go down.
    #[error("list {item} ends before it starts: starts must not go down")]
    StartsGoDown {
        /// Number of the list, from 0.
        item: usize,
    },
    /// The boundaries of position lists do not end where the positions do.
    #[error("the lists end at {end}, but there are {positions} positions")]
    LastStart {
        /// The last boundary.
        end: usize,
        /// Number of positions.
        positions: usize,
    },
    /// A position does not exceed the one before it.
    #[error("list {item} is not ascending: position {position} at place {place} follows {before}")]
    NotAscending {
        /// Number of the list, from 0.
        item: usize,
        /// Place in the list, from 0.
        place: usize,
        /// The position there.
        position: u32,
        /// The position before it.
        before: u32,
    },
    /// A position lies beyond the last bit.
    #[error("list {item} has position {position}: positions must be below {bits}")]
    PositionOutOfRange {
        /// Number of the list, from 0.
        item: usize,
        /// The position.
        position: u32,
        /// Positions must be below it.
        bits: u32,
    },
    /// A partition and the lists it is refined by number different items.
    #[error("a partition of {partition} items can't be refined by {lists} lists")]
    ItemCounts {
        /// Items of the partition.
        partition: usize,
        /// Items that have lists.
        lists: usize,
    },
}
