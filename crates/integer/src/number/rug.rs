//! Conversions from and to the numbers of the crate `rug` (GMP), in linear time.

use super::machine::from_values;
use super::{Integer, Natural, OutOfRange, Rational};
use rug::integer::Order;

impl TryFrom<&rug::Integer> for Natural {
    type Error = OutOfRange;

    fn try_from(value: &rug::Integer) -> Result<Self, OutOfRange> {
        Integer::from(value).try_into()
    }
}

impl From<&Natural> for rug::Integer {
    fn from(value: &Natural) -> Self {
        Self::from_digits(value.as_limbs(), Order::Lsf)
    }
}

impl From<&rug::Integer> for Integer {
    fn from(value: &rug::Integer) -> Self {
        let magnitude = Natural::from_limbs(value.to_digits(Order::Lsf));
        Self::from_sign_magnitude(value.is_negative(), magnitude)
    }
}

impl From<&Integer> for rug::Integer {
    fn from(value: &Integer) -> Self {
        let magnitude = Self::from(value.magnitude());
        match value.is_negative() {
            true => -magnitude,
            false => magnitude,
        }
    }
}

impl From<&rug::Rational> for Rational {
    fn from(value: &rug::Rational) -> Self {
        let denominator = Integer::from(value.denom());
        Self::from_parts(value.numer().into(), denominator.into_magnitude())
    }
}

impl From<&Rational> for rug::Rational {
    fn from(value: &Rational) -> Self {
        let denominator = rug::Integer::from(value.denominator());
        Self::from((rug::Integer::from(value.numerator()), denominator))
    }
}

from_values! {
    Natural => rug::Integer;
    rug::Integer => Integer;
    Integer => rug::Integer;
    rug::Rational => Rational;
    Rational => rug::Rational;
}
