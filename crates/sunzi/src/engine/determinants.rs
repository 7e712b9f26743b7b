//! Determinants modulo a prime.

use super::device_words::DeviceWords;
use super::on_device::OnDevice;
use super::{Batch, Engine, EngineError, Target, Work};
use crate::{
    field::AnyField,
    matrix::{AnyDenseMatrix, MatrixError},
};
use sunzi_device::double_buffer::DoubleBuffer;
use sunzi_gpu::big_prime::BigPrimeContext;
use sunzi_gpu::determinant::DeterminantContext;
use sunzi_gpu::digits::ElementDeterminants;

/// The row of a determinant, where the matrix is square.
type Found = Result<Vec<u64>, MatrixError>;

/// What matrices have in common that a launch computes with.
#[derive(PartialEq)]
struct Kind<'a> {
    field: &'a AnyField,
    order: usize,
}

impl<'a> Kind<'a> {
    /// None where there is nothing for a device to do: no rows, no square, a field that it does not know.
    fn of(matrix: &'a AnyDenseMatrix) -> Option<Self> {
        let ((order, columns), field) = (matrix.shape(), matrix.field());
        let is_known = Engine::devices_find_determinants(field);
        (is_known && order > 0 && order == columns).then_some(Self { field, order })
    }

    /// 32-bit words of a matrix.
    fn matrix_words(&self) -> usize {
        DeviceWords::of(self.field).count(self.order * self.order)
    }
}

impl Engine {
    /// Whether devices compute determinants over this field, too: modulo odd primes below 2^63, and modulo r^k + 1 for radices from
    /// 256 on.
    #[must_use]
    pub fn devices_find_determinants(field: &AnyField) -> bool {
        DeviceWords::of_word(field).is_some() || BigPrimeContext::knows(field)
    }

    /// The rows of determinants of matrices, which may be over different fields.
    ///
    /// They are computed on a device only where it was asked for ([`DeviceChoice::Only`](super::DeviceChoice::Only)).
    /// Neighbours of one order over one field go there together. Matrices too large for its memory are computed on the
    /// processor, and a warning says so.
    ///
    /// ```
    /// use sunzi::engine::{DeviceChoice, Engine};
    /// use sunzi::field::AnyField;
    /// use sunzi::matrix::AnyDenseMatrix;
    ///
    /// let field = AnyField::modulo_word(101)?;
    /// let matrix = AnyDenseMatrix::new(&field, 2, 2, vec![1, 2, 3, 4])?;
    /// let engine = Engine::new(DeviceChoice::Auto)?;
    /// assert_eq!(engine.determinants(&[&matrix])?.into_all()?, [[99]]); // −2
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EngineError::Gpu`] if the device that was asked for fails. Rows have errors of their own:
    /// [`MatrixError::NotSquare`] of a matrix that is not square.
    pub fn determinants(
        &self,
        matrices: &[&AnyDenseMatrix],
    ) -> Result<Batch<Vec<u64>>, EngineError> {
        let asked = matches!(self.target, Target::Device(_));
        let mut fields = matrices.iter().map(|matrix| matrix.field());
        let known = fields.all(Self::devices_find_determinants);
        if !(asked && known) {
            let mut batch =
                Batch::on_processor(matrices, |matrix| Ok((*matrix).clone().determinant()?));
            if asked {
                let what = "determinants modulo primes that it does not know, and those that come with them,";
                batch.warn(format!("{what} are computed on the processor"));
            }
            return Ok(batch);
        }
        let work = Work {
            words: &|matrix: &&AnyDenseMatrix| {
                Kind::of(matrix).map_or(0, |kind| kind.matrix_words())
            },
            on_device: &OnDevice::determinants,
            on_processor: &|matrix| Ok((*matrix).clone().determinant()),
        };
        let batch = self.run(matrices, &work)?;
        let results = batch.results.into_iter();
        Ok(Batch {
            results: results
                .map(|found: Result<Found, _>| found.and_then(|row| Ok(row?)))
                .collect(),
            on_device: batch.on_device,
            device: batch.device,
            warnings: batch.warnings,
        })
    }
}

impl OnDevice {
    /// Determinants over fields that the device knows.
    fn determinants(&self, matrices: &[&AnyDenseMatrix]) -> Result<Vec<Found>, EngineError> {
        let mut found = Vec::with_capacity(matrices.len());
        for alike in matrices.chunk_by(|a, b| Kind::of(a) == Kind::of(b)) {
            let kind = alike.first().and_then(|matrix| Kind::of(matrix));
            let rows = match kind {
                Some(kind) => self.determinants_of(&kind, alike)?,
                None => {
                    found.extend(alike.iter().map(|matrix| (*matrix).clone().determinant()));
                    continue;
                }
            };
            found.extend(rows.into_iter().map(Ok));
        }
        Ok(found)
    }

    /// Determinants of matrices of one kind.
    fn determinants_of(
        &self,
        kind: &Kind<'_>,
        matrices: &[&AnyDenseMatrix],
    ) -> Result<Vec<Vec<u64>>, EngineError> {
        let (device, words) = (self.device(), DeviceWords::of(kind.field));
        let Some(prime) = kind.field.word_prime() else {
            return self.determinants_of_digits(kind, matrices);
        };
        let context = DeterminantContext::new(device, words.word(), &[prime], kind.order)?;
        let entries = matrices.iter().map(|matrix| words.of_matrix(matrix));
        let entries = entries.collect::<Result<Vec<_>, _>>()?;
        let [matrix, determinant] = [kind.matrix_words(), words.count(1)];
        let lens = [matrix, determinant];
        let mut buffered = DoubleBuffer::<u32>::new(device, matrices.len(), &lens, 1)?;
        let mut found = Vec::with_capacity(matrices.len());
        buffered.run(
            |_, rows, to| {
                for (entries, to) in entries[rows].iter().zip(to.chunks_mut(matrix)) {
                    to.copy_from_slice(entries);
                }
            },
            |stream, buffers, batch| match buffers {
                [from, to] => context.run(stream, (from, 0), (to, 0), batch),
                _ => unreachable!("there are matrices and their determinants"),
            },
            |_, all| found.extend(all.chunks(determinant).map(|one| words.rows(one))),
        )?;
        Ok(found)
    }

    /// The same modulo r^k + 1, as many at a time as there is memory for.
    fn determinants_of_digits(
        &self,
        kind: &Kind<'_>,
        matrices: &[&AnyDenseMatrix],
    ) -> Result<Vec<Vec<u64>>, EngineError> {
        let device = self.device();
        let context = ElementDeterminants::new(device, kind.field, kind.order)?;
        let (stream, bytes) = (device.stream()?, context.bytes());
        let room = device.memory_free().min(device.info().largest_buffer) / bytes;
        if room == 0 {
            return Err(device.out_of_memory(bytes).into());
        }
        let mut found = Vec::with_capacity(matrices.len());
        for some in matrices.chunks(usize::try_from(room).unwrap_or(usize::MAX)) {
            let words: Vec<_> = some.iter().map(|matrix| matrix.words()).collect();
            let entries: Vec<&[u64]> = words.iter().map(|words| &words[..]).collect();
            found.extend(context.run(&stream, &entries)?);
        }
        Ok(found)
    }
}
