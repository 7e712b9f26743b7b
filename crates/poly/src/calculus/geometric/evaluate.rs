//! Values at geometric progressions.
//!
//! With ij = C(i + j, 2) − C(i, 2) − C(j, 2),
//!
//! `f(s·q^j) = q^(−C(j,2)) · Σ_i f_i·s^i·q^(−C(i,2)) · q^(C(i+j,2))`:
//!
//! a middle product, in which q needs no square root (L. Rabiner, R. Schafer, C. Rader, *The chirp
//! z-transform algorithm*, 1969, there with squares).

use sunzi_dft::internals::{chirp, in_chunks, progression};

use crate::error::PolyError;
use crate::multiplier::CoefficientField;
use crate::poly::Poly;
use crate::ring::PolyRing;

/// Where vectors take the points, their number is a multiple of this: what is left over would be slow.
const LANES: usize = 16;

/// Whether Horner's rule at each point, l·n products, wins over a convolution of about l + n coefficients,
/// as measured.
fn horner_wins<F: CoefficientField>(coefficients: usize, points: usize) -> bool {
    let each = match size_of::<F::Elem>() {
        4 => 28,
        8 => 18,
        _ => 12,
    };
    let all = coefficients.saturating_add(points).saturating_mul(each);
    coefficients.saturating_mul(points) < all
}

impl<F: CoefficientField> PolyRing<F> {
    /// The values of `f` at start·ratio^i for i = 0 … n − 1 (ratio^0 is 1).
    ///
    /// Any ratio does, 0 and roots of unity as well. Takes O(M(l + n)) operations for l coefficients, M(n)
    /// those of a product.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::poly::{Poly, PolyRing};
    ///
    /// let ring = PolyRing::new(Fp32::new(101)?);
    /// let f = Poly::new(vec![1, 0, 1]); // x² + 1
    /// assert_eq!(ring.evaluate_geometric(&f, 3, 2, 3)?, [10, 37, 44]); // at 3, 6, 12
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::PointOutside`] if the start (named 0) or the ratio (named 1) is no element of the
    /// field; [`PolyError::OutOfMemory`].
    pub fn evaluate_geometric(
        &self,
        f: &Poly<F::Elem>,
        start: F::Elem,
        ratio: F::Elem,
        n: usize,
    ) -> Result<Vec<F::Elem>, PolyError> {
        (F::compiled().evaluate_geometric)(self, f, start, ratio, n)
    }

    /// The same, of which `Compiled` has the instances.
    pub(crate) fn evaluate_geometric_here(
        &self,
        f: &Poly<F::Elem>,
        start: F::Elem,
        ratio: F::Elem,
        n: usize,
    ) -> Result<Vec<F::Elem>, PolyError> {
        self.require_progression(start, ratio)?;
        self.require_vectors(6, n.saturating_add(f.len()))?;
        match self.field().inv(ratio) {
            Some(_) if horner_wins::<F>(f.len(), n) => {
                Ok(self.values_by_horner(f.coefficients(), start, ratio, n))
            }
            Some(inverse) => self.chirp_values(f.coefficients(), start, [ratio, inverse], n),
            None => {
                let constant = f.coefficients().first().copied();
                let mut values = vec![constant.unwrap_or(self.field().zero()); n];
                if let Some(first) = values.first_mut() {
                    *first = self.value_at(f.coefficients(), start);
                }
                Ok(values)
            }
        }
    }

    /// The values at start·ratio^j, j < n, by Horner's rule.
    fn values_by_horner(
        &self,
        f: &[F::Elem],
        start: F::Elem,
        ratio: F::Elem,
        n: usize,
    ) -> Vec<F::Elem> {
        let field = self.field();
        if n < LANES {
            let points = progression(field, start, ratio, n).into_iter();
            return points.map(|point| self.value_at(f, point)).collect();
        }
        let points = progression(field, start, ratio, n.next_multiple_of(LANES));
        let mut values = vec![field.zero(); points.len()];
        in_chunks(&mut values, &|first, values| {
            field.evaluate_slice(values, f, &points[first..][..values.len()]);
        });
        values.truncate(n);
        values
    }

    /// The values at start·ratio^j, j < n, by a convolution, given the ratio and its inverse.
    fn chirp_values(
        &self,
        f: &[F::Elem],
        start: F::Elem,
        [ratio, inverse]: [F::Elem; 2],
        n: usize,
    ) -> Result<Vec<F::Elem>, PolyError> {
        let field = self.field();
        if f.is_empty() || n == 0 {
            return Ok(vec![field.zero(); n]);
        }
        let mut weighted = chirp(field, start, inverse, f.len());
        field.mul_assign_slice(&mut weighted, f);
        weighted.reverse();
        let triangles = chirp(field, field.one(), ratio, f.len() + n - 1);
        let mut values = self.middle_product(&weighted, &triangles)?;
        field.mul_assign_slice(&mut values, &chirp(field, field.one(), inverse, n));
        Ok(values)
    }

    /// The coefficients of the product from the one on to which all of `short` contributes, as far as the
    /// coefficients of `long` reach.
    fn middle_product(
        &self,
        short: &[F::Elem],
        long: &[F::Elem],
    ) -> Result<Vec<F::Elem>, PolyError> {
        let (first, end) = (short.len() - 1, long.len());
        if !self.values_win(short.len().min(end)) {
            let mut product = self.product(short, long)?;
            product.truncate(end);
            return Ok(product.split_off(first));
        }
        // Modulo x^N − 1, N ≥ end, what is beyond falls on the coefficients before the first.
        let points = self.points_for(end, first + end);
        let (short, long) = (self.values(points, short)?, self.values(points, long)?);
        let mut product = vec![self.field().zero(); end];
        self.sum_by_values(&mut product, [[&short, &long]])?;
        Ok(product.split_off(first))
    }
}
