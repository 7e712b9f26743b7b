//! Division with remainder, by every rule of rounding.

use super::integer::Signed;
use super::storage::Storage;
use super::{Integer, Natural};
use crate::DivisionByZero;
use crate::division::{divide_by_word, remainder_by_word};
use crate::multiplier::Multiplier;

/// Panics as a division by zero of machine integers does.
#[cold]
#[inline(never)]
#[track_caller]
pub(super) fn by_zero() -> ! {
    panic!("attempt to divide by zero");
}

impl Natural {
    /// Quotient and remainder.
    ///
    /// O(M(n)) operations for n limbs.
    ///
    /// ```
    /// # use sunzi::Natural;
    /// let (a, b) = (Natural::from(17u32), Natural::from(5u32));
    /// assert_eq!(a.div_rem(&b), (Natural::from(3u32), Natural::from(2u32)));
    /// ```
    ///
    /// # Panics
    /// If the divisor is zero; [`Self::checked_div_rem`] returns an error instead.
    #[inline]
    #[track_caller]
    pub fn div_rem(&self, divisor: &Self) -> (Self, Self) {
        self.checked_div_rem(divisor).unwrap_or_else(|_| by_zero())
    }

    /// Quotient and remainder.
    ///
    /// ```
    /// # use sunzi::Natural;
    /// assert!(Natural::ONE.checked_div_rem(&Natural::ZERO).is_err());
    /// ```
    ///
    /// # Errors
    /// [`DivisionByZero`].
    #[inline]
    pub fn checked_div_rem(&self, divisor: &Self) -> Result<(Self, Self), DivisionByZero> {
        if divisor.is_zero() {
            return Err(DivisionByZero);
        }
        if let (Some(a), Some(b)) = (self.word(), divisor.word()) {
            return Ok((Self::from(a / b), Self::from(a % b)));
        }
        self.long_div_rem(divisor)
    }

    #[inline(never)]
    fn long_div_rem(&self, divisor: &Self) -> Result<(Self, Self), DivisionByZero> {
        if let (Some(a), Some(b)) = (self.wide(), divisor.wide()) {
            let quotient = a / b;
            return Ok((Self::from_wide(quotient), Self::from_wide(a - quotient * b)));
        }
        if let Some(word) = divisor.word() {
            let mut quotient = self.as_limbs().to_vec();
            let remainder = divide_by_word(&mut quotient, word);
            return Ok((Self::from_limbs(quotient), Self::from(remainder)));
        }
        self.divided(divisor, |quotient, remainder| {
            (Self::from_slice(quotient), Self::from_slice(remainder))
        })
    }

    /// What is made of the limbs of quotient and remainder.
    fn divided<T>(
        &self,
        divisor: &Self,
        make: impl FnOnce(&[u64], &[u64]) -> T,
    ) -> Result<T, DivisionByZero> {
        let divide = Multiplier::shared().divide();
        divide.divided(self.as_limbs(), divisor.as_limbs(), make)
    }

    #[inline]
    #[track_caller]
    pub(super) fn quotient(a: &Self, b: &Self) -> Self {
        match (a.wide(), b.wide()) {
            (Some(a), Some(b)) if b != 0 => Self::from_wide(a / b),
            (_, Some(_)) if b.word().is_some() => a.div_rem(b).0,
            _ => {
                let found = a.divided(b, |quotient, _| Self::from_slice(quotient));
                found.unwrap_or_else(|_| by_zero())
            }
        }
    }

    #[inline]
    #[track_caller]
    pub(super) fn remainder(a: &Self, b: &Self) -> Self {
        match (a.wide(), b.wide()) {
            (Some(a), Some(b)) if b != 0 => Self::from_wide(a % b),
            _ => match b.word() {
                Some(word) if word != 0 => Self::from(a.rem_word(word)),
                _ => {
                    let found = a.divided(b, |_, remainder| Self::from_slice(remainder));
                    found.unwrap_or_else(|_| by_zero())
                }
            },
        }
    }

    /// The remainder by a word that is not 0.
    #[inline]
    pub(super) fn rem_word(&self, word: u64) -> u64 {
        match self.word() {
            Some(a) => a % word,
            None => remainder_by_word(self.as_limbs(), word),
        }
    }

