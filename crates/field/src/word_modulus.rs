//! Arithmetic modulo one word, for any modulus: what the scalar operations of the fields and the
//! primality tests stand on.

use crate::LongInteger;

/// Arithmetic modulo a word n ≥ 1 with plain residues `0 ≤ x < n`.
///
/// Products are reduced with a precomputed reciprocal (Möller and Granlund, "Improved division by
/// invariant integers", 2011, Algorithm 4): two word products instead of a division.
///
/// A field is made of it when n is prime; by itself it serves where only the arithmetic is
/// wanted. Operands must be below n unless a method says otherwise; larger ones give unspecified
/// values.
///
/// ```
/// use sunzi_field::WordModulus;
///
/// let clock = WordModulus::new(12);
/// assert_eq!(clock.mul(7, 7), 1);
/// assert_eq!(clock.inv(7), Some(7));
/// assert_eq!(clock.inv(8), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WordModulus {
    modulus: u64,
    /// `modulus << shift`, with its top bit set.
    normalized: u64,
    /// `⌊(2^128 − 1) / normalized⌋ − 2^64`.
    reciprocal: u64,
    shift: u32,
}

impl WordModulus {
    /// Precomputes the reciprocal of `modulus`.
    ///
    /// # Panics
    /// If `modulus` is 0.
    pub const fn new(modulus: u64) -> Self {
        let shift = modulus.leading_zeros();
        let normalized = modulus << shift;
        let reciprocal = (u128::MAX / normalized as u128 - (1 << 64)) as u64;
        Self {
            modulus,
            normalized,
            reciprocal,
            shift,
        }
    }

    /// The modulus n.
    #[inline(always)]
    pub const fn get(&self) -> u64 {
        self.modulus
    }

    /// Quotient and rest of `high·2^64 + low` by `normalized`, for `high < normalized`.
    #[inline(always)]
    const fn divide(&self, high: u64, low: u64) -> (u64, u64) {
        let product = self.reciprocal as u128 * high as u128;
        let (fraction, carry) = (product as u64).overflowing_add(low);
        let mut quotient = ((product >> 64) as u64)
            .wrapping_add(high)
            .wrapping_add(carry as u64)
            .wrapping_add(1);
        let mut rest = low.wrapping_sub(quotient.wrapping_mul(self.normalized));
        if rest > fraction {
            quotient = quotient.wrapping_sub(1);
            rest = rest.wrapping_add(self.normalized);
        }
        if rest >= self.normalized {
            quotient = quotient.wrapping_add(1);
            rest -= self.normalized;
        }
        (quotient, rest)
    }

    /// Quotient and rest of `value` by n, for any `value < n·2^64`.
    ///
    /// ```
    /// assert_eq!(sunzi_field::WordModulus::new(12).div_rem_wide(100), (8, 4));
    /// ```
    #[inline(always)]
    pub const fn div_rem_wide(&self, value: u128) -> (u64, u64) {
        let shifted = value << self.shift;
        let (quotient, rest) = self.divide((shifted >> 64) as u64, shifted as u64);
        (quotient, rest >> self.shift)
    }

    /// `value` mod n for any `value < n·2^64`.
    #[inline(always)]
    pub const fn reduce_wide(&self, value: u128) -> u64 {
        self.div_rem_wide(value).1
    }

    /// `value` mod n.
    #[inline(always)]
    pub const fn reduce(&self, value: u64) -> u64 {
        if value < self.modulus {
            value
        } else {
            self.reduce_wide(value as u128)
        }
    }

    /// `a + b` mod n.
    #[inline(always)]
    pub const fn add(&self, a: u64, b: u64) -> u64 {
        // a − (n − b) never overflows, whereas a + b can.
        let complement = self.modulus - b;
        if a >= complement {
            a - complement
        } else {
            a.wrapping_sub(complement).wrapping_add(self.modulus)
        }
    }

    /// `a − b` mod n.
    #[inline(always)]
    pub const fn sub(&self, a: u64, b: u64) -> u64 {
        if a >= b {
            a - b
        } else {
            a.wrapping_sub(b).wrapping_add(self.modulus)
        }
    }

    /// `a · b` mod n.
    #[inline(always)]
    pub const fn mul(&self, a: u64, b: u64) -> u64 {
        self.reduce_wide(a as u128 * b as u128)
    }

    /// `base^exponent` mod n, for any `base`.
    pub fn pow(&self, base: u64, exponent: u64) -> u64 {
        let mut result = self.reduce(1);
        let base = self.reduce(base);
        for bit in (0..u64::BITS - exponent.leading_zeros()).rev() {
            result = self.mul(result, result);
            if exponent >> bit & 1 == 1 {
                result = self.mul(result, base);
            }
        }
        result
    }

    /// The limbs of a natural number (least significant first) mod n.
    pub fn reduce_limbs(&self, limbs: &[u64]) -> u64 {
        limbs.iter().rev().fold(0, |rest, &limb| {
            self.reduce_wide(u128::from(rest) << 64 | u128::from(limb))
        })
    }

