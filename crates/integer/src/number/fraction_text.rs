//! Text of rational numbers: fractions, integers, and decimals.

use super::{Integer, Natural, Rational};
use crate::text::{TextError, TextErrorKind, first_non_digit, split_sign};
use std::fmt;
use std::str::FromStr;

/// Beyond it a few digits of text would be a number that fills the memory.
const MAX_EXPONENT: i64 = 100_000_000;

impl fmt::Display for Rational {
    /// A fraction, `-3/4`, or an integer; with a precision a decimal that is rounded to so many places, halves away from zero.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let magnitude = self.numerator().magnitude();
        let text = match f.precision() {
            Some(places) => {
                let scaled = self.abs() * Natural::from(10u32).pow(places);
                let mut digits = scaled.round().to_string();
                if digits.len() <= places {
                    digits.insert_str(0, &"0".repeat(places + 1 - digits.len()));
                }
                if places > 0 {
                    digits.insert(digits.len() - places, '.');
                }
                digits
            }
            None if self.is_integer() => magnitude.to_string(),
            None => format!("{magnitude}/{}", self.denominator()),
        };
        let negative = self.numerator().is_negative();
        f.pad_integral(!negative, "", &text)
    }
}

impl fmt::Debug for Rational {
    /// The number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Rational {
    type Err = TextError;

    /// `-3/4`, an integer, or a decimal, `1.25` or `-2.5e-3`, which is taken exactly.
    fn from_str(text: &str) -> Result<Self, TextError> {
        match text.split_once('/') {
            Some((numerator, denominator)) => {
                let numerator = numerator.parse::<Integer>()?;
                let start = text.len() - denominator.len();
                let denominator = denominator
                    .parse::<Natural>()
                    .map_err(|error| shifted(error, start))?;
                if denominator.is_zero() {
                    return Err(TextError {
                        offset: start,
                        kind: TextErrorKind::ZeroDenominator,
                    });
                }
                Ok(Self::from_parts(numerator, denominator))
            }
            None => {
                let digits = text.trim_start_matches(['-', '+']);
                let hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
                match text.contains(['.', 'e', 'E']) && !hexadecimal {
                    true => decimal(text),
                    false => text.parse::<Integer>().map(Self::from),
                }
            }
        }
    }
}

/// The error of a text that begins there.
fn shifted(error: TextError, start: usize) -> TextError {
    TextError {
        offset: error.offset + start,
        ..error
    }
}

fn decimal(text: &str) -> Result<Rational, TextError> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        None => (text, 0),
        Some((mantissa, exponent)) => {
            let start = mantissa.len() + 1;
            let value = exponent
                .parse::<Integer>()
                .map_err(|error| shifted(error, start))?;
            let value = i64::try_from(value).ok();
            let value = value.filter(|value| value.abs() <= MAX_EXPONENT);
            (
                mantissa,
                value.ok_or(TextError {
                    offset: start,
                    kind: TextErrorKind::LargeExponent,
                })?,
            )
        }
    };
    let (negative, digits) = split_sign(mantissa.as_bytes())?;
    let start = mantissa.len() - digits.len();
    let (whole, places) = match digits.iter().position(|&byte| byte == b'.') {
        Some(point) => (&digits[..point], &digits[point + 1..]),
        None => (digits, &[][..]),
    };
    let joined = [whole, places].concat();
    if joined.is_empty() {
        // A point alone.
        return Err(TextError {
            offset: mantissa.len(),
            kind: TextErrorKind::Empty,
        });
    }
    if let Some(at) = first_non_digit(&joined) {
        return Err(TextError {
            offset: start + at + usize::from(at >= whole.len() && whole.len() < digits.len()),
            kind: TextErrorKind::NotADecimalDigit(joined[at]),
        });
    }
    let joined = std::str::from_utf8(&joined).expect("digits are ASCII");
    let magnitude: Natural = joined.parse()?;
    let power = exponent - places.len() as i64;
    let ten = Natural::from(10u32).pow(power.unsigned_abs() as usize);
    let numerator = Integer::from_sign_magnitude(negative, magnitude);
    Ok(match power < 0 {
        true => Rational::from_parts(numerator, ten),
        false => (numerator * ten).into(),
    })
}
