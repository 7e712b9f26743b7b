//! Elements as rows of words, for code that has no type for them.

use std::borrow::Cow;

use crate::Field;
use crate::traits::TwoAdicField;
use sunzi_machine::simd::{Simd, SimdTask, dispatch};

/// Words of rows where they lie, of the size in which a field has them: 32 bits for primes below 2^31, else 64.
///
/// ```
/// use sunzi::field::{AnyField, WordRows};
///
/// let field = AnyField::modulo_word(101)?;
/// let mut rows = [0u32; 3];
/// field.copy_rows(WordRows::Words64(&[7, 0, 100]), (&mut rows[..]).into())?;
/// assert_eq!(rows, [7, 0, 100]);
/// assert!(field.copy_rows(WordRows::Words32(&[7, 0, 101]), (&mut rows[..]).into()).is_err());
/// # Ok::<(), sunzi::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordRows<'a> {
    /// Words of 32 bits.
    Words32(&'a [u32]),
    /// Words of 64 bits.
    Words64(&'a [u64]),
}

impl WordRows<'_> {
    /// The number of words.
    #[must_use]
    pub const fn len(&self) -> usize {
        match self {
            Self::Words32(words) => words.len(),
            Self::Words64(words) => words.len(),
        }
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<'a> From<&'a [u32]> for WordRows<'a> {
    fn from(words: &'a [u32]) -> Self {
        Self::Words32(words)
    }
}

impl<'a> From<&'a [u64]> for WordRows<'a> {
    fn from(words: &'a [u64]) -> Self {
        Self::Words64(words)
    }
}

/// The same, to be changed.
#[derive(Debug)]
pub enum WordRowsMut<'a> {
    /// Words of 32 bits.
    Words32(&'a mut [u32]),
    /// Words of 64 bits.
    Words64(&'a mut [u64]),
}

impl WordRowsMut<'_> {
    /// The same, to be changed now and again later.
    pub const fn reborrow(&mut self) -> WordRowsMut<'_> {
        match self {
            Self::Words32(words) => WordRowsMut::Words32(words),
            Self::Words64(words) => WordRowsMut::Words64(words),
        }
    }

    /// The number of words.
    #[must_use]
    pub const fn len(&self) -> usize {
        match self {
            Self::Words32(words) => words.len(),
            Self::Words64(words) => words.len(),
        }
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<'a> From<&'a mut [u32]> for WordRowsMut<'a> {
    fn from(words: &'a mut [u32]) -> Self {
        Self::Words32(words)
    }
}

impl<'a> From<&'a mut [u64]> for WordRowsMut<'a> {
    fn from(words: &'a mut [u64]) -> Self {
        Self::Words64(words)
    }
}

/// A field that can be used without its type: its elements are rows of words, the residue in one word, or the digits in radix r of a field modulo
/// r^k + 1, the lowest first.
pub trait Rows: TwoAdicField {
    /// Words of a row.
    const WIDTH: usize;

    /// The rows of elements, one after the other.
    fn rows(elements: &[Self::Elem]) -> Cow<'_, [u64]>;

    /// Elements of rows; words after the last whole row are left out.
    fn from_rows(rows: Vec<u64>) -> Vec<Self::Elem>;

    /// The rows of elements that nobody else needs.
    fn into_rows(elements: Vec<Self::Elem>) -> Vec<u64>;

    /// The words of elements where they lie.
    fn words(elements: &[Self::Elem]) -> WordRows<'_>;

