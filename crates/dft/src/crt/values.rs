//! Values of polynomials modulo a word, kept by the caller, and sums of their products.
//!
//! Residues in `[0, m)` are taken for integers, and evaluated modulo as many primes as sums of products
//! with that many terms need; sums of products are integers, too, and reduced at the end.

use crate::crt::modular::ModularConvolver;
use crate::crt::plan::ProductPlan;
use crate::crt::product::ResidueProduct;
use crate::crt::project::{Coefficients, project};
use crate::{Convolver, DftError};
use sunzi_field::Fp50;

/// Products that a sum may have.
const MAX_PAIRS: usize = 2;

impl ModularConvolver {
    /// Points at which products of up to `len` coefficients are evaluated, as
    /// [`Convolver::points_for`] says; `None` above 2^32.
    #[must_use]
    pub fn points_for(&self, len: usize) -> Option<usize> {
        self.basis(1).ok()?.convolvers().first()?.points_for(len)
    }

    /// Words that hold the values at `points` points: one for each prime and point.
    ///
    /// ```
    /// let convolver = sunzi_dft::crt::ModularConvolver::new(1_000_000_007)?;
    /// assert_eq!(convolver.value_words(1 << 10), 2 << 10);
    /// # Ok::<(), sunzi::transform::DftError>(())
    /// ```
    #[must_use]
    pub fn value_words(&self, points: usize) -> usize {
        self.value_primes(points).saturating_mul(points)
    }

    fn value_primes(&self, points: usize) -> usize {
        self.primes(points.saturating_mul(MAX_PAIRS))
    }

    /// The values of the polynomial with coefficients `a`, in `[0, m)`, at `points` points, in the
    /// convolver's own form and order.
    ///
    /// # Errors
    /// [`DftError::Shape`] if `a` is longer than `points`, these are none that
    /// [`ModularConvolver::points_for`] gives, or `values` does not have
    /// [`value_words`](ModularConvolver::value_words) words.
    pub fn evaluate_into(
        &self,
        values: &mut [u64],
        points: usize,
        a: &[u64],
    ) -> Result<(), DftError> {
        self.evaluate(values, points, a)
    }

    /// The same for a modulus of at most 2^32, whose residues fit 32 bits.
    ///
    /// # Errors
    /// [`DftError::ModulusTooLarge`] for a larger one; else as [`ModularConvolver::evaluate_into`].
    pub fn evaluate_short_into(
        &self,
        values: &mut [u64],
        points: usize,
        a: &[u32],
    ) -> Result<(), DftError> {
        self.check_short()?;
        self.evaluate(values, points, a)
    }

    fn evaluate<C: Coefficients + ?Sized>(
        &self,
        values: &mut [u64],
        points: usize,
        a: &C,
    ) -> Result<(), DftError> {
        self.check_words(values.len(), points)?;
        let basis = self.basis(points.saturating_mul(MAX_PAIRS))?;
        let one = |(values, convolver): (&mut [u64], &Convolver<Fp50>)| {
            convolver.evaluate_private(values, a.len(), |x| project(convolver, a, x))
        };
        let values = values.chunks_exact_mut(points).zip(basis.convolvers());
        ProductPlan::new(basis.len(), points)
            .threads()
            .try_each(values, one)
    }

    /// The sum of the products of one or two pairs of polynomials, all evaluated at `points` points: its
    /// first coefficients modulo m, as many as `out` has room for; as [`Convolver::sum_products`].
    ///
    /// ```
    /// use sunzi_dft::crt::ModularConvolver;
    ///
    /// let convolver = ModularConvolver::new(1_000_000_007)?;
    /// let points = convolver.points_for(2).unwrap();
    /// let values = |a: [u64; 2]| {
    ///     let mut values = vec![0; convolver.value_words(points)];
    ///     convolver.evaluate_into(&mut values, points, &a).map(|()| values)
    /// };
    /// let (a, b) = (values([1, 1_000_000_006])?, values([3, 4])?);
    /// let mut sum = [0; 3];
    /// convolver.sum_products(&mut sum, points, [[&a, &b], [&a, &a]])?; // (1 − x)·(4 + 3x)
    /// assert_eq!(sum, [4, 1_000_000_006, 1_000_000_004]);
    /// # Ok::<(), sunzi::transform::DftError>(())
    /// ```
    ///
    /// # Errors
    /// [`DftError::Shape`] if a vector of values has a wrong length or `out` has
    /// more than `points` coefficients.
    pub fn sum_products<const T: usize>(
        &self,
        out: &mut [u64],
        points: usize,
        pairs: [[&[u64]; 2]; T],
    ) -> Result<(), DftError> {
        self.sum(out, points, pairs, |value| value)
    }

    /// The same for a modulus of at most 2^32, whose residues fit 32 bits.
    ///
    /// # Errors
    /// [`DftError::ModulusTooLarge`] for a larger one; else as [`ModularConvolver::sum_products`].
    pub fn sum_products_short<const T: usize>(
        &self,
        out: &mut [u32],
        points: usize,
        pairs: [[&[u64]; 2]; T],
    ) -> Result<(), DftError> {
        self.check_short()?;
        self.sum(out, points, pairs, |value| value as u32)
    }

    fn sum<T: Send, const PAIRS: usize>(
        &self,
        out: &mut [T],
        points: usize,
        pairs: [[&[u64]; 2]; PAIRS],
        narrow: impl Fn(u64) -> T + Sync,
    ) -> Result<(), DftError> {
        const {
            assert!(
                PAIRS <= MAX_PAIRS,
                "the primes suffice for this number of products"
            )
        };
        for values in pairs.as_flattened() {
            self.check_words(values.len(), points)?;
        }
        let basis = self.basis(points.saturating_mul(MAX_PAIRS))?;
        let len = out.len();
        let one = |(index, convolver): (usize, &Convolver<Fp50>)| {
            let of_prime = index * points..(index + 1) * points;
            let pairs = pairs.map(|pair| pair.map(|values| &values[of_prime.clone()]));
            convolver.sum_products_private(len, pairs)
        };
        let convolvers = basis.convolvers().iter().enumerate();
        let products = ProductPlan::new(basis.len(), points)
            .threads()
            .try_map(convolvers, one)?;
        let product = ResidueProduct {
            basis,
            products,
            len,
        };
        self.reduce(basis, product, out, narrow);
        Ok(())
    }

    /// An error unless `found` words hold the values at `points` points, at least one.
    fn check_words(&self, found: usize, points: usize) -> Result<(), DftError> {
        let found = if points == 0 { 0 } else { found };
        let expected = self.value_words(points.max(1));
        match found == expected {
            true => Ok(()),
            false => Err(DftError::Shape { expected, found }),
        }
    }
}
