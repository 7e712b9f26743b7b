//! Conversions from and to the integers of the crate `num-bigint`, in linear time.

use super::machine::from_values;
use super::{Integer, Natural};
use num_bigint::{BigInt, BigUint, Sign};

impl From<&BigUint> for Natural {
    fn from(value: &BigUint) -> Self {
        Self::from_limbs(value.to_u64_digits())
    }
}

impl From<&Natural> for BigUint {
    fn from(value: &Natural) -> Self {
        let halves = value.as_limbs().iter();
        Self::new(
            halves
                .flat_map(|&limb| [limb as u32, (limb >> 32) as u32])
                .collect(),
        )
    }
}

impl From<&BigInt> for Integer {
    fn from(value: &BigInt) -> Self {
        Self::from_sign_magnitude(value.sign() == Sign::Minus, value.magnitude().into())
    }
}

impl From<&Integer> for BigInt {
    fn from(value: &Integer) -> Self {
        let sign = match value.is_negative() {
            true => Sign::Minus,
            false => Sign::Plus,
        };
        Self::from_biguint(sign, value.magnitude().into())
    }
}

from_values! {
    BigUint => Natural;
    Natural => BigUint;
    BigInt => Integer;
    Integer => BigInt;
}
