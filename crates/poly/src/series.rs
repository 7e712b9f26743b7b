//! Power series: inverses and quotients to a given precision.
//!
//! **Problem.** g with f·g = 1 modulo x^n, for f with f(0) ≠ 0; q with f·q = a. **Algorithm.** Newton's
//! iteration: from g right modulo x^k, the coefficients k … l of f·g (l ≤ 2k), times g, are what is
//! missing. They are a middle product: modulo x^l − 1 all that it wraps falls on the first k coefficients,
//! which are known to be 1, 0, 0 … (G. Hanrot, M. Quercia, P. Zimmermann, *The middle product algorithm
//! I*, 2004). A step takes five transforms of l points, as g is transformed once. The quotient's last step
//! works on the quotient itself (A. Karp, P. Markstein, *High-precision division and square root*, 1997).
//!
//! **Floor.** The inverse to n takes 10 transforms of n points, the quotient 5 + 8 of them.

use crate::error::PolyError;
use crate::multiplier::CoefficientField;
use crate::ring::PolyRing;

/// Precision up to which coefficients are found one after the other.
const ONE_BY_ONE: usize = 16;

impl<F: CoefficientField> PolyRing<F> {
    /// The inverse of the power series `f`, whose coefficients beyond the slice are 0, modulo x^n: n
    /// coefficients.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::poly::PolyRing;
    ///
    /// let ring = PolyRing::new(Fp32::new(101)?);
    /// assert_eq!(ring.inverse_series(&[1, 100], 4)?, [1, 1, 1, 1]); // 1/(1 − x)
    /// assert!(ring.inverse_series(&[0, 1], 4).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Takes O(M(n)) operations, M(n) those of a product.
    ///
    /// # Errors
    /// [`PolyError::NoInverse`] if the constant term is 0; [`PolyError::OutOfMemory`].
    pub fn inverse_series(&self, f: &[F::Elem], n: usize) -> Result<Vec<F::Elem>, PolyError> {
        (F::compiled().inverse_series)(self, f, n)
    }

    /// The same, of which `Compiled` has the instances.
    pub(crate) fn inverse_series_here(
        &self,
        f: &[F::Elem],
        n: usize,
    ) -> Result<Vec<F::Elem>, PolyError> {
        self.require_vectors(6, n)?;
        let mut inverse = self.first_inverse(f, n.min(ONE_BY_ONE))?;
        // Precisions halve from the last one on, so that no step computes what is not asked for.
        let halvings = n.div_ceil(ONE_BY_ONE).next_power_of_two().trailing_zeros();
        for level in (0..halvings).rev() {
            self.refine_inverse(&mut inverse, f, n.div_ceil(1 << level))?;
        }
        Ok(inverse)
    }

