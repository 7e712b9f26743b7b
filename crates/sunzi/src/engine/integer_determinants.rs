//! Determinants over the integers.

use super::on_device::OnDevice;
use super::{Batch, Engine, EngineError, Target, Work};
use crate::Integer;
use crate::matrix::{DenseMatrix, IntegerDeterminant, KnownDeterminant};
use sunzi_gpu::Word;
use sunzi_gpu::determinant::DeterminantContext;
use sunzi_linalg::dense::MatrixImages;
use sunzi_machine::threads::Threads;

/// Bytes of images that go to a device together at most.
const PIECE_BYTES: u64 = 1 << 26;

impl Engine {
    /// Determinants of matrices of integers.
    ///
    /// On a device that was asked for ([`DeviceChoice::Only`](super::DeviceChoice::Only)) they are computed by residues, whatever the
    /// method: those of all matrices' images modulo primes of 31 bits, as many as prove the result. The images themselves are
    /// made on the processor, and so are results of their determinants.
    ///
    /// ```
    /// use sunzi::Integer;
    /// use sunzi::engine::{DeviceChoice, Engine};
    /// use sunzi::matrix::{DenseMatrix, IntegerDeterminant};
    ///
    /// let matrix = DenseMatrix::new(2, 2, vec![3, 1, 1, 5].into_iter().map(Integer::from).collect())?;
    /// let engine = Engine::new(DeviceChoice::Auto)?;
    /// let found = engine.integer_determinants(IntegerDeterminant::new(), &[&matrix])?.into_all()?;
    /// assert_eq!((&found[0].value, found[0].proved), (&Integer::from(14), true));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EngineError::Gpu`] if the device that was asked for fails. Rows have errors of their own.
    pub fn integer_determinants(
        &self,
        how: IntegerDeterminant,
        matrices: &[&DenseMatrix<Integer>],
    ) -> Result<Batch<KnownDeterminant>, EngineError> {
        let on_processor = |matrix: &&DenseMatrix<Integer>| Ok(how.compute(matrix)?);
        if !matches!(self.target, Target::Device(_)) {
            return Ok(Batch::on_processor(matrices, on_processor));
        }
        let work = Work {
            words: &|matrix: &&DenseMatrix<Integer>| matrix.entries().len(),
            on_device: &|device, matrices| {
                let mut images = Images::new(device);
                let found = matrices.iter().map(|matrix| match matrix.order() {
                    Err(shape) => Ok(Err(shape.into())),
                    Ok(_) => {
                        let known = how.compute_by(matrix, &mut |image| images.determinants(image));
                        known.map(Ok)
                    }
                });
                found.collect()
            },
            on_processor: &|matrix| Ok(on_processor(matrix)),
        };
        let batch = self.run(matrices, &work)?;
        let results = batch.results.into_iter();
        Ok(Batch {
            results: results
                .map(|found: Result<Result<_, EngineError>, _>| found?)
                .collect(),
            on_device: batch.on_device,
            device: batch.device,
            warnings: batch.warnings,
        })
    }
}

/// Determinants of images on a device.
struct Images<'a> {
    on: &'a OnDevice,
    /// The last one, whose programs others need, too.
    context: Option<DeterminantContext>,
}

impl<'a> Images<'a> {
    fn new(on: &'a OnDevice) -> Self {
        Self { on, context: None }
    }

    fn determinants(&mut self, images: &MatrixImages<'_>) -> Result<Vec<u32>, EngineError> {
        let (order, device) = (images.order(), self.on.device());
        if order == 0 {
            return Ok(vec![1; images.fields().len()]);
        }
        let stream = device.stream()?;
        let image_bytes = (size_of::<u32>() * order * order) as u64;
        // Where matrices are copied before they are changed, they need their memory twice.
        let bytes = PIECE_BYTES.min(device.memory_free() / 4);
        let together = (bytes / image_bytes).max(1) as usize;
        let mut found = vec![0; images.fields().len()];
        for (fields, found) in images
            .fields()
            .chunks(together)
            .zip(found.chunks_mut(together))
        {
            let primes: Vec<u64> = fields.iter().map(|field| field.prime().into()).collect();
            let context = DeterminantContext::new(device, Word::U32, &primes, order)?;
            let entries = Threads::all().map(fields, |field| images.modulo(field));
            let from = device.filled(&stream, &entries.concat())?;
            let mut to = device.buffer(fields.len())?;
            context.run(&stream, (&from, 0), (&mut to, 0), 1)?;
            stream.read(&to, found)?;
            self.context = Some(context);
        }
        Ok(found)
    }
}
