//! Dyadic numbers: integers times powers of two.
//!
//! They are what bisection gives, they are added and multiplied without rounding, and each has a finite decimal expansion.

use std::cmp::Ordering;
use std::ops::{Add, Mul, Neg, Sub};
use sunzi_integer::{Integer, Natural, Rational};

/// The number mantissa · 2^exponent, whose mantissa is odd; zero is 0 · 2^0.
///
/// ```
/// use sunzi::solve::Dyadic;
///
/// let a = Dyadic::new(6.into(), -3); // 6/8
/// assert_eq!((a.mantissa(), a.exponent()), (&3.into(), -2));
/// assert_eq!((&a + &Dyadic::from(1)).to_string(), "1.75");
/// assert!(a < Dyadic::from(1));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Dyadic {
    mantissa: Integer,
    exponent: i64,
}

impl Dyadic {
    /// mantissa · 2^exponent.
    ///
    /// # Panics
    /// If the exponent of the odd mantissa is beyond an `i64`; [`Self::try_new`] returns none instead.
    #[must_use]
    pub fn new(mantissa: Integer, exponent: i64) -> Self {
        Self::try_new(mantissa, exponent).expect("an exponent within an i64")
    }

    /// The same; none if the exponent of the odd mantissa is beyond an `i64`.
    ///
    /// ```
    /// use sunzi::solve::Dyadic;
    ///
    /// assert!(Dyadic::try_new(3.into(), i64::MAX).is_some());
    /// assert!(Dyadic::try_new(2.into(), i64::MAX).is_none());
    /// ```
    #[must_use]
    pub fn try_new(mantissa: Integer, exponent: i64) -> Option<Self> {
        Some(match mantissa.trailing_zeros() {
            None => Self::zero(),
            Some(0) => Self { mantissa, exponent },
            Some(zeros) => Self {
                mantissa: mantissa >> zeros,
                exponent: exponent.checked_add_unsigned(zeros as u64)?,
            },
        })
    }

    /// Zero.
    #[must_use]
    pub fn zero() -> Self {
        Self {
            mantissa: Integer::ZERO,
            exponent: 0,
        }
    }

    /// The odd integer that is multiplied by the power of two, or 0.
    #[must_use]
    pub fn mantissa(&self) -> &Integer {
        &self.mantissa
    }

    /// The power of two.
    #[must_use]
    pub fn exponent(&self) -> i64 {
        self.exponent
    }

    /// Whether this is zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.mantissa.is_zero()
    }

    /// How it compares with zero.
    #[must_use]
    pub fn sign(&self) -> Ordering {
        self.mantissa.signum().cmp(&0)
    }

    /// The least e with |x| < 2^e, or `None` for zero.
    #[must_use]
    pub fn magnitude(&self) -> Option<i64> {
        (!self.is_zero()).then(|| self.exponent + self.mantissa.bit_len() as i64)
    }

    /// x · 2^power.
    #[must_use]
    pub fn scaled(&self, power: i64) -> Self {
        match self.is_zero() {
            true => Self::zero(),
            false => Self {
                mantissa: self.mantissa.clone(),
                exponent: self.exponent + power,
            },
        }
    }

    /// The mean of two numbers.
    #[must_use]
    pub fn midpoint(a: &Self, b: &Self) -> Self {
        (a + b).scaled(-1)
    }

    /// The integer ⌊x · 2^bits⌋.
    ///
    /// ```
    /// use sunzi::solve::Dyadic;
    ///
    /// let x = Dyadic::new((-5).into(), -2); // −1.25
    /// assert_eq!((x.floor_times(0), x.floor_times(1)), ((-2).into(), (-3).into()));
    /// ```
    #[must_use]
    pub fn floor_times(&self, bits: i64) -> Integer {
        shifted(&self.mantissa, self.exponent + bits)
    }

    /// The integer ⌈x · 2^bits⌉.
    #[must_use]
    pub fn ceil_times(&self, bits: i64) -> Integer {
        -shifted(&-&self.mantissa, self.exponent + bits)
    }

    /// The greatest multiple of 2^−bits that is no greater.
    #[must_use]
    pub fn floor_to(&self, bits: i64) -> Self {
        match self.exponent >= -bits {
            true => self.clone(),
            false => Self::new(self.floor_times(bits), -bits),
        }
    }

    /// The least multiple of 2^−bits that is no less.
    #[must_use]
    pub fn ceil_to(&self, bits: i64) -> Self {
        match self.exponent >= -bits {
            true => self.clone(),
            false => Self::new(self.ceil_times(bits), -bits),
        }
    }

    /// The greatest multiple of 2^−bits that is no greater than a rational number.
    #[must_use]
    pub fn floor_of(x: &Rational, bits: i64) -> Self {
        let (numerator, denominator) = (x.numerator(), Integer::from(x.denominator().clone()));
        let (numerator, denominator) = match bits >= 0 {
            true => (numerator << bits as usize, denominator),
            false => (
                numerator.clone(),
                denominator << bits.unsigned_abs() as usize,
            ),
        };
        Self::new(numerator.div_floor(&denominator), -bits)
    }

    /// The least multiple of 2^−bits that is no less than a rational number.
    #[must_use]
    pub fn ceil_of(x: &Rational, bits: i64) -> Self {
        -Self::floor_of(&-x, bits)
    }

    /// As a rational number.
    #[must_use]
    pub fn to_rational(&self) -> Rational {
        let power = self.exponent.unsigned_abs() as usize;
        match self.exponent >= 0 {
            true => Rational::from(&self.mantissa << power),
            false => Rational::from_parts(self.mantissa.clone(), Natural::ONE << power),
        }
    }

    /// The nearest number of double precision; ±∞ and 0 beyond their range.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        // 64 bits, the last of which tells of those cut off, so that rounding happens once.
        let excess = self.mantissa.bit_len() as i64 - 64;
        let (mantissa, exponent) = match excess > 0 {
            true => {
                let cut = &self.mantissa >> excess as usize;
                (cut | Integer::ONE, self.exponent + excess)
            }
            false => (self.mantissa.clone(), self.exponent),
        };
        let magnitude = exponent + mantissa.bit_len() as i64;
        if magnitude > 1100 {
            return match self.sign() {
                Ordering::Less => f64::NEG_INFINITY,
                _ => f64::INFINITY,
            };
        }
        if magnitude < -1100 {
            return 0.0;
        }
        Self { mantissa, exponent }.to_rational().to_f64()
    }
}

