//! Contexts over generalized Fermat fields.

use super::rotations::transform;
use crate::context::{DftContext, TransformKernels, expect_len};
use crate::plan::{BigPrimeOptions, DftPlan};
use crate::problem::{Algorithm, DftError, Direction, Ordering};
use crate::transform::StepTimes;
use std::sync::{Mutex, PoisonError};
use sunzi_field::{DigitKernels, Digits, GeneralizedFermat};
use sunzi_machine::memory::Budget;

impl<const K: usize> DftContext<GeneralizedFermat<K>> {
    /// The fastest transforms of `len` points over a field modulo r^K + 1.
    ///
    /// Takes O(N) products for tables of N elements, and memory for three times as much.
    ///
    /// ```
    /// use sunzi::field::{Field, GeneralizedFermat};
    /// use sunzi::transform::{DftContext, Ordering};
    ///
    /// let field = GeneralizedFermat::<8>::new((1 << 59) + (1 << 57) + (1 << 39))?; // P8
    /// let context = DftContext::over_big_prime(&field, 512)?;
    /// let mut x = vec![field.one(); 512];
    /// context.forward(&mut x, Ordering::Natural)?;
    /// assert_eq!((x[0], x[1]), (field.from_u64(512), field.zero()));
    /// context.inverse(&mut x, Ordering::Natural)?;
    /// assert_eq!(x, vec![field.one(); 512]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`DftError::NotPowerOfTwo`]; [`DftError::TooLong`] if N does not divide p − 1;
    /// [`DftError::OutOfMemory`].
    pub fn over_big_prime(field: &GeneralizedFermat<K>, len: usize) -> Result<Self, DftError> {
        Self::over_big_prime_with(field, len, &BigPrimeOptions::default())
    }

    /// Transforms of `len` points for other products, with bounded tables, or on a given kernel.
    ///
    /// ```
    /// use sunzi::field::{Field, GeneralizedFermat};
    /// use sunzi::transform::{BigPrimeOptions, DftContext, Ordering};
    ///
    /// let field = GeneralizedFermat::<4>::new((1 << 59) + (1 << 58) + (1 << 11))?; // P4
    /// let options = BigPrimeOptions {
    ///     table_limit: 1 << 16,
    ///     ..Default::default()
    /// };
    /// let context = DftContext::over_big_prime_with(&field, 1 << 12, &options)?;
    /// assert!(context.table_bytes() < 1 << 16);
    /// let mut x = vec![field.zero(); 1 << 12];
    /// x[1] = field.one();
    /// context.forward(&mut x, Ordering::Natural)?;
    /// assert_eq!(x[1 << 11], field.neg(field.one())); // ω^(N/2)
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`DftContext::over_big_prime`]; transforms for negacyclic products need 2N to divide p − 1.
    pub fn over_big_prime_with(
        field: &GeneralizedFermat<K>,
        len: usize,
        options: &BigPrimeOptions,
    ) -> Result<Self, DftError> {
        let plan = DftPlan::over_big_prime(field, len, options)?;
        options
            .budget
            .require(plan.working_bytes(size_of::<Digits<K>>(), options.table_limit))?;
        let made = |plan: DftPlan| {
            transform(field, &plan, options.table_limit).map(|transforms| Self {
                field: field.clone(),
                plan,
                transforms,
            })
        };
        if let Some(context) = made(plan) {
            return Ok(context);
        }
        let scalar = DftPlan::scalar(field, len, options.convolution, Algorithm::CooleyTukey)?;
        let scalar = scalar.with_grain(options.grain);
        // Every number of digits that a field has is known there.
        made(scalar).ok_or(DftError::NeedsLanes(Algorithm::CooleyTukey))
    }

    /// As [`DftContext::transform`] in natural order, and what its steps took.
    ///
    /// Contexts that fall back to single elements count all as base case.
    ///
    /// # Errors
    /// As [`DftContext::transform`].
    pub fn transform_timed(
        &self,
        data: &mut [Digits<K>],
        direction: Direction,
    ) -> Result<StepTimes, DftError> {
        expect_len(self.points(), data.len())?;
        let times = Mutex::new(StepTimes::default());
        let mut scratch = self.scratch();
        let transforms = self.transforms();
        transforms.transform_timed(
            data,
            &mut scratch,
            direction,
            Ordering::Natural,
            Some(&times),
        );
        Ok(times.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<const K: usize> TransformKernels<GeneralizedFermat<K>> for DigitKernels {
    const SCRATCH: usize = 2;

    fn fastest_dft(
        field: &GeneralizedFermat<K>,
        len: usize,
        budget: Budget,
    ) -> Result<DftContext<GeneralizedFermat<K>>, DftError> {
        let options = BigPrimeOptions {
            budget,
            ..BigPrimeOptions::default()
        };
        DftContext::over_big_prime_with(field, len, &options)
    }
}
