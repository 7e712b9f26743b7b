//! Signed products of `dashu_int` integers, whose limbs are read in place.

use dashu_int::{IBig, Sign, UBig};

use crate::multiplier::Multiplier;

impl Multiplier {
    /// The product of two signed integers.
    ///
    /// ```
    /// use dashu_int::IBig;
    /// let multiplier = sunzi_integer::Multiplier::new();
    /// assert_eq!(multiplier.mul_integers(&IBig::from(-6), &IBig::from(7)), IBig::from(-42));
    /// ```
    pub fn mul_integers(&self, a: &IBig, b: &IBig) -> IBig {
        let (sign_a, a) = a.as_sign_words();
        let (sign_b, b) = b.as_sign_words();
        let mut product = vec![0; a.len() + b.len()];
        self.mul(&mut product, a, b);
        let sign = if sign_a == sign_b {
            Sign::Positive
        } else {
            Sign::Negative
        };
        IBig::from_parts(sign, UBig::from_words(&product))
    }

    /// The square of a signed integer.
    ///
    /// ```
    /// use dashu_int::IBig;
    /// let multiplier = sunzi_integer::Multiplier::new();
    /// assert_eq!(multiplier.sqr_integer(&IBig::from(-6)), IBig::from(36));
    /// ```
    pub fn sqr_integer(&self, a: &IBig) -> IBig {
        let (_, a) = a.as_sign_words();
        let mut square = vec![0; 2 * a.len()];
        self.sqr(&mut square, a);
        IBig::from(UBig::from_words(&square))
    }
}

/// The product of two signed integers, with a context of its own.
///
/// For many products make a [`Multiplier`] once, and use [`Multiplier::mul_integers`].
///
/// ```
/// use dashu_int::IBig;
/// assert_eq!(sunzi_integer::mul(&IBig::from(-6), &IBig::from(7)), IBig::from(-42));
/// ```
pub fn mul(a: &IBig, b: &IBig) -> IBig {
    Multiplier::new().mul_integers(a, b)
}
