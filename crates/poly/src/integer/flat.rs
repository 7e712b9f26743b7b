//! Polynomials over Z in one row of limbs.

use std::fmt;
use sunzi_machine::threads::Threads;

use sunzi_integer::{Integer, Natural};

use crate::bits::{WORD, bit_length};
use crate::error::PolyError;
use crate::poly::Poly;

/// Limbs of a polynomial from which conversions are spread over threads.
const PARALLEL_LIMBS: usize = 1 << 15;

/// The threads that convert `rows` rows of `width` limbs, and how many rows each takes at a time.
pub(super) fn for_rows(rows: usize, width: usize) -> (Threads, usize) {
    let threads = Threads::when(rows * width >= PARALLEL_LIMBS);
    let piece = threads.piece(rows, PARALLEL_LIMBS.div_ceil(4 * width));
    (threads, piece)
}

/// A polynomial over Z whose coefficients have equal numbers of limbs, one after the other in one
/// allocation, from the constant term upward; each is little-endian in two's complement.
///
/// Integers of their own cost an allocation each; this is the form in which products of many short
/// coefficients are fastest, and which they reuse when they overwrite one. Trailing zeros are
/// allowed.
///
/// ```
/// use sunzi::poly::{FlatPoly, IntegerPolyRing};
///
/// let f = FlatPoly::from_limbs(1, vec![3, u64::MAX])?; // 3 − x
/// let mut square = FlatPoly::default();
/// IntegerPolyRing::new().mul_flat(&mut square, &f, &f)?;
/// assert_eq!(square.to_poly().coefficients(), [9, -6, 1].map(sunzi::Integer::from));
/// # Ok::<(), sunzi::poly::PolyError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct FlatPoly {
    limbs: Vec<u64>,
    /// Limbs of a coefficient: at least 1.
    width: usize,
}

impl FlatPoly {
    /// The polynomial whose coefficients are the rows of `width` limbs in `limbs`.
    ///
    /// # Errors
    /// [`PolyError::OutputLength`] if `width` is 0 or does not
    /// divide the number of limbs.
    pub fn from_limbs(width: usize, limbs: Vec<u64>) -> Result<Self, PolyError> {
        if width == 0 || !limbs.len().is_multiple_of(width) {
            return Err(PolyError::OutputLength {
                expected: limbs.len().next_multiple_of(width.max(1)),
                found: limbs.len(),
            });
        }
        Ok(Self { limbs, width })
    }

    /// [`FlatPoly::from_limbs`] of whole rows.
    pub(super) fn of_rows(width: usize, limbs: Vec<u64>) -> Self {
        debug_assert!(width > 0 && limbs.len().is_multiple_of(width));
        Self { limbs, width }
    }

    /// The same polynomial, with as many limbs a coefficient as the widest needs.
    pub fn from_poly(poly: &Poly<Integer>) -> Self {
        Self::from_coefficients(poly.coefficients())
    }

    pub(crate) fn from_coefficients(coefficients: &[Integer]) -> Self {
        // A sign takes one more bit than the magnitude.
        let width = (widest(coefficients) + 1).div_ceil(WORD);
        let mut limbs = vec![0; coefficients.len() * width];
        let write = |(row, coefficient): (&mut [u64], &Integer)| {
            let magnitude = coefficient.magnitude().as_limbs();
            row[..magnitude.len()].copy_from_slice(magnitude);
            if coefficient.is_negative() {
                negate(row);
            }
        };
        let (threads, rows) = for_rows(coefficients.len(), width);
        let pieces = limbs
            .chunks_mut(rows * width)
            .zip(coefficients.chunks(rows));
        threads.each(pieces, |(limbs, coefficients)| {
            limbs.chunks_mut(width).zip(coefficients).for_each(write);
        });
        Self { limbs, width }
    }

    /// The same polynomial with coefficients of their own.
    pub fn to_poly(&self) -> Poly<Integer> {
        let (threads, rows) = for_rows(self.len(), self.width);
        let mut coefficients = vec![Integer::ZERO; self.len()];
        let pieces = coefficients
            .chunks_mut(rows)
            .zip(self.limbs.chunks(rows * self.width));
        threads.each(pieces, |(coefficients, limbs)| {
            let mut scratch = Vec::new();
            for (coefficient, row) in coefficients.iter_mut().zip(limbs.chunks(self.width)) {
                *coefficient = integer(row, &mut scratch);
            }
        });
        Poly::new(coefficients)
    }

    /// The number of coefficients, trailing zeros included.
    pub fn len(&self) -> usize {
        self.limbs.len() / self.width
    }

