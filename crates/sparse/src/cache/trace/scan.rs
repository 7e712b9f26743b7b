use crate::cache::{Array, Trace};

/// One array "a", read from its beginning to its end: Proposition 1 of the thesis says at most
/// ⌈n/L⌉ + 1 misses, wherever it begins.
///
/// ```
/// use sunzi::sparse::cache::{CacheShape, Replacement, Scan, simulate};
///
/// let cache = CacheShape::new(8, 8)?;
/// let aligned = simulate(&Scan::new(16), cache, Replacement::Optimal)?;
/// let shifted = simulate(&Scan::new(16).offset(7), cache, Replacement::Optimal)?;
/// assert_eq!((aligned.misses(), shifted.misses()), (2, 3));
/// # Ok::<(), sunzi::sparse::cache::CacheError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scan {
    len: usize,
    offset: usize,
}

impl Scan {
    /// A scan of `len` words that begin where a line begins.
    pub fn new(len: usize) -> Self {
        Self { len, offset: 0 }
    }

    /// The same, `words` words after the beginning of a line.
    #[must_use]
    pub fn offset(self, words: usize) -> Self {
        Self {
            offset: words,
            ..self
        }
    }
}

impl Trace for Scan {
    fn arrays(&self) -> Vec<Array> {
        vec![Array::new("a", self.len).offset(self.offset)]
    }

    fn replay(&self, touch: &mut dyn FnMut(usize, usize)) {
        for i in 0..self.len {
            touch(0, i);
        }
    }
}
