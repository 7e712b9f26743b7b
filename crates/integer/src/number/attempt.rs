//! Powers and roots by integers of any size, and why there are none.

use super::{Integer, Natural};
use thiserror::Error;

/// Why arithmetic with integers has no result.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ArithmeticError {
    /// The divisor, or the modulus, is 0.
    #[error("division by zero")]
    DivisionByZero,
    /// The exponent is negative, and the power no integer.
    #[error(
        "only 1 and -1 have negative powers among integers: others may have some modulo an integer"
    )]
    NegativeExponent,
    /// The exponent is negative, and what has a common factor with the modulus has no inverse.
    #[error("there is no inverse: {common} divides the number and the modulus")]
    NoInverse {
        /// The greatest common divisor.
        common: Natural,
    },
    /// A root's degree is 0 or negative.
    #[error("a root has a degree from 1 on")]
    Degree,
    /// A root of an even degree is wanted of a negative number.
    #[error("a negative integer has no root of an even degree")]
    NegativeRadicand,
    /// No memory holds the power.
    #[error("this power is too long for any memory")]
    TooLong,
}

impl Integer {
    /// The power by an integer, as [`pow`](Self::pow) gives it.
    ///
    /// ```
    /// # use sunzi::Integer;
    /// # use sunzi::integer::ArithmeticError;
    /// let (two, ten) = (Integer::from(2), Integer::from(10));
    /// assert_eq!(two.try_pow(&ten)?, 1024);
    /// assert_eq!(two.try_pow(&-&ten), Err(ArithmeticError::NegativeExponent));
    /// // Of these all powers are short.
    /// assert_eq!(Integer::from(-1).try_pow(&ten.pow(50))?, 1);
    /// # Ok::<(), ArithmeticError>(())
    /// ```
    ///
    /// # Errors
    /// [`ArithmeticError::NegativeExponent`], but for ±1, and of 0 [`ArithmeticError::DivisionByZero`]; [`ArithmeticError::TooLong`] where no address space holds the power.
    ///
    /// # Panics
    /// If memory ends.
    pub fn try_pow(&self, exponent: &Self) -> Result<Self, ArithmeticError> {
        // The powers of these depend on whether the exponent is 0, and on its last bit.
        if self.magnitude.is_one() {
            return Ok(self.pow(usize::from(!exponent.is_even())));
        }
        if exponent.is_negative() {
            return Err(match self.is_zero() {
                true => ArithmeticError::DivisionByZero,
                false => ArithmeticError::NegativeExponent,
            });
        }
        if self.is_zero() {
            return Ok(self.pow(usize::from(!exponent.is_zero())));
        }
        let power = usize::try_from(exponent).map_err(|_| ArithmeticError::TooLong)?;
        let least_bits = (self.magnitude.bit_len() - 1).checked_mul(power);
        match least_bits {
            Some(bits) if bits / 8 < isize::MAX as usize => Ok(self.pow(power)),
            _ => Err(ArithmeticError::TooLong),
        }
    }

    /// The power modulo an integer, as [`pow_mod`](Self::pow_mod) gives it.
    ///
    /// ```
    /// # use sunzi::Integer;
    /// # use sunzi::integer::ArithmeticError;
    /// let [four, six] = [4, 6].map(Integer::from);
    /// let error = four.try_pow_mod(&(-1).into(), &six).unwrap_err();
    /// assert_eq!(error.to_string(), "there is no inverse: 2 divides the number and the modulus");
    /// ```
    ///
    /// # Errors
    /// [`ArithmeticError::DivisionByZero`] for the modulus 0, [`ArithmeticError::NoInverse`].
    pub fn try_pow_mod(&self, exponent: &Self, modulus: &Self) -> Result<Self, ArithmeticError> {
        if modulus.is_zero() {
            return Err(ArithmeticError::DivisionByZero);
        }
        let power = self.pow_mod(exponent, modulus);
        power.ok_or_else(|| ArithmeticError::NoInverse {
            common: self.gcd(modulus),
        })
    }

    /// The root by an integer as its degree, as [`root`](Self::root) gives it.
    ///
    /// ```
    /// # use sunzi::Integer;
    /// # use sunzi::integer::ArithmeticError;
    /// let x = Integer::from(-1001);
    /// assert_eq!(x.try_root(&3.into())?, -10);
    /// assert_eq!(x.try_root(&2.into()), Err(ArithmeticError::NegativeRadicand));
    /// # Ok::<(), ArithmeticError>(())
    /// ```
    ///
    /// # Errors
    /// [`ArithmeticError::Degree`], [`ArithmeticError::NegativeRadicand`].
    pub fn try_root(&self, degree: &Self) -> Result<Self, ArithmeticError> {
        if !degree.is_positive() {
            return Err(ArithmeticError::Degree);
        }
        if self.is_negative() && degree.is_even() {
            return Err(ArithmeticError::NegativeRadicand);
        }
        // Of degrees that are no word all roots are 1, 0 and -1, as of the largest word.
        let degree = usize::try_from(degree).unwrap_or(usize::MAX);
        let root = self.magnitude.root(degree);
        Ok(Self::from_sign_magnitude(self.is_negative(), root))
    }
}
