//! The schoolbook product: every digit times every digit.
//!
//! **Problem.** `x·y mod r^K + 1`, for any r. **Algorithm.** The product of the digits' polynomials modulo `T^K + 1`: K²
//! products of words and three divisions of words a digit (thesis, Algorithm 3). A coefficient u_i is a sum of K
//! products, of both signs: |u_i| ≤ K·r².
//!
//! Of two digits, u1 = x0·y1 + x1·y0 is divided by r; its quotient is taken from u0 = x0·y0 − x1·y1, as r² = −1, and
//! then that is divided. So there are two divisions, each of less than `r·2^64` once a multiple of that is added or taken
//! off. **Bounds.** `0 ≤ u1 < 2·r²` and `−r² ≤ u0 − ⌊u1/r⌋ < r²`, so that the second quotient is from −r to r − 1: where
//! x0 and y0 are not 0, `u1/r ≤ x0 + y0 ≤ x0·y0 + 1`, and else one term of u1 is left. **Floor.** Four products of words
//! and two divisions, one after the other: some 45 cycles.

use super::digits::Digits;
use super::unnormalized::Unnormalized;
use super::wide_sum::{WideSum, finish};
use crate::word_modulus::WordModulus;

/// `x·y`.
pub(super) fn multiply<const K: usize>(
    radix: &WordModulus,
    x: &Digits<K>,
    y: &Digits<K>,
) -> Digits<K> {
    if K == 2 {
        return multiply_pairs(radix, x, y);
    }
    let (Digits(x), Digits(y)) = (x, y);
    finish(radix, K as i128, |i| {
        let positive = WideSum::of_products(&x[..=i], &y[..=i]);
        let negative = WideSum::of_products(&x[i + 1..], &y[i + 1..]);
        if positive >= negative {
            (false, positive.minus(negative))
        } else {
            (true, negative.minus(positive))
        }
    })
}

/// `x·y` for two digits.
#[inline]
pub(super) fn multiply_pairs<const K: usize>(
    radix: &WordModulus,
    Digits(x): &Digits<K>,
    Digits(y): &Digits<K>,
) -> Digits<K> {
    debug_assert!(K == 2);
    let wide = |a: u64, b: u64| u128::from(a) * u128::from(b);
    let top = u128::from(radix.get()) << 64;

    let (sum, carry) = wide(x[0], y[1]).overflowing_add(wide(x[1], y[0]));
    let reaches = carry | (sum >= top);
    let sum = sum.wrapping_sub(if reaches { top } else { 0 });
    let (quotient, upper) = radix.div_rem_wide(sum);
    let quotient = u128::from(quotient) + (u128::from(reaches) << 64);

    let taken = wide(x[1], y[1]) + quotient;
    let (difference, borrow) = wide(x[0], y[0]).overflowing_sub(taken);
    let difference = difference.wrapping_add(if borrow { top } else { 0 });
    let (quotient, lower) = radix.div_rem_wide(difference);

    let mut digits = Unnormalized::zero();
    digits.0[0] = lower.into();
    digits.0[1] = i128::from(upper) + i128::from(quotient) - (i128::from(borrow) << 64);
    digits.carry(radix.get())
}
