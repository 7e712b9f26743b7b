use super::CacheError;

/// The size of a cache: Z words in lines of L words.
///
/// ```
/// use sunzi_model::CacheShape;
///
/// // 1 MiB in lines of 64 bytes; a word is 8 bytes.
/// let cache = CacheShape::new(1 << 17, 8)?;
/// assert_eq!(cache.lines(), 1 << 14);
/// assert!(cache.is_tall());
/// assert!(CacheShape::new(7, 8).is_err());
/// # Ok::<(), sunzi_model::CacheError>(())
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
