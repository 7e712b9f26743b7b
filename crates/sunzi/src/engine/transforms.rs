//! Transforms of vectors over a field.

use super::device_words::DeviceWords;
use super::on_device::OnDevice;
use super::{Batch, Engine, EngineError, Target, Work};
use crate::{
    field::AnyField,
    poly::PolyError,
    transform::{AnyDft, DftError, Direction},
};
use sunzi_device::GpuError;
use sunzi_device::double_buffer::DoubleBuffer;
use sunzi_gpu::big_prime::BigPrimeContext;
use sunzi_gpu::ntt::{MAX_LOG_POINTS, NttContext};
use sunzi_machine::threads::Threads;

impl Engine {
    /// Whether devices compute transforms as these, too: of a power of two of points, modulo an odd prime below 2^63 or
    /// r^k + 1 where r is at least 256, at the powers of the field's own root of unity.
    ///
    /// ```
    /// use sunzi::engine::Engine;
    /// use sunzi::field::AnyField;
    /// use sunzi::transform::AnyDft;
    ///
    /// let field = AnyField::modulo_word(13)?;
    /// assert!(Engine::devices_transform(&AnyDft::new(&field, 4)?));
    /// assert!(!Engine::devices_transform(&AnyDft::new(&field, 6)?));
    /// assert!(!Engine::devices_transform(&AnyDft::with_root(&field, 4, &[5])?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn devices_transform(plan: &AnyDft) -> bool {
        let (field, points) = (plan.field(), plan.points());
        let most = match field.word_prime() {
            Some(_) if DeviceWords::of_word(field).is_some() => MAX_LOG_POINTS,
            None if BigPrimeContext::knows(field) => BigPrimeContext::MAX_LOG_POINTS,
            _ => return false,
        };
        let log_n = points.ilog2();
        // Devices have the field's own root of unity.
        points.is_power_of_two()
            && log_n <= most
            && field.root_of_unity_row(log_n) == Some(plan.root_of_unity())
    }

    /// Transforms of vectors, which are given by their rows as [`AnyDft::transform`] takes them.
    ///
    /// They are computed on a device only where it was asked for ([`DeviceChoice::Only`](super::DeviceChoice::Only)): the
    /// way there takes longer than the processor's transforms of one vector.
    /// Vectors go there in pieces, and one that is beyond the device's memory alone is transformed by its columns.
    ///
    /// ```
    /// use sunzi::transform::Direction;
    /// use sunzi::engine::{DeviceChoice, Engine};
    /// use sunzi::field::AnyField;
    /// use sunzi::transform::AnyDft;
    ///
    /// let plan = AnyDft::new(&AnyField::modulo_word(17)?, 4)?;
    /// let engine = Engine::new(DeviceChoice::Auto)?;
    /// let values = engine.transform_all(&plan, vec![vec![0, 1, 0, 0]], Direction::Forward)?;
    /// assert_eq!(values.into_all()?, [[1, 13, 16, 4]]); // the powers of 13
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EngineError::Gpu`] if the device that was asked for fails; [`EngineError::Polynomial`] for vectors that do not have
    /// the plan's number of points.
    pub fn transform_all(
        &self,
        plan: &AnyDft,
        vectors: Vec<Vec<u64>>,
        direction: Direction,
    ) -> Result<Batch<Vec<u64>>, EngineError> {
        let width = plan.field().width();
        let expected = plan.points();
        for vector in &vectors {
            if expected.checked_mul(width) != Some(vector.len()) {
                let found = vector.len() / width;
                let wrong = DftError::Shape { expected, found };
                return Err(PolyError::from(wrong).into());
            }
        }
        let asked = matches!(self.target, Target::Device(_));
        if asked && Self::devices_transform(plan) {
            let work = Work {
                words: &|vector: &Vec<u64>| vector.len() * (size_of::<u64>() / size_of::<u32>()),
                on_device: &|device, vectors| device.transform(plan, vectors, direction),
                on_processor: &|vector| Ok(plan.transform(vector.clone(), direction)?),
            };
            return self.run(&vectors, &work);
        }
        let mut batch = Batch::new();
        let transform = |vector| Ok(plan.transform(vector, direction)?);
        batch.results = Threads::all().map(vectors, transform);
        if asked {
            let what = "transforms of so many points modulo this prime, or at these,";
            batch.warn(format!("{what} are computed on the processor"));
        }
        Ok(batch)
    }
}

/// Batches of short transforms: log2 of the points, and the vectors.
type Short<'a> = dyn Fn(u32, &[Vec<u64>]) -> Result<Vec<Vec<u64>>, EngineError> + 'a;

impl OnDevice {
    /// Transforms that the device knows. A vector that is beyond its memory alone is transformed by its columns.
    fn transform(
        &self,
        plan: &AnyDft,
        vectors: &[Vec<u64>],
        direction: Direction,
    ) -> Result<Vec<Vec<u64>>, EngineError> {
        let (field, log_n) = (plan.field(), plan.points().ilog2());
        let words = DeviceWords::of(field);
        let short = |log_n, vectors: &[Vec<u64>]| match field.word_prime() {
            Some(prime) => self.transform_words((words, prime), log_n, vectors, direction),
            None => self.transform_digits(field, log_n, vectors, direction),
        };
        match (short(log_n, vectors), vectors) {
            (Err(EngineError::Gpu(GpuError::OutOfMemory { .. })), [vector]) if log_n >= 2 => {
                Ok(vec![by_columns(field, log_n, vector, direction, &short)?])
            }
            (whole, _) => whole,
        }
    }

    fn transform_words(
        &self,
        (words, prime): (DeviceWords, u64),
        log_n: u32,
        vectors: &[Vec<u64>],
        direction: Direction,
    ) -> Result<Vec<Vec<u64>>, EngineError> {
        let device = self.device();
        let context = NttContext::new(device, words.word(), prime, log_n)?;
        let row = words.count(1 << log_n);
        let mut buffered = DoubleBuffer::<u32>::new(device, vectors.len(), &[row], 1)?;
        let mut found = Vec::with_capacity(vectors.len());
        buffered.run(
            |_, rows, to| {
                for (vector, to) in vectors[rows].iter().zip(to.chunks_mut(row)) {
                    words.fill(to, vector);
                }
            },
            |stream, buffers, batch| {
                let data = &mut buffers[0];
                // Values of the device are in bit-reversed order.
                match direction {
                    Direction::Forward => {
                        context.forward(stream, data, 0, batch)?;
                        context.bit_reverse(stream, data, 0, batch)
                    }
                    Direction::Inverse => {
                        context.bit_reverse(stream, data, 0, batch)?;
                        context.inverse(stream, data, 0, batch)
                    }
                }
            },
            |_, values| found.extend(values.chunks(row).map(|values| words.rows(values))),
        )?;
        Ok(found)
    }
}

/// A transform of N = N₁N₂ points by N₂ of N₁ points, one for each column of the vector as N₁ rows, and N₁ of N₂ points; between
/// them element k₁ of column i₂ is multiplied by ω^(i₂k₁), on the processor.
fn by_columns(
    field: &AnyField,
    log_n: u32,
    vector: &[u64],
    direction: Direction,
    short: &Short<'_>,
) -> Result<Vec<u64>, EngineError> {
    let (log_1, log_2) = (log_n / 2, log_n.div_ceil(2));
    let (rows, columns, width) = (1 << log_1, 1 << log_2, field.width());
    let root = field.root_of_unity_row(log_n);
    let root = root.and_then(|root| match direction {
        Direction::Forward => Some(root),
        Direction::Inverse => field.inverse_row(&root),
    });
    let root = root.ok_or(PolyError::OtherField)?;
    let all = transposed(vector.chunks(columns * width), columns, width);
    let all = short(log_1, &all)?;
    let multiplied = Threads::all().map(all.into_iter().enumerate(), |(column, elements)| {
        let step = field.power_row(&root, column as u64);
        field.multiplied_by_powers(elements, &step)
    });
    let all = transposed(multiplied.iter().map(|row| &row[..]), rows, width);
    let all = short(log_2, &all)?;
    // Value k₁ + N₁k₂ is number k₂ of vector k₁.
    let values = transposed(all.iter().map(|row| &row[..]), columns, width);
    Ok(values.concat())
}

/// The columns of a matrix of elements, which is given by its rows.
fn transposed<'a>(
    rows: impl Iterator<Item = &'a [u64]> + Clone,
    columns: usize,
    width: usize,
) -> Vec<Vec<u64>> {
    let column = |column: usize| {
        let elements = rows.clone().flat_map(|row| &row[column * width..][..width]);
        elements.copied().collect()
    };
    (0..columns).map(column).collect()
}
