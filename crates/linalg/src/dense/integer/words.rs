//! Integers modulo a power of two of a few words, in two's complement: additions and products that cut off what is above.

use sunzi_integer::{Integer, Natural};

/// An integer modulo 2^(64·W), the least significant word first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words<const W: usize>(pub [u64; W]);

impl<const W: usize> Words<W> {
    pub const ZERO: Self = Self([0; W]);

    pub const ONE: Self = {
        let mut words = [0; W];
        words[0] = 1;
        Self(words)
    };

    /// Of an integer of any length.
    #[inline]
    pub fn of(value: &Integer) -> Self {
        let mut words = [0; W];
        for (word, &limb) in words.iter_mut().zip(value.magnitude().as_limbs()) {
            *word = limb;
        }
        match value.is_negative() {
            true => Self(words).negated(),
            false => Self(words),
        }
    }

    /// The integer of least absolute value.
    #[inline]
    pub fn signed(self) -> Integer {
        let is_negative = self.0[W - 1] >> 63 == 1;
        let magnitude = if is_negative { self.negated() } else { self };
        Integer::from_sign_magnitude(is_negative, Natural::from(&magnitude.0[..]))
    }

    pub fn is_zero(self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    #[inline(always)]
    pub fn negated(self) -> Self {
        let mut carry = true;
        Self(self.0.map(|word| {
            let (word, over) = (!word).overflowing_add(carry.into());
            carry = over;
            word
        }))
    }

    /// `self + a·b`.
    #[inline(always)]
    pub fn plus_product(self, a: Self, b: Self) -> Self {
        let mut sum = self.0;
        for (i, &factor) in a.0.iter().enumerate() {
            let mut carry = 0;
            for (word, &other) in sum[i..].iter_mut().zip(&b.0) {
                // At most (2^64 − 1)² + 2·(2^64 − 1) = 2^128 − 1.
                let wide = u128::from(factor) * u128::from(other) + u128::from(*word) + carry;
                *word = wide as u64;
                carry = wide >> 64;
            }
        }
        Self(sum)
    }

    #[inline(always)]
    pub fn times(self, other: Self) -> Self {
        Self::ZERO.plus_product(self, other)
    }

    /// The exponent of 2 in it, 64·W of zero.
    #[inline]
    pub fn valuation(self) -> u32 {
        match self.0.iter().position(|&word| word != 0) {
            Some(at) => 64 * at as u32 + self.0[at].trailing_zeros(),
            None => 64 * W as u32,
        }
    }

    /// Divided by 2^bits, with zeros from above, for less than 64·W bits.
    #[inline]
    pub fn shifted(self, bits: u32) -> Self {
        let (skipped, bits) = (bits as usize / 64, bits % 64);
        let mut words = [0; W];
        for (i, word) in words[..W - skipped].iter_mut().enumerate() {
            let above = self.0.get(i + skipped + 1).copied().unwrap_or(0);
            *word = ((u128::from(above) << 64 | u128::from(self.0[i + skipped])) >> bits) as u64;
        }
        Self(words)
    }

    /// The inverse of an odd number, by Newton's iteration x ← x·(2 − a·x), which doubles the bits that are right.
    #[inline]
    pub fn inverse(self) -> Self {
        let odd = self.0[0];
        debug_assert!(odd & 1 == 1);
        // 5 bits are right (P. Montgomery), then 10, 20, 40 and 80.
        let mut word = odd.wrapping_mul(3) ^ 2;
        for _ in 0..4 {
            word = word.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(word)));
        }
        let mut inverse = Self::ZERO;
        inverse.0[0] = word;
        let mut right = 1;
        while right < W {
            // x + x·(1 − a·x).
            let error = Self::ONE.plus_product(self.negated(), inverse);
            inverse = inverse.plus_product(inverse, error);
            right *= 2;
        }
        inverse
    }
}
