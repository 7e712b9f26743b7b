//! Powers, and powers modulo a number.
//!
//! **Algorithms.** By squares from the exponent's highest bit downward; modulo an odd number N in windows of bits over odd powers, reduced
//! as P. Montgomery does (1985), with whole operands for digits: for R = 2^(64n) and M = −N⁻¹ modulo R, x·R⁻¹ ≡ (x + (x·M mod R)·N)/R,
//! which is below 2·N if x is below R·N. So it takes two products of n limbs, whose algorithms are the fastest for that length. Modulo an
//! even number, products are divided.

use super::{Integer, Natural};
use crate::multiplier::Multiplier;
use std::cmp::Ordering;
use sunzi_rns::limbs::{add_1, add_assign, cmp, negate, sub_assign, trim};

impl Natural {
    /// The power. 0 to the power of 0 is 1.
    ///
    /// O(M(n)) operations for n limbs of the result.
    ///
    /// ```
    /// # use sunzi_integer::Natural;
    /// assert_eq!(Natural::from(3u32).pow(100).to_string(), "515377520732011331036461129765621272702107522001");
    /// ```
    ///
    /// # Panics
    /// If memory ends.
    #[must_use]
    pub fn pow(&self, exponent: usize) -> Self {
        let Some(zeros) = self.trailing_zeros() else {
            return Self::from(exponent == 0);
        };
        let odd = self >> zeros;
        let shift = zeros.checked_mul(exponent);
        let shift = shift.expect("the power has more bits than there is memory");
        if odd.is_one() {
            return odd << shift;
        }
        let mut power = Self::ONE;
        for bit in (0..usize::BITS - exponent.leading_zeros()).rev() {
            power = power.square();
            if exponent >> bit & 1 == 1 {
                power *= &odd;
            }
        }
        power << shift
    }

    /// The power modulo a number that is not 0.
    ///
    /// ```
    /// # use sunzi_integer::Natural;
    /// let p: Natural = (Natural::ONE << 521) - 1;
    /// assert_eq!(Natural::from(3u32).pow_mod(&(&p - 1), &p), 1);
    /// ```
    ///
    /// # Panics
    /// If the modulus is 0.
    #[must_use]
    #[track_caller]
    pub fn pow_mod(&self, exponent: &Self, modulus: &Self) -> Self {
        let base = self % modulus;
        if modulus.is_one() {
            return Self::ZERO;
        }
        if modulus.is_even() {
            let reduced = |a: &Self, b: &Self| a * b % modulus;
            return windows(&base, exponent, Self::ONE, reduced);
        }
        let montgomery = Montgomery::new(modulus);
        let (base, one) = (montgomery.residue(&base), montgomery.residue(&Self::ONE));
        let power = windows(&base, exponent, one, |a, b| montgomery.product(a, b));
        montgomery.product(&power, &Self::ONE)
    }
}

impl Integer {
    /// The power. 0 to the power of 0 is 1.
    ///
    /// ```
    /// # use sunzi_integer::Integer;
    /// assert_eq!(Integer::from(-3).pow(3), -27);
    /// ```
    ///
    /// # Panics
    /// If memory ends.
    #[must_use]
    pub fn pow(&self, exponent: usize) -> Self {
        Self::from_sign_magnitude(
            self.negative && exponent % 2 == 1,
            self.magnitude.pow(exponent),
        )
    }

    /// The power modulo a number, from 0 below the modulus's absolute value: `None` if that is 0, or if the exponent is negative and there
    /// is no inverse.
    ///
    /// ```
    /// # use sunzi_integer::Integer;
    /// let (three, seven) = (Integer::from(3), Integer::from(7));
    /// assert_eq!(three.pow_mod(&(-1).into(), &seven), Some(Integer::from(5)));
    /// assert_eq!(seven.pow_mod(&(-1).into(), &seven), None);
    /// ```
    #[must_use]
    pub fn pow_mod(&self, exponent: &Self, modulus: &Self) -> Option<Self> {
        if modulus.is_zero() {
            return None;
        }
        let base = match exponent.negative {
            true => self.inverse_mod(modulus)?,
            false => self.rem_euclid(modulus),
        };
        let power = base
            .magnitude
            .pow_mod(&exponent.magnitude, &modulus.magnitude);
        Some(power.into())
    }
}

