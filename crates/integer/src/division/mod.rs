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
use sunzi_rns::limbs::{cmp, shl_assign, shr_assign, trim};
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
    /// Measured with AVX2 on a core of an AMD EPYC (Zen 3), for quotients as long as divisors.
    pub const BUILT_IN: Self = Self {
        recursive: 32,
        newton: 1350,
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

/// Most limbs of dividends for which no memory is asked: they and what they become fit the stack.
const ON_STACK: usize = 32;

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
        // The dividend and a limb more, the divisor, the quotient.
        let limbs = 2 * (a.len() + 1);
        let mut on_stack = [0; 2 * (ON_STACK + 1)];
        let mut on_heap = Vec::new();
        let scratch = if a.len() <= ON_STACK {
            &mut on_stack[..limbs]
        } else {
            on_heap.resize(limbs, 0);
            &mut on_heap[..]
        };
        let (remainder, rest) = scratch.split_at_mut(a.len() + 1);
        let (divisor, quotient) = rest.split_at_mut(b.len());
        let zeros = b[b.len() - 1].leading_zeros();
        divisor.copy_from_slice(b);
        shl_assign(divisor, zeros);
        // The high limbs must be below the divisor.
        remainder[..a.len()].copy_from_slice(a);
        remainder[a.len()] = shl_assign(&mut remainder[..a.len()], zeros);
        self.normalized(quotient, remainder, divisor);
        let remainder = &mut remainder[..b.len()];
        shr_assign(remainder, zeros);
        Ok(make(trim(quotient), trim(remainder)))
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
