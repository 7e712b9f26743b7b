//! The type of rational numbers: reduced fractions.
//!
//! Sums and products reduce before they multiply (P. Henrici, *A subroutine for computations with rational numbers*, 1956; D. Knuth, *The Art
//! of Computer Programming 2*, §4.5.1), so that greatest common divisors are those of short numbers.

use super::{Integer, Natural};
use crate::DivisionByZero;
use std::cmp::Ordering;
use std::ops::Neg;

/// A rational number: a reduced fraction, whose denominator is positive.
///
/// ```
/// use sunzi::Rational;
///
/// let harmonic: Rational = (1..=10).map(|n| Rational::from(n).recip().expect("above 0")).sum();
/// assert_eq!(harmonic.to_string(), "7381/2520");
/// assert_eq!(format!("{harmonic:.5}"), "2.92897");
/// assert_eq!("1.25".parse::<Rational>()? / 5, "1/4".parse::<Rational>()?);
/// # Ok::<(), sunzi::integer::TextError>(())
/// ```
///
/// # Panics
/// `/` by zero, as that of the standard library; [`Self::checked_div`] does not.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rational {
    numerator: Integer,
    /// Above 0, and without a common divisor with the numerator.
    denominator: Natural,
}

impl Rational {
    /// 0.
    pub const ZERO: Self = Self {
        numerator: Integer::ZERO,
        denominator: Natural::ONE,
    };
    /// 1.
    pub const ONE: Self = Self {
        numerator: Integer::ONE,
        denominator: Natural::ONE,
    };

    /// The fraction, reduced.
    ///
    /// ```
    /// # use sunzi::Rational;
    /// assert_eq!(Rational::new(6.into(), (-8).into())?.to_string(), "-3/4");
    /// assert!(Rational::new(6.into(), 0.into()).is_err());
    /// # Ok::<(), sunzi::integer::DivisionByZero>(())
    /// ```
    ///
    /// # Errors
    /// [`DivisionByZero`].
    pub fn new(numerator: Integer, denominator: Integer) -> Result<Self, DivisionByZero> {
        if denominator.is_zero() {
            return Err(DivisionByZero);
        }
        let numerator = match denominator.negative {
            true => -numerator,
            false => numerator,
        };
        Ok(Self::from_parts(numerator, denominator.magnitude))
    }

    /// The fraction, reduced.
    ///
    /// ```
    /// # use sunzi::Rational;
    /// assert_eq!(Rational::from_parts((-6).into(), 8u32.into()).to_string(), "-3/4");
    /// ```
    ///
    /// # Panics
    /// If the denominator is 0, as `/` does; [`Self::new`] does not.
    pub fn from_parts(numerator: Integer, denominator: Natural) -> Self {
        assert!(!denominator.is_zero(), "{DivisionByZero}");
        let gcd = numerator.magnitude.gcd(&denominator);
        Self {
            numerator: over(numerator, &gcd),
            denominator: match gcd.is_one() {
                true => denominator,
                false => denominator / gcd,
            },
        }
    }

    /// The numerator, which has the sign.
    ///
    /// ```
    /// # use sunzi::Rational;
    /// assert_eq!(*"-6/8".parse::<Rational>()?.numerator(), -3);
    /// # Ok::<(), sunzi::integer::TextError>(())
    /// ```
    #[inline]
    pub fn numerator(&self) -> &Integer {
        &self.numerator
    }

    /// The denominator, which is not 0.
    ///
    /// ```
    /// # use sunzi::Rational;
    /// assert_eq!(*"-6/8".parse::<Rational>()?.denominator(), 4);
    /// # Ok::<(), sunzi::integer::TextError>(())
    /// ```
    #[inline]
    pub fn denominator(&self) -> &Natural {
        &self.denominator
    }

    /// Numerator and denominator.
    ///
    /// ```
    /// # use sunzi::Rational;
    /// let (numerator, denominator) = Rational::from(7).into_parts();
    /// assert!(numerator == 7 && denominator == 1);
    /// ```
    #[inline]
    pub fn into_parts(self) -> (Integer, Natural) {
        (self.numerator, self.denominator)
    }

