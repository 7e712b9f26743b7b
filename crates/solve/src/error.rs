//! Why something cannot be solved as asked.

use sunzi_poly::PolyError;
use thiserror::Error;

/// Why something cannot be solved as asked.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SolveError {
    /// Both polynomials of a system are zero.
    #[error("every point is a solution: both polynomials are zero")]
    EveryPoint,
    /// A computation with polynomials failed.
    #[error(transparent)]
    Poly(#[from] PolyError),
}