    /// The quotient of the power series `a` and `f` modulo x^n: n coefficients.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::poly::PolyRing;
    ///
    /// let ring = PolyRing::new(Fp32::new(101)?);
    /// assert_eq!(ring.divide_series(&[1, 1], &[1, 100], 4)?, [1, 2, 2, 2]); // (1 + x)/(1 − x)
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`PolyRing::inverse_series`].
    pub fn divide_series(
        &self,
        a: &[F::Elem],
        f: &[F::Elem],
        n: usize,
    ) -> Result<Vec<F::Elem>, PolyError> {
        (F::compiled().divide_series)(self, a, f, n)
    }

    /// The same, of which `Compiled` has the instances.
    pub(crate) fn divide_series_here(
        &self,
        a: &[F::Elem],
        f: &[F::Elem],
        n: usize,
    ) -> Result<Vec<F::Elem>, PolyError> {
        self.require_vectors(8, n)?;
        let half = n.div_ceil(2);
        let inverse = self.inverse_series(f, half)?;
        let (a, f) = (&a[..n.min(a.len())], &f[..n.min(f.len())]);
        let first = &a[..half.min(a.len())];
        if !self.values_win(half) {
            let mut quotient = self.low_product(first, &inverse, half)?;
            let mut rest = self.low_product(f, &quotient, n)?.split_off(half);
            self.subtract_from(&mut rest, a.get(half..).unwrap_or_default());
            quotient.extend(self.low_product(&rest, &inverse, n - half)?);
            return Ok(quotient);
        }
        let points = self.points_for(n, n + half - 1);
        let mut quotient = vec![self.field().zero(); n];
        let inverse = self.values(points, &inverse)?;
        let (low, high) = quotient.split_at_mut(half);
        self.sum_by_values(low, [[&self.values(points, first)?, &inverse]])?;
        let mut product = vec![self.field().zero(); n];
        let (low, divisor) = (self.values(points, low)?, self.values(points, f)?);
        self.sum_by_values(&mut product, [[&low, &divisor]])?;
        let rest = &mut product[half..];
        self.subtract_from(rest, a.get(half..).unwrap_or_default());
        self.sum_by_values(high, [[&self.values(points, rest)?, &inverse]])?;
        Ok(quotient)
    }

    /// From the inverse of `f` to some precision to that to precision `n`, at most twice as much.
    fn refine_inverse(
        &self,
        inverse: &mut Vec<F::Elem>,
        f: &[F::Elem],
        n: usize,
    ) -> Result<(), PolyError> {
        let known = inverse.len();
        debug_assert!(known <= n && n <= 2 * known);
        let f = &f[..n.min(f.len())];
        let field = self.field();
        if !self.values_win(known) {
            let mut error = self.low_product(f, inverse, n)?.split_off(known);
            field.neg_slice(&mut error);
            inverse.extend(self.low_product(&error, inverse, n - known)?);
            return Ok(());
        }
        let points = self.points_for(n, n + known - 1);
        let g = self.values(points, inverse)?;
        let mut product = vec![field.zero(); n];
        self.sum_by_values(&mut product, [[&self.values(points, f)?, &g]])?;
        let error = &mut product[known..];
        field.neg_slice(error);
        let error = self.values(points, error)?;
        inverse.resize(n, field.zero());
        self.sum_by_values(&mut inverse[known..], [[&error, &g]])
    }

    /// The first coefficients of the inverse by the definition.
    fn first_inverse(&self, f: &[F::Elem], n: usize) -> Result<Vec<F::Elem>, PolyError> {
        let field = self.field();
        let constant = f.first().and_then(|&constant| field.inv(constant));
        let constant = constant.ok_or(PolyError::NoInverse)?;
        let mut inverse = Vec::with_capacity(n);
        for k in 0..n {
            if k == 0 {
                inverse.push(constant);
                continue;
            }
            let terms = f[1..].iter().zip(inverse.iter().rev());
            let sum = terms.fold(field.zero(), |sum, (&x, &y)| {
                field.add(sum, field.mul(x, y))
            });
            inverse.push(field.neg(field.mul(constant, sum)));
        }
        Ok(inverse)
    }

    /// The product's first `n` coefficients.
    pub(crate) fn low_product(
        &self,
        a: &[F::Elem],
        b: &[F::Elem],
        n: usize,
    ) -> Result<Vec<F::Elem>, PolyError> {
        let (a, b) = (&a[..n.min(a.len())], &b[..n.min(b.len())]);
        let mut product = self.product(a, b)?;
        product.resize(n, self.field().zero());
        Ok(product)
    }

    /// The product's a + b − 1 coefficients, none if an operand has none.
    pub(crate) fn product(&self, a: &[F::Elem], b: &[F::Elem]) -> Result<Vec<F::Elem>, PolyError> {
        if a.is_empty() || b.is_empty() {
            return Ok(Vec::new());
        }
        let mut product = vec![self.field().zero(); a.len() + b.len() - 1];
        self.try_mul_slices(&mut product, a, b)?;
        Ok(product)
    }

    /// `x = y − x`, where y is 0 beyond its end, and read as far as x goes.
    pub(crate) fn subtract_from(&self, x: &mut [F::Elem], y: &[F::Elem]) {
        let field = self.field();
        field.neg_slice(x);
        let len = x.len().min(y.len());
        field.add_assign_slice(&mut x[..len], &y[..len]);
    }
}
