//! A divisor prepared once and used many times.

use super::steps::{self, Slices};
use crate::error::PolyError;
use crate::multiplier::CoefficientField;
use crate::poly::{Poly, QuotientAndRemainder};
use crate::ring::PolyRing;
use crate::ring::values::Values;
use sunzi_machine::threads::Threads;

/// Coefficients of a quotient that are found at a time where schoolbook products win.
const SCHOOLBOOK_BLOCK: usize = 32;

/// A polynomial to divide by, with what divisions by it have in common: the inverse of its leading
/// coefficients, and its transforms.
///
/// A division of n by m coefficients then takes two products of m by m for every m coefficients of the
/// quotient, by 4 transforms, two of at most 2m points.
///
/// ```
/// use sunzi::field::Fp32;
/// use sunzi::poly::{Divisor, Poly, PolyRing};
///
/// let ring = PolyRing::new(Fp32::new(101)?);
/// let divisor = Divisor::new(&ring, &Poly::new(vec![1, 0, 1]))?; // x² + 1
/// let (q, r) = divisor.divrem(&Poly::new(vec![0, 0, 0, 1]))?; // x³ = x·(x² + 1) − x
/// assert_eq!((q.coefficients(), r.coefficients()), (&[0, 1][..], &[0, 100][..]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Divisor<F: CoefficientField> {
    ring: PolyRing<F>,
    coefficients: Vec<F::Elem>,
    /// Of the reversed divisor, modulo x^s: it gives s coefficients of a quotient.
    inverse: Vec<F::Elem>,
    /// Where products by values win.
    kept: Option<Kept>,
}

/// Transforms of what every block of a quotient is multiplied by.
#[derive(Debug)]
struct Kept {
    /// For products of the inverse with as many coefficients.
    inverse_points: usize,
    inverse: Values,
    /// For products of the divisor modulo x^points − 1.
    divisor_points: usize,
    divisor: Values,
}

impl<F: CoefficientField> Divisor<F> {
    /// Prepares division by `divisor`, for dividends of any length.
    ///
    /// Takes about as long as a division.
    ///
    /// # Errors
    /// [`PolyError::DivisionByZero`], [`PolyError::OutOfMemory`].
    pub fn new(ring: &PolyRing<F>, divisor: &Poly<F::Elem>) -> Result<Self, PolyError> {
        Self::for_quotients(ring, divisor.coefficients(), divisor.len())
    }

    /// The same for quotients of about `len` coefficients.
    pub(super) fn for_quotients(
        ring: &PolyRing<F>,
        divisor: &[F::Elem],
        len: usize,
    ) -> Result<Self, PolyError> {
        (F::compiled().divisor)(ring, divisor, len)
    }

    /// The same, of which `Compiled` has the instances.
    pub(crate) fn for_quotients_here(
        ring: &PolyRing<F>,
        divisor: &[F::Elem],
        len: usize,
    ) -> Result<Self, PolyError> {
        if divisor.is_empty() {
            return Err(PolyError::DivisionByZero);
        }
        let whole = len.min(divisor.len());
        let by_values = ring.values_win(whole);
        // Blocks of one length, none of which is much shorter than the others.
        let blocks = len.div_ceil(if by_values { whole } else { SCHOOLBOOK_BLOCK });
        let block = len.div_ceil(blocks.max(1));
        let leading: Vec<F::Elem> = divisor.iter().rev().take(block).copied().collect();
        let inverse = ring.inverse_series(&leading, block)?;
        let kept = by_values.then(|| Kept::new(ring, divisor, &inverse));
        Ok(Self {
            ring: ring.clone(),
            coefficients: divisor.to_vec(),
            inverse,
            kept: kept.transpose()?,
        })
    }

    /// The coefficients of the divisor, from the constant term upward.
    #[must_use]
    pub fn coefficients(&self) -> &[F::Elem] {
        &self.coefficients
    }

    /// The quotient and the remainder of `a` by the divisor.
    ///
    /// # Errors
    /// [`PolyError::OutOfMemory`].
    pub fn divrem(&self, a: &Poly<F::Elem>) -> Result<QuotientAndRemainder<F::Elem>, PolyError> {
        let (quotient, remainder) = self.divide(a.coefficients())?;
        Ok((Poly::new(quotient), Poly::new(remainder)))
    }

    /// The remainder of `a` by the divisor.
    ///
    /// # Errors
    /// [`PolyError::OutOfMemory`].
    pub fn rem(&self, a: &Poly<F::Elem>) -> Result<Poly<F::Elem>, PolyError> {
        Ok(self.divrem(a)?.1)
    }

