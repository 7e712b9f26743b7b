//! Conversions from and to floating point: to the nearest double, ties to the even one.

use super::{Integer, Natural, Rational};
use std::cmp::Ordering;

/// Bits of the mantissa that are stored.
const MANTISSA_BITS: u32 = 52;
/// The exponent of the least positive double, 2^-1074.
const LEAST: i64 = -1074;

/// mantissa·2^exponent, `more` telling that a part less than one unit of the mantissa was cut off, rounded; above all doubles, infinity.
///
/// The mantissa has all its 64 bits or is exact.
fn rounded(mantissa: u64, more: bool, exponent: i64) -> f64 {
    if mantissa == 0 {
        return 0.0;
    }
    let bits = 64 - i64::from(mantissa.leading_zeros());
    if bits + exponent > 1024 {
        return f64::INFINITY;
    }
    // In units of the last place that the double has: 53 bits, or fewer where it is subnormal.
    let unit = (bits + exponent - 53).max(LEAST);
    let cut = unit - exponent;
    if cut <= 0 {
        // Fewer than 53 bits, exactly.
        return scaled(mantissa << -cut, unit);
    }
    if cut > 64 {
        return 0.0;
    }
    let wide = u128::from(mantissa);
    let (whole, rest) = (wide >> cut, wide & ((1 << cut) - 1));
    let half = 1 << (cut - 1);
    let up = match rest.cmp(&half) {
        Ordering::Less => false,
        Ordering::Greater => true,
        Ordering::Equal => more || whole & 1 == 1,
    };
    scaled(whole as u64 + u64::from(up), unit)
}

/// units·2^exponent, which is a double, or above all.
fn scaled(units: u64, exponent: i64) -> f64 {
    // Such bits that adding to the mantissa carries into the exponent: of numbers below 2^52 units it is that of subnormal ones.
    let biased = match units >> MANTISSA_BITS {
        0 => return f64::from_bits(units),
        _ => (exponent - LEAST + 1) as u64,
    };
    f64::from_bits((biased << MANTISSA_BITS) + (units - (1 << MANTISSA_BITS)))
}

impl Natural {
    /// The nearest double, ties to the even one; infinity above all of them.
    ///
    /// ```
    /// # use sunzi::Natural;
    /// assert_eq!(Natural::from(10u32).pow(23).to_f64(), 1e23);
    /// assert_eq!(Natural::from(10u32).pow(400).to_f64(), f64::INFINITY);
    /// ```
    pub fn to_f64(&self) -> f64 {
        let cut = self.bit_len().saturating_sub(64);
        let top = match self.word() {
            Some(word) => word,
            None => (self >> cut).word().unwrap_or_default(),
        };
        let exponent = i64::try_from(cut).unwrap_or(i64::MAX / 2);
        rounded(top, self.has_ones_below(cut), exponent)
    }
}

impl Integer {
    /// The nearest double, ties to the even one; infinities beyond all of them.
    ///
    /// ```
    /// # use sunzi::Integer;
    /// assert_eq!(Integer::from((1i64 << 53) + 1).to_f64(), 2f64.powi(53));
    /// ```
    pub fn to_f64(&self) -> f64 {
        signed(self.negative, self.magnitude.to_f64())
    }

    /// The integer part of a double; `None` if it is not finite.
    ///
    /// ```
    /// # use sunzi::Integer;
    /// assert_eq!(Integer::from_f64(-1.5), Some(Integer::MINUS_ONE));
    /// assert_eq!(Integer::from_f64(f64::NAN), None);
    /// ```
    pub fn from_f64(value: f64) -> Option<Self> {
        let (negative, mantissa, exponent) = parts(value)?;
        let magnitude = Natural::from(mantissa);
        let magnitude = match exponent < 0 {
            true => magnitude >> exponent.unsigned_abs(),
            false => magnitude << exponent,
        };
        Some(Self::from_sign_magnitude(negative, magnitude))
    }
}

impl Rational {
    /// The nearest double, ties to the even one; infinities beyond all of them.
    ///
    /// ```
    /// # use sunzi::Rational;
    /// assert_eq!("1/10".parse::<Rational>()?.to_f64(), 0.1);
    /// # Ok::<(), sunzi::integer::TextError>(())
    /// ```
    pub fn to_f64(&self) -> f64 {
        let numerator = self.numerator().magnitude();
        // A quotient of 65 or 66 bits, of which the last are taken together.
        let bits = |x: &Natural| i64::try_from(x.bit_len()).unwrap_or(i64::MAX / 4);
        let shift = 65 + bits(self.denominator()) - bits(numerator);
        let (quotient, remainder) = match shift < 0 {
            true => numerator.div_rem(&(self.denominator() << shift.unsigned_abs())),
            false => (numerator << shift).div_rem(self.denominator()),
        };
        let cut = quotient.bit_len().saturating_sub(64);
        let more = quotient.has_ones_below(cut) || !remainder.is_zero();
        let top = (quotient >> cut).word().unwrap_or_default();
        signed(
            self.numerator().negative,
            rounded(top, more, cut as i64 - shift),
        )
    }

    /// The exact value of a double; `None` if it is not finite.
    ///
    /// ```
    /// # use sunzi::Rational;
    /// assert_eq!(Rational::from_f64(0.75).map(|x| x.to_string()).as_deref(), Some("3/4"));
    /// assert_eq!(Rational::from_f64(f64::INFINITY), None);
    /// ```
    pub fn from_f64(value: f64) -> Option<Self> {
        let (negative, mantissa, exponent) = parts(value)?;
        let mantissa = Integer::from_sign_magnitude(negative, mantissa.into());
        Some(match exponent < 0 {
            true => Self::from_parts(mantissa, Natural::ONE << exponent.unsigned_abs()),
            false => (mantissa << exponent).into(),
        })
    }
}

fn signed(negative: bool, value: f64) -> f64 {
    if negative { -value } else { value }
}

/// Sign, mantissa and exponent of a double, if it is finite.
fn parts(value: f64) -> Option<(bool, u64, i64)> {
    if !value.is_finite() {
        return None;
    }
    let bits = value.to_bits();
    let biased = (bits >> MANTISSA_BITS & 0x7ff) as i64;
    let stored = bits & ((1 << MANTISSA_BITS) - 1);
    let (mantissa, exponent) = match biased {
        0 => (stored, LEAST),
        _ => (stored | 1 << MANTISSA_BITS, LEAST + biased - 1),
    };
    Some((value.is_sign_negative(), mantissa, exponent))
}
