use thiserror::Error;

/// Why misses can't be counted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CacheError {
    /// A line holds at least one word.
    #[error("a cache line of 0 words: give at least 1")]
    EmptyLine,
    /// A cache holds at least one line.
    #[error(
        "a cache of {words} words holds no line of {line_words} words: give at least {line_words} words"
    )]
    NoLine {
        /// Words of the cache.
        words: usize,
        /// Words of a line.
        line_words: usize,
    },
    /// The arrays are too large for the simulator's tables.
    #[error("the arrays need more than {max} cache lines: take longer lines or a smaller problem")]
    TooManyLines {
        /// The most there may be.
        max: usize,
    },
    /// A trace named an array that it did not declare.
    #[error("the trace touches array {array}, but declares only {declared}")]
    UnknownArray {
        /// The number of the array.
        array: usize,
        /// How many there are.
        declared: usize,
    },
    /// A trace went past the end of an array.
    #[error("the trace touches element {index} of array \"{array}\", which has {len}")]
    OutOfBounds {
        /// The array's name.
        array: String,
        /// The element asked for.
        index: usize,
        /// How many there are.
        len: usize,
    },
    /// The arrays of a sparse matrix contradict each other.
    #[error("no sparse matrix by rows: {0}")]
    NotCsr(String),
    /// A key to be sorted lies outside its range.
    #[error("key {index} is {key}, outside the range 0 to {range} (exclusive)")]
    KeyOutOfRange {
        /// The key's place.
        index: usize,
        /// The key.
        key: u64,
        /// The first value that is too large.
        range: u64,
    },
    /// Buckets do not divide the range of the keys.
    #[error("{0}")]
    Buckets(String),
}
