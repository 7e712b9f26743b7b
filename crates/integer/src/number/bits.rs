//! Single bits, and operations bit by bit; of negative integers those of two's complement.

use super::integer::Signed;
use super::storage::Storage;
use super::{Integer, Natural};
use std::iter::repeat;
use std::ops::Not;
use sunzi_rns::limbs::negate;

impl Natural {
    /// How many bits the number has: ⌊log₂⌋ + 1, and 0 has none.
    ///
    /// ```
    /// # use sunzi::Natural;
    /// assert_eq!((Natural::ONE << 100).bit_len(), 101);
    /// ```
    #[inline]
    pub fn bit_len(&self) -> usize {
        let limbs = self.as_limbs();
        let zeros = limbs.last().map_or(0, |top| top.leading_zeros());
        64 * limbs.len() - zeros as usize
    }

    /// Whether the bit of value 2^index is one.
    ///
    /// ```
    /// # use sunzi::Natural;
    /// assert!(Natural::from(0b100u32).bit(2));
    /// ```
    #[inline]
    pub fn bit(&self, index: usize) -> bool {
        let limb = self.as_limbs().get(index / 64);
        limb.is_some_and(|limb| limb >> (index % 64) & 1 == 1)
    }

    /// Makes the bit of value 2^index one or zero.
    ///
    /// ```
    /// # use sunzi::Natural;
    /// let mut x = Natural::ZERO;
    /// x.set_bit(64, true);
    /// assert_eq!(x, 1u128 << 64);
    /// ```
    pub fn set_bit(&mut self, index: usize, one: bool) {
        if !one && index >= self.bit_len() {
            return;
        }
        self.edit(|limbs| {
            if limbs.len() <= index / 64 {
                limbs.resize(index / 64 + 1, 0);
            }
            let mask = 1 << (index % 64);
            match one {
                true => limbs[index / 64] |= mask,
                false => limbs[index / 64] &= !mask,
            }
        });
    }

    /// The index of the lowest one; `None` of 0.
    ///
    /// ```
    /// # use sunzi::Natural;
    /// assert_eq!(Natural::from(12u32).trailing_zeros(), Some(2));
    /// ```
    #[inline]
    pub fn trailing_zeros(&self) -> Option<usize> {
        let limbs = self.as_limbs();
        let index = limbs.iter().position(|&limb| limb != 0)?;
        Some(64 * index + limbs[index].trailing_zeros() as usize)
    }

    /// How many bits are one.
    ///
    /// ```
    /// # use sunzi::Natural;
    /// assert_eq!(((Natural::ONE << 100) - 1).count_ones(), 100);
    /// ```
    pub fn count_ones(&self) -> usize {
        let ones = self
            .as_limbs()
            .iter()
            .map(|limb| limb.count_ones() as usize);
        ones.sum()
    }

    /// Whether one bit alone is one.
    ///
    /// ```
    /// # use sunzi::Natural;
    /// assert!((Natural::ONE << 100).is_power_of_two());
    /// ```
    pub fn is_power_of_two(&self) -> bool {
        self.trailing_zeros().map(|zeros| zeros + 1) == Some(self.bit_len())
    }

    #[inline]
    pub(super) fn and(a: &Self, b: &Self) -> Self {
        let (mut short, long) = match a.as_limbs().len() < b.as_limbs().len() {
            true => (a.clone(), b),
            false => (b.clone(), a),
        };
        short.and_in_place(long);
        short
    }

    #[inline]
    pub(super) fn and_in_place(&mut self, b: &Self) {
        if let (Some(x), Some(y)) = (self.wide(), b.wide()) {
            *self = Self::from_wide(x & y);
            return;
        }
        self.edit(|a| {
            let b = b.as_limbs();
            a.truncate(b.len());
            for (x, y) in a.iter_mut().zip(b) {
                *x &= y;
            }
        });
    }

    #[inline]
    pub(super) fn or(a: &Self, b: &Self) -> Self {
        Self::by_limbs(a, b, |x, y| x | y)
    }

    #[inline]
    pub(super) fn or_in_place(&mut self, b: &Self) {
        self.by_limbs_in_place(b, |x, y| x | y);
    }

    #[inline]
    pub(super) fn xor(a: &Self, b: &Self) -> Self {
        Self::by_limbs(a, b, |x, y| x ^ y)
    }

    #[inline]
    pub(super) fn xor_in_place(&mut self, b: &Self) {
        self.by_limbs_in_place(b, |x, y| x ^ y);
    }

    /// What an operation gives that leaves limbs as they are where the other operand has none.
    #[inline]
    fn by_limbs(a: &Self, b: &Self, operation: impl Fn(u64, u64) -> u64) -> Self {
        let (mut long, short) = match a.as_limbs().len() < b.as_limbs().len() {
            true => (b.clone(), a),
            false => (a.clone(), b),
        };
        long.by_limbs_in_place(short, operation);
        long
    }

