//! Vectors of elements in the layout that vector instructions want.

pub mod arithmetic;
pub mod blocks;
mod constants;
pub(crate) mod entry;
pub mod number;
pub mod operations;
mod vector;

pub use constants::{Constants, MOST_TERMS};

/// Elements of a block.
pub const LANES: usize = 8;

/// One digit of the elements of a block.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Line(pub [u64; LANES]);

impl Line {
    /// The words of lines, one after the other.
    #[inline(always)]
    #[must_use]
    pub fn words(lines: &[Self]) -> &[u64] {
        // SAFETY: a line is eight words, without padding.
        unsafe { std::slice::from_raw_parts(lines.as_ptr().cast(), lines.len() * LANES) }
    }

    /// The words of lines, to be changed.
    #[inline(always)]
    #[must_use]
    pub fn words_mut(lines: &mut [Self]) -> &mut [u64] {
        // SAFETY: as in `words`; any words make a line.
        unsafe { std::slice::from_raw_parts_mut(lines.as_mut_ptr().cast(), lines.len() * LANES) }
    }
}

/// Elements of a [`GeneralizedFermat`](super::GeneralizedFermat) field in blocks of eight, digit by digit: K lines a block, line
/// d with digit d of its eight elements.
///
/// The digits are *normalized*, not canonical: signed words, at most a little more than r/2 in absolute
/// value (where a field has no [`Constants`], they are canonical). What is unpacked is canonical again.
///
/// ```
/// use sunzi::field::{Field, GeneralizedFermat};
///
/// let field = GeneralizedFermat::<8>::new((1 << 59) + (1 << 57) + (1 << 39))?; // P8
/// let x: Vec<_> = (0..100).map(|i| field.from_u64(i)).collect();
/// let mut squares = field.pack(&x);
/// field.mul_packed(&mut squares, &field.pack(&x));
/// assert_eq!(field.unpack(&squares)[99], field.from_u64(9801));
/// # Ok::<(), sunzi::field::GeneralizedFermatError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Packed<const K: usize> {
    lines: Vec<Line>,
    len: usize,
}

impl<const K: usize> Packed<K> {
    /// `len` zeros.
    #[must_use]
    pub fn zeros(len: usize) -> Self {
        Self {
            lines: vec![Line::default(); len.div_ceil(LANES) * K],
            len,
        }
    }

    /// Elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The lines, K for every eight elements.
    #[must_use]
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The lines, to be changed; their digits must be normalized.
    #[must_use]
    pub fn lines_mut(&mut self) -> &mut [Line] {
        &mut self.lines
    }
}
