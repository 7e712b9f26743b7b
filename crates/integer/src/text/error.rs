//! What can be wrong with the text of an integer.

use std::fmt;

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
        }
    }
}
