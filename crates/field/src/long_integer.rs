//! Integers of any size, of whatever type.

use dashu_int::{IBig, Sign, UBig};

/// An integer of any size: how those of other crates enter fields and leave them.
///
/// ```
/// use sunzi::{Integer, Natural};
/// use sunzi::field::{Field, Fp32};
///
/// let field = Fp32::new(17)?;
/// assert_eq!(field.from_integer(&(-Integer::ONE << 100)), 1);
/// assert_eq!(field.modulus::<Natural>(), Natural::from(17u8));
/// # Ok::<(), sunzi::field::FieldError>(())
/// ```
pub trait LongInteger: Sized {
    /// Whether the integer is below 0, and its absolute value: limbs, the least significant first, without zeros at their end.
    fn sign_and_limbs(&self) -> (bool, &[u64]);

    /// The integer of this sign and this absolute value, whose limbs may have zeros at their end.
    ///
    /// # Panics
    /// If the type has no negative integers and this is one.
    fn from_sign_and_limbs(negative: bool, limbs: &[u64]) -> Self;

    /// The natural number of these limbs.
    fn from_natural_limbs(limbs: &[u64]) -> Self {
        Self::from_sign_and_limbs(false, limbs)
    }

    /// The same, whose memory may be used.
    fn from_natural_vec(limbs: Vec<u64>) -> Self {
        Self::from_natural_limbs(&limbs)
    }
}

impl LongInteger for IBig {
    fn sign_and_limbs(&self) -> (bool, &[u64]) {
        let (sign, limbs) = self.as_sign_words();
        (sign == Sign::Negative, limbs)
    }

    fn from_sign_and_limbs(negative: bool, limbs: &[u64]) -> Self {
        Self::from_parts(Sign::from(negative), UBig::from_words(limbs))
    }
}

impl LongInteger for UBig {
    fn sign_and_limbs(&self) -> (bool, &[u64]) {
        (false, self.as_words())
    }

    fn from_sign_and_limbs(negative: bool, limbs: &[u64]) -> Self {
        let magnitude = Self::from_words(limbs);
        assert!(
            !negative || magnitude.is_zero(),
            "a negative integer is no natural number"
        );
        magnitude
    }
}