    #[inline]
    #[track_caller]
    pub(super) fn div_in_place(&mut self, b: &Self) {
        match (&mut self.storage, b.word()) {
            (Storage::Heap(_), Some(word)) if word != 0 => {
                self.edit(|a| divide_by_word(a, word));
            }
            _ => *self = Self::quotient(self, b),
        }
    }

    #[inline]
    #[track_caller]
    pub(super) fn rem_in_place(&mut self, b: &Self) {
        *self = Self::remainder(self, b);
    }

    /// `b = a / b`.
    #[inline]
    #[track_caller]
    pub(super) fn div_from_in_place(b: &mut Self, a: &Self) {
        *b = Self::quotient(a, b);
    }

    /// `b = a % b`.
    #[inline]
    #[track_caller]
    pub(super) fn rem_from_in_place(b: &mut Self, a: &Self) {
        *b = Self::remainder(a, b);
    }

    /// The quotient, rounded up.
    ///
    /// ```
    /// # use sunzi::Natural;
    /// assert_eq!(Natural::from(17u32).div_ceil(&Natural::from(5u32)), 4);
    /// ```
    ///
    /// # Panics
    /// If the divisor is zero.
    #[track_caller]
    pub fn div_ceil(&self, divisor: &Self) -> Self {
        let (quotient, remainder) = self.div_rem(divisor);
        match remainder.is_zero() {
            true => quotient,
            false => quotient + 1u32,
        }
    }

    /// The quotient, if the number is a multiple of the divisor, which is not 0.
    ///
    /// ```
    /// # use sunzi::Natural;
    /// assert_eq!(Natural::from(15u32).div_exact(&Natural::from(5u32)), Some(Natural::from(3u32)));
    /// assert_eq!(Natural::from(17u32).div_exact(&Natural::from(5u32)), None);
    /// ```
    pub fn div_exact(&self, divisor: &Self) -> Option<Self> {
        let (quotient, remainder) = self.checked_div_rem(divisor).ok()?;
        remainder.is_zero().then_some(quotient)
    }

    /// Whether the number is a multiple of the other one; of 0, 0 alone is.
    ///
    /// ```
    /// # use sunzi::Natural;
    /// assert!(Natural::from(15u32).is_multiple_of(&Natural::from(5u32)));
    /// ```
    pub fn is_multiple_of(&self, divisor: &Self) -> bool {
        match divisor.is_zero() {
            true => self.is_zero(),
            false => Self::remainder(self, divisor).is_zero(),
        }
    }
}

/// Where a quotient that is not whole goes.
#[derive(Clone, Copy)]
enum Rounding {
    /// Toward minus infinity: the remainder has the sign of the divisor.
    Floor,
    /// Toward infinity: the remainder has the opposite sign.
    Ceil,
    /// So that the remainder is not negative.
    Euclid,
}

impl Integer {
    /// Quotient, rounded toward zero, and remainder, which has the sign of the number: `/` and `%`.
    ///
    /// ```
    /// # use sunzi::Integer;
    /// let (a, b) = (Integer::from(-17), Integer::from(5));
    /// assert_eq!(a.div_rem(&b), (Integer::from(-3), Integer::from(-2)));
    /// ```
    ///
    /// # Panics
    /// If the divisor is zero; [`Self::checked_div_rem`] returns an error instead.
    #[inline]
    #[track_caller]
    pub fn div_rem(&self, divisor: &Self) -> (Self, Self) {
        self.checked_div_rem(divisor).unwrap_or_else(|_| by_zero())
    }

    /// Quotient, rounded toward zero, and remainder, which has the sign of the number.
    ///
    /// ```
    /// # use sunzi::Integer;
    /// assert!(Integer::ONE.checked_div_rem(&Integer::ZERO).is_err());
    /// ```
    ///
    /// # Errors
    /// [`DivisionByZero`].
    #[inline]
    pub fn checked_div_rem(&self, divisor: &Self) -> Result<(Self, Self), DivisionByZero> {
        let (quotient, remainder) = self.magnitude.checked_div_rem(&divisor.magnitude)?;
        let negative = self.negative != divisor.negative;
        Ok((
            Self::from_sign_magnitude(negative, quotient),
            Self::from_sign_magnitude(self.negative, remainder),
        ))
    }

