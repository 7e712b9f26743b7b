/// An array in the memory behind the cache.
///
/// Each array has lines of its own: no line holds parts of two arrays.
///
/// ```
/// use sunzi_model::Array;
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
