//! Why something cannot be solved as asked.

use sunzi_field::FieldError;
use sunzi_field::memory::OutOfMemory;
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
