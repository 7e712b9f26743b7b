//! How numbers of any size enter fields and residue number systems, and leave them.

use super::{Integer, Natural};
use sunzi_field::LongInteger;

impl LongInteger for Natural {
    fn sign_and_limbs(&self) -> (bool, &[u64]) {
        (false, self.as_limbs())
    }

    fn from_sign_and_limbs(negative: bool, limbs: &[u64]) -> Self {
        let magnitude = Self::from(limbs);
        assert!(
            !negative || magnitude.is_zero(),
            "a negative integer is no natural number"
        );
        magnitude
    }

    fn from_natural_vec(limbs: Vec<u64>) -> Self {
        Self::from_limbs(limbs)
    }
}

impl LongInteger for Integer {
    fn sign_and_limbs(&self) -> (bool, &[u64]) {
        (self.is_negative(), self.magnitude().as_limbs())
    }

    fn from_sign_and_limbs(negative: bool, limbs: &[u64]) -> Self {
        Self::from_sign_magnitude(negative, Natural::from(limbs))
    }

    fn from_natural_vec(limbs: Vec<u64>) -> Self {
        Natural::from_limbs(limbs).into()
    }
}
