//! What comes back from an engine.

use crate::integer::{ArithmeticError, MulError};
use crate::{matrix::MatrixError, poly::PolyError};
use sunzi_device::{DeviceInfo, GpuError};
use sunzi_machine::threads::Threads;
use thiserror::Error;

/// Why something could not be computed.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum EngineError {
    /// The device that was asked for.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// A product of integers on the processor.
    #[error(transparent)]
    Integer(#[from] MulError),
    /// Arithmetic with integers that has no result.
    #[error(transparent)]
    Arithmetic(#[from] ArithmeticError),
    /// A determinant.
    #[error(transparent)]
    Matrix(#[from] MatrixError),
    /// Work on polynomials, or a transform, on the processor.
    #[error(transparent)]
    Polynomial(#[from] PolyError),
}

/// The results of a batch, and where they were computed.
///
/// ```
/// use sunzi::engine::{Batch, EngineError};
///
/// let batch = Batch::on_processor(&[1, 2, 3], |&x| Ok(x * x));
/// assert_eq!(batch.on_device, 0);
/// assert_eq!(batch.into_all()?, [1, 4, 9]);
/// # Ok::<(), EngineError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Batch<T> {
    /// For each row what was found, or why that could not be computed.
    pub results: Vec<Result<T, EngineError>>,
    /// How many rows a device computed; the processor computed the others.
    pub on_device: usize,
    /// The device, if it computed any.
    pub device: Option<DeviceInfo>,
    /// What went another way than asked without being an error: that a row was computed on the processor since the
    /// device's memory did not suffice, say. No sentence comes twice.
    pub warnings: Vec<String>,
}

impl<T> Batch<T> {
    pub(super) fn new() -> Self {
        Self {
            results: Vec::new(),
            on_device: 0,
            device: None,
            warnings: Vec::new(),
        }
    }

    /// What `work` gives for each row, on the processor's threads.
    pub fn on_processor<R: Sync>(
        rows: &[R],
        work: impl Fn(&R) -> Result<T, EngineError> + Sync,
    ) -> Self
    where
        T: Send,
    {
        Self {
            results: Threads::all().map(rows, work),
            ..Self::new()
        }
    }

    /// All results.
    ///
    /// # Errors
    /// That of the first row that has one.
    pub fn into_all(self) -> Result<Vec<T>, EngineError> {
        self.results.into_iter().collect()
    }

    /// The batch with other results, which `change` makes of these.
    #[must_use]
    pub fn map<U>(self, mut change: impl FnMut(T) -> U) -> Batch<U> {
        let results = self.results.into_iter();
        Batch {
            results: results.map(|result| result.map(&mut change)).collect(),
            on_device: self.on_device,
            device: self.device,
            warnings: self.warnings,
        }
    }

    pub(super) fn warn(&mut self, warning: String) {
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }
}
