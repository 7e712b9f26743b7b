//! Why there is no answer over the rational numbers.

use crate::dense::decomposition::SystemError;
use crate::dense::matrix::ShapeError;
use sunzi_machine::memory::OutOfMemory;
use thiserror::Error;

/// Why there is no answer over the rational numbers.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RationalError {
    /// There is none.
    #[error(transparent)]
    System(#[from] SystemError),
    /// It would be larger than the memory.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
}

impl From<ShapeError> for RationalError {
    fn from(error: ShapeError) -> Self {
        Self::System(error.into())
    }
}
