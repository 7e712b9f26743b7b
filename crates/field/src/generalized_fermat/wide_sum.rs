//! Sums of products of digits, three words each, and how elements come of them.

use super::digits::Digits;
use super::unnormalized::Unnormalized;
use crate::word_modulus::WordModulus;

/// A sum of products of digits, three words: K products of words stay below 2^192.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct WideSum {
    high: u64,
    low: u128,
}

impl WideSum {
    /// `high·2^128 + low`.
    pub(super) const fn new(high: u64, low: u128) -> Self {
        Self { high, low }
    }

    /// The words of [`WideSum::new`].
    pub(super) const fn words(self) -> (u64, u128) {
        (self.high, self.low)
    }

    /// `a·b`.
    #[inline(always)]
    pub(super) const fn of_product(a: u128, b: u64) -> Self {
        let low = a as u64 as u128 * b as u128;
        let high = (a >> 64) * b as u128 + (low >> 64);
        Self {
            high: (high >> 64) as u64,
            low: high << 64 | low as u64 as u128,
        }
    }

    /// The products of the digits of x from the first and of y from the last on.
    #[inline(always)]
    pub(super) fn of_products(x: &[u64], y: &[u64]) -> Self {
        let mut sum = Self::default();
        for (&x, &y) in x.iter().zip(y.iter().rev()) {
            let (low, carry) = sum.low.overflowing_add(u128::from(x) * u128::from(y));
            sum.low = low;
            sum.high += u64::from(carry);
        }
        sum
    }

    /// `self + other`.
    #[inline(always)]
    pub(super) const fn plus(self, other: Self) -> Self {
        let (low, carry) = self.low.overflowing_add(other.low);
        Self {
            high: self.high + other.high + carry as u64,
            low,
        }
    }

    /// `self − other`, which is not negative.
    #[inline(always)]
    pub(super) const fn minus(self, other: Self) -> Self {
        let (low, borrow) = self.low.overflowing_sub(other.low);
        Self {
            high: self.high - other.high - borrow as u64,
            low,
        }
    }

    /// ⌊self/2⌋.
    pub(super) const fn halved(self) -> Self {
        Self {
            high: self.high >> 1,
            low: (self.high as u128) << 127 | self.low >> 1,
        }
    }

    /// Quotient and rest by r of a sum of at most `2^14·r²`: the quotient is at most `2^14·r`.
    #[inline(always)]
    fn div_rem(self, radix: &WordModulus) -> (u128, u64) {
        // It is below r·2^64, as 2^14·r < 2^128.
        let top = u128::from(self.high) << 64 | self.low >> 64;
        let (high, rest) = radix.div_rem_wide(top);
        let (low, rest) = radix.div_rem_wide(u128::from(rest) << 64 | u128::from(self.low as u64));
        (u128::from(high) << 64 | u128::from(low), rest)
    }
}

/// The element `Σ u_i·r^i` of coefficients u_i of at most `bound·r²`, told by whether they are negative
/// and their magnitude; `bound` is at most 2^14.
#[inline(always)]
pub(super) fn finish<const K: usize>(
    radix: &WordModulus,
    bound: i128,
    coefficient: impl Fn(usize) -> (bool, WideSum),
) -> Digits<K> {
    divided(radix, coefficient).normalize(bound + 2, radix)
}

/// The same number by digits that are below `(bound + 2)·r` in absolute value: each coefficient by its quotient and rest by r.
#[inline(always)]
pub(super) fn divided<const K: usize>(
    radix: &WordModulus,
    coefficient: impl Fn(usize) -> (bool, WideSum),
) -> Unnormalized<K> {
    let mut out = Unnormalized::<K>::zero();
    for i in 0..K {
        let (negative, magnitude) = coefficient(i);
        let (quotient, rest) = magnitude.div_rem(radix);
        // Without branches, as signs are unpredictable.
        let sign = -i128::from(negative);
        out.add(i, (i128::from(rest) ^ sign) - sign);
        out.add(i + 1, (quotient as i128 ^ sign) - sign);
    }
    out
}
