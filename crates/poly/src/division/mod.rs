//! Division with remainder over a field.
//!
//! **Problem.** a = q·b + r with deg r < deg b, for operands of any two lengths. **Algorithm.** Quotients
//! are quotients of power series in 1/x: with both operands reversed, their first coefficients come from
//! the first coefficients (`rev a / rev b`). Short divisors and short quotients take two coefficients at a
//! time (`steps`), long ones Newton's iteration (`series`). Others go block after block ([`Divisor`]): s
//! coefficients of the quotient at a time are found from the s leading ones of what is left and the inverse
//! of the s leading ones of b, and subtracted at once, as a product of s by deg b coefficients. These are
//! the blocks of division steps of S. Haque and M. Moreno Maza, *Plain polynomial arithmetic on GPU* (2012),
//! with products in place of steps. The remainder needs no more than q·b modulo x^N − 1, N ≥ deg b.
//!
//! **Floor.** A division of 2m by m coefficients takes the quotient's 13 transforms of m points (5 of
//! them of half as many) and 3 for the remainder, against 6 of m points that a product of m by m takes.

mod divisor;
mod steps;

pub use divisor::Divisor;

use crate::error::PolyError;
use crate::multiplier::CoefficientField;
use crate::poly::{Poly, QuotientAndRemainder};
use crate::ring::PolyRing;
pub(crate) use steps::Slices;

impl<F: CoefficientField> PolyRing<F> {
    /// The quotient q and the remainder r of `a` and `b`: a = q·b + r, deg r < deg b.
    ///
    /// For many divisions by one polynomial, prepare a [`Divisor`]. Takes O(M(n)) operations, M(n) those
    /// of a product of the operands' length.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::poly::{Poly, PolyRing};
    ///
    /// let ring = PolyRing::new(Fp32::new(101)?);
    /// let (a, b) = (Poly::new(vec![1, 0, 0, 2]), Poly::new(vec![1, 1]));
    /// let (q, r) = ring.divrem(&a, &b)?; // 2x³ + 1 = (2x² − 2x + 2)·(x + 1) − 1
    /// assert_eq!((q.coefficients(), r.coefficients()), (&[2, 99, 2][..], &[100][..]));
    /// assert!(ring.divrem(&a, &Poly::zero()).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::DivisionByZero`], [`PolyError::OutOfMemory`].
    pub fn divrem(
        &self,
        a: &Poly<F::Elem>,
        b: &Poly<F::Elem>,
    ) -> Result<QuotientAndRemainder<F::Elem>, PolyError> {
        let (quotient, remainder) = self.divide(a.coefficients(), b.coefficients())?;
        Ok((Poly::new(quotient), Poly::new(remainder)))
    }

    /// The quotient of `a` by `b`, which divides it.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::poly::{Poly, PolyRing};
    ///
    /// let ring = PolyRing::new(Fp32::new(101)?);
    /// let (a, b) = (Poly::new(vec![100, 0, 1]), Poly::new(vec![1, 1])); // x² − 1, x + 1
    /// assert_eq!(ring.div_exact(&a, &b)?.coefficients(), [100, 1]);
    /// assert!(ring.div_exact(&b, &a).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::Inexact`] if there is a remainder; else as [`PolyRing::divrem`].
    pub fn div_exact(
        &self,
        a: &Poly<F::Elem>,
        b: &Poly<F::Elem>,
    ) -> Result<Poly<F::Elem>, PolyError> {
        let (quotient, remainder) = self.divrem(a, b)?;
        match (remainder.degree(), a.degree(), b.degree()) {
            (Some(_), Some(dividend), Some(divisor)) => {
                Err(PolyError::Inexact { dividend, divisor })
            }
            _ => Ok(quotient),
        }
    }

    /// Quotient and remainder of slices; the last coefficient of `b` is not 0. The remainder has one
    /// coefficient less than b, or as many as a if that is shorter.
    pub(crate) fn divide(
        &self,
        a: &[F::Elem],
        b: &[F::Elem],
    ) -> Result<Slices<F::Elem>, PolyError> {
        (F::compiled().divide)(self, a, b)
    }

    /// The same, of which `Compiled` has the instances.
    pub(crate) fn divide_here(
        &self,
        a: &[F::Elem],
        b: &[F::Elem],
    ) -> Result<Slices<F::Elem>, PolyError> {
        let leading = b.last().and_then(|&leading| self.field().inv(leading));
        let inverse = leading.ok_or(PolyError::DivisionByZero)?;
        if a.len() < b.len() {
            return Ok((Vec::new(), a.to_vec()));
        }
        let len = a.len() - b.len() + 1;
        if steps::win::<F>(b.len(), len) {
            return Ok(steps::divide(self.field(), a, b, inverse));
        }
        if len > b.len() || !self.values_win(len.min(b.len())) {
            return Divisor::for_quotients(self, b, len)?.divide(a);
        }
        let reversed =
            |x: &[F::Elem]| -> Vec<F::Elem> { x.iter().rev().take(len).copied().collect() };
        let mut quotient = self.divide_series(&reversed(a), &reversed(b), len)?;
        quotient.reverse();
        let points = self.cyclic_points(b.len() - 1);
        let b_values = self.values(points, b)?;
        let remainder = self.remainder(a, &quotient, &b_values, b.len() - 1, points)?;
        Ok((quotient, remainder))
    }
}
