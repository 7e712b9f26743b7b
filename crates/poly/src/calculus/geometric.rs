//! Values at geometric progressions, and polynomials from them.
//!
//! **Problem.** f(s·q^j) for j < n; f of degree below n from these. **Algorithm.** With C(i, 2) =
//! i(i − 1)/2, ij = C(i + j, 2) − C(i, 2) − C(j, 2), so
//!
//! `f(s·q^j) = q^(−C(j,2)) · Σ_i f_i·s^i·q^(−C(i,2)) · q^(C(i+j,2))`:
//!
//! a middle product, in which q needs no square root (L. Rabiner, R. Schafer, C. Rader, *The chirp
//! z-transform algorithm*, 1969, there with squares). Interpolation is that of Lagrange (A. Bostan,
//! É. Schost, *Polynomial evaluation and interpolation on special sets of points*, 2005). At the points
//! q^i, with M = Π (x − q^i), (q)_k = Π_{1≤m≤k} (1 − q^m) and [n over k] = (q)_n/((q)_k·(q)_(n−k)):
//!
//! - `M'(q^i) = (−1)^i · q^(i(n−2) − C(i,2)) · (q)_i · (q)_(n−1−i)`;
//! - `x^n·M(1/x) = Σ_k (−1)^k · q^C(k,2) · [n over k] · x^k`, by the q-binomial theorem;
//! - Σ_i w_i/(1 − q^i·x), w_i the value over M'(q^i), has the coefficients Σ_i w_i·q^(ik): those are
//!   values at a geometric progression. Times the reversed M it is f reversed.
//!
//! **Floor.** Evaluation takes 3 transforms of l + n points for l coefficients and n points; interpolation
//! that with l = n, and a product of n by n coefficients.

use super::chirp;
use crate::coefficient_field::CoefficientField;
use crate::{Poly, PolyError, PolyRing};

impl<F: CoefficientField> PolyRing<F> {
    /// The values of `f` at start·ratio^i for i = 0 … n − 1 (ratio^0 is 1).
    ///
    /// Any ratio does, 0 and roots of unity as well. Takes O(M(l + n)) operations for l coefficients, M(n)
    /// those of a product.
    ///
    /// ```
    /// use sunzi_field::Fp32;
    /// use sunzi_poly::{Poly, PolyRing};
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
        self.require_progression(start, ratio)?;
        self.require_vectors(6, n.saturating_add(f.len()))?;
        match self.field().inv(ratio) {
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

    /// The polynomial of degree below n that has the value `values[i]` at start·ratio^i for i = 0 … n − 1,
    /// n the number of values.
    ///
    /// Takes O(M(n)) operations, M(n) those of a product.
    ///
    /// ```
    /// use sunzi_field::Fp32;
    /// use sunzi_poly::{Poly, PolyError, PolyRing};
    ///
    /// let ring = PolyRing::new(Fp32::new(101)?);
    /// let f = ring.interpolate_geometric(3, 2, &[10, 37, 44])?;
    /// assert_eq!(f.coefficients(), [1, 0, 1]);
    /// let error = PolyError::RepeatedPoint { first: 0, second: 2 };
    /// assert_eq!(ring.interpolate_geometric(3, 100, &[1, 2, 3]), Err(error)); // at 3, −3, 3
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::RepeatedPoint`] names the first point that is equal to an earlier one, and that one;
    /// else as [`PolyRing::evaluate_geometric`].
    pub fn interpolate_geometric(
        &self,
        start: F::Elem,
        ratio: F::Elem,
        values: &[F::Elem],
    ) -> Result<Poly<F::Elem>, PolyError> {
        self.require_progression(start, ratio)?;
        let field = self.field();
        if values.len() <= 1 {
            return Ok(Poly::new(values.to_vec()));
        }
        let Some(start_inverse) = field.inv(start) else {
            return Err(PolyError::RepeatedPoint {
                first: 0,
                second: 1,
            });
        };
        let Some(ratio_inverse) = field.inv(ratio) else {
            // The points are the start and zeros.
            let [first, constant] = *values else {
                return Err(PolyError::RepeatedPoint {
                    first: 1,
                    second: 2,
                });
            };
            let slope = field.mul(field.sub(first, constant), start_inverse);
            return Ok(Poly::new(vec![constant, slope]));
        };
        self.require_vectors(12, values.len())?;
        let mut found = self.interpolated(values, [ratio, ratio_inverse])?;
        // It is the polynomial in x/start.
        let powers = chirp(field, start_inverse, field.one(), found.len());
        field.mul_assign_slice(&mut found, &powers);
        Ok(Poly::new(found))
    }

    fn require_progression(&self, start: F::Elem, ratio: F::Elem) -> Result<(), PolyError> {
        self.require_element(0, start)?;
        self.require_element(1, ratio)
    }

    /// The values at start·ratio^j, j < n, given the ratio and its inverse.
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

    /// The coefficients of the polynomial with these values, two or more, at the powers of the ratio.
    fn interpolated(
        &self,
        values: &[F::Elem],
        ratios: [F::Elem; 2],
    ) -> Result<Vec<F::Elem>, PolyError> {
        let (field, n) = (self.field(), values.len());
        let [ratio, inverse] = ratios;
        // 1/(q)_k for k < n, and (q)_n.
        let (inverses, last) = self.inverse_factorials(ratio, n)?;
        let backwards: Vec<F::Elem> = inverses.iter().rev().copied().collect();

        let step = field.neg(field.pow(inverse, n as u64 - 2));
        let mut weights = chirp(field, step, ratio, n);
        field.mul_assign_slice(&mut weights, &inverses);
        field.mul_assign_slice(&mut weights, &backwards);
        field.mul_assign_slice(&mut weights, values);
        let sums = self.chirp_values(&weights, field.one(), ratios, n)?;

        // The coefficients of the points' polynomial, from the leading one, which is 1, down.
        let mut node = chirp(field, field.neg(field.one()), ratio, n);
        field.mul_assign_slice(&mut node[1..], &inverses[1..]);
        field.mul_assign_slice(&mut node[1..], &backwards[..n - 1]);
        field.scale_slice(&mut node[1..], last);

        let mut found = self.low_product(&node, &sums, n)?;
        found.reverse();
        Ok(found)
    }

    /// The inverses of (q)_k = Π_{1≤m≤k} (1 − q^m) for k < n, and (q)_n.
    ///
    /// # Errors
    /// [`PolyError::RepeatedPoint`] if one of them is 0, as then q^k = 1 for the first such k.
    fn inverse_factorials(
        &self,
        ratio: F::Elem,
        n: usize,
    ) -> Result<(Vec<F::Elem>, F::Elem), PolyError> {
        let field = self.field();
        let mut differences = chirp(field, ratio, field.one(), n + 1);
        for power in &mut differences {
            *power = field.sub(field.one(), *power);
        }
        let mut factorial = field.one();
        for (second, &difference) in differences.iter().enumerate().take(n).skip(1) {
            if difference == field.zero() {
                return Err(PolyError::RepeatedPoint { first: 0, second });
            }
            factorial = field.mul(factorial, difference);
        }
        let last = field.mul(factorial, differences[n]);
        let mut inverse = field.inv(factorial).unwrap_or(field.one());
        let mut inverses = vec![field.zero(); n];
        for (place, &difference) in inverses.iter_mut().zip(&differences).rev() {
            *place = inverse;
            inverse = field.mul(inverse, difference);
        }
        Ok((inverses, last))
    }
}
