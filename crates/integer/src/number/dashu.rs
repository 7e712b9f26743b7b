//! Conversions from and to the numbers of `dashu-int` and `dashu-ratio`, in linear time.

use super::machine::from_values;
use super::{Integer, Natural, Rational};
use dashu_int::{IBig, Sign, UBig};
use dashu_ratio::RBig;

impl From<&UBig> for Natural {
    fn from(value: &UBig) -> Self {
        Self::from_limbs(value.as_words().to_vec())
    }
}

impl From<&Natural> for UBig {
    fn from(value: &Natural) -> Self {
        Self::from_words(value.as_limbs())
    }
}

impl From<&IBig> for Integer {
    fn from(value: &IBig) -> Self {
        let (sign, words) = value.as_sign_words();
        let magnitude = Natural::from_limbs(words.to_vec());
        Self::from_sign_magnitude(sign == Sign::Negative, magnitude)
    }
}

impl From<&Integer> for IBig {
    fn from(value: &Integer) -> Self {
        let sign = match value.is_negative() {
            true => Sign::Negative,
            false => Sign::Positive,
        };
        Self::from_parts(sign, value.magnitude().into())
    }
}

impl From<&RBig> for Rational {
    fn from(value: &RBig) -> Self {
        Self::from_parts(value.numerator().into(), value.denominator().into())
    }
}

impl From<&Rational> for RBig {
    fn from(value: &Rational) -> Self {
        Self::from_parts(value.numerator().into(), value.denominator().into())
    }
}

from_values! {
    UBig => Natural;
    Natural => UBig;
    IBig => Integer;
    Integer => IBig;
    RBig => Rational;
    Rational => RBig;
}