    /// Whether there are no coefficients.
    pub fn is_empty(&self) -> bool {
        self.limbs.is_empty()
    }

    /// The limbs of each coefficient.
    pub fn width(&self) -> usize {
        self.width
    }

    /// All limbs.
    pub fn limbs(&self) -> &[u64] {
        &self.limbs
    }

    /// The limbs of the coefficient of x^`power`.
    ///
    /// # Panics
    /// If there are fewer coefficients.
    pub fn coefficient(&self, power: usize) -> &[u64] {
        &self.limbs[power * self.width..(power + 1) * self.width]
    }

    /// Bits that hold the magnitude of any coefficient; 0 if all are zero.
    ///
    /// ```
    /// let f = sunzi::poly::FlatPoly::from_limbs(1, vec![3, 0, u64::MAX - 4])?; // 3 − 5x²
    /// assert_eq!(f.magnitude_bits(), 3);
    /// # Ok::<(), sunzi::poly::PolyError>(())
    /// ```
    pub fn magnitude_bits(&self) -> usize {
        match self.width {
            1 => {
                let words = self.limbs.iter();
                let magnitudes = words.map(|limb| limb.cast_signed().unsigned_abs());
                return bit_length(magnitudes.fold(0, |all, x| all | x));
            }
            2 => {
                let rows = self.limbs.as_chunks::<2>().0.iter();
                let magnitudes = rows.map(|&row| wide(row).unsigned_abs());
                let all = magnitudes.fold(0, |all, x| all | x);
                return (u128::BITS - all.leading_zeros()) as usize;
            }
            _ => {}
        }
        // What some magnitude has set, limb by limb.
        let mut present = vec![0; self.width];
        for row in self.limbs.chunks(self.width) {
            let fill = sign_fill(row);
            let mut carry = fill != 0;
            for (slot, limb) in present.iter_mut().zip(row) {
                let (magnitude, next) = (limb ^ fill).overflowing_add(u64::from(carry));
                (*slot, carry) = (*slot | magnitude, next);
            }
        }
        let highest = present.iter().rposition(|&limb| limb != 0);
        highest.map_or(0, |index| index * WORD + bit_length(present[index]))
    }

    /// Makes room for `len` coefficients of `width` limbs, whose values are unspecified.
    pub(super) fn reshape(&mut self, len: usize, width: usize) -> &mut [u64] {
        self.width = width;
        self.limbs.resize(len * width, 0);
        &mut self.limbs
    }
}

impl Default for FlatPoly {
    /// The zero polynomial.
    fn default() -> Self {
        Self {
            limbs: Vec::new(),
            width: 1,
        }
    }
}

impl fmt::Debug for FlatPoly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.limbs.chunks(self.width);
        f.debug_struct("FlatPoly")
            .field("width", &self.width)
            .field("coefficients", &rows.collect::<Vec<_>>())
            .finish()
    }
}

/// All ones for a negative number, else 0.
#[inline(always)]
pub(super) fn sign_fill(row: &[u64]) -> u64 {
    match row.last() {
        Some(top) => 0u64.wrapping_sub(top >> (WORD - 1)),
        None => 0,
    }
}

/// The number in a row of two limbs.
#[inline(always)]
fn wide([low, high]: [u64; 2]) -> i128 {
    (u128::from(high) << WORD | u128::from(low)).cast_signed()
}

fn negate(row: &mut [u64]) {
    let mut carry = true;
    for limb in row {
        (*limb, carry) = (!*limb).overflowing_add(u64::from(carry));
    }
}

/// The number in `row`; `scratch` is for the magnitude of a long negative one.
fn integer(row: &[u64], scratch: &mut Vec<u64>) -> Integer {
    match *row {
        [limb] => return Integer::from(limb.cast_signed()),
        [low, high] => return Integer::from(wide([low, high])),
        _ => {}
    }
    let negative = sign_fill(row) != 0;
    let magnitude = if negative {
        scratch.clear();
        scratch.extend_from_slice(row);
        negate(scratch);
        &scratch[..]
    } else {
        row
    };
    Integer::from_sign_magnitude(negative, Natural::from(magnitude))
}

/// The bits of the widest coefficient.
pub fn widest(coefficients: &[Integer]) -> usize {
    // All words of the widest but its top one, and the bits of the greatest top word as wide.
    let (mut words, mut top) = (0usize, 0);
    for coefficient in coefficients {
        let magnitude = coefficient.magnitude().as_limbs();
        if magnitude.len() > words {
            (words, top) = (magnitude.len(), 0);
        }
        if magnitude.len() == words {
            top |= magnitude.last().copied().unwrap_or(0);
        }
    }
    words.saturating_sub(1) * WORD + bit_length(top)
}
