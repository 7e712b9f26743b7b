//! The fields that polynomials are over: what they have in common, whatever their size.

use sunzi_dft::{DftContext, DftError};
use sunzi_field::{GeneralizedFermat, TwoAdicField, primality};

use crate::big_prime::BigPrimeProducts;
use crate::products::Products;
use crate::word_prime::{WordField, WordPrimeProducts};

/// A field over which [`PolyRing`](crate::PolyRing) computes: [`Fp32`](sunzi_field::Fp32),
/// [`Fp64`](sunzi_field::Fp64) or [`GeneralizedFermat`].
///
/// It brings together what both kinds of fields have, each with types of its own: products of
/// polynomials, and transforms of 2^k points.
pub trait CoefficientField: TwoAdicField + sealed::Sealed {
    /// What multiplies polynomials over this field.
    type Products: Products<Self>;

    /// The products over this field. Nothing is precomputed before one is needed.
    fn products(&self) -> Self::Products;

    /// The fastest transforms of so many points, a power of two.
    ///
    /// # Errors
    /// As [`DftContext::new`].
    fn power_of_two_plan(&self, points: usize) -> Result<DftContext<Self>, DftError>;

    /// The prime factors of p − 1 with their exponents, ascending: transforms have these lengths alone.
    ///
    /// ```
    /// use sunzi_field::Fp32;
    /// use sunzi_poly::CoefficientField;
    ///
    /// assert_eq!(Fp32::new(469762049)?.order_factors(), [(2, 26), (7, 1)]);
    /// # Ok::<(), sunzi_field::FieldError>(())
    /// ```
    fn order_factors(&self) -> Vec<(u64, u32)>;
}

pub(crate) mod sealed {
    pub trait Sealed {}
    impl<F: crate::WordField> Sealed for F {}
    impl<const K: usize> Sealed for sunzi_field::GeneralizedFermat<K> {}
}

impl<F: WordField> CoefficientField for F {
    type Products = WordPrimeProducts<F>;

    fn products(&self) -> WordPrimeProducts<F> {
        WordPrimeProducts::new(self)
    }

    fn power_of_two_plan(&self, points: usize) -> Result<DftContext<F>, DftError> {
        DftContext::new(self, points)
    }

    fn order_factors(&self) -> Vec<(u64, u32)> {
        primality::factor(self.prime_word() - 1)
    }
}

impl<const K: usize> CoefficientField for GeneralizedFermat<K> {
    type Products = BigPrimeProducts<K>;

    fn products(&self) -> BigPrimeProducts<K> {
        BigPrimeProducts::new(self)
    }

    fn power_of_two_plan(&self, points: usize) -> Result<DftContext<Self>, DftError> {
        DftContext::over_big_prime(self, points)
    }

    fn order_factors(&self) -> Vec<(u64, u32)> {
        // p − 1 = r^K.
        let factors = primality::factor(self.radix()).into_iter();
        factors
            .map(|(prime, exponent)| (prime, exponent * K as u32))
            .collect()
    }
}
