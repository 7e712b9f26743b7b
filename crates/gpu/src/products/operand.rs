//! What is multiplied, on the host.

/// A polynomial, or an integer as a polynomial in 2^32: coefficients of equal numbers of words, from the constant term
/// upward, the lowest word of each first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand<'a> {
    words: &'a [u32],
    coefficient_words: usize,
}

impl<'a> Operand<'a> {
    /// The words of coefficients of `coefficient_words` words each; words that make no whole coefficient are left out.
    ///
    /// ```
    /// let f = sunzi_gpu::products::Operand::new(&[3, 0, 5, 0], 2); // 3 + 5x
    /// assert_eq!(f.terms(), 2);
    /// ```
    pub fn new(words: &'a [u32], coefficient_words: usize) -> Self {
        let whole = words.len() - words.len() % coefficient_words.max(1);
        Self {
            words: &words[..whole],
            coefficient_words,
        }
    }

    /// Coefficients.
    pub fn terms(&self) -> usize {
        self.words.len() / self.coefficient_words.max(1)
    }

    /// The words of all of them.
    pub fn words(&self) -> &'a [u32] {
        self.words
    }

    /// The words of a coefficient.
    pub fn coefficient_words(&self) -> usize {
        self.coefficient_words
    }

    /// The first `terms` coefficients, and the rest.
    pub(super) fn split(&self, terms: usize) -> (Self, Self) {
        let (low, high) = self.words.split_at(terms * self.coefficient_words);
        let of = |words| Self { words, ..*self };
        (of(low), of(high))
    }

    /// Whether two operands are one and the same.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        std::ptr::eq(self.words, other.words) && self.coefficient_words == other.coefficient_words
    }
}
