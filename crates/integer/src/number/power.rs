//! Powers, and powers modulo a number.

use super::division::by_zero;
use super::residues::{PowerOfTwo, Residues, inverse_of_odd_limbs, power_modulo_odd};
use super::{Integer, Natural};
use crate::multiplier::Multiplier;
use crate::scratch::with_limbs;
use std::mem;
use sunzi_field::WordModulus;
use sunzi_rns::limbs::trim;

impl Natural {
    /// The power. 0 to the power of 0 is 1.
    ///
    /// O(M(n)) operations for n limbs of the result.
    ///
    /// ```
    /// # use sunzi::Natural;
    /// assert_eq!(Natural::from(3u32).pow(100).to_string(), "515377520732011331036461129765621272702107522001");
    /// ```
    ///
    /// # Panics
    /// If memory ends.
    #[must_use]
    pub fn pow(&self, exponent: usize) -> Self {
        let zeros = match self.trailing_zeros() {
            _ if exponent == 0 => return Self::ONE,
            None => return Self::ZERO,
            Some(0) => return self.odd_power(exponent),
            Some(zeros) => zeros,
        };
        let shift = zeros.checked_mul(exponent);
        let shift = shift.expect("the power has more bits than there is memory");
        (self >> zeros).odd_power(exponent) << shift
    }

    /// The power of an odd number, for an exponent above 0: squares and products go to and fro between two rows of limbs.
    fn odd_power(&self, exponent: usize) -> Self {
        if self.is_one() || exponent == 1 {
            return self.clone();
        }
        let base = self.as_limbs();
        // A product has up to a limb more than the numbers of bits tell.
        let limbs = self.bit_len().saturating_mul(exponent) / 64 + 2;
        with_limbs(limbs.saturating_mul(2), |scratch| {
            let (mut power, mut next) = scratch.split_at_mut(limbs);
            let mut len = base.len();
            power[..len].copy_from_slice(base);
            let multiplier = Multiplier::shared();
            for bit in (0..exponent.ilog2()).rev() {
                multiplier.sqr(&mut next[..2 * len], &power[..len]);
                len = trim(&next[..2 * len]).len();
                mem::swap(&mut power, &mut next);
                if exponent >> bit & 1 == 1 {
                    let product = len + base.len();
                    multiplier.mul(&mut next[..product], &power[..len], base);
                    len = trim(&next[..product]).len();
                    mem::swap(&mut power, &mut next);
                }
            }
            Self::from_slice(&power[..len])
        })
    }

    /// The power modulo a number that is not 0.
    ///
    /// ```
    /// # use sunzi::Natural;
    /// let p: Natural = (Natural::ONE << 521) - 1;
    /// assert_eq!(Natural::from(3u32).pow_mod(&(&p - 1), &p), 1);
    /// ```
    ///
    /// # Panics
    /// If the modulus is 0.
    #[must_use]
    #[track_caller]
    pub fn pow_mod(&self, exponent: &Self, modulus: &Self) -> Self {
        let Some(zeros) = modulus.trailing_zeros() else {
            by_zero();
        };
        if exponent.is_zero() {
            return Self::from(u64::from(!modulus.is_one()));
        }
        if zeros == 0 {
            return power_modulo_odd(self, exponent, modulus);
        }
        if let Some(word) = modulus.word() {
            let base = self.rem_word(word);
            return Self::from(WordModulus::new(word).power(base, exponent));
        }
        // Modulo N·2^k with odd N: x modulo N, and y modulo 2^k, are both x + N·((y − x)·N⁻¹ modulo 2^k).
        let y = PowerOfTwo { bits: zeros }.power(self.low_bits(zeros), exponent);
        let odd = modulus >> zeros;
        if odd.is_one() {
            return y;
        }
        let x = power_modulo_odd(self, exponent, &odd);
        let inverse = Self::from_limbs(inverse_of_odd_limbs(odd.as_limbs(), zeros.div_ceil(64)));
        let difference = (Self::ONE << zeros) + y - x.low_bits(zeros);
        x + odd * (difference * inverse).low_bits(zeros)
    }
}

impl Integer {
    /// The power. 0 to the power of 0 is 1.
    ///
    /// ```
    /// # use sunzi::Integer;
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
    /// # use sunzi::Integer;
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
