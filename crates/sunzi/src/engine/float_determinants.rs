//! Determinants in floating point.

use super::on_device::OnDevice;
use super::{Batch, Engine, EngineError, Target, Work};
use crate::matrix::{
    DenseMatrix, MatrixError,
    float::{FloatDeterminant, FoundPivot, Pivoting, determinant_by, determinant_of_pivots},
};
use sunzi_gpu::determinant::{FloatContext, FloatPivoting};

/// A determinant, where there is one.
type Found = Result<FloatDeterminant, MatrixError>;

impl Engine {
    /// Determinants of matrices of doubles, the same to the last bit wherever they are computed.
    ///
    /// They are computed on a device only where it was asked for ([`DeviceChoice::Only`](super::DeviceChoice::Only)): row by row, a
    /// launch for each.
    ///
    /// ```
    /// use sunzi::engine::{DeviceChoice, Engine};
    /// use sunzi::matrix::{float::Pivoting, DenseMatrix};
    ///
    /// let matrix = DenseMatrix::new(2, 2, vec![1.0, 2.0, 3.0, 4.0])?;
    /// let engine = Engine::new(DeviceChoice::Auto)?;
    /// let found = engine.float_determinants(Pivoting::NearestToOne, &[&matrix])?.into_all()?;
    /// assert_eq!(found[0].as_ref().map(|found| found.to_f64()), Ok(-2.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EngineError::Gpu`] if the device that was asked for fails, or does not compute with doubles.
    pub fn float_determinants(
        &self,
        pivoting: Pivoting,
        matrices: &[&DenseMatrix<f64>],
    ) -> Result<Batch<Found>, EngineError> {
        let on_processor = |matrix: &&DenseMatrix<f64>| Ok(determinant_by(pivoting, matrix));
        if !matches!(self.target, Target::Device(_)) {
            return Ok(Batch::on_processor(matrices, on_processor));
        }
        let work = Work {
            words: &|matrix: &&DenseMatrix<f64>| 2 * matrix.entries().len(),
            on_device: &|device, matrices| device.float_determinants(pivoting, matrices),
            on_processor: &on_processor,
        };
        self.run(matrices, &work)
    }
}

impl OnDevice {
    fn float_determinants(
        &self,
        pivoting: Pivoting,
        matrices: &[&DenseMatrix<f64>],
    ) -> Result<Vec<Found>, EngineError> {
        let context = FloatContext::new(self.device())?;
        let stream = self.device().stream()?;
        let pivoting = match pivoting {
            Pivoting::Largest => FloatPivoting::Largest,
            Pivoting::NearestToOne => FloatPivoting::NearestToOne,
        };
        let of = |matrix: &&DenseMatrix<f64>| {
            determinant_of_pivots(matrix, |entries| {
                let order = matrix.rows();
                if order == 0 {
                    return Ok(Some(Vec::new()));
                }
                let mut all = context.pivots(&stream, pivoting, &entries, order)?;
                let pivots = all.pop().flatten().into_iter().flatten();
                let pivots: Vec<_> = pivots
                    .map(|pivot| FoundPivot {
                        place: pivot.place,
                        value: pivot.value,
                        shift: pivot.shift,
                    })
                    .collect();
                // A regular matrix has a pivot in every row.
                Ok((pivots.len() == order).then_some(pivots))
            })
        };
        matrices.iter().map(of).collect()
    }
}
