//! The shift of the variable: f(x + a).
//!
//! **Problem.** The coefficients of f(x + a), f of n coefficients. **Algorithm.** For n ≤ p,
//!
//! `k!·[x^k] f(x + a) = Σ_i (i!·f_i) · a^(i−k)/(i−k)!`,
//!
//! one product (A. Aho, K. Steiglitz, J. Ullman, *Evaluating polynomials at fixed sets of points*, 1975).
//! Short ones by synthetic division. For n > p some factorials are 0; but (x + a)^(p^k) = x^(p^k) + a, as
//! a^p = a. With the powers of x written in base p, x^i is a product of powers below p of
//! y_k = x^(p^k), and the shift of x by a is that of every y_k by a: one after the other, on n/p
//! polynomials of at most p coefficients each.
//!
//! **Floor.** A product of n by n coefficients for n ≤ p; for n > p, log_p n times n/p products of p by p.

use rayon::prelude::*;
use sunzi_field::Field;

use super::{CHUNK, chirp};
use crate::coefficient_field::CoefficientField;
use crate::{Poly, PolyError, PolyRing};

/// Number of coefficients up to which synthetic division takes less time than a product with the
/// factorials and their inverses.
const SYNTHETIC: usize = 20;

impl<F: CoefficientField> PolyRing<F> {
    /// `f(x + a)`.
    ///
    /// Takes O(M(n)) operations for n ≤ p coefficients, M(n) those of a product, and O(n/p·M(p)·log_p n)
    /// for more.
    ///
    /// ```
    /// use sunzi_field::Fp32;
    /// use sunzi_poly::{Poly, PolyRing};
    ///
    /// let ring = PolyRing::new(Fp32::new(101)?);
    /// let f = Poly::new(vec![0, 0, 1]); // x²
    /// assert_eq!(ring.taylor_shift(&f, 3)?.coefficients(), [9, 6, 1]); // (x + 3)²
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::PointOutside`] if `a` is no element of the field; [`PolyError::OutOfMemory`].
    pub fn taylor_shift(&self, f: &Poly<F::Elem>, a: F::Elem) -> Result<Poly<F::Elem>, PolyError> {
        self.require_element(0, a)?;
        let mut shifted = f.coefficients().to_vec();
        self.shift(&mut shifted, a)?;
        Ok(Poly::new(shifted))
    }

    /// `f(x + a)` in place.
    pub(super) fn shift(&self, f: &mut [F::Elem], a: F::Elem) -> Result<(), PolyError> {
        let field = self.field();
        if a == field.zero() {
            return Ok(());
        }
        // A prime that is longer than a word is more than any number of coefficients.
        let prime = usize::try_from(&field.modulus()).unwrap_or(usize::MAX);
        let mut stride = 1;
        while stride < f.len() {
            let span = prime.saturating_mul(stride);
            let rows = prime.min(f.len().div_ceil(stride));
            if rows <= SYNTHETIC {
                for_each_block(f, span, |block| {
                    shift_rows(field, block, stride, a);
                    Ok(())
                })?;
            } else {
                self.require_vectors(8, rows)?;
                let tables = Tables::new(field, a, rows);
                for_each_block(f, span, |block| self.shift_columns(block, stride, &tables))?;
            }
            stride = span;
        }
        Ok(())
    }

    /// Shifts all polynomials that a block holds, in place: the i-th coefficient of the j-th one is entry
    /// i·stride + j. Each has at most p of them.
    fn shift_columns(
        &self,
        block: &mut [F::Elem],
        stride: usize,
        tables: &Tables<F::Elem>,
    ) -> Result<(), PolyError> {
        let field = self.field();
        for column in 0..stride.min(block.len()) {
            let entries = block[column..].iter().step_by(stride);
            let mut weighted: Vec<F::Elem> = entries.copied().collect();
            let len = weighted.len();
            field.mul_assign_slice(&mut weighted, &tables.factorials[..len]);
            weighted.reverse();
            let mut shifted = self.low_product(&weighted, &tables.powers[..len], len)?;
            shifted.reverse();
            field.mul_assign_slice(&mut shifted, &tables.inverses[..len]);
            for (entry, value) in block[column..].iter_mut().step_by(stride).zip(shifted) {
                *entry = value;
            }
        }
        Ok(())
    }
}

/// What shifts by one a need.
struct Tables<E> {
    /// i!.
    factorials: Vec<E>,
    /// 1/i!.
    inverses: Vec<E>,
    /// a^i/i!.
    powers: Vec<E>,
}

impl<E: Copy> Tables<E> {
    /// For polynomials of up to `len` ≤ p coefficients.
    fn new<F: Field<Elem = E>>(field: &F, a: E, len: usize) -> Self {
        let mut factorials = Vec::with_capacity(len);
        let (mut number, mut factorial) = (field.zero(), field.one());
        for _ in 0..len {
            factorials.push(factorial);
            number = field.add(number, field.one());
            factorial = field.mul(factorial, number);
        }
        let mut inverses = vec![field.zero(); len];
        // (len − 1)! is not 0, as len ≤ p.
        let last = factorials.last().and_then(|&last| field.inv(last));
        let mut inverse = last.unwrap_or(field.one());
        for place in inverses.iter_mut().rev() {
            *place = inverse;
            number = field.sub(number, field.one());
            inverse = field.mul(inverse, number);
        }
        let mut powers = chirp(field, a, field.one(), len);
        field.mul_assign_slice(&mut powers, &inverses);
        Self {
            factorials,
            inverses,
            powers,
        }
    }
}

/// Shifts all polynomials that a block holds, in place, by synthetic division: the i-th coefficients of
/// all are the i-th `stride` entries; of the last ones there may be fewer.
fn shift_rows<F: Field>(field: &F, block: &mut [F::Elem], stride: usize, a: F::Elem) {
    let rows = block.len().div_ceil(stride);
    for lowest in 0..rows.saturating_sub(1) {
        for row in (lowest..rows - 1).rev() {
            let (lower, higher) = block[row * stride..].split_at_mut(stride);
            for (x, &y) in lower.iter_mut().zip(&*higher) {
                *x = field.add(*x, field.mul(a, y));
            }
        }
    }
}

/// Calls `work` with each block, on all threads if there are many elements.
fn for_each_block<E: Send>(
    data: &mut [E],
    block: usize,
    work: impl Fn(&mut [E]) -> Result<(), PolyError> + Send + Sync,
) -> Result<(), PolyError> {
    if data.len() <= block.max(CHUNK) {
        return data.chunks_mut(block).try_for_each(work);
    }
    let blocks = data.par_chunks_mut(block);
    blocks
        .with_min_len(CHUNK.div_ceil(block))
        .try_for_each(work)
}