    fn rounded(&self, divisor: &Self, rounding: Rounding) -> Result<(Self, Self), DivisionByZero> {
        let (mut quotient, mut remainder) = self.checked_div_rem(divisor)?;
        if remainder.is_zero() {
            return Ok((quotient, remainder));
        }
        let opposite = remainder.negative != divisor.negative;
        let down = match rounding {
            Rounding::Floor => opposite,
            Rounding::Ceil => false,
            Rounding::Euclid => remainder.negative && !divisor.negative,
        };
        let up = match rounding {
            Rounding::Floor => false,
            Rounding::Ceil => !opposite,
            Rounding::Euclid => remainder.negative && divisor.negative,
        };
        if down {
            quotient -= 1;
            remainder += divisor;
        } else if up {
            quotient += 1;
            remainder -= divisor;
        }
        Ok((quotient, remainder))
    }

    /// Quotient and remainder, which is not negative.
    ///
    /// ```
    /// # use sunzi::Integer;
    /// let (a, b) = (Integer::from(-17), Integer::from(-5));
    /// assert_eq!(a.div_rem_euclid(&b), (Integer::from(4), Integer::from(3)));
    /// ```
    ///
    /// # Panics
    /// If the divisor is zero; [`Self::checked_div_rem_euclid`] returns an error instead.
    #[track_caller]
    pub fn div_rem_euclid(&self, divisor: &Self) -> (Self, Self) {
        self.checked_div_rem_euclid(divisor)
            .unwrap_or_else(|_| by_zero())
    }

    /// Quotient and remainder, which is not negative.
    ///
    /// ```
    /// # use sunzi::Integer;
    /// assert!(Integer::ONE.checked_div_rem_euclid(&Integer::ZERO).is_err());
    /// ```
    ///
    /// # Errors
    /// [`DivisionByZero`].
    pub fn checked_div_rem_euclid(&self, divisor: &Self) -> Result<(Self, Self), DivisionByZero> {
        self.rounded(divisor, Rounding::Euclid)
    }

    /// The quotient whose remainder is not negative.
    ///
    /// ```
    /// # use sunzi::Integer;
    /// assert_eq!(Integer::from(-17).div_euclid(&5.into()), -4);
    /// ```
    ///
    /// # Panics
    /// If the divisor is zero.
    #[track_caller]
    pub fn div_euclid(&self, divisor: &Self) -> Self {
        self.div_rem_euclid(divisor).0
    }

    /// The remainder that is not negative.
    ///
    /// ```
    /// # use sunzi::Integer;
    /// assert_eq!(Integer::from(-17).rem_euclid(&(-5).into()), 3);
    /// ```
    ///
    /// # Panics
    /// If the divisor is zero.
    #[track_caller]
    pub fn rem_euclid(&self, divisor: &Self) -> Self {
        let remainder = Self::remainder(self.into(), divisor.into());
        match remainder.negative {
            true => Self::from(&divisor.magnitude - remainder.magnitude),
            false => remainder,
        }
    }

    /// Quotient, rounded down, and remainder, which has the sign of the divisor: `//` and `%` in Python.
    ///
    /// ```
    /// # use sunzi::Integer;
    /// let (a, b) = (Integer::from(17), Integer::from(-5));
    /// assert_eq!(a.div_rem_floor(&b), (Integer::from(-4), Integer::from(-3)));
    /// ```
    ///
    /// # Panics
    /// If the divisor is zero; [`Self::checked_div_rem_floor`] returns an error instead.
    #[track_caller]
    pub fn div_rem_floor(&self, divisor: &Self) -> (Self, Self) {
        self.checked_div_rem_floor(divisor)
            .unwrap_or_else(|_| by_zero())
    }

    /// Quotient, rounded down, and remainder, which has the sign of the divisor.
    ///
    /// ```
    /// # use sunzi::Integer;
    /// assert!(Integer::ONE.checked_div_rem_floor(&Integer::ZERO).is_err());
    /// ```
    ///
    /// # Errors
    /// [`DivisionByZero`].
    pub fn checked_div_rem_floor(&self, divisor: &Self) -> Result<(Self, Self), DivisionByZero> {
        self.rounded(divisor, Rounding::Floor)
    }

