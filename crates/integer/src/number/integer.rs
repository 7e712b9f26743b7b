//! The type of integers: a sign and a natural number.

use super::Natural;
use std::cmp::Ordering;
use std::ops::Neg;

/// An integer of any size.
///
/// A sign and a [`Natural`], whose page says how numbers are stored and what operations cost. `/` and `%` round toward zero, as those of
/// machine integers do; [`Self::div_euclid`], [`Self::div_floor`] and their sisters round otherwise. Bits are those of two's complement,
/// of which a negative number has infinitely many ones.
///
/// ```
/// use sunzi::Integer;
///
/// let a: Integer = "-170141183460469231731687303715884105729".parse()?;
/// assert_eq!(&a * &a % 1000, 441);
/// assert_eq!((&a / 10).to_string(), "-17014118346046923173168730371588410572");
/// assert_eq!(a.rem_euclid(&10.into()), 1);
/// assert_eq!(2 - a >> 126, 2);
/// # Ok::<(), sunzi::integer::TextError>(())
/// ```
///
/// # Panics
/// `/` and `%` by zero, as those of the standard library; [`Self::checked_div_rem`] does not.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct Integer {
    /// Never of zero.
    pub(super) negative: bool,
    pub(super) magnitude: Natural,
}

/// An operand: an integer that need not be stored as one.
#[derive(Clone, Copy)]
pub(super) struct Signed<'a> {
    pub(super) negative: bool,
    pub(super) magnitude: &'a Natural,
}

impl<'a> From<&'a Integer> for Signed<'a> {
    #[inline]
    fn from(value: &'a Integer) -> Self {
        Self {
            negative: value.negative,
            magnitude: &value.magnitude,
        }
    }
}

impl<'a> From<&'a Natural> for Signed<'a> {
    #[inline]
    fn from(magnitude: &'a Natural) -> Self {
        Self {
            negative: false,
            magnitude,
        }
    }
}

impl Integer {
    /// 0.
    pub const ZERO: Self = Self {
        negative: false,
        magnitude: Natural::ZERO,
    };
    /// 1.
    pub const ONE: Self = Self {
        negative: false,
        magnitude: Natural::ONE,
    };
    /// −1.
    pub const MINUS_ONE: Self = Self {
        negative: true,
        magnitude: Natural::ONE,
    };

    /// The number of this magnitude, negative if it is so said and it is not 0.
    ///
    /// ```
    /// # use sunzi::{Integer, Natural};
    /// assert_eq!(Integer::from_sign_magnitude(true, Natural::from(5u32)), -5);
    /// ```
    #[inline]
    pub fn from_sign_magnitude(negative: bool, magnitude: Natural) -> Self {
        Self {
            negative: negative && !magnitude.is_zero(),
            magnitude,
        }
    }

    /// The absolute value.
    ///
    /// ```
    /// # use sunzi::Integer;
    /// assert_eq!(*Integer::from(-5).magnitude(), 5);
    /// ```
    #[inline]
    pub fn magnitude(&self) -> &Natural {
        &self.magnitude
    }

    /// The absolute value.
    ///
    /// ```
    /// # use sunzi::Integer;
    /// assert_eq!(Integer::from(-5).into_magnitude(), 5);
    /// ```
    #[inline]
    pub fn into_magnitude(self) -> Natural {
        self.magnitude
    }

    /// The absolute value, as an integer.
    ///
    /// ```
    /// # use sunzi::Integer;
    /// assert_eq!(Integer::from(-5).abs(), 5);
    /// ```
    #[inline]
    pub fn abs(&self) -> Self {
        self.magnitude.clone().into()
    }

    /// −1, 0 or 1: the sign.
    ///
    /// ```
    /// # use sunzi::Integer;
    /// assert_eq!(Integer::from(-5).signum(), -1);
    /// ```
    #[inline]
    pub fn signum(&self) -> i32 {
        match self.negative {
            true => -1,
            false => i32::from(!self.is_zero()),
        }
    }

    /// Whether the number is below 0.
    ///
    /// ```
    /// # use sunzi::Integer;
    /// assert!(Integer::from(-5).is_negative());
    /// ```
    #[inline]
    pub fn is_negative(&self) -> bool {
        self.negative
    }

    /// Whether the number is above 0.
    ///
    /// ```
    /// # use sunzi::Integer;
    /// assert!(!Integer::ZERO.is_positive());
    /// ```
    #[inline]
    pub fn is_positive(&self) -> bool {
        !self.negative && !self.is_zero()
    }

    /// Whether the number is 0.
    ///
    /// ```
    /// # use sunzi::Integer;
    /// assert!(Integer::ZERO.is_zero());
    /// ```
    #[inline]
    pub fn is_zero(&self) -> bool {
        self.magnitude.is_zero()
    }

    /// Whether the number is 1.
    ///
    /// ```
    /// # use sunzi::Integer;
    /// assert!(!Integer::MINUS_ONE.is_one());
    /// ```
    #[inline]
    pub fn is_one(&self) -> bool {
        !self.negative && self.magnitude.is_one()
    }

    /// Whether the number is a multiple of 2.
    ///
    /// ```
    /// # use sunzi::Integer;
    /// assert!(Integer::from(-6).is_even());
    /// ```
    #[inline]
    pub fn is_even(&self) -> bool {
        self.magnitude.is_even()
    }

    /// Changes the sign.
    #[inline]
    pub(super) fn negate(&mut self) {
        self.negative = !self.negative && !self.is_zero();
    }
}

impl Neg for Integer {
    type Output = Self;

    #[inline]
    fn neg(mut self) -> Self {
        self.negate();
        self
    }
}

impl Neg for &Integer {
    type Output = Integer;

    #[inline]
    fn neg(self) -> Integer {
        -self.clone()
    }
}

impl Signed<'_> {
    #[inline]
    pub(super) fn cmp(self, other: Signed) -> Ordering {
        match (self.negative, other.negative) {
            (false, false) => self.magnitude.cmp(other.magnitude),
            (true, true) => other.magnitude.cmp(self.magnitude),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        }
    }
}

impl PartialOrd for Integer {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Integer {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        Signed::from(self).cmp(other.into())
    }
}
