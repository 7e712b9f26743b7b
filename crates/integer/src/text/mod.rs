//! Integers as text, decimal and hexadecimal, in subquadratic time both ways.
//!
//! The numbers' own `parse` and `to_string` do what is done here; [`DecimalTables`] keeps the powers of ten, for whoever converts many
//! numbers, and takes bytes.
//!
//! Decimal text of n digits takes O(log n) products of that length in each direction; the parts
//! of a long number are converted in parallel on the current rayon pool.

pub(crate) mod chunk;
pub(crate) mod format;
mod hex;
mod parse;
pub(crate) mod tables;

pub use tables::DecimalTables;

use crate::multiplier::Multiplier;
use crate::number::{Integer, Natural};
use std::fmt;
use std::io::{self, Write};

impl DecimalTables {
    /// Reads an integer: an optional sign, then decimal digits, or `0x` and hexadecimal digits.
    ///
    /// The whole text must be the number: no spaces, no underscores. Leading zeros are allowed and
    /// `-0` is 0. Subquadratic in the number of digits.
    ///
    /// # Errors
    ///
    /// [`TextError`] with the byte offset of what is wrong.
    ///
    /// ```
    /// use sunzi::integer::{DecimalTables, Multiplier, TextErrorKind};
    /// let (multiplier, tables) = (Multiplier::new(), DecimalTables::new());
    /// assert_eq!(tables.parse(&multiplier, b"-0042").unwrap(), -42);
    /// assert_eq!(tables.parse(&multiplier, b"0xfF").unwrap(), 255);
    /// let error = tables.parse(&multiplier, b"12e4").unwrap_err();
    /// assert_eq!((error.offset, error.kind), (2, TextErrorKind::NotADecimalDigit(b'e')));
    /// ```
    pub fn parse(&self, multiplier: &Multiplier, text: &[u8]) -> Result<Integer, TextError> {
        let (negative, limbs) = self.parse_limbs(multiplier, text)?;
        Ok(Integer::from_sign_magnitude(
            negative,
            Natural::from_limbs(limbs),
        ))
    }

    /// Whether there is a `-`, and the limbs of the number.
    pub(crate) fn parse_limbs(
        &self,
        multiplier: &Multiplier,
        text: &[u8],
    ) -> Result<(bool, Vec<u64>), TextError> {
        let (negative, digits) = split_sign(text)?;
        let error = |offset, kind| Err(TextError { offset, kind });
        let limbs = if let [b'0', b'x' | b'X', rest @ ..] = digits {
            if rest.is_empty() {
                return error(text.len(), TextErrorKind::LonePrefix);
            }
            match hex::limbs_from_digits(rest) {
                Ok(limbs) => limbs,
                Err(at) => {
                    return error(
                        text.len() - rest.len() + at,
                        TextErrorKind::NotAHexDigit(rest[at]),
                    );
                }
            }
        } else {
            if let Some(at) = first_non_digit(digits) {
                return error(
                    text.len() - digits.len() + at,
                    TextErrorKind::NotADecimalDigit(digits[at]),
                );
            }
            parse::limbs_from_digits(multiplier, self, digits)
        };
        Ok((negative, limbs))
    }

    /// Writes an integer in decimal, with `-` in front of a negative one.
    ///
    /// Subquadratic in the number of digits.
    ///
    /// # Errors
    ///
    /// Only those of `out`.
    ///
    /// ```
    /// use sunzi::integer::{DecimalTables, Multiplier};
    /// let (multiplier, tables) = (Multiplier::new(), DecimalTables::new());
    /// let mut text = Vec::new();
    /// tables.format(&multiplier, &1_000.into(), &mut text).unwrap();
    /// assert_eq!(text, b"1000");
    /// ```
    pub fn format(
        &self,
        multiplier: &Multiplier,
        value: &Integer,
        out: &mut impl Write,
    ) -> io::Result<()> {
        out.write_all(if value.is_negative() { b"-" } else { b"" })?;
        format::write_digits(multiplier, self, value.magnitude().as_limbs(), out)
    }

