//! Greatest common divisors of numbers of one or two limbs.
//!
//! **Algorithms.** J. Stein's binary one (1967): both numbers odd, their difference is shifted until it is odd again, about 0.7 times for each
//! bit; what is larger is chosen without a branch, as no processor could foretell it. With cofactors Euclid's, by divisions: the quotients
//! are as hard to foretell.

use super::leading::{Matrix, ONE};

/// The greatest common divisor of two words; 0 of two zeros.
#[inline]
pub(crate) fn gcd_of_words(a: u64, b: u64) -> u64 {
    if a == 0 || b == 0 {
        return a | b;
    }
    let twos = (a | b).trailing_zeros();
    gcd_of_odd_words(a >> a.trailing_zeros(), b >> b.trailing_zeros()) << twos
}

#[inline]
fn gcd_of_odd_words(mut a: u64, mut b: u64) -> u64 {
    while a != b {
        let (difference, less) = a.overflowing_sub(b);
        // The difference tells the zeros at its end before it is known which is larger.
        let zeros = difference.trailing_zeros();
        b = if less { a } else { b };
        a = absolute(difference, less) >> zeros;
    }
    a
}

/// A difference whose borrow is known.
#[inline(always)]
fn absolute(difference: u64, less: bool) -> u64 {
    if less {
        difference.wrapping_neg()
    } else {
        difference
    }
}

/// The greatest common divisor of numbers of at most two limbs; 0 of two zeros.
pub(crate) fn gcd_of_two_limbs(mut a: u128, mut b: u128) -> u128 {
    if a == 0 || b == 0 {
        return a | b;
    }
    let twos = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    b >>= b.trailing_zeros();
    while (a | b) >> 64 != 0 {
        let (difference, less) = a.overflowing_sub(b);
        b = if less { a } else { b };
        let mask = if less { u128::MAX } else { 0 };
        a = (difference ^ mask).wrapping_sub(mask);
        let mut low = a as u64;
        let mut high = (a >> 64) as u64;
        if low == 0 {
            if high == 0 {
                return b << twos;
            }
            (low, high) = (high, 0);
        }
        // Fewer than 64: a shift of both limbs at once would ask.
        let zeros = low.trailing_zeros();
        low = low >> zeros | high << 1 << (63 - zeros);
        a = u128::from(high >> zeros) << 64 | u128::from(low);
    }
    u128::from(gcd_of_odd_words(a as u64, b as u64)) << twos
}

/// What Euclid's algorithm finds for two words, not both 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Euclid {
    pub gcd: u64,
    /// Which of the two numbers is left, the other being 0 then.
    pub left: usize,
    /// (x, y) = M·(what is left): of determinant 1, no entry above a number divided by the divisor.
    pub matrix: Matrix,
}

/// All steps for two words.
#[inline]
pub(crate) fn euclid(mut x: u64, mut y: u64) -> Euclid {
    let [[mut u, mut v], [mut u1, mut v1]] = ONE;
    let found = |gcd, left, matrix| Euclid { gcd, left, matrix };
    loop {
        if y == 0 {
            return found(x, 0, [[u, v], [u1, v1]]);
        }
        let q = x / y;
        (x, v, v1) = (x % y, v + q * u, v1 + q * u1);
        if x == 0 {
            return found(y, 1, [[u, v], [u1, v1]]);
        }
        let q = y / x;
        (y, u, u1) = (y % x, u + q * v, u1 + q * v1);
    }
}
