//! Why something cannot be solved as asked.

use sunzi_field::{FieldError, GeneralizedFermatError};
use sunzi_machine::memory::OutOfMemory;
use sunzi_poly::PolyError;
use thiserror::Error;

/// Why something cannot be solved as asked.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SolveError {
    /// Every number is a root of the zero polynomial.
    #[error("every number is a root of the zero polynomial: give one that is not zero")]
    EveryNumber,
    /// Both polynomials of a system are zero.
    #[error("every point is a solution: both polynomials are zero")]
    EveryPoint,
    /// A field has fewer elements than there must be points to interpolate from.
    #[error(
        "the result may have {needed} coefficients, but there are only {prime} residues to evaluate at: take a greater prime"
    )]
    FewPoints {
        /// The prime.
        prime: u64,
        /// Points that are needed.
        needed: u64,
    },
    /// A result may be longer than all primes together.
    #[error(
        "the result may have {bits} bits, more than there are primes of a word for: take smaller polynomials"
    )]
    FewPrimes {
        /// What the bound says.
        bits: u64,
    },
    /// A chain has no such subresultant.
    #[error("there is no subresultant S_{index}: {}", match greatest {
        Some(greatest) => format!("the last one of these polynomials is S_{greatest}"),
        None => "one of the polynomials is 0".to_string(),
    })]
    NoSubresultant {
        /// The index that was asked for.
        index: usize,
        /// The greatest index, the lesser of both degrees.
        greatest: Option<usize>,
    },
    /// No named prime is large enough.
    #[error(
        "the result may have {bits} bits, and the largest prime r^k + 1 with a name has {largest}: use primes of a word"
    )]
    NoNamedPrime {
        /// Bits that the prime would need.
        bits: u64,
        /// Bits of the largest one.
        largest: u64,
    },
    /// There is no such prime r^k + 1.
    #[error(transparent)]
    GeneralizedFermat(#[from] GeneralizedFermatError),
    /// The prime is no field's, or too small.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// A computation with polynomials failed.
    #[error(transparent)]
    Poly(#[from] PolyError),
    /// There is too little memory.
    #[error(transparent)]
    OutOfMemory(#[from] OutOfMemory),
}