/// The power by a product that reduces, in windows that begin and end with a one.
fn windows(
    base: &Natural,
    exponent: &Natural,
    one: Natural,
    product: impl Fn(&Natural, &Natural) -> Natural,
) -> Natural {
    let bits = exponent.bit_len();
    // Powers that are computed beforehand are as many as save more products than they take.
    let width = match bits {
        0..8 => 1,
        8..36 => 2,
        36..140 => 3,
        140..450 => 4,
        450..1303 => 5,
        1303..3529 => 6,
        _ => 7,
    };
    let square = product(base, base);
    let mut odd_powers = vec![base.clone()];
    for i in 1..1 << (width - 1) {
        odd_powers.push(product(&odd_powers[i - 1], &square));
    }
    let mut power = one;
    let mut end = bits;
    while end > 0 {
        if !exponent.bit(end - 1) {
            power = product(&power, &power);
            end -= 1;
            continue;
        }
        let mut start = end.saturating_sub(width);
        while !exponent.bit(start) {
            start += 1;
        }
        let window = sunzi_rns::limbs::bits(exponent.as_limbs(), start, end - start);
        for _ in start..end {
            power = product(&power, &power);
        }
        power = product(&power, &odd_powers[window as usize / 2]);
        end = start;
    }
    power
}

/// An odd modulus N above 1 of n limbs, and −N⁻¹ modulo R = 2^(64n). A residue x is kept as x·R modulo N.
struct Montgomery<'a> {
    modulus: &'a Natural,
    inverse: Vec<u64>,
}

impl<'a> Montgomery<'a> {
    fn new(modulus: &'a Natural) -> Self {
        let n = modulus.as_limbs();
        // Right modulo 2^3, and each step of Newton's iteration doubles the number of right bits (K. Hensel's lemma).
        let mut word = n[0];
        for _ in 0..5 {
            word = word.wrapping_mul(2u64.wrapping_sub(n[0].wrapping_mul(word)));
        }
        let mut inverse = vec![word];
        let multiplier = Multiplier::shared();
        while inverse.len() < n.len() {
            let len = n.len().min(2 * inverse.len());
            // I·(2 − N·I) modulo 2^(64·len).
            let mut factor = multiplier.product_of(&n[..len], &inverse);
            factor.truncate(len);
            negate(&mut factor);
            add_assign(&mut factor, &[2]);
            inverse = multiplier.product_of(&factor, &inverse);
            inverse.truncate(len);
        }
        negate(&mut inverse);
        Self { modulus, inverse }
    }

    /// x·R modulo N.
    fn residue(&self, x: &Natural) -> Natural {
        (x << (64 * self.inverse.len())) % self.modulus
    }

    /// a·b/R modulo N, for a and b below N.
    fn product(&self, a: &Natural, b: &Natural) -> Natural {
        let multiplier = Multiplier::shared();
        let (modulus, n) = (self.modulus.as_limbs(), self.inverse.len());
        let product = a * b;
        let product = product.as_limbs();
        let (low, high) = product.split_at(product.len().min(n));
        let mut quotient = multiplier.product_of(trim(low), &self.inverse);
        quotient.truncate(n);
        let multiple = multiplier.product_of(trim(&quotient), modulus);
        // The low limbs of both cancel: their sum is R unless they are zero.
        let mut reduced = multiple.get(n..).unwrap_or_default().to_vec();
        reduced.resize(n, 0);
        let mut carry = add_assign(&mut reduced, high);
        carry += add_1(&mut reduced, u64::from(!trim(low).is_empty()));
        if carry != 0 || cmp(&reduced, modulus) != Ordering::Less {
            sub_assign(&mut reduced, modulus);
        }
        Natural::from_limbs(reduced)
    }
}
