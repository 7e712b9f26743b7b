//! The shift of the variable: f(x + a).
//!
//! **Problem.** The coefficients of f(x + a), f of n coefficients. **Algorithm.** For n ≤ p,
//!
//! `k!·[x^k] f(x + a) = Σ_i (i!·f_i) · a^(i−k)/(i−k)!`,
//!
//! one product (A. Aho, K. Steiglitz, J. Ullman, *Evaluating polynomials at fixed sets of points*, 1975).
//! Short ones by Horner's rule for polynomials, on f(a·x) in place of f: it takes sums only. For n > p some
//! factorials are 0; but (x + a)^(p^k) = x^(p^k) + a, as a^p = a. With the powers of x written in base p,
//! x^i is a product of powers below p of y_k = x^(p^k), and the shift of x by a is that of every y_k by a:
//! one after the other, on n/p polynomials of at most p coefficients each.
//!
//! **Floor.** A product of n by n coefficients for n ≤ p; for n > p, log_p n times n/p products of p by p.

use sunzi_dft::internals::{consecutive, progression};
use sunzi_field::Field;
use sunzi_integer::Natural;
use sunzi_machine::threads::Threads;

use crate::error::PolyError;
use crate::multiplier::CoefficientField;
use crate::poly::Poly;
use crate::ring::PolyRing;
use crate::running_products::products_and_inverses;

/// Number of coefficients from which a product with the factorials and their inverses takes less time than
/// sums, as measured.
const fn product_from<F: Field>() -> usize {
    match size_of::<F::Elem>() {
        4 | 8 => 48,
        _ => 64,
    }
}

/// Rows from which columns are gathered and shifted by products, as measured: sums of whole rows are fast.
const COLUMNS_FROM: usize = 800;

/// Elements of a row from which rows are added as vectors.
const VECTORS_FROM: usize = 16;

/// Elements that make it worth waking other threads.
const ELEMENTS_FOR_THREADS: usize = 1 << 14;

impl<F: CoefficientField> PolyRing<F> {
    /// `f(x + a)`.
    ///
    /// Takes O(M(n)) operations for n ≤ p coefficients, M(n) those of a product, and O(n/p·M(p)·log_p n)
    /// for more.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::poly::{Poly, PolyRing};
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
        (F::compiled().taylor_shift)(self, f, a)
    }

    /// The same, of which `Compiled` has the instances.
    pub(crate) fn taylor_shift_here(
        &self,
        f: &Poly<F::Elem>,
        a: F::Elem,
    ) -> Result<Poly<F::Elem>, PolyError> {
        self.require_element(0, a)?;
        let mut shifted = f.coefficients().to_vec();
        self.shift(&mut shifted, a)?;
        Ok(Poly::new(shifted))
    }

    /// `f(x + a)` in place.
    pub(super) fn shift(&self, f: &mut [F::Elem], a: F::Elem) -> Result<(), PolyError> {
        let field = self.field();
        let Some(inverse) = field.inv(a) else {
            return Ok(()); // By 0.
        };
        self.require_vectors(8, f.len())?;
        // A prime that is longer than a word is more than any number of coefficients.
        let prime = usize::try_from(field.modulus::<Natural>()).unwrap_or(usize::MAX);
        if f.len() >= product_from::<F>() && f.len() <= prime {
            let tables = Tables::new(field, a, f.len());
            return self.shift_columns(f, 1, &tables);
        }
        // f(x + a) = g(x/a + 1) with g = f(a·x), and shifts by 1 take nothing but sums.
        let one = field.one();
        if a != one {
            field.mul_assign_slice(f, &progression(field, one, a, f.len()));
        }
        self.shift_by_one(f, prime)?;
        if a != one {
            field.mul_assign_slice(f, &progression(field, one, inverse, f.len()));
        }
        Ok(())
    }

    /// `f(x + 1)` in place, digit after digit of the powers of x.
    fn shift_by_one(&self, f: &mut [F::Elem], prime: usize) -> Result<(), PolyError> {
        let field = self.field();
        let shared = self.cut(ELEMENTS_FOR_THREADS);
        let mut stride = 1;
        let mut span = prime;
        // The first digits together, as long as sums win.
        while span.saturating_mul(prime) < product_from::<F>() {
            span *= prime;
        }
        while stride < f.len() {
            let rows = (span / stride).min(f.len().div_ceil(stride));
            let by_products = match stride {
                1 => rows >= product_from::<F>(),
                _ => rows >= COLUMNS_FROM,
            };
            if by_products {
                let tables = Tables::new(field, field.one(), rows);
                for_each_block(f, span, shared, |block| {
                    self.shift_columns(block, stride, &tables)
                })?;
            } else {
                for_each_block(f, span, shared, |block| {
                    shift_rows_by_one(field, block, stride);
                    Ok(())
                })?;
            }
            stride = span;
            span = span.saturating_mul(prime);
        }
        Ok(())
    }

    /// Shifts all polynomials that a block holds, in place: the i-th coefficient of the j-th one is entry
    /// i·stride + j. Each has at most p of them.
    pub(crate) fn shift_columns(
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
pub struct Tables<E> {
    /// i!.
    factorials: Vec<E>,
    /// 1/i!.
    inverses: Vec<E>,
    /// a^i/i!.
    powers: Vec<E>,
}

impl<E: Copy> Tables<E> {
    /// For polynomials of up to `len` ≤ p coefficients.
    pub fn new<F: Field<Elem = E>>(field: &F, a: E, len: usize) -> Self {
        let mut factors = consecutive(field, 0, len);
        if let Some(first) = factors.first_mut() {
            *first = field.one();
        }
        // No factor is 0 below p.
        let [factorials, inverses] = products_and_inverses(field, factors).unwrap_or_default();
        let mut powers = progression(field, field.one(), a, len);
        field.mul_assign_slice(&mut powers, &inverses);
        Self {
            factorials,
            inverses,
            powers,
        }
    }
}

/// Shifts all polynomials that a block holds by 1, in place: the i-th coefficients of all are the i-th
/// `stride` entries; of the last ones there may be fewer.
///
/// From the leading coefficients on, g becomes (x + 1)·g + c (Horner's rule).
pub fn shift_rows_by_one<F: Field>(field: &F, block: &mut [F::Elem], stride: usize) {
    let rows = block.len().div_ceil(stride);
    for lowest in (0..rows.saturating_sub(1)).rev() {
        if stride < VECTORS_FROM {
            for i in lowest * stride..block.len() - stride {
                block[i] = field.add(block[i], block[i + stride]);
            }
            continue;
        }
        for row in lowest..rows - 1 {
            let (lower, higher) = block[row * stride..].split_at_mut(stride);
            let higher = &higher[..stride.min(higher.len())];
            field.add_assign_slice(&mut lower[..higher.len()], higher);
        }
    }
}

/// Calls `work` with each block, on all threads if there are more than `shared` elements.
fn for_each_block<E: Send>(
    data: &mut [E],
    block: usize,
    shared: usize,
    work: impl Fn(&mut [E]) -> Result<(), PolyError> + Send + Sync,
) -> Result<(), PolyError> {
    let threads = Threads::when(data.len() > block.max(shared));
    let blocks = data.len().div_ceil(block);
    let piece = threads.piece(blocks, (shared / 4).div_ceil(block));
    threads.try_each(data.chunks_mut(piece * block), |data| {
        data.chunks_mut(block).try_for_each(&work)
    })
}