    /// The decimal digits of a number (no zero limb at the top).
    pub(crate) fn digits(&self, multiplier: &Multiplier, value: &[u64]) -> String {
        let mut text = Vec::new();
        let written = format::write_digits(multiplier, self, value, &mut text);
        written.expect("writing to memory succeeds");
        String::from_utf8(text).expect("digits are ASCII")
    }
}

/// Whether a text has a `-`, and what follows its sign, which is not empty.
pub(crate) fn split_sign(text: &[u8]) -> Result<(bool, &[u8]), TextError> {
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    if digits.is_empty() {
        let kind = match text.is_empty() {
            true => TextErrorKind::Empty,
            false => TextErrorKind::LoneSign,
        };
        let offset = text.len();
        return Err(TextError { offset, kind });
    }
    Ok((negative, digits))
}

/// Offset of the first byte that is no decimal digit.
pub(crate) fn first_non_digit(text: &[u8]) -> Option<usize> {
    // Whole blocks without an early exit are checked with vector instructions.
    let is_digit = |byte: &u8| byte.wrapping_sub(b'0') < 10;
    let block = |bytes: &[u8]| bytes.iter().fold(true, |all, byte| all & is_digit(byte));
    let mut start = 0;
    for bytes in text.chunks(256) {
        if !block(bytes) {
            return bytes
                .iter()
                .position(|byte| !is_digit(byte))
                .map(|at| start + at);
        }
        start += bytes.len();
    }
    None
}

/// Why a text is not an integer, and where.
///
/// `offset` counts bytes from the start of the text that was passed in; a caller that read the
/// text from a file adds the place where the text began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
pub struct TextError {
    /// Byte offset of the first offending byte (the length of the text when something is missing at its end).
    pub offset: usize,
    /// What is wrong there.
    pub kind: TextErrorKind,
}

/// The kinds of [`TextError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TextErrorKind {
    /// The text is empty.
    Empty,
    /// A `+` or `-` stands alone, with no digits after it.
    LoneSign,
    /// `0x` stands alone, with no digits after it.
    LonePrefix,
    /// A byte that is not a decimal digit.
    NotADecimalDigit(u8),
    /// A byte that is not a hexadecimal digit, in a number that starts with `0x`.
    NotAHexDigit(u8),
    /// A byte that is not a digit in the base.
    NotADigit {
        /// The byte.
        byte: u8,
        /// The base, from 2 to 36.
        radix: u32,
    },
    /// A `-` before a natural number.
    Negative,
    /// A fraction's denominator is zero.
    ZeroDenominator,
    /// An exponent of ten beyond ±100,000,000.
    LargeExponent,
}

/// Shows a byte so that it can stand in a sentence: printable characters quoted, others by value.
struct Shown(u8);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            b' ' => f.write_str("a space"),
            b'\t' => f.write_str("a tab"),
            byte @ 0x21..=0x7e => write!(f, "'{}'", char::from(byte)),
            byte => write!(f, "the byte 0x{byte:02x}"),
        }
    }
}

impl fmt::Display for TextErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Empty => f.write_str("a number is missing"),
            Self::LoneSign => f.write_str("a sign has no digits after it"),
            Self::LonePrefix => f.write_str("0x has no digits after it"),
            Self::NotADecimalDigit(byte) => write!(f, "{} is not a decimal digit", Shown(byte)),
            Self::NotAHexDigit(byte) => write!(f, "{} is not a hexadecimal digit", Shown(byte)),
            Self::NotADigit { byte, radix } => {
                write!(f, "{} is not a digit in base {radix}", Shown(byte))
            }
            Self::Negative => f.write_str("a natural number has no minus sign"),
            Self::ZeroDenominator => f.write_str("the denominator is zero"),
            Self::LargeExponent => f.write_str("an exponent is at most 100000000"),
        }
    }
}
