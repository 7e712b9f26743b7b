//! What can be wrong with a modulus or with a request to a field.

use crate::expression::ExpressionError;
use crate::generalized_fermat::error::GeneralizedFermatError;
use thiserror::Error;

/// Why a field could not be made, or an element not be computed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FieldError {
    /// The modulus is below 0.
    #[error("the modulus is negative: give an odd prime")]
    Negative,
    /// The modulus is 0 or 1, so there is no field.
    #[error("the modulus {modulus} is too small: give an odd prime, 3 or more")]
    TooSmall {
        /// The refused modulus.
        modulus: u64,
    },
    /// The modulus is even.
    #[error("the modulus {modulus} is even: give an odd prime")]
    Even {
        /// The refused modulus.
        modulus: u64,
    },
    /// The modulus has a divisor other than 1 and itself.
    #[error("the modulus {modulus} is not prime, {factor} divides it: give an odd prime")]
    Composite {
        /// The refused modulus.
        modulus: u64,
        /// A proper divisor of it.
        factor: u64,
    },
    /// The modulus does not fit this field type.
    #[error("the modulus {modulus} is too large for this field: it must be below 2^{bits}")]
    TooLarge {
        /// The refused modulus.
        modulus: u64,
        /// The field holds primes below `2^bits`.
        bits: u32,
    },
    /// The modulus has more bits than a word may, and is not r^k + 1.
    #[error(
        "there is no field modulo a number of {bits} bits that is not r^k+1: give an odd prime below 2^64, or a prime r^k+1 with k = 2, 4 … 256 and r below 2^64, such as P8"
    )]
    NoSuchField {
        /// Bits of the modulus.
        bits: usize,
    },
    /// There is no field modulo r^k + 1.
    #[error(transparent)]
    GeneralizedFermat(#[from] GeneralizedFermatError),
    /// The text of a modulus is no expression.
    #[error(transparent)]
    Expression(#[from] ExpressionError),
    /// A row of words is no element.
    #[error(
        "entry {index} is not in the field: entries are residues from 0 to p − 1, or digits below the radix"
    )]
    RowOutside {
        /// Which one, from 0 upward.
        index: usize,
    },
    /// Words have another size than the field's, or they are not as many as they should be.
    #[error(
        "{found} words cannot be written as {rows} elements here: an element of this field takes {width} words of {bits} bits"
    )]
    RowSize {
        /// The number of words.
        found: usize,
        /// The number of elements.
        rows: usize,
        /// Words of an element.
        width: usize,
        /// Bits of a word.
        bits: usize,
    },
    /// A batch inversion met a zero.
    #[error("element {index} is zero and has no inverse")]
    ZeroInverse {
        /// The position of the first zero.
        index: usize,
    },
}
