//! Polynomials as expressions, to text and from text: `3*x^2 - 2*x + 1`.
//!
//! `write` and `display` make text. `read` takes the way back: the text becomes a tree, which `expand` multiplies out
//! within limits on degree, width and work, so that `x^(10^18)` and its like are refused instead of attempted; `quotients`
//! does so where coefficients are rational.

mod display;
mod error;
mod expand;
mod quotients;
mod read;
mod two_variables;
pub(crate) mod write;

pub use display::{TextCoefficient, displayed};
pub use error::{ParsePolyError, ParsePolyProblem};
pub use expand::{Fraction, Limits, Terms, degrees, expand};
pub use read::{MAX_DEGREE, integers, length, rationals, terms};
pub use two_variables::{MAX_DEGREE_OF_TWO, TwoVariables};
pub use write::{write, write_two};
