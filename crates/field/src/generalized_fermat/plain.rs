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
    #[inline(always)]
    fn add_product(&mut self, a: u64, b: u64) {
        let (low, carry) = self.low.overflowing_add(u128::from(a) * u128::from(b));
        self.low = low;
        self.high += u64::from(carry);
    }

    /// `self − other`, which is not negative.
    fn minus(self, other: Self) -> Self {
        let (low, borrow) = self.low.overflowing_sub(other.low);
        Self {
            high: self.high - other.high - u64::from(borrow),
            low,
        }
    }

    /// The digits `[l, h, c]` with `self = l + h·r + c·r²`, of a sum of at most `K·r²`: so c ≤ K.
    fn digits(self, radix: &WordModulus) -> [u64; 3] {
        // A high word means that K·r² ≥ 2^128, so r ≥ 2^60: it is below r.
        let top = u128::from(self.high) << 64 | self.low >> 64;
        let (middle, rest) = radix.div_rem_wide(top);
        let (low, l) = radix.div_rem_wide(u128::from(rest) << 64 | u128::from(self.low as u64));
        // The quotient is at most K·r, so its upper word is at most K, and 0 where r < 2^56.
        let (c, h) = radix.div_rem_wide(u128::from(middle) << 64 | u128::from(low));
        [l, h, c]
    }
}

/// `x·y`: the product of the digits' polynomials modulo `T^K + 1`, K² products of words and three
/// divisions a digit (thesis, Algorithm 3).
///
/// A coefficient u_i is a sum of K products, of both signs: |u_i| ≤ K·r².
pub(super) fn multiply<const K: usize>(
    radix: &WordModulus,
    Digits(x): &Digits<K>,
    Digits(y): &Digits<K>,
) -> Digits<K> {
    let mut out = Unnormalized::<K>::zero();
    for i in 0..K {
        let (mut positive, mut negative) = (Sum::default(), Sum::default());
        for j in 0..=i {
            positive.add_product(x[j], y[i - j]);
        }
        for j in i + 1..K {
            negative.add_product(x[j], y[K + i - j]);
        }
        let (sign, magnitude) = if positive >= negative {
            (1, positive.minus(negative))
        } else {
            (-1, negative.minus(positive))
        };
        for (power, digit) in magnitude.digits(radix).into_iter().enumerate() {
            out.add(i + power, sign * i128::from(digit));
        }
    }
    out.normalize(radix.get())
}
