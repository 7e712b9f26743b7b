//! A divisor with its reciprocal, kept for many dividends.

use super::reciprocal::reciprocal;
use super::word::TwoLimbs;
use super::{Divide, shifted};
use crate::scratch::with_limbs;
use sunzi_rns::limbs::{cmp, shl};

/// What takes part in every division by a divisor.
#[derive(Clone, Debug)]
pub struct Kept {
    /// By how many bits the divisor is shifted.
    zeros: u32,
    shifted: Vec<u64>,
    leading: TwoLimbs,
    /// As many limbs as the divisor's and one more, or none of a short divisor.
    inverse: Vec<u64>,
}

impl Kept {
    /// Of a divisor that is not empty and has no zero at its end.
    pub fn new(divide: &Divide, divisor: &[u64]) -> Self {
        let zeros = divisor.last().map_or(0, |top| top.leading_zeros());
        let mut shifted = vec![0; divisor.len()];
        shl(&mut shifted, divisor, zeros);
        let inverse = match divisor.len() >= divide.lengths.kept {
            true => reciprocal(divide.multiplier, &shifted, shifted.len()),
            false => Vec::new(),
        };
        Self {
            leading: TwoLimbs::of(&shifted),
            zeros,
            shifted,
            inverse,
        }
    }

    /// What is made of quotient and remainder of a number by the divisor, both without zeros at their ends; nor have these.
    pub fn divided<T>(
        &self,
        divide: &Divide,
        [a, b]: [&[u64]; 2],
        make: impl FnOnce(&[u64], &[u64]) -> T,
    ) -> T {
        if cmp(a, b).is_lt() {
            return make(&[], a);
        }
        let by = |quotient: &mut [u64], a: &mut [u64]| {
            if self.inverse.is_empty() || quotient.len() < divide.lengths.kept {
                divide.by_leading_limbs(quotient, a, &self.shifted, self.leading);
            } else {
                divide.newton(quotient, a, &self.shifted, &self.inverse);
            }
        };
        with_limbs(2 * (a.len() + 1) - b.len(), |scratch| {
            shifted(scratch, [a, b], self.zeros, by, make)
        })
    }
}
