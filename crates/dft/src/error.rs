//! What can be wrong with a request for a transform or a convolution.

use thiserror::Error;

/// Why a transform or a convolution can't be computed as asked.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DftError {
    /// The field has no roots of unity of the order that the length needs.
    #[error(
        "length {len} is too long for this prime: its field has transforms of up to {max} points; \
         choose a prime p with a larger power of two in p - 1, or several primes"
    )]
    TooLong {
        /// The length asked for.
        len: usize,
        /// The longest that the field has.
        max: usize,
    },
    /// A slice is not as long as it must be.
    #[error("a slice of length {expected} is needed here, this one has {found}")]
    Shape {
        /// The length that fits.
        expected: usize,
        /// The length given.
        found: usize,
    },
}
