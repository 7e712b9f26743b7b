//! Division of limb vectors with remainder.
//!
//! **Problem.** For a of n + m limbs and d of m limbs, q and r with a = q·d + r, 0 ≤ r < d. The divisor is shifted so that its top bit
//! is set, and the dividend with it. **Algorithms**, by the shorter of quotient and divisor, k limbs:
//!
//! | algorithm | costs, for n = m = k |
//! |---|---|
//! | by one limb | n products of two limbs |
//! | [schoolbook] | n·m products of limbs |
//! | [recursive] | O(M(k)·log k), M(k) the cost of a product |
//! | [newton] | under 4 products of k limbs |
//!
//! A quotient longer than the divisor is found in blocks as long as the divisor. The reciprocal that a divisor is given, or of its leading
//! limbs, can be kept for other dividends ([kept]). [`Lengths`] are given by tests, so that short operands
//! reach every algorithm and every border between blocks.

mod kept;
mod newton;
mod reciprocal;
mod recursive;
mod schoolbook;
pub(crate) mod word;

pub use kept::Kept;
pub use reciprocal::reciprocal;
pub(crate) use word::OneLimb;
pub use word::{divide_by_word, remainder_by_word};

use crate::multiplier::Multiplier;
use crate::scratch::with_limbs;
use std::cmp::Ordering;
use sunzi_rns::limbs::{cmp, shl, shr_assign, trim};
use thiserror::Error;
use word::TwoLimbs;

/// A division by zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the divisor is zero: give another one")]
pub struct DivisionByZero;

/// The lengths of the shorter of quotient and divisor from which algorithms take over.
#[derive(Clone, Copy, Debug)]
pub struct Lengths {
    pub recursive: usize,
    pub newton: usize,
    /// The same where the reciprocal is there already.
    pub kept: usize,
}

impl Lengths {
    /// Measured with AVX2 on a core of an AMD EPYC (Zen 3), for quotients as long as divisors.
    pub const BUILT_IN: Self = Self {
        recursive: 32,
        newton: 1350,
        kept: 500,
    };
}

/// What divides.
pub struct Divide<'a> {
    pub multiplier: &'a Multiplier,
    pub lengths: Lengths,
}

impl Multiplier {
    /// Quotient and remainder of two vectors of limbs, without zeros at their ends.
    ///
    /// O(M(n)) operations for n limbs, M(n) being the cost of a product.
    ///
    /// ```
    /// let multiplier = sunzi::integer::Multiplier::new();
    /// let (quotient, remainder) = multiplier.div_rem(&[5, 0, 1], &[0, 1])?; // 2^128 + 5 by 2^64
    /// assert_eq!((quotient, remainder), (vec![0, 1], vec![5]));
    /// # Ok::<(), sunzi::integer::DivisionByZero>(())
    /// ```
    ///
    /// # Errors
    /// [`DivisionByZero`].
    pub fn div_rem(&self, a: &[u64], b: &[u64]) -> Result<(Vec<u64>, Vec<u64>), DivisionByZero> {
        self.divide().div_rem(trim(a), trim(b))
    }

    /// What divides, from the built-in lengths on.
    pub(crate) fn divide(&self) -> Divide<'_> {
        Divide {
            multiplier: self,
            lengths: Lengths::BUILT_IN,
        }
    }
}

impl Divide<'_> {
    /// Quotient and remainder; no operand has a zero limb at its end.
    pub fn div_rem(&self, a: &[u64], b: &[u64]) -> Result<(Vec<u64>, Vec<u64>), DivisionByZero> {
        self.divided(a, b, |quotient, remainder| {
            (quotient.to_vec(), remainder.to_vec())
        })
    }

    /// What is made of quotient and remainder; no operand has a zero limb at its end, nor have these.
    pub(crate) fn divided<T>(
        &self,
        a: &[u64],
        b: &[u64],
        make: impl FnOnce(&[u64], &[u64]) -> T,
    ) -> Result<T, DivisionByZero> {
        if b.is_empty() {
            return Err(DivisionByZero);
        }
        if cmp(a, b) == Ordering::Less {
            return Ok(make(&[], a));
        }
        // The divisor; the dividend and a limb more; the quotient.
        let done = with_limbs(2 * (a.len() + 1), |scratch| {
            let (divisor, scratch) = scratch.split_at_mut(b.len());
            let zeros = b[b.len() - 1].leading_zeros();
            shl(divisor, b, zeros);
            let by = |quotient: &mut [u64], a: &mut [u64]| self.normalized(quotient, a, divisor);
            shifted(scratch, [a, b], zeros, by, make)
        });
        Ok(done)
    }

    /// The quotient into `quotient`, the remainder into the low limbs of `a`; limbs above are zero then.
    ///
    /// The dividend has as many limbs as quotient and divisor together, and its high limbs are below the divisor, whose top bit
    /// is set.
    pub fn normalized(&self, quotient: &mut [u64], a: &mut [u64], divisor: &[u64]) {
        let m = divisor.len();
        if quotient.len().min(m) < self.lengths.newton {
            return self.by_leading_limbs(quotient, a, divisor, TwoLimbs::of(divisor));
        }
        let inverse = reciprocal(self.multiplier, divisor, newton::block(quotient.len(), m));
        self.newton(quotient, a, divisor, &inverse);
    }

    /// [`Self::normalized`] without the divisor's reciprocal, but that of its leading limbs.
    fn by_leading_limbs(
        &self,
        quotient: &mut [u64],
        a: &mut [u64],
        divisor: &[u64],
        leading: TwoLimbs,
    ) {
        let m = divisor.len();
        if quotient.len().min(m) < self.lengths.recursive {
            return schoolbook::divide(quotient, a, divisor, leading);
        }
        let mut scratch = vec![0; m];
        let mut end = quotient.len();
        while end > 0 {
            // The first block takes what others leave.
            let start = (end - 1) / m * m;
            let (block, window) = (&mut quotient[start..end], &mut a[start..end + m]);
            self.recursive(block, window, (divisor, leading), &mut scratch);
            end = start;
        }
    }
}

/// What is made of quotient and remainder of a by b, `divide` being given a and b shifted until the top bit of b is set; `scratch` has room
/// for a limb more than a, and the quotient.
fn shifted<T>(
    scratch: &mut [u64],
    [a, b]: [&[u64]; 2],
    zeros: u32,
    divide: impl FnOnce(&mut [u64], &mut [u64]),
    make: impl FnOnce(&[u64], &[u64]) -> T,
) -> T {
    let (remainder, quotient) = scratch.split_at_mut(a.len() + 1);
    let quotient = &mut quotient[..a.len() + 1 - b.len()];
    // The high limbs must be below the divisor.
    remainder[a.len()] = shl(remainder, a, zeros);
    divide(quotient, remainder);
    let remainder = &mut remainder[..b.len()];
    shr_assign(remainder, zeros);
    make(trim(quotient), trim(remainder))
}
