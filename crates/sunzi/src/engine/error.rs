//! What can go wrong in an engine.

use crate::integer::MulError;
use crate::poly::PolyError;
use sunzi_gpu::GpuError;
use thiserror::Error;

/// Why a batch could not be computed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum EngineError {
    /// The device that was asked for.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// A product of integers on the processor.
    #[error(transparent)]
    Integer(#[from] MulError),
    /// A product of polynomials on the processor.
    #[error(transparent)]
    Polynomial(#[from] PolyError),
}