/// ⌊value · 2^power⌋.
fn shifted(value: &Integer, power: i64) -> Integer {
    match power >= 0 {
        true => value << power as usize,
        // Shifts of negative integers round downward.
        false => value >> power.unsigned_abs() as usize,
    }
}

impl From<i64> for Dyadic {
    fn from(value: i64) -> Self {
        Self::new(Integer::from(value), 0)
    }
}

impl From<Integer> for Dyadic {
    fn from(value: Integer) -> Self {
        Self::new(value, 0)
    }
}

impl From<&Dyadic> for Rational {
    fn from(value: &Dyadic) -> Self {
        value.to_rational()
    }
}

impl Add for &Dyadic {
    type Output = Dyadic;

    // Exponents are subtracted to bring both to the lesser one.
    #[allow(clippy::suspicious_arithmetic_impl)]
    fn add(self, other: &Dyadic) -> Dyadic {
        let exponent = self.exponent.min(other.exponent);
        let at = |x: &Dyadic| shifted(&x.mantissa, x.exponent - exponent);
        match (self.is_zero(), other.is_zero()) {
            (true, _) => other.clone(),
            (_, true) => self.clone(),
            _ => Dyadic::new(at(self) + at(other), exponent),
        }
    }
}

impl Sub for &Dyadic {
    type Output = Dyadic;

    fn sub(self, other: &Dyadic) -> Dyadic {
        self + &-other
    }
}

impl Mul for &Dyadic {
    type Output = Dyadic;

    fn mul(self, other: &Dyadic) -> Dyadic {
        let product = &self.mantissa * &other.mantissa;
        match product.is_zero() {
            true => Dyadic::zero(),
            false => Dyadic {
                mantissa: product,
                exponent: self.exponent + other.exponent,
            },
        }
    }
}

impl Neg for &Dyadic {
    type Output = Dyadic;

    fn neg(self) -> Dyadic {
        Dyadic {
            mantissa: -&self.mantissa,
            exponent: self.exponent,
        }
    }
}

impl Neg for Dyadic {
    type Output = Self;

    fn neg(self) -> Self {
        Self {
            mantissa: -self.mantissa,
            exponent: self.exponent,
        }
    }
}

impl PartialOrd for Dyadic {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Dyadic {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_sign = self.sign().cmp(&other.sign());
        if by_sign != Ordering::Equal || self.is_zero() {
            return by_sign;
        }
        let by_magnitude = self.magnitude().cmp(&other.magnitude());
        if by_magnitude != Ordering::Equal {
            return match self.sign() {
                Ordering::Less => by_magnitude.reverse(),
                _ => by_magnitude,
            };
        }
        let exponent = self.exponent.min(other.exponent);
        let at = |x: &Self| shifted(&x.mantissa, x.exponent - exponent);
        at(self).cmp(&at(other))
    }
}