    #[inline]
    fn by_limbs_in_place(&mut self, b: &Self, operation: impl Fn(u64, u64) -> u64) {
        if let (Storage::Inline([x0, x1]), Storage::Inline([y0, y1])) = (&self.storage, &b.storage)
        {
            *self = Self::from_words([operation(*x0, *y0), operation(*x1, *y1)]);
            return;
        }
        self.edit(|a| {
            let b = b.as_limbs();
            let common = a.len().min(b.len());
            for (x, &y) in a.iter_mut().zip(b) {
                *x = operation(*x, y);
            }
            a.extend_from_slice(&b[common..]);
        });
    }

    /// The number modulo 2^`bits`.
    pub(super) fn low_bits(&self, bits: usize) -> Self {
        let limbs = self.as_limbs();
        let whole = bits / 64;
        let Some(&top) = limbs.get(whole) else {
            return self.clone();
        };
        let mut low = limbs[..=whole].to_vec();
        low[whole] = top & ((1 << (bits % 64)) - 1);
        Self::from_limbs(low)
    }
}

impl Integer {
    /// How many bits the absolute value has.
    ///
    /// ```
    /// # use sunzi::Integer;
    /// assert_eq!(Integer::from(-8).bit_len(), 4);
    /// ```
    #[inline]
    pub fn bit_len(&self) -> usize {
        self.magnitude.bit_len()
    }

    /// Whether the bit at this index of the number's two's complement is one.
    ///
    /// ```
    /// # use sunzi::Integer;
    /// assert!(Integer::from(-1).bit(1000));
    /// assert!(!Integer::from(-2).bit(0));
    /// ```
    pub fn bit(&self, index: usize) -> bool {
        // −x is the complement of x − 1: bits above the lowest one of x are reversed.
        let above = self.negative && self.magnitude.has_ones_below(index);
        self.magnitude.bit(index) != above
    }

    /// The index of the lowest one, which the absolute value has, too; `None` of 0.
    ///
    /// ```
    /// # use sunzi::Integer;
    /// assert_eq!(Integer::from(-12).trailing_zeros(), Some(2));
    /// ```
    #[inline]
    pub fn trailing_zeros(&self) -> Option<usize> {
        self.magnitude.trailing_zeros()
    }

    pub(super) fn and(a: Signed, b: Signed) -> Self {
        match a.negative || b.negative {
            true => Self::by_complements(a, b, |x, y| x & y),
            false => Natural::and(a.magnitude, b.magnitude).into(),
        }
    }

    pub(super) fn and_in_place(&mut self, b: Signed) {
        match self.negative || b.negative {
            true => *self = Self::and((&*self).into(), b),
            false => self.magnitude.and_in_place(b.magnitude),
        }
    }

    pub(super) fn or(a: Signed, b: Signed) -> Self {
        match a.negative || b.negative {
            true => Self::by_complements(a, b, |x, y| x | y),
            false => Natural::or(a.magnitude, b.magnitude).into(),
        }
    }

    pub(super) fn or_in_place(&mut self, b: Signed) {
        match self.negative || b.negative {
            true => *self = Self::or((&*self).into(), b),
            false => self.magnitude.or_in_place(b.magnitude),
        }
    }

    pub(super) fn xor(a: Signed, b: Signed) -> Self {
        match a.negative || b.negative {
            true => Self::by_complements(a, b, |x, y| x ^ y),
            false => Natural::xor(a.magnitude, b.magnitude).into(),
        }
    }

    pub(super) fn xor_in_place(&mut self, b: Signed) {
        match self.negative || b.negative {
            true => *self = Self::xor((&*self).into(), b),
            false => self.magnitude.xor_in_place(b.magnitude),
        }
    }

    fn by_complements(a: Signed, b: Signed, operation: impl Fn(u64, u64) -> u64) -> Self {
        // One limb more tells the sign.
        let len = 1 + a
            .magnitude
            .as_limbs()
            .len()
            .max(b.magnitude.as_limbs().len());
        let pairs = a.complement().zip(b.complement()).take(len);
        let mut limbs: Vec<u64> = pairs.map(|(x, y)| operation(x, y)).collect();
        let negative = limbs[len - 1] >> 63 == 1;
        if negative {
            negate(&mut limbs);
        }
        Self::from_sign_magnitude(negative, Natural::from_limbs(limbs))
    }
}

impl<'a> Signed<'a> {
    /// The limbs of the two's complement, without end.
    fn complement(self) -> impl Iterator<Item = u64> + 'a {
        let limbs = self.magnitude.as_limbs().iter().copied();
        let mut carry = self.negative;
        limbs.chain(repeat(0)).map(move |limb| {
            if !self.negative {
                return limb;
            }
            let (complement, over) = (!limb).overflowing_add(carry.into());
            carry = over;
            complement
        })
    }
}

impl Not for Integer {
    type Output = Self;

    /// −1 − self: all bits reversed.
    fn not(self) -> Self {
        -1 - self
    }
}

impl Not for &Integer {
    type Output = Integer;

    /// −1 − self: all bits reversed.
    fn not(self) -> Integer {
        -1 - self
    }
}