    /// The quotients and remainders of many polynomials, several at a time if there are threads.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::poly::{Divisor, Poly, PolyRing};
    ///
    /// let ring = PolyRing::new(Fp32::new(101)?);
    /// let divisor = Divisor::new(&ring, &Poly::new(vec![1, 1]))?; // x + 1
    /// let found = divisor.divrem_all(&[Poly::new(vec![1, 2, 1]), Poly::new(vec![5])])?;
    /// assert_eq!(found[0], (Poly::new(vec![1, 1]), Poly::zero()));
    /// assert_eq!(found[1], (Poly::zero(), Poly::new(vec![5])));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::OutOfMemory`].
    pub fn divrem_all(
        &self,
        polynomials: &[Poly<F::Elem>],
    ) -> Result<Vec<QuotientAndRemainder<F::Elem>>, PolyError> {
        Threads::all().try_map(polynomials, |a| self.divrem(a))
    }

    /// Quotient and remainder of a slice, as [`PolyRing::divide`].
    pub(super) fn divide(&self, a: &[F::Elem]) -> Result<Slices<F::Elem>, PolyError> {
        (F::compiled().divide_by_divisor)(self, a)
    }

    /// The same, of which `Compiled` has the instances.
    pub(crate) fn divide_here(&self, a: &[F::Elem]) -> Result<Slices<F::Elem>, PolyError> {
        let field = self.ring.field();
        let degree = self.coefficients.len() - 1;
        let mut quotient = vec![field.zero(); a.len().saturating_sub(degree)];
        if !quotient.is_empty() && steps::win::<F>(self.coefficients.len(), quotient.len()) {
            return Ok(steps::divide(field, a, &self.coefficients, self.inverse[0]));
        }
        let mut rest = a.to_vec();
        while rest.len() > degree {
            let missing = rest.len() - degree;
            let block = match missing % self.inverse.len() {
                0 => self.inverse.len(),
                shorter => shorter,
            };
            let found = self.leading(&rest, block)?;
            let start = missing - block;
            let below = self.subtract(&rest[start..], &found)?;
            quotient[start..missing].copy_from_slice(&found);
            rest.truncate(start + degree);
            rest[start..].copy_from_slice(&below);
        }
        Ok((quotient, rest))
    }

    /// The `block` leading coefficients of the quotient, from the lowest upward.
    fn leading(&self, rest: &[F::Elem], block: usize) -> Result<Vec<F::Elem>, PolyError> {
        let reversed: Vec<F::Elem> = rest.iter().rev().take(block).copied().collect();
        let mut found = match &self.kept {
            None => self
                .ring
                .low_product(&reversed, &self.inverse[..block], block)?,
            Some(kept) => {
                let mut found = vec![self.ring.field().zero(); block];
                let values = self.ring.values(kept.inverse_points, &reversed)?;
                self.ring
                    .sum_by_values(&mut found, [[&values, &kept.inverse]])?;
                found
            }
        };
        found.reverse();
        Ok(found)
    }

    /// `rest − found·divisor`: as many coefficients as the divisor's degree.
    fn subtract(&self, rest: &[F::Elem], found: &[F::Elem]) -> Result<Vec<F::Elem>, PolyError> {
        let degree = self.coefficients.len() - 1;
        match &self.kept {
            None => {
                let mut product = self.ring.product(found, &self.coefficients)?;
                product.truncate(degree);
                self.ring.subtract_from(&mut product, rest);
                Ok(product)
            }
            Some(kept) => {
                let points = kept.divisor_points;
                self.ring
                    .remainder(rest, found, &kept.divisor, degree, points)
            }
        }
    }
}

impl Kept {
    fn new<F: CoefficientField>(
        ring: &PolyRing<F>,
        divisor: &[F::Elem],
        inverse: &[F::Elem],
    ) -> Result<Self, PolyError> {
        // Of the product of two such polynomials the second half is not asked for.
        let inverse_points = ring.points_for(2 * inverse.len() - 1, 2 * inverse.len() - 1);
        let divisor_points = ring.cyclic_points(divisor.len() - 1);
        Ok(Self {
            inverse: ring.values(inverse_points, inverse)?,
            inverse_points,
            divisor: ring.values(divisor_points, divisor)?,
            divisor_points,
        })
    }
}

impl<F: CoefficientField> PolyRing<F> {
    /// `a − q·b`, which has `len` coefficients, by values of b at the `points` ≥ `len` of cyclic products.
    pub(super) fn remainder(
        &self,
        a: &[F::Elem],
        quotient: &[F::Elem],
        b: &Values,
        len: usize,
        points: usize,
    ) -> Result<Vec<F::Elem>, PolyError> {
        let mut remainder = vec![self.field().zero(); len];
        self.sum_by_values(&mut remainder, [[&self.values(points, quotient)?, b]])?;
        self.field().neg_slice(&mut remainder);
        for piece in a.chunks(points) {
            let len = len.min(piece.len());
            self.field()
                .add_assign_slice(&mut remainder[..len], &piece[..len]);
        }
        Ok(remainder)
    }
}