    /// Whether the number is 0.
    ///
    /// ```
    /// # use sunzi::Rational;
    /// assert!(Rational::ZERO.is_zero());
    /// ```
    #[inline]
    pub fn is_zero(&self) -> bool {
        self.numerator.is_zero()
    }

    /// Whether the number is an integer.
    ///
    /// ```
    /// # use sunzi::Rational;
    /// assert!(Rational::from(7).is_integer());
    /// ```
    #[inline]
    pub fn is_integer(&self) -> bool {
        self.denominator.is_one()
    }

    /// −1, 0 or 1: the sign.
    ///
    /// ```
    /// # use sunzi::Rational;
    /// assert_eq!(Rational::from(-7).signum(), -1);
    /// ```
    #[inline]
    pub fn signum(&self) -> i32 {
        self.numerator.signum()
    }

    /// The absolute value.
    ///
    /// ```
    /// # use sunzi::Rational;
    /// assert_eq!(Rational::from(-7).abs(), 7);
    /// ```
    pub fn abs(&self) -> Self {
        Self {
            numerator: self.numerator.abs(),
            denominator: self.denominator.clone(),
        }
    }

    /// The reciprocal; `None` of 0.
    ///
    /// ```
    /// # use sunzi::Rational;
    /// assert_eq!(Rational::from(-7).recip().map(|x| x.to_string()).as_deref(), Some("-1/7"));
    /// assert_eq!(Rational::ZERO.recip(), None);
    /// ```
    pub fn recip(&self) -> Option<Self> {
        (!self.is_zero()).then(|| Self {
            numerator: Integer::from_sign_magnitude(
                self.numerator.negative,
                self.denominator.clone(),
            ),
            denominator: self.numerator.magnitude.clone(),
        })
    }

    /// The power; `None` of 0 to a negative one. 0 to the power of 0 is 1.
    ///
    /// ```
    /// # use sunzi::Rational;
    /// let half = Rational::from(2).recip().expect("not 0");
    /// assert_eq!(half.pow(-10), Some(Rational::from(1024)));
    /// ```
    pub fn pow(&self, exponent: isize) -> Option<Self> {
        let base = match exponent < 0 {
            true => self.recip()?,
            false => self.clone(),
        };
        Some(Self {
            numerator: base.numerator.pow(exponent.unsigned_abs()),
            denominator: base.denominator.pow(exponent.unsigned_abs()),
        })
    }

    /// The largest integer that is not above the number.
    ///
    /// ```
    /// # use sunzi::Rational;
    /// assert_eq!("-5/2".parse::<Rational>()?.floor(), -3);
    /// # Ok::<(), sunzi::integer::TextError>(())
    /// ```
    pub fn floor(&self) -> Integer {
        self.numerator.div_floor(&(&self.denominator).into())
    }

    /// The least integer that is not below the number.
    ///
    /// ```
    /// # use sunzi::Rational;
    /// assert_eq!("-5/2".parse::<Rational>()?.ceil(), -2);
    /// # Ok::<(), sunzi::integer::TextError>(())
    /// ```
    pub fn ceil(&self) -> Integer {
        self.numerator.div_ceil(&(&self.denominator).into())
    }

    /// The integer part: the number rounded toward zero.
    ///
    /// ```
    /// # use sunzi::Rational;
    /// assert_eq!("-5/2".parse::<Rational>()?.trunc(), -2);
    /// # Ok::<(), sunzi::integer::TextError>(())
    /// ```
    pub fn trunc(&self) -> Integer {
        &self.numerator / &self.denominator
    }

    /// The nearest integer, halves away from zero, as [`f64::round`] has it.
    ///
    /// ```
    /// # use sunzi::Rational;
    /// assert_eq!("-5/2".parse::<Rational>()?.round(), -3);
    /// # Ok::<(), sunzi::integer::TextError>(())
    /// ```
    pub fn round(&self) -> Integer {
        let magnitude = &self.numerator.magnitude;
        let (quotient, remainder) = magnitude.div_rem(&self.denominator);
        let up = remainder << 1 >= self.denominator;
        Integer::from_sign_magnitude(self.numerator.negative, quotient + u32::from(up))
    }

