//! Doubles with exponents of 64 bits.

use std::fmt;
use std::iter::Product;
use std::ops::{Mul, Neg};

use super::decimal;

/// The number m·2^e, with 1 ≤ |m| < 2 or m = 0 = e.
///
/// Products are rounded as those of doubles are, and never leave the range, which reaches beyond
/// 10^(2·10^18). It prints as the shortest decimal number that is nearer to it than to its neighbours, or
/// with as many digits after the point as the format asks for: those of m·2^e, the last one rounded.
///
/// ```
/// use sunzi::matrix::float::ScaledFloat;
///
/// let x: ScaledFloat = vec![ScaledFloat::from_f64(1e-300); 1600].into_iter().product();
/// assert_eq!(format!("{x:.3}"), "1.000e-480000");
/// assert_eq!(x.to_f64(), 0.0);
/// assert_eq!(ScaledFloat::from_f64(-0.1).to_string(), "-1e-1");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ScaledFloat {
    mantissa: f64,
    exponent: i64,
}

impl ScaledFloat {
    /// 0.
    pub const ZERO: Self = Self {
        mantissa: 0.0,
        exponent: 0,
    };

    /// 1.
    pub const ONE: Self = Self {
        mantissa: 1.0,
        exponent: 0,
    };

    /// The number m·2^e for any finite m.
    ///
    /// # Panics
    /// If `mantissa` is infinite or no number; [`Self::try_new`] returns none instead.
    pub fn new(mantissa: f64, exponent: i64) -> Self {
        match Self::try_new(mantissa, exponent) {
            Some(number) => number,
            None => panic!("a finite mantissa instead of {mantissa}"),
        }
    }

    /// The number m·2^e; none if m is infinite or no number.
    ///
    /// ```
    /// use sunzi::matrix::float::ScaledFloat;
    ///
    /// assert_eq!(ScaledFloat::try_new(3.0, 1).map(ScaledFloat::to_f64), Some(6.0));
    /// assert_eq!(ScaledFloat::try_new(f64::INFINITY, 1), None);
    /// ```
    pub fn try_new(mantissa: f64, exponent: i64) -> Option<Self> {
        if mantissa == 0.0 {
            return Some(Self::ZERO);
        }
        let (mantissa, own) = mantissa.is_finite().then(|| split(mantissa))?;
        Some(Self {
            mantissa,
            exponent: exponent.saturating_add(own.into()),
        })
    }

    /// The same number.
    ///
    /// # Panics
    /// If it is infinite or none, as [`Self::new`].
    pub fn from_f64(value: f64) -> Self {
        Self::new(value, 0)
    }

    /// m, with 1 ≤ |m| < 2 or m = 0.
    pub const fn mantissa(self) -> f64 {
        self.mantissa
    }

    /// e, a power of two.
    pub const fn exponent(self) -> i64 {
        self.exponent
    }

    /// The nearest double: infinite or zero where the number is too large or too small for one.
    ///
    /// ```
    /// use sunzi::matrix::float::ScaledFloat;
    ///
    /// assert_eq!(ScaledFloat::new(1.5, -1074).to_f64(), 2.0 * f64::from_bits(1));
    /// assert_eq!(ScaledFloat::new(-1.5, 1024).to_f64(), f64::NEG_INFINITY);
    /// ```
    pub fn to_f64(self) -> f64 {
        times_power_of_two(self.mantissa, self.exponent.clamp(-2200, 2200) as i32)
    }

    /// The one of smaller absolute value; the second, if they are equal.
    pub(super) fn smaller(self, other: Self) -> Self {
        let key = |x: Self| (x.mantissa != 0.0, x.exponent, x.mantissa.abs());
        if key(self) < key(other) { self } else { other }
    }

    /// The logarithm of the absolute value to base 10.
    ///
    /// ```
    /// use sunzi::matrix::float::ScaledFloat;
    ///
    /// assert_eq!(ScaledFloat::new(1.0, -1_000_000).log10().round(), -301_030.0);
    /// ```
    pub fn log10(self) -> f64 {
        self.mantissa.abs().log10() + self.exponent as f64 * std::f64::consts::LOG10_2
    }
}

/// 2^`exponent`, for normal numbers.
pub(super) fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// `value`·2^`exponent`, rounded once: in pieces that are exact, unless the result is too large or too small for
/// them to be.
pub(super) fn times_power_of_two(value: f64, exponent: i32) -> f64 {
    if value == 0.0 {
        return value;
    }
    // With 1 ≤ |m| < 2 only the last product can be rounded.
    let (mantissa, own) = split(value);
    let exponent = (exponent + own).clamp(-1200, 1200);
    let first = exponent.clamp(-600, 600);
    mantissa * power_of_two(first) * power_of_two(exponent - first)
}

/// m and e with `value` = m·2^e and 1 ≤ |m| < 2, for finite values other than 0.
pub fn split(value: f64) -> (f64, i32) {
    let biased = |value: f64| (value.to_bits() >> 52 & 0x7ff) as i32;
    if biased(value) == 0 {
        // Subnormal numbers have their exponent in the place of the highest bit.
        let (mantissa, exponent) = split(value * power_of_two(64));
        return (mantissa, exponent - 64);
    }
    let mantissa = f64::from_bits(value.to_bits() & !(0x7ff << 52) | 1023 << 52);
    (mantissa, biased(value) - 1023)
}

impl Mul for ScaledFloat {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let exponent = self.exponent.saturating_add(other.exponent);
        Self::new(self.mantissa * other.mantissa, exponent)
    }
}

impl Neg for ScaledFloat {
    type Output = Self;

    fn neg(self) -> Self {
        Self::new(-self.mantissa, self.exponent)
    }
}

impl Product for ScaledFloat {
    fn product<I: Iterator<Item = Self>>(factors: I) -> Self {
        factors.fold(Self::ONE, Mul::mul)
    }
}

impl fmt::Display for ScaledFloat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = decimal::scientific(self.mantissa.abs(), self.exponent, f.precision());
        f.pad_integral(self.mantissa >= 0.0, "", &text)
    }
}
