//! Operands cut into what one pass takes: stretches of the shorter one; of the longer one the part that a
//! tile of outputs needs, widened to words and padded with zeros.

use std::mem::MaybeUninit;
use std::ops::Range;

/// The longest stretch of the shorter operand that one pass takes: its sums are bounded by it, and
/// it lies on the stack.
pub(super) const MAX_SHORT: usize = 256;

/// Outputs for which the longer operand is widened at a time.
pub(super) const TILE: usize = 512;

/// Calls `pass(out, long, short, accumulate)` for stretches of the shorter operand, such that
/// `out` ends as the product.
///
/// # Panics
/// If `out.len() != a.len() + b.len() − 1` or an operand is empty.
pub(super) fn in_stretches<T: Copy + Default>(
    out: &mut [T],
    a: &[T],
    b: &[T],
    mut pass: impl FnMut(&mut [T], &[T], &[T], bool),
) {
    assert!(!a.is_empty() && !b.is_empty(), "operands are not empty");
    assert_eq!(out.len(), a.len() + b.len() - 1, "room for the product");
    let (long, short) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    if short.len() <= MAX_SHORT {
        return pass(out, long, short, false);
    }
    out.fill(T::default());
    for (index, stretch) in short.chunks(MAX_SHORT).enumerate() {
        let start = index * MAX_SHORT;
        let end = start + long.len() + stretch.len() - 1;
        pass(&mut out[start..end], long, stretch, true);
    }
}

/// A stretch of the longer operand in which reads outside the operand give zeros.
///
/// Output k of a product is Σ long[k − j]·short[j]; vectors of consecutive outputs read vectors
/// of consecutive words here, for every j, without a special case at either end.
#[derive(Clone, Copy)]
pub(super) struct Window<'a> {
    words: &'a [u64],
    /// The index in the operand of word 0, plus `shift` (so that it is not negative).
    origin: usize,
    shift: usize,
}

impl<'a> Window<'a> {
    /// Fills `storage` for the outputs of one tile: `long[k − j]` for all its k, in whole blocks,
    /// and `0 ≤ j < short_len`.
    ///
    /// # Panics
    /// If `storage` is shorter than tile, short operand and block together.
    #[inline(always)]
    pub(super) fn fill<T: Copy>(
        storage: &'a mut [MaybeUninit<u64>],
        outputs: Range<usize>,
        short_len: usize,
        block: usize,
        long: &[T],
        widen: impl Fn(T) -> u64,
    ) -> Self {
        let shift = short_len - 1;
        let length = outputs.len().next_multiple_of(block) + shift;
        // Word w stands for long[outputs.start + w − shift].
        let before = shift.saturating_sub(outputs.start).min(length);
        let begin = (outputs.start + before - shift).min(long.len());
        let count = (long.len() - begin).min(length - before);
        let storage = &mut storage[..length];
        storage[..before].fill(MaybeUninit::new(0));
        for (word, &value) in storage[before..]
            .iter_mut()
            .zip(&long[begin..begin + count])
        {
            word.write(widen(value));
        }
        storage[before + count..].fill(MaybeUninit::new(0));
        // SAFETY: the three parts just written make up the whole slice.
        let words =
            unsafe { &*(std::ptr::from_ref::<[MaybeUninit<u64>]>(storage) as *const [u64]) };
        Self {
            words,
            origin: outputs.start,
            shift,
        }
    }

    /// Where `long[first − term]` and the `count − 1` words after it lie.
    #[inline(always)]
    pub(super) fn at(self, first: usize, term: usize, count: usize) -> *const u64 {
        let index = first - self.origin + self.shift - term;
        debug_assert!(
            index + count <= self.words.len(),
            "the window covers its tile"
        );
        // One comparison for a whole block of vectors keeps the reads inside the slice.
        assert!(index <= self.words.len() && count <= self.words.len() - index);
        // SAFETY: `index` is within the slice, as just checked.
        unsafe { self.words.as_ptr().add(index) }
    }
}

/// The j for which some output of `first … first + block − 1` has a term `long[k − j]·short[j]`.
#[inline(always)]
pub(super) fn block_terms(
    first: usize,
    block: usize,
    long_len: usize,
    short_len: usize,
) -> Range<usize> {
    (first + 1).saturating_sub(long_len)..short_len.min(first + block)
}

/// Writes the words to the start of `storage` and returns them.
///
/// # Panics
/// If there are more words than storage.
#[inline(always)]
pub(super) fn fill_words(
    storage: &mut [MaybeUninit<u64>],
    words: impl ExactSizeIterator<Item = u64>,
) -> &[u64] {
    let storage = &mut storage[..words.len()];
    let mut written = 0;
    for (target, word) in storage.iter_mut().zip(words) {
        target.write(word);
        written += 1;
    }
    assert_eq!(written, storage.len(), "an iterator of its stated length");
    // SAFETY: every word of the slice has been written, as just checked.
    unsafe { &*(std::ptr::from_ref::<[MaybeUninit<u64>]>(storage) as *const [u64]) }
}