    /// The quotient.
    ///
    /// ```
    /// # use sunzi::Rational;
    /// assert!(Rational::ONE.checked_div(&Rational::ZERO).is_err());
    /// ```
    ///
    /// # Errors
    /// [`DivisionByZero`].
    pub fn checked_div(&self, divisor: &Self) -> Result<Self, DivisionByZero> {
        let reciprocal = divisor.recip().ok_or(DivisionByZero)?;
        Ok(Self::product(self, &reciprocal))
    }

    pub(super) fn sum(a: &Self, b: &Self) -> Self {
        Self::combination(a, b, |x, y| x + y)
    }

    pub(super) fn difference(a: &Self, b: &Self) -> Self {
        Self::combination(a, b, |x, y| x - y)
    }

    fn combination(a: &Self, b: &Self, of: impl Fn(Integer, Integer) -> Integer) -> Self {
        let gcd = a.denominator.gcd(&b.denominator);
        if gcd.is_one() {
            return Self {
                numerator: of(&a.numerator * &b.denominator, &b.numerator * &a.denominator),
                denominator: &a.denominator * &b.denominator,
            };
        }
        let (left, right) = (&a.denominator / &gcd, &b.denominator / &gcd);
        let numerator = of(&a.numerator * &right, &b.numerator * &left);
        // What the numerator has in common with the denominator divides `gcd`.
        let common = numerator.magnitude.gcd(&gcd);
        Self {
            numerator: over(numerator, &common),
            denominator: left * (&b.denominator / common),
        }
    }

    pub(super) fn product(a: &Self, b: &Self) -> Self {
        let left = a.numerator.magnitude.gcd(&b.denominator);
        let right = b.numerator.magnitude.gcd(&a.denominator);
        Self {
            numerator: over(a.numerator.clone(), &left) * over(b.numerator.clone(), &right),
            denominator: (&a.denominator / right) * (&b.denominator / left),
        }
    }

    #[track_caller]
    pub(super) fn quotient(a: &Self, b: &Self) -> Self {
        match a.checked_div(b) {
            Ok(quotient) => quotient,
            Err(DivisionByZero) => panic!("attempt to divide by zero"),
        }
    }

    pub(super) fn add_in_place(&mut self, b: &Self) {
        *self = Self::sum(self, b);
    }

    pub(super) fn sub_in_place(&mut self, b: &Self) {
        *self = Self::difference(self, b);
    }

    /// `b = a − b`.
    pub(super) fn sub_from_in_place(b: &mut Self, a: &Self) {
        *b = Self::difference(a, b);
    }

    pub(super) fn mul_in_place(&mut self, b: &Self) {
        *self = Self::product(self, b);
    }

    #[track_caller]
    pub(super) fn div_in_place(&mut self, b: &Self) {
        *self = Self::quotient(self, b);
    }

    /// `b = a / b`.
    #[track_caller]
    pub(super) fn div_from_in_place(b: &mut Self, a: &Self) {
        *b = Self::quotient(a, b);
    }
}

/// A number over one of its divisors.
fn over(number: Integer, divisor: &Natural) -> Integer {
    match divisor.is_one() {
        true => number,
        false => number / divisor,
    }
}

impl Default for Rational {
    /// 0.
    fn default() -> Self {
        Self::ZERO
    }
}

impl Neg for Rational {
    type Output = Self;

    fn neg(self) -> Self {
        Self {
            numerator: -self.numerator,
            ..self
        }
    }
}

impl Neg for &Rational {
    type Output = Rational;

    fn neg(self) -> Rational {
        -self.clone()
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.denominator == other.denominator || self.signum() != other.signum() {
            return self.numerator.cmp(&other.numerator);
        }
        let left = &self.numerator * &other.denominator;
        left.cmp(&(&other.numerator * &self.denominator))
    }
}

impl From<Integer> for Rational {
    fn from(numerator: Integer) -> Self {
        Self {
            numerator,
            denominator: Natural::ONE,
        }
    }
}

impl From<Natural> for Rational {
    fn from(value: Natural) -> Self {
        Integer::from(value).into()
    }
}

impl From<&Integer> for Rational {
    fn from(value: &Integer) -> Self {
        value.clone().into()
    }
}

impl From<&Natural> for Rational {
    fn from(value: &Natural) -> Self {
        value.clone().into()
    }
}
