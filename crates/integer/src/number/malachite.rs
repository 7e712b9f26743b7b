//! Conversions from and to the numbers of the crates `malachite-nz` and `malachite-q` with limbs of 64 bits, in linear time.

use super::machine::from_values;
use super::{Integer, Natural, Rational};
use malachite_nz::{integer, natural};

impl From<&natural::Natural> for Natural {
    fn from(value: &natural::Natural) -> Self {
        Self::from_limbs(value.to_limbs_asc())
    }
}

impl From<&Natural> for natural::Natural {
    fn from(value: &Natural) -> Self {
        Self::from_limbs_asc(value.as_limbs())
    }
}

impl From<&integer::Integer> for Integer {
    fn from(value: &integer::Integer) -> Self {
        Self::from_sign_magnitude(*value < 0, value.unsigned_abs_ref().into())
    }
}

impl From<&Integer> for integer::Integer {
    fn from(value: &Integer) -> Self {
        Self::from_sign_and_abs(!value.is_negative(), value.magnitude().into())
    }
}

impl From<&malachite_q::Rational> for Rational {
    fn from(value: &malachite_q::Rational) -> Self {
        let numerator = Natural::from(value.numerator_ref());
        let numerator = Integer::from_sign_magnitude(*value < 0, numerator);
        Self::from_parts(numerator, value.denominator_ref().into())
    }
}

impl From<&Rational> for malachite_q::Rational {
    fn from(value: &Rational) -> Self {
        let numerator = value.numerator();
        Self::from_sign_and_naturals(
            !numerator.is_negative(),
            numerator.magnitude().into(),
            value.denominator().into(),
        )
    }
}

from_values! {
    natural::Natural => Natural;
    Natural => natural::Natural;
    integer::Integer => Integer;
    Integer => integer::Integer;
    malachite_q::Rational => Rational;
    Rational => malachite_q::Rational;
}
