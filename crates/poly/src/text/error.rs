//! Why a text is no polynomial.

use std::borrow::Cow;

use sunzi_field::expression::syntax;
use sunzi_integer::Integer;
use sunzi_integer::text::TextErrorKind;
use sunzi_machine::memory::OutOfMemory;
use thiserror::Error;

/// Why a text is no polynomial, and where.
///
/// ```
/// use sunzi::Integer;
/// use sunzi::poly::Poly;
///
/// let error = "3*x^2 - 2*y".parse::<Poly<Integer>>().unwrap_err();
/// assert_eq!(error.offset, 10);
/// assert_eq!(
///     error.to_string(),
///     "column 11: unexpected 'y': write a sum of terms such as 3*x^2 - 2*x + 1"
/// );
/// ```
// What stands before the place was read, so it is ASCII: its bytes are its characters.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("column {}: {problem}", .offset + 1)]
pub struct ParsePolyError {
    /// The byte at which it happened, from 0 upward; the length of the text where something is missing at its end.
    pub offset: usize,
    /// What is wrong there.
    pub problem: ParsePolyProblem,
}

/// What is wrong with the text of a polynomial.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParsePolyProblem {
    /// The text ends where something must follow.
    #[error("the expression ends too early: {advice}")]
    Unfinished {
        /// What to write.
        advice: Cow<'static, str>,
    },
    /// A byte that does not belong here.
    #[error("unexpected {}: {advice}", shown(*.found))]
    Unexpected {
        /// The byte.
        found: u8,
        /// What to write.
        advice: Cow<'static, str>,
    },
    /// Parentheses in parentheses.
    #[error("parentheses are nested more than {most} deep: expand some of them")]
    TooDeep {
        /// How deep they may be.
        most: usize,
    },
    /// What is no number.
    #[error("{0}")]
    Number(TextErrorKind),
    /// The polynomial, or a part of it, has too high a degree.
    #[error("the degree is above {most}: {advice}")]
    DegreeTooHigh {
        /// The highest degree.
        most: u64,
        /// What to write.
        advice: &'static str,
    },
    /// Numbers are too long, or there are too many products.
    #[error("this is too much to expand: {advice}")]
    TooMuch {
        /// What to write.
        advice: &'static str,
    },
    /// Division by zero.
    #[error("the divisor is zero: write another number behind `/`")]
    ZeroDivisor,
    /// Division by a polynomial.
    #[error("the divisor is no number: only numbers may stand behind `/`, as in 1/2*x")]
    DivisorNotNumber,
    /// A coefficient that should be an integer.
    #[error(
        "there are coefficients that are no integers: multiply the polynomial by {denominator}"
    )]
    NotInteger {
        /// The least positive number of which all multiples are integers.
        denominator: Box<Integer>,
    },
    /// The coefficients need more memory than there is.
    #[error(transparent)]
    OutOfMemory(#[from] OutOfMemory),
}

impl ParsePolyProblem {
    /// What is wrong at the byte where a text stops to be an expression; what to write is the caller's to say.
    #[doc(hidden)]
    pub fn at(text: &[u8], offset: usize, advice: impl Into<Cow<'static, str>>) -> Self {
        let count = |wanted: u8| {
            text[..offset]
                .iter()
                .filter(|&&byte| byte == wanted)
                .count()
        };
        if count(b'(').saturating_sub(count(b')')) > syntax::MAX_DEPTH {
            let most = syntax::MAX_DEPTH;
            return Self::TooDeep { most };
        }
        let advice = advice.into();
        match text.get(offset) {
            Some(b'=') => Self::Unexpected {
                found: b'=',
                advice: "an equation has one `=`, outside of parentheses".into(),
            },
            None => Self::Unfinished { advice },
            Some(&found) => Self::Unexpected { found, advice },
        }
    }
}

/// A byte in a sentence.
fn shown(byte: u8) -> String {
    match byte {
        0x21..=0x7e => format!("'{}'", char::from(byte)),
        _ => format!("byte 0x{byte:02x}"),
    }
}
