//! Products of integers through transforms modulo a prime r^k + 1.
//!
//! **Problem.** The product of two integers of any lengths. **Algorithm.** The operands are cut into coefficients of b bits, n of
//! them the shorter one, so that n·2^(2b) < p; their polynomials are multiplied in the field, where transforms take products only
//! between groups of 2k points ([`sunzi_dft::DftContext::over_big_prime`]), and the coefficients of the product are added up, b
//! bits apart. This is what M. Fürer proposed (*Faster integer multiplication*, SIAM J. Comput., 2009), with the primes of
//! S. Covanov and E. Thomé (*Fast integer multiplication using generalized Fermat primes*, Math. Comput., 2019).
//!
//! It runs only where it is asked for: at no length is it as fast as transforms over three primes of a word
//! (docs/big-prime-fft.md says why, with the figures).

mod coefficients;
mod plan;

use coefficients::{cut, join};
pub use plan::FermatPlan;

use crate::problem::MulError;
use std::any::Any;
use std::fmt::Debug;
use std::sync::{Arc, Mutex, PoisonError};
use sunzi_dft::DftError;
use sunzi_dft::internals::BigPrimeProducts;
use sunzi_field::{Digits, GeneralizedFermat, with_digits};

/// Multiplies integers modulo primes r^k + 1; fields and tables are made when first needed, and kept.
///
/// ```
/// use sunzi_integer::fermat::{FermatPlan, FermatProducts};
/// let plan = FermatPlan::choose(2, 1).unwrap();
/// let mut product = [0; 3];
/// FermatProducts::new().multiply(&plan, &mut product, &[u64::MAX, u64::MAX], &[2])?;
/// assert_eq!(product, [u64::MAX - 1, u64::MAX, 1]);
/// # Ok::<(), sunzi_integer::MulError>(())
/// ```
#[derive(Debug, Default)]
pub struct FermatProducts {
    /// A [`BigPrimeProducts`] for the radix and the number of digits.
    fields: Mutex<Vec<(u64, usize, Kept)>>,
}

/// A [`BigPrimeProducts`] of any number of digits.
type Kept = Arc<dyn Any + Send + Sync>;

impl FermatProducts {
    /// Nothing is computed before a product needs it.
    pub const fn new() -> Self {
        Self {
            fields: Mutex::new(Vec::new()),
        }
    }

    /// `out = a · b` as planned for their lengths; the square where both are the same slice.
    ///
    /// # Errors
    /// [`MulError::OutputLength`] unless `out.len() == a.len() + b.len()`; [`MulError::PlanLength`] if the plan is for other
    /// lengths; [`MulError::OutOfMemory`].
    pub fn multiply(
        &self,
        plan: &FermatPlan,
        out: &mut [u64],
        a: &[u64],
        b: &[u64],
    ) -> Result<(), MulError> {
        crate::problem::check_output(out.len(), a.len() + b.len())?;
        let found = [a, b].map(|x| (64 * x.len()).div_ceil(plan.bits));
        if found != plan.lengths {
            return Err(MulError::PlanLength {
                expected: plan.lengths,
                found,
            });
        }
        with_digits!(
            plan.prime.digits,
            K >= 4 => self.run::<K>(plan, out, a, b),
            _ => unreachable!("primes of fewer than four digits are not planned for")
        )
    }

    fn run<const K: usize>(
        &self,
        plan: &FermatPlan,
        out: &mut [u64],
        a: &[u64],
        b: &[u64],
    ) -> Result<(), MulError> {
        let (bits, radix) = (plan.bits, plan.prime.radix);
        let products = self.field::<K>(radix);
        let cut_a = cut::<K>(a, bits, radix);
        let cut_b = (!std::ptr::eq(a, b)).then(|| cut(b, bits, radix));
        let mut product = vec![Digits::default(); plan.lengths[0] + plan.lengths[1] - 1];
        let other = cut_b.as_ref().unwrap_or(&cut_a);
        let done = products.multiply(plan.cover, &mut product, &cut_a, other);
        done.map_err(|error| match error {
            DftError::OutOfMemory(error) => MulError::OutOfMemory(error),
            error => unreachable!("planned for lengths that the field has: {error}"),
        })?;
        drop((cut_a, cut_b));
        join(out, &product, bits, radix);
        Ok(())
    }

    /// Products over the field of that prime.
    fn field<const K: usize>(&self, radix: u64) -> Arc<BigPrimeProducts<K>> {
        let lock = || self.fields.lock().unwrap_or_else(PoisonError::into_inner);
        let find = |fields: &[(u64, usize, Kept)]| {
            let mut fields = fields.iter();
            let kept = fields.find(|(of, digits, _)| (*of, *digits) == (radix, K));
            kept.and_then(|(_, _, kept)| Arc::clone(kept).downcast().ok())
        };
        if let Some(products) = find(&lock()) {
            return products;
        }
        // Made without the lock: primes of many digits take a while to prove.
        let field = GeneralizedFermat::<K>::new(radix).expect("primes with names are prime");
        let products = Arc::new(BigPrimeProducts::new(field));
        let mut fields = lock();
        if let Some(products) = find(&fields) {
            return products;
        }
        fields.push((radix, K, Arc::clone(&products) as Kept));
        products
    }
}
