//! Products by definition: every digit times every digit.

use super::digits::Digits;
use super::unnormalized::Unnormalized;
use crate::WordModulus;

/// A sum of products of digits, three words: K products of words stay below 2^192.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Sum {
    high: u64,
    low: u128,
}

impl Sum {
    /// The products of the digits of x from the first and of y from the last on.
    #[inline(always)]
    fn of_products(x: &[u64], y: &[u64]) -> Self {
        let mut sum = Self::default();
        for (&x, &y) in x.iter().zip(y.iter().rev()) {
            let (low, carry) = sum.low.overflowing_add(u128::from(x) * u128::from(y));
            sum.low = low;
            sum.high += u64::from(carry);
        }
        sum
    }

    /// `self − other`, which is not negative.
    fn minus(self, other: Self) -> Self {
        let (low, borrow) = self.low.overflowing_sub(other.low);
        Self {
            high: self.high - other.high - u64::from(borrow),
            low,
        }
    }

    /// Quotient and rest by r of a sum of at most `K·r²`: the quotient is at most `K·r`.
    #[inline(always)]
    fn div_rem(self, radix: &WordModulus) -> (u128, u64) {
        // A high word means that K·r² ≥ 2^128, so r ≥ 2^60: it is below r.
        let top = u128::from(self.high) << 64 | self.low >> 64;
        let (high, rest) = radix.div_rem_wide(top);
        let (low, rest) = radix.div_rem_wide(u128::from(rest) << 64 | u128::from(self.low as u64));
        (u128::from(high) << 64 | u128::from(low), rest)
    }
}

/// `x·y`: the product of the digits' polynomials modulo `T^K + 1`, K² products of words and three
/// divisions of words a digit (thesis, Algorithm 3).
///
/// A coefficient u_i is a sum of K products, of both signs: |u_i| ≤ K·r².
pub(super) fn multiply<const K: usize>(
    radix: &WordModulus,
    Digits(x): &Digits<K>,
    Digits(y): &Digits<K>,
) -> Digits<K> {
    let mut out = Unnormalized::<K>::zero();
    for i in 0..K {
        let positive = Sum::of_products(&x[..=i], &y[..=i]);
        let negative = Sum::of_products(&x[i + 1..], &y[i + 1..]);
        let (sign, magnitude) = if positive >= negative {
            (1, positive.minus(negative))
        } else {
            (-1, negative.minus(positive))
        };
        let (quotient, rest) = magnitude.div_rem(radix);
        out.add(i, sign * i128::from(rest));
        out.add(i + 1, sign * quotient as i128);
    }
    out.normalize(radix)
}
