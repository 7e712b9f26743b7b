//! Text of natural numbers and integers: decimal by the tables of the crate's [`text`](crate::text), other bases by [`radix`](super::radix).

use super::radix;
use super::{Integer, Natural};
use crate::multiplier::Multiplier;
use crate::text::format::{SHORT_DIGITS, short_digits};
use crate::text::{DecimalTables, TextError, TextErrorKind};
use std::fmt;
use std::str::FromStr;

/// A number in decimal as the formatter asks.
fn decimal(negative: bool, value: &Natural, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match (value.word(), value.wide()) {
        // Machine integers know how without memory.
        (Some(word), _) if !negative => fmt::Display::fmt(&word, f),
        (Some(word), _) => fmt::Display::fmt(&-i128::from(word), f),
        (_, Some(wide)) if !negative => fmt::Display::fmt(&wide, f),
        _ => {
            let limbs = value.as_limbs();
            if let Some(digits) = short_digits(limbs, &mut [0; SHORT_DIGITS]) {
                return f.pad_integral(!negative, "", digits);
            }
            let digits = DecimalTables::shared().digits(Multiplier::shared(), limbs);
            f.pad_integral(!negative, "", &digits)
        }
    }
}

impl fmt::Display for Natural {
    /// In decimal: O(M(n)·log n) for n digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        decimal(false, self, f)
    }
}

impl fmt::Display for Integer {
    /// In decimal: O(M(n)·log n) for n digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        decimal(self.negative, &self.magnitude, f)
    }
}

/// Text with a prefix where `#` asks for it; a sign and the absolute value, not the two's complement.
macro_rules! bases {
    ($($Trait:ident $radix:literal $prefix:literal $upper:literal;)*) => {$(
        impl fmt::$Trait for Natural {
            /// Linear time.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad_integral(true, $prefix, &radix::to_text(self, $radix, $upper))
            }
        }

        impl fmt::$Trait for Integer {
            /// The sign and the absolute value, in linear time.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let digits = radix::to_text(&self.magnitude, $radix, $upper);
                f.pad_integral(!self.negative, $prefix, &digits)
            }
        }
    )*};
}

bases! {
    Binary 2 "0b" false;
    Octal 8 "0o" false;
    LowerHex 16 "0x" false;
    UpperHex 16 "0x" true;
}

impl fmt::Debug for Natural {
    /// The number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Debug for Integer {
    /// The number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A natural number and its text, of which the sign must not be `-`.
fn natural(text: &[u8], (negative, limbs): (bool, Vec<u64>)) -> Result<Natural, TextError> {
    if negative {
        debug_assert_eq!(text[0], b'-');
        return Err(TextError {
            offset: 0,
            kind: TextErrorKind::Negative,
        });
    }
    Ok(Natural::from_limbs(limbs))
}

fn integer((negative, limbs): (bool, Vec<u64>)) -> Integer {
    Integer::from_sign_magnitude(negative, Natural::from_limbs(limbs))
}

/// A number with a sign or without, if it has no more digits than surely fit a word.
fn short(text: &[u8]) -> Option<(bool, u64)> {
    const MOST: usize = 19;
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    if digits.is_empty() || digits.len() > MOST {
        return None;
    }
    let mut value = 0;
    for byte in digits {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value = 10 * value + u64::from(digit);
    }
    Some((negative, value))
}

fn parse(text: &[u8]) -> Result<(bool, Vec<u64>), TextError> {
    DecimalTables::shared().parse_limbs(Multiplier::shared(), text)
}

impl FromStr for Natural {
    type Err = TextError;

    /// Decimal digits, or `0x` and hexadecimal ones, perhaps after a `+`: O(M(n)·log n) for n digits.
    fn from_str(text: &str) -> Result<Self, TextError> {
        if let Some((false, value)) = short(text.as_bytes()) {
            return Ok(Self::from(value));
        }
        natural(text.as_bytes(), parse(text.as_bytes())?)
    }
}

impl FromStr for Integer {
    type Err = TextError;

    /// An optional sign, then decimal digits, or `0x` and hexadecimal ones: O(M(n)·log n) for n digits.
    fn from_str(text: &str) -> Result<Self, TextError> {
        if let Some((negative, value)) = short(text.as_bytes()) {
            return Ok(Self::from_sign_magnitude(negative, value.into()));
        }
        parse(text.as_bytes()).map(integer)
    }
}

impl Natural {
    /// The number with these digits in a base from 2 to 36, perhaps after a `+`.
    ///
    /// ```
    /// # use sunzi::Natural;
    /// assert_eq!(Natural::from_str_radix("zz", 36)?, 1295);
    /// # Ok::<(), sunzi::integer::TextError>(())
    /// ```
    ///
    /// # Errors
    /// [`TextError`] with the byte offset of what is wrong.
    ///
    /// # Panics
    /// If the base is none of 2 to 36.
    pub fn from_str_radix(text: &str, radix: u32) -> Result<Self, TextError> {
        natural(text.as_bytes(), radix::from_text(text.as_bytes(), radix)?)
    }

    /// The digits in a base from 2 to 36, in lower case.
    ///
    /// ```
    /// # use sunzi::Natural;
    /// assert_eq!(Natural::from(1295u32).to_str_radix(36), "zz");
    /// ```
    ///
    /// # Panics
    /// If the base is none of 2 to 36.
    pub fn to_str_radix(&self, radix: u32) -> String {
        match radix {
            10 => self.to_string(),
            _ => radix::to_text(self, radix, false),
        }
    }
}

impl Integer {
    /// The number with these digits in a base from 2 to 36, after an optional sign.
    ///
    /// ```
    /// # use sunzi::Integer;
    /// assert_eq!(Integer::from_str_radix("-zz", 36)?, -1295);
    /// # Ok::<(), sunzi::integer::TextError>(())
    /// ```
    ///
    /// # Errors
    /// [`TextError`] with the byte offset of what is wrong.
    ///
    /// # Panics
    /// If the base is none of 2 to 36.
    pub fn from_str_radix(text: &str, radix: u32) -> Result<Self, TextError> {
        radix::from_text(text.as_bytes(), radix).map(integer)
    }

    /// The digits in a base from 2 to 36, in lower case, with `-` in front of a negative number.
    ///
    /// ```
    /// # use sunzi::Integer;
    /// assert_eq!(Integer::from(-1295).to_str_radix(36), "-zz");
    /// ```
    ///
    /// # Panics
    /// If the base is none of 2 to 36.
    pub fn to_str_radix(&self, radix: u32) -> String {
        let mut text = self.magnitude.to_str_radix(radix);
        if self.negative {
            text.insert(0, '-');
        }
        text
    }
}