    /// An integer of any sign mod n.
    pub fn reduce_integer(&self, value: &impl LongInteger) -> u64 {
        let (negative, limbs) = value.sign_and_limbs();
        self.reduce_signed_limbs(negative, limbs)
    }

    pub(crate) fn reduce_signed_limbs(&self, negative: bool, limbs: &[u64]) -> u64 {
        match self.reduce_limbs(limbs) {
            rest @ 1.. if negative => self.modulus - rest,
            rest => rest,
        }
    }

    /// The inverse of a unit, or `None`: extended Euclid.
    pub fn inv(&self, a: u64) -> Option<u64> {
        let (mut r0, mut r1) = (self.modulus, a);
        // s1·a ≡ r1 mod n; the cofactors stay below n in absolute value.
        let (mut s0, mut s1) = (0i128, 1i128);
        while r1 != 0 {
            let quotient = r0 / r1;
            (r0, r1) = (r1, r0 - quotient * r1);
            (s0, s1) = (s1, s0 - i128::from(quotient) * s1);
        }
        (r0 == 1).then(|| s0.rem_euclid(i128::from(self.modulus)) as u64)
    }

    /// ω = a^((p−1)/N) for N = 2^`log_n`, with a ≥ 2 the least quadratic non-residue, if n is an odd prime p;
    /// `None` when N does not divide p − 1.
    pub(crate) fn root_of_unity(&self, log_n: u32) -> Option<u64> {
        let order = self.get() - 1;
        if log_n > order.trailing_zeros() {
            return None;
        }
        Some(self.pow(self.least_non_residue(), order >> log_n))
    }

    /// The least a ≥ 2 that is no square modulo n, if n is an odd prime: half of 1 … n − 1 are none.
    pub(crate) fn least_non_residue(&self) -> u64 {
        let is_none = |&a: &u64| jacobi(a, self.get()) == -1;
        (2..self.get()).find(is_none).unwrap_or_default()
    }
}

/// The Jacobi symbol of a modulo an odd n: of a prime n it is −1 for quadratic non-residues, by reciprocity in as many steps as
/// Euclid's.
///
/// ```
/// use sunzi_field::primality::jacobi;
///
/// assert_eq!([1, 2, 3, 7].map(|a| jacobi(a, 7)), [1, 1, -1, 0]);
/// ```
#[must_use]
pub fn jacobi(mut a: u64, mut n: u64) -> i32 {
    let mut sign = 1;
    while a != 0 {
        let twos = a.trailing_zeros();
        a >>= twos;
        if twos % 2 == 1 && matches!(n % 8, 3 | 5) {
            sign = -sign;
        }
        if a % 4 == 3 && n % 4 == 3 {
            sign = -sign;
        }
        (a, n) = (n % a, a);
    }
    if n == 1 { sign } else { 0 }
}

/// Arithmetic modulo an odd prime below 2^31: what [`Fp32`](crate::Fp32) and its kernels of slices stand on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Modulus31 {
    prime: u32,
    /// `⌊(2^64 − 1) / p⌋`.
    reciprocal: u64,
}

impl Modulus31 {
    pub const fn new(prime: u32) -> Self {
        Self {
            prime,
            reciprocal: u64::MAX / prime as u64,
        }
    }

    #[inline(always)]
    pub const fn prime(&self) -> u32 {
        self.prime
    }

    #[inline(always)]
    pub const fn reduce(&self, value: u64) -> u32 {
        let quotient = ((value as u128 * self.reciprocal as u128) >> 64) as u64;
        let rest = value.wrapping_sub(quotient.wrapping_mul(self.prime as u64));
        let prime = self.prime as u64;
        (if rest >= prime { rest - prime } else { rest }) as u32
    }

    #[inline(always)]
    pub fn add(&self, a: u32, b: u32) -> u32 {
        let sum = a.wrapping_add(b);
        sum.min(sum.wrapping_sub(self.prime))
    }

    #[inline(always)]
    pub fn sub(&self, a: u32, b: u32) -> u32 {
        let difference = a.wrapping_sub(b);
        difference.min(difference.wrapping_add(self.prime))
    }

    #[inline(always)]
    pub const fn mul(&self, a: u32, b: u32) -> u32 {
        self.reduce(a as u64 * b as u64)
    }
}

/// p⁻¹ mod 2^64, for odd p: Newton's iteration doubles the correct bits, of which p·p ≡ 1 mod 8
/// gives three.
pub(crate) fn inverse_mod_2_64(p: u64) -> u64 {
    (0..5).fold(p, |x, _| {
        x.wrapping_mul(2u64.wrapping_sub(p.wrapping_mul(x)))
    })
}

/// 2^−bits mod p, for odd p, by halving 1.
pub(crate) fn inverse_power_of_two(bits: u32, p: u64) -> u64 {
    (0..bits).fold(
        1,
        |x: u64, _| if x & 1 == 0 { x / 2 } else { x.midpoint(p) },
    )
}
