//! The input of a simulation: the cache, the arrays behind it, and what cannot be counted.

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

/// The size of a cache: Z words in lines of L words.
///
/// ```
/// use sunzi::sparse::cache::CacheShape;
///
/// // 1 MiB in lines of 64 bytes; a word is 8 bytes.
/// let cache = CacheShape::new(1 << 17, 8)?;
/// assert_eq!(cache.lines(), 1 << 14);
/// assert!(cache.is_tall());
/// assert!(CacheShape::new(7, 8).is_err());
/// # Ok::<(), sunzi::sparse::cache::CacheError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheShape {
    words: usize,
    line_words: usize,
}

impl CacheShape {
    /// A cache of `words` words (Z) in lines of `line_words` words (L); a rest that fills no line is
    /// not used.
    ///
    /// # Errors
    ///
    /// A line has at least one word, a cache at least one line.
    pub fn new(words: usize, line_words: usize) -> Result<Self, CacheError> {
        if line_words == 0 {
            return Err(CacheError::EmptyLine);
        }
        if words < line_words {
            return Err(CacheError::NoLine { words, line_words });
        }
        Ok(Self { words, line_words })
    }

    /// Z: the words of the cache.
    pub fn words(self) -> usize {
        self.words
    }

    /// L: the words of a line.
    pub fn line_words(self) -> usize {
        self.line_words
    }

    /// ⌊Z/L⌋: the lines of the cache.
    pub fn lines(self) -> usize {
        self.words / self.line_words
    }

    /// Whether Z ≥ L², which analyses of algorithms take for granted.
    pub fn is_tall(self) -> bool {
        self.lines() >= self.line_words
    }
}

/// An array in the memory behind the cache.
///
/// Each array has lines of its own: no line holds parts of two arrays.
///
/// ```
/// use sunzi::sparse::cache::Array;
///
/// // 100 elements of two words each, beginning 3 words after the beginning of a line.
/// let x = Array::new("x", 100).element_words(2).offset(3);
/// assert_eq!(x.name(), "x");
/// assert_eq!(x.len(), 100);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    name: String,
    len: usize,
    element_words: usize,
    offset: usize,
}

impl Array {
    /// `len` elements of one word each, beginning where a line begins.
    pub fn new(name: impl Into<String>, len: usize) -> Self {
        Self {
            name: name.into(),
            len,
            element_words: 1,
            offset: 0,
        }
    }

    /// The same with elements of `words` words; an element of 0 words touches no line.
    #[must_use]
    pub fn element_words(mut self, words: usize) -> Self {
        self.element_words = words;
        self
    }

    /// The same, beginning `words` words after the beginning of a line.
    #[must_use]
    pub fn offset(mut self, words: usize) -> Self {
        self.offset = words;
        self
    }

    /// The name, as reports show it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(super) fn words_of_element(&self) -> usize {
        self.element_words
    }

    pub(super) fn first_word(&self) -> usize {
        self.offset
    }

    /// The words from the beginning of its first line to its end; `None` where that overflows.
    pub(super) fn extent(&self) -> Option<usize> {
        self.len
            .checked_mul(self.element_words)?
            .checked_add(self.offset)
    }
}
