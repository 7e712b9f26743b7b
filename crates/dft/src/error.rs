//! What can be wrong with a request for a transform or a convolution.

use crate::Algorithm;
use sunzi_field::memory::OutOfMemory;
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
    /// The number of points is no power of two.
    #[error(
        "a transform of {len} points can't be planned, lengths are powers of two: \
         pad the vector with zeros to {next}"
    )]
    NotPowerOfTwo {
        /// The length asked for.
        len: usize,
        /// The next power of two.
        next: usize,
    },
    /// A slice is not as long as it must be.
    #[error("a slice of length {expected} is needed here, this one has {found}")]
    Shape {
        /// The length that fits.
        expected: usize,
        /// The length given.
        found: usize,
    },
    /// The algorithm needs vector arithmetic, which this way of planning leaves out.
    #[error(
        "{0} runs on vector arithmetic only: plan it with `DftContext::with`, for word-size primes"
    )]
    NeedsLanes(Algorithm),
    /// The algorithm needs a root of unity whose powers are rotations.
    #[error("{0} are for fields modulo r^k + 1: plan them with `DftContext::over_big_prime`")]
    NeedsBigPrime(Algorithm),
    /// Two transforms are not of the same plan, so their values don't belong to the same points.
    #[error("the two transforms come from different plans: transform both operands with one plan")]
    ForeignSpectrum,
    /// The tables would not fit the memory.
    #[error(transparent)]
    OutOfMemory(#[from] OutOfMemory),
}
