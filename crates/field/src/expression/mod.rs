//! Moduli as users write them: `2^60-2^18+1`, `(2^59+2^57+2^39)^8+1`, `0x7fffffff`, or plain decimal.
//!
//! An expression has numbers, decimal or `0x…`, `+`, `-`, `*`, `^` (also written `**`) and parentheses, with the usual
//! priorities; `^` binds to the right; blanks separate. The text is read first (`syntax`), then
//! computed with a limit on the size of every intermediate value, so that `2^2^60` is refused and
//! not attempted.

#[doc(hidden)]
pub mod syntax;
mod value;

pub use value::{ExpressionError, ExpressionProblem, MAX_BITS, parse, parse_bounded};