    /// The elements of rows where they lie; `None` where words are of another size, or do not fill the last row.
    fn of_words(words: WordRows<'_>) -> Option<&[Self::Elem]>;

    /// The same, to be changed; `None` where words are of another size, or do not fill the last row.
    fn in_words(words: WordRowsMut<'_>) -> Option<&mut [Self::Elem]>;

    /// Copies rows to elements.
    ///
    /// # Errors
    /// The number of the first row that is no element, before which all are copied.
    fn copy_rows(&self, rows: WordRows<'_>, elements: &mut [Self::Elem]) -> Result<(), usize>;

    /// Appends the row of an element.
    fn push_row(element: Self::Elem, rows: &mut Vec<u64>) {
        rows.extend_from_slice(&Self::rows(&[element]));
    }

    /// The element of the first row; 0 if there is none.
    fn from_row(row: &[u64]) -> Self::Elem;

    /// Its type and how it has its elements, in a line.
    fn description(&self) -> String;

    /// How its modulus was shown to be prime, in a line.
    fn primality_proof(&self) -> String {
        // The least composite that passes the bases 2, 3, 5 … 37 is 318665857834031151167461 (Sorenson and Webster, Strong
        // pseudoprimes to twelve prime bases, arXiv:1509.00864, 2015).
        "proved: Miller-Rabin with as many of the bases 2 … 37 as no composite of this size passes"
            .to_owned()
    }

    /// The radix r and the number of digits k, where the modulus is r^k + 1 and elements are their digits.
    fn radix_and_digits(&self) -> Option<(u64, usize)> {
        None
    }
}

/// Copies numbers that are residues, as they are.
///
/// # Errors
/// The index of the first one that is not below the prime.
pub(crate) fn copy_residues<N: Copy, R>(
    numbers: &[N],
    residues: &mut [R],
    is_residue: impl Fn(N) -> bool + Copy,
    residue: impl Fn(N) -> R,
) -> Result<(), usize> {
    let are_residues = dispatch(CopyAll {
        numbers,
        residues,
        is_residue,
        residue,
    });
    match are_residues {
        true => Ok(()),
        false => Err(numbers
            .iter()
            .position(|&number| !is_residue(number))
            .unwrap_or(0)),
    }
}

/// Copies numbers, and tells whether all are residues: without a branch, as many at a time as the processor can.
struct CopyAll<'a, N, R, I, M> {
    numbers: &'a [N],
    residues: &'a mut [R],
    is_residue: I,
    residue: M,
}

impl<S: Simd, N: Copy, R, I: Fn(N) -> bool, M: Fn(N) -> R> SimdTask<S> for CopyAll<'_, N, R, I, M> {
    type Output = bool;

    #[inline(always)]
    fn run(self, _: S) -> bool {
        let (is_residue, residue) = (self.is_residue, self.residue);
        let mut are_residues = true;
        for (out, &number) in self.residues.iter_mut().zip(self.numbers) {
            are_residues &= is_residue(number);
            *out = residue(number);
        }
        are_residues
    }
}

/// The index of the first that is no element of the field.
pub(crate) fn first_outside<F: Field>(field: &F, elements: &[F::Elem]) -> Option<usize> {
    let block = dispatch(OutsideBlock(field, elements))?;
    let is_outside = |&x: &F::Elem| !field.is_canonical(x);
    let within = elements[block..].iter().position(is_outside);
    within.map(|within| block + within)
}

/// The beginning of the first block that has elements outside of the field: they are looked at without a branch, as many at a time as
/// the processor can.
struct OutsideBlock<'a, F: Field>(&'a F, &'a [F::Elem]);

impl<S: Simd, F: Field> SimdTask<S> for OutsideBlock<'_, F> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run(self, _: S) -> Option<usize> {
        const BLOCK: usize = 1 << 10;
        let Self(field, elements) = self;
        let has_outside = |block: &[F::Elem]| {
            let outside = block.iter().map(|&x| !field.is_canonical(x));
            outside.fold(false, |any, one| any | one)
        };
        let block = elements.chunks(BLOCK).position(has_outside);
        block.map(|block| block * BLOCK)
    }
}

/// What [`Rows`] is of a field whose elements are residues in words of 64 bits, but for its description.
macro_rules! rows_of_a_word {
    () => {
        const WIDTH: usize = 1;

        fn rows(elements: &[u64]) -> ::std::borrow::Cow<'_, [u64]> {
            elements.into()
        }

        fn from_rows(rows: Vec<u64>) -> Vec<u64> {
            rows
        }

        fn into_rows(elements: Vec<u64>) -> Vec<u64> {
            elements
        }

        fn words(elements: &[u64]) -> $crate::WordRows<'_> {
            $crate::WordRows::Words64(elements)
        }

        fn of_words(words: $crate::WordRows<'_>) -> Option<&[u64]> {
            match words {
                $crate::WordRows::Words64(words) => Some(words),
                $crate::WordRows::Words32(_) => None,
            }
        }

        fn in_words(words: $crate::WordRowsMut<'_>) -> Option<&mut [u64]> {
            match words {
                $crate::WordRowsMut::Words64(words) => Some(words),
                $crate::WordRowsMut::Words32(_) => None,
            }
        }

        fn copy_rows(&self, rows: $crate::WordRows<'_>, elements: &mut [u64]) -> Result<(), usize> {
            let prime = self.prime();
            match rows {
                $crate::WordRows::Words32(rows) => $crate::rows::copy_residues(
                    rows,
                    elements,
                    move |x| u64::from(x) < prime,
                    u64::from,
                ),
                $crate::WordRows::Words64(rows) => {
                    $crate::rows::copy_residues(rows, elements, move |x| x < prime, |x| x)
                }
            }
        }

        fn from_row(row: &[u64]) -> u64 {
            row.first().copied().unwrap_or_default()
        }
    };
}

pub(crate) use rows_of_a_word;
