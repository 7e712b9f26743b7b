//! Polynomials from their values at geometric progressions.
//!
//! At the points q^i, with u_m = Π_{1≤k≤m} (q^k − 1), by way of Newton's basis (A. Bostan, É. Schost,
//! *Polynomial evaluation and interpolation on special sets of points*, 2005, §4 and §5):
//!
//! - f = Σ c_j·Π_{k<j} (x − q^k) has the values f(q^i) = Σ_{j≤i} c_j·q^C(j,2)·u_i/u_(i−j). So the series
//!   Σ f(q^i)/u_i·z^i is Σ c_j·q^C(j,2)·z^j times Σ z^m/u_m, whose inverse is known (Euler):
//!   D = Σ (−1)^m·q^C(m,2)/u_m·z^m.
//! - Π_{k<j} (x − q^k) = Σ_k u_j/(u_k·u_(j−k))·(−1)^(j−k)·q^C(j−k,2)·x^k by the q-binomial theorem. So
//!   f = Σ_k x^k/u_k · Σ_{j≥k} c_j·u_j·D_(j−k): reversed, a second product with D.
//!
//! At the points s·q^i it is f(s·x) that is found.

use sunzi_dft::internals::{chirp, progression};

use crate::error::PolyError;
use crate::multiplier::CoefficientField;
use crate::poly::Poly;
use crate::ring::PolyRing;
use crate::ring::values::Values;
use crate::running_products::products_and_inverses;

impl<F: CoefficientField> PolyRing<F> {
    /// The polynomial of degree below n that has the value `values[i]` at start·ratio^i for i = 0 … n − 1,
    /// n the number of values.
    ///
    /// Takes O(M(n)) operations, M(n) those of a product.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::poly::{Poly, PolyError, PolyRing};
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
        (F::compiled().interpolate_geometric)(self, start, ratio, values)
    }

    /// The same, of which `Compiled` has the instances.
    pub(crate) fn interpolate_geometric_here(
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
        let powers = progression(field, field.one(), start_inverse, found.len());
        field.mul_assign_slice(&mut found, &powers);
        Ok(Poly::new(found))
    }

    /// The coefficients of the polynomial with these values, two or more, at the powers of the ratio, given
    /// with its inverse.
    fn interpolated(
        &self,
        values: &[F::Elem],
        [ratio, inverse]: [F::Elem; 2],
    ) -> Result<Vec<F::Elem>, PolyError> {
        let (field, n) = (self.field(), values.len());
        let one = field.one();
        let [products, inverses] = self.factorials(ratio, n)?;
        let mut series = chirp(field, field.neg(one), ratio, n);
        field.mul_assign_slice(&mut series, &inverses);
        let series = Series::new(self, series)?;

        let mut sums = values.to_vec();
        field.mul_assign_slice(&mut sums, &inverses);
        // c_j·q^C(j,2), and then c_j·u_j.
        let mut sums = series.times(self, sums)?;
        field.mul_assign_slice(&mut sums, &chirp(field, one, inverse, n));
        field.mul_assign_slice(&mut sums, &products);
        sums.reverse();
        let mut sums = series.times(self, sums)?;
        sums.reverse();
        field.mul_assign_slice(&mut sums, &inverses);
        Ok(sums)
    }

    /// u_m = Π_{1≤k≤m} (q^k − 1) for m < n, and their inverses.
    ///
    /// # Errors
    /// [`PolyError::RepeatedPoint`] if one of them is 0, as then q^k = 1 for the first such k.
    fn factorials(&self, ratio: F::Elem, n: usize) -> Result<[Vec<F::Elem>; 2], PolyError> {
        let field = self.field();
        let one = field.one();
        let mut factors = progression(field, one, ratio, n);
        let repeated = |second| PolyError::RepeatedPoint { first: 0, second };
        if let Some(before) = factors[1..].iter().position(|&power| power == one) {
            return Err(repeated(before + 1));
        }
        for power in &mut factors[1..] {
            *power = field.sub(*power, one);
        }
        // No factor is 0.
        products_and_inverses(field, factors).ok_or(repeated(n))
    }
}

/// A series of n coefficients that others are multiplied by.
struct Series<F: CoefficientField> {
    coefficients: Vec<F::Elem>,
    /// The number of points, where products by values win.
    values: Option<(usize, Values)>,
}

impl<F: CoefficientField> Series<F> {
    fn new(ring: &PolyRing<F>, coefficients: Vec<F::Elem>) -> Result<Self, PolyError> {
        let whole = 2 * coefficients.len() - 1;
        let mut values = None;
        if ring.values_win(coefficients.len()) {
            let points = ring.points_for(whole, whole);
            values = Some((points, ring.values(points, &coefficients)?));
        }
        Ok(Self {
            coefficients,
            values,
        })
    }

    /// The first n coefficients of the product with another one of as many.
    fn times(
        &self,
        ring: &PolyRing<F>,
        mut other: Vec<F::Elem>,
    ) -> Result<Vec<F::Elem>, PolyError> {
        match &self.values {
            Some((points, values)) => {
                let factor = ring.values(*points, &other)?;
                ring.sum_by_values(&mut other, [[&factor, values]])?;
                Ok(other)
            }
            None => ring.low_product(&other, &self.coefficients, other.len()),
        }
    }
}
