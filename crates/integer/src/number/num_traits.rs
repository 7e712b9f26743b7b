//! The traits of the crate `num-traits` that fit numbers of any size.

use super::{Integer, Natural, Rational};
use crate::text::TextError;
use num_traits::{
    CheckedDiv, CheckedSub, Euclid, FromPrimitive, Num, One, Pow, Signed, ToPrimitive, Unsigned,
    Zero,
};

macro_rules! zero_one {
    ($($T:ty)*) => {$(
        impl Zero for $T {
            fn zero() -> Self {
                Self::ZERO
            }

            fn is_zero(&self) -> bool {
                self.is_zero()
            }
        }

        impl One for $T {
            fn one() -> Self {
                Self::ONE
            }
        }
    )*};
}

zero_one!(Natural Integer Rational);

macro_rules! of_integers {
    ($($T:ty)*) => {$(
        impl Num for $T {
            type FromStrRadixErr = TextError;

            fn from_str_radix(text: &str, radix: u32) -> Result<Self, TextError> {
                Self::from_str_radix(text, radix)
            }
        }

        impl Pow<usize> for $T {
            type Output = Self;

            fn pow(self, exponent: usize) -> Self {
                Self::pow(&self, exponent)
            }
        }

        impl Pow<usize> for &$T {
            type Output = $T;

            fn pow(self, exponent: usize) -> $T {
                <$T>::pow(self, exponent)
            }
        }

        impl CheckedDiv for $T {
            fn checked_div(&self, divisor: &Self) -> Option<Self> {
                Some(self.checked_div_rem(divisor).ok()?.0)
            }
        }

        impl ToPrimitive for $T {
            fn to_i64(&self) -> Option<i64> {
                self.try_into().ok()
            }

            fn to_u64(&self) -> Option<u64> {
                self.try_into().ok()
            }

            fn to_i128(&self) -> Option<i128> {
                self.try_into().ok()
            }

            fn to_u128(&self) -> Option<u128> {
                self.try_into().ok()
            }

            fn to_f64(&self) -> Option<f64> {
                Some(self.to_f64())
            }
        }

        impl FromPrimitive for $T {
            fn from_i64(value: i64) -> Option<Self> {
                value.try_into().ok()
            }

            fn from_u64(value: u64) -> Option<Self> {
                Some(value.into())
            }

            fn from_i128(value: i128) -> Option<Self> {
                value.try_into().ok()
            }

            fn from_u128(value: u128) -> Option<Self> {
                Some(value.into())
            }

            /// The integer part.
            fn from_f64(value: f64) -> Option<Self> {
                Integer::from_f64(value)?.try_into().ok()
            }
        }
    )*};
}

of_integers!(Natural Integer);

impl Unsigned for Natural {}

impl CheckedSub for Natural {
    fn checked_sub(&self, other: &Self) -> Option<Self> {
        self.checked_sub(other)
    }
}

impl Euclid for Integer {
    fn div_euclid(&self, divisor: &Self) -> Self {
        self.div_euclid(divisor)
    }

    fn rem_euclid(&self, divisor: &Self) -> Self {
        self.rem_euclid(divisor)
    }
}

impl Signed for Integer {
    fn abs(&self) -> Self {
        self.abs()
    }

    fn abs_sub(&self, other: &Self) -> Self {
        match self > other {
            true => self - other,
            false => Self::ZERO,
        }
    }

    fn signum(&self) -> Self {
        self.signum().into()
    }

    fn is_positive(&self) -> bool {
        self.is_positive()
    }

    fn is_negative(&self) -> bool {
        self.is_negative()
    }
}

impl ToPrimitive for Rational {
    /// The integer part.
    fn to_i64(&self) -> Option<i64> {
        self.trunc().to_i64()
    }

    /// The integer part.
    fn to_u64(&self) -> Option<u64> {
        self.trunc().to_u64()
    }

    fn to_f64(&self) -> Option<f64> {
        Some(self.to_f64())
    }
}

impl FromPrimitive for Rational {
    fn from_i64(value: i64) -> Option<Self> {
        Some(value.into())
    }

    fn from_u64(value: u64) -> Option<Self> {
        Some(value.into())
    }

    /// The exact value.
    fn from_f64(value: f64) -> Option<Self> {
        Self::from_f64(value)
    }
}
