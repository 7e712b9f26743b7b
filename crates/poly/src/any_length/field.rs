//! What a transform of any length needs of its field.

use std::fmt::Debug;

use sunzi_dft::{DftError, DftPlan};
use sunzi_field::{GeneralizedFermat, TwoAdicField, primality};

use crate::{BigPrimePolyRing, CoefficientField, Plan, PolyError, PolyRing};

/// A field over which [`AnyLengthDft`](crate::AnyLengthDft) transforms: [`Fp32`](sunzi_field::Fp32),
/// [`Fp64`](sunzi_field::Fp64) or [`GeneralizedFermat`].
///
/// It brings together what both kinds of fields have, each with types of its own: transforms of 2^k
/// points, and products of polynomials.
pub trait AnyLengthField: TwoAdicField + sealed::Sealed {
    /// The ring that multiplies polynomials over this field.
    type Products: Debug + Send + Sync;

    /// That ring.
    fn products(&self) -> Self::Products;

    /// What a product of operands with these numbers of coefficients runs.
    fn product_plan(ring: &Self::Products, len_a: usize, len_b: usize) -> Plan;

    /// `out = a · b`, coefficients from the constant term upward.
    ///
    /// # Errors
    /// [`PolyError::OutputLength`], [`PolyError::OutOfMemory`].
    fn product(
        ring: &Self::Products,
        out: &mut [Self::Elem],
        a: &[Self::Elem],
        b: &[Self::Elem],
    ) -> Result<(), PolyError>;

    /// The fastest transforms of so many points, a power of two.
    ///
    /// # Errors
    /// As [`DftPlan::new`].
    fn power_of_two_plan(&self, points: usize) -> Result<DftPlan<Self>, DftError>;

    /// The prime factors of p − 1 with their exponents, ascending: every length has these alone.
    ///
    /// ```
    /// use sunzi_field::Fp32;
    /// use sunzi_poly::AnyLengthField;
    ///
    /// assert_eq!(Fp32::new(469762049)?.order_factors(), [(2, 26), (7, 1)]);
    /// # Ok::<(), sunzi_field::FieldError>(())
    /// ```
    fn order_factors(&self) -> Vec<(u64, u32)>;
}

mod sealed {
    pub trait Sealed {}
    impl<F: crate::CoefficientField> Sealed for F {}
    impl<const K: usize> Sealed for sunzi_field::GeneralizedFermat<K> {}
}

impl<F: CoefficientField> AnyLengthField for F {
    type Products = PolyRing<F>;

    fn products(&self) -> PolyRing<F> {
        PolyRing::new(self.clone())
    }

    fn product_plan(ring: &PolyRing<F>, len_a: usize, len_b: usize) -> Plan {
        ring.plan(len_a, len_b)
    }

    fn product(
        ring: &PolyRing<F>,
        out: &mut [F::Elem],
        a: &[F::Elem],
        b: &[F::Elem],
    ) -> Result<(), PolyError> {
        ring.try_mul_slices(out, a, b)
    }

    fn power_of_two_plan(&self, points: usize) -> Result<DftPlan<F>, DftError> {
        DftPlan::new(self, points)
    }

    fn order_factors(&self) -> Vec<(u64, u32)> {
        primality::factor(self.prime_word() - 1)
    }
}

impl<const K: usize> AnyLengthField for GeneralizedFermat<K> {
    type Products = BigPrimePolyRing<K>;

    fn products(&self) -> BigPrimePolyRing<K> {
        BigPrimePolyRing::new(self.clone())
    }

    fn product_plan(ring: &BigPrimePolyRing<K>, len_a: usize, len_b: usize) -> Plan {
        ring.plan(len_a, len_b)
    }

    fn product(
        ring: &BigPrimePolyRing<K>,
        out: &mut [Self::Elem],
        a: &[Self::Elem],
        b: &[Self::Elem],
    ) -> Result<(), PolyError> {
        ring.try_mul_slices(out, a, b)
    }

    fn power_of_two_plan(&self, points: usize) -> Result<DftPlan<Self>, DftError> {
        DftPlan::over_big_prime(self, points)
    }

    fn order_factors(&self) -> Vec<(u64, u32)> {
        // p − 1 = r^K.
        let factors = primality::factor(self.radix()).into_iter();
        factors
            .map(|(prime, exponent)| (prime, exponent * K as u32))
            .collect()
    }
}