    /// The quotient, rounded down: `//` in Python.
    ///
    /// ```
    /// # use sunzi::Integer;
    /// assert_eq!(Integer::from(-17).div_floor(&5.into()), -4);
    /// ```
    ///
    /// # Panics
    /// If the divisor is zero.
    #[track_caller]
    pub fn div_floor(&self, divisor: &Self) -> Self {
        self.div_rem_floor(divisor).0
    }

    /// The remainder that has the sign of the divisor: `%` in Python.
    ///
    /// ```
    /// # use sunzi::Integer;
    /// assert_eq!(Integer::from(-17).rem_floor(&5.into()), 3);
    /// assert_eq!(Integer::from(17).rem_floor(&(-5).into()), -3);
    /// ```
    ///
    /// # Panics
    /// If the divisor is zero.
    #[track_caller]
    pub fn rem_floor(&self, divisor: &Self) -> Self {
        let remainder = Self::remainder(self.into(), divisor.into());
        match !remainder.is_zero() && remainder.negative != divisor.negative {
            true => remainder + divisor,
            false => remainder,
        }
    }

    /// The quotient, rounded up.
    ///
    /// ```
    /// # use sunzi::Integer;
    /// assert_eq!(Integer::from(17).div_ceil(&5.into()), 4);
    /// ```
    ///
    /// # Panics
    /// If the divisor is zero.
    #[track_caller]
    pub fn div_ceil(&self, divisor: &Self) -> Self {
        match self.rounded(divisor, Rounding::Ceil) {
            Ok((quotient, _)) => quotient,
            Err(DivisionByZero) => by_zero(),
        }
    }

    /// The quotient, if the number is a multiple of the divisor, which is not 0.
    ///
    /// ```
    /// # use sunzi::Integer;
    /// assert_eq!(Integer::from(-15).div_exact(&5.into()), Some(Integer::from(-3)));
    /// assert_eq!(Integer::from(-17).div_exact(&5.into()), None);
    /// ```
    pub fn div_exact(&self, divisor: &Self) -> Option<Self> {
        let magnitude = self.magnitude.div_exact(&divisor.magnitude)?;
        let negative = self.negative != divisor.negative;
        Some(Self::from_sign_magnitude(negative, magnitude))
    }

    /// Whether the number is a multiple of the other one; of 0, 0 alone is.
    ///
    /// ```
    /// # use sunzi::Integer;
    /// assert!(Integer::from(-15).is_multiple_of(&5.into()));
    /// ```
    pub fn is_multiple_of(&self, divisor: &Self) -> bool {
        self.magnitude.is_multiple_of(&divisor.magnitude)
    }

    #[inline]
    #[track_caller]
    pub(super) fn quotient(a: Signed, b: Signed) -> Self {
        let magnitude = Natural::quotient(a.magnitude, b.magnitude);
        Self::from_sign_magnitude(a.negative != b.negative, magnitude)
    }

    #[inline]
    #[track_caller]
    pub(super) fn remainder(a: Signed, b: Signed) -> Self {
        let magnitude = Natural::remainder(a.magnitude, b.magnitude);
        Self::from_sign_magnitude(a.negative, magnitude)
    }

    #[inline]
    #[track_caller]
    pub(super) fn div_in_place(&mut self, b: Signed) {
        self.magnitude.div_in_place(b.magnitude);
        self.negative = self.negative != b.negative && !self.is_zero();
    }

    #[inline]
    #[track_caller]
    pub(super) fn rem_in_place(&mut self, b: Signed) {
        self.magnitude.rem_in_place(b.magnitude);
        self.negative = self.negative && !self.is_zero();
    }

    /// `b = a / b`.
    #[inline]
    #[track_caller]
    pub(super) fn div_from_in_place(b: &mut Self, a: Signed) {
        *b = Self::quotient(a, (&*b).into());
    }

    /// `b = a % b`.
    #[inline]
    #[track_caller]
    pub(super) fn rem_from_in_place(b: &mut Self, a: Signed) {
        *b = Self::remainder(a, (&*b).into());
    }
}
