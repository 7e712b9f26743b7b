//! Products by halves.
//!
//! **Problem.** `x·y mod r^K + 1` with fewer than K² products of words. **Algorithm.** With
//! `x = x0 + x1·r^m` and m = K/2, `x·y = x0·y0 − x1·y1 + r^m·((x0 + x1)·(y0 + y1) − x0·y0 − x1·y1)`, as
//! r^2m = −1, and each of the three products is found likewise (A. Karatsuba and Y. Ofman, 1962).
//! A sum of halves is carried, so that its digits are words for any r: it has m digits and a bit, which
//! adds the other sum m digits higher. So what comes of it is not the product of the digits'
//! polynomials, but one of the same value at r.
//!
//! **Bounds.** A coefficient for m digits is at most `m·r²` at the base case, and at most five times
//! that of half as many digits one step up: 2^14·r² from 16 to 256 digits.
//!
//! **Floor.** (3/4)^s·K² products of words for s steps, and 30·m operations on words in a step.

use super::digits::Digits;
use super::wide_sum::{WideSum, finish};
use crate::word_modulus::WordModulus;

/// Digits of the base case.
const BASE: usize = 16;
/// A coefficient's bound, over r².
const BOUND: i128 = 1 << 14;

/// A signed sum of products of digits: three words in two's complement.
#[derive(Clone, Copy, Default)]
struct Wide {
    low: u128,
    high: i64,
}

impl Wide {
    fn plus(self, other: Self) -> Self {
        let (low, carry) = self.low.overflowing_add(other.low);
        let high = self.high + other.high + i64::from(carry);
        Self { low, high }
    }

    fn minus(self, other: Self) -> Self {
        let (low, borrow) = self.low.overflowing_sub(other.low);
        let high = self.high - other.high - i64::from(borrow);
        Self { low, high }
    }

    /// Whether it is negative, and its magnitude.
    fn magnitude(self) -> (bool, WideSum) {
        let negative = self.high < 0;
        let positive = if negative {
            Self::default().minus(self)
        } else {
            self
        };
        (negative, WideSum::new(positive.high as u64, positive.low))
    }
}

/// `x·y`.
pub(super) fn multiply<const K: usize>(
    radix: &WordModulus,
    Digits(x): &Digits<K>,
    Digits(y): &Digits<K>,
) -> Digits<K> {
    let m = K / 2;
    // Of a half and its recursion: 2m for the product here, as many below.
    let mut words = [[0; K]; 2];
    let mut scratch = [[Wide::default(); K]; 2];
    let mut low = [Wide::default(); K];
    let mut high = [Wide::default(); K];
    let mut middle = [Wide::default(); K];
    let r = radix.get();
    let (words, scratch) = (words.as_flattened_mut(), scratch.as_flattened_mut());
    product(r, &x[..m], &y[..m], &mut low, words, scratch);
    product(r, &x[m..], &y[m..], &mut high, words, scratch);
    product_of_sums(r, x.split_at(m), y.split_at(m), &mut middle, words, scratch);
    let mut sums = [Wide::default(); K];
    for (i, sum) in sums.iter_mut().enumerate() {
        *sum = low[i].minus(high[i]);
    }
    for i in 0..K {
        let middle = middle[i].minus(low[i]).minus(high[i]);
        if i < m {
            sums[i + m] = sums[i + m].plus(middle);
        } else {
            sums[i - m] = sums[i - m].minus(middle);
        }
    }
    finish(radix, BOUND, |i| sums[i].magnitude())
}

/// Coefficients of `x·y`, twice as many as there are digits; what was in `out` is lost. The rows of
/// scratch are twice as long as x, at least.
fn product(
    radix: u64,
    x: &[u64],
    y: &[u64],
    out: &mut [Wide],
    words: &mut [u64],
    scratch: &mut [Wide],
) {
    let n = x.len();
    if n <= BASE {
        let (last, out) = out.split_last_mut().expect("a digit at least");
        *last = Wide::default();
        for (i, out) in out.iter_mut().enumerate() {
            let (from, to) = (i.saturating_sub(n - 1), i.min(n - 1));
            let (high, low) = WideSum::of_products(&x[from..=to], &y[i - to..=i - from]).words();
            *out = Wide {
                low,
                high: high as i64,
            };
        }
        return;
    }
    let m = n / 2;
    let (low, high) = out.split_at_mut(n);
    product(radix, &x[..m], &y[..m], low, words, scratch);
    product(radix, &x[m..], &y[m..], high, words, scratch);
    let (middle, scratch) = scratch.split_at_mut(n);
    product_of_sums(radix, x.split_at(m), y.split_at(m), middle, words, scratch);
    for i in 0..n {
        middle[i] = middle[i].minus(out[i]).minus(out[i + n]);
    }
    for (out, &middle) in out[m..].iter_mut().zip(&*middle) {
        *out = out.plus(middle);
    }
}

/// Coefficients of the product of the sums of two halves each.
fn product_of_sums(
    radix: u64,
    (x0, x1): (&[u64], &[u64]),
    (y0, y1): (&[u64], &[u64]),
    out: &mut [Wide],
    words: &mut [u64],
    scratch: &mut [Wide],
) {
    let m = x0.len();
    let (x, words) = words.split_at_mut(m);
    let (y, words) = words.split_at_mut(m);
    let x_carry = sum(radix, x0, x1, x);
    let y_carry = sum(radix, y0, y1, y);
    product(radix, x, y, out, words, scratch);
    let one = |low: u64| Wide {
        low: low.into(),
        high: 0,
    };
    for (out, (&x, &y)) in out[m..].iter_mut().zip(x.iter().zip(&*y)) {
        if x_carry {
            *out = out.plus(one(y));
        }
        if y_carry {
            *out = out.plus(one(x));
        }
    }
    if x_carry && y_carry {
        // r^(2m), written as r·r^(2m − 1).
        out[2 * m - 1] = out[2 * m - 1].plus(one(radix));
    }
}

/// `x + y` in radix r, and whether a digit more is 1. The digits are below r, or r where the top one of
/// an operand is.
fn sum(radix: u64, x: &[u64], y: &[u64], out: &mut [u64]) -> bool {
    let mut carry = false;
    for (out, (&x, &y)) in out.iter_mut().zip(x.iter().zip(y)) {
        let total = u128::from(x) + u128::from(y) + u128::from(carry);
        carry = total >= u128::from(radix);
        *out = (total - if carry { radix.into() } else { 0 }) as u64;
    }
    carry
}
