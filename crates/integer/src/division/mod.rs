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
//! A quotient longer than the divisor is found in blocks as long as the divisor. [`Lengths`] are given by tests, so that short operands
//! reach every algorithm and every border between blocks.

mod newton;
mod reciprocal;
mod recursive;
mod schoolbook;
pub(crate) mod word;

pub use reciprocal::reciprocal;
pub(crate) use word::OneLimb;
pub use word::{divide_by_word, remainder_by_word};

use crate::multiplier::Multiplier;
use std::cmp::Ordering;
use sunzi_rns::limbs::{cmp, shl_assign, shr_assign, trim, truncate_zeros};
use thiserror::Error;

/// A division by zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the divisor is zero: give another one")]
pub struct DivisionByZero;

/// The lengths of the shorter of quotient and divisor from which algorithms take over.
#[derive(Clone, Copy, Debug)]
pub struct Lengths {
    pub recursive: usize,
    pub newton: usize,
}

impl Lengths {
    /// Estimates, not measured yet.
    pub const BUILT_IN: Self = Self {
        recursive: 48,
        newton: 1500,
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
    /// let multiplier = sunzi_integer::Multiplier::new();
    /// let (quotient, remainder) = multiplier.div_rem(&[5, 0, 1], &[0, 1])?; // 2^128 + 5 by 2^64
    /// assert_eq!((quotient, remainder), (vec![0, 1], vec![5]));
    /// # Ok::<(), sunzi_integer::DivisionByZero>(())
    /// ```
    ///
    /// # Errors
    /// [`DivisionByZero`].
    pub fn div_rem(&self, a: &[u64], b: &[u64]) -> Result<(Vec<u64>, Vec<u64>), DivisionByZero> {
        let lengths = Lengths::BUILT_IN;
        let divide = Divide {
            multiplier: self,
            lengths,
        };
        divide.div_rem(trim(a), trim(b))
    }
}

impl Divide<'_> {
    /// Quotient and remainder; no operand has a zero limb at its end.
    pub fn div_rem(&self, a: &[u64], b: &[u64]) -> Result<(Vec<u64>, Vec<u64>), DivisionByZero> {
        let Some(&top) = b.last() else {
            return Err(DivisionByZero);
        };
        if cmp(a, b) == Ordering::Less {
            return Ok((Vec::new(), a.to_vec()));
        }
        if b.len() == 1 {
            let mut quotient = a.to_vec();
            let mut remainder = vec![divide_by_word(&mut quotient, top)];
            truncate_zeros(&mut quotient);
            truncate_zeros(&mut remainder);
            return Ok((quotient, remainder));
        }
        let zeros = top.leading_zeros();
        let mut remainder = Vec::with_capacity(a.len() + 1);
        remainder.extend_from_slice(a);
        let over = shl_assign(&mut remainder, zeros);
        // The high limbs must be below the divisor.
        remainder.push(over);
        let mut quotient = vec![0; remainder.len() - b.len()];
        if zeros == 0 {
            self.normalized(&mut quotient, &mut remainder, b);
        } else {
            let mut divisor = b.to_vec();
            shl_assign(&mut divisor, zeros);
            self.normalized(&mut quotient, &mut remainder, &divisor);
        }
        remainder.truncate(b.len());
        shr_assign(&mut remainder, zeros);
        truncate_zeros(&mut quotient);
        truncate_zeros(&mut remainder);
        Ok((quotient, remainder))
    }

    /// The quotient into `quotient`, the remainder into the low limbs of `a`; limbs above are zero then.
    ///
    /// The dividend has as many limbs as quotient and divisor together, and its high limbs are below the divisor, whose top bit
    /// is set.
    pub fn normalized(&self, quotient: &mut [u64], a: &mut [u64], divisor: &[u64]) {
        let m = divisor.len();
        let shorter = quotient.len().min(m);
        if shorter < self.lengths.recursive {
            return schoolbook::divide(quotient, a, divisor);
        }
        if shorter >= self.lengths.newton {
            return self.newton(quotient, a, divisor);
        }
        let mut scratch = vec![0; m];
        let mut end = quotient.len();
        while end > 0 {
            // The first block takes what others leave.
            let start = (end - 1) / m * m;
            let (block, window) = (&mut quotient[start..end], &mut a[start..end + m]);
            self.recursive(block, window, divisor, &mut scratch);
            end = start;
        }
    }
}
