//! Products of polynomials and transforms modulo r^k + 1 on devices.

use super::EngineError;
use super::device_products::{DeviceProducts, Pair};
use super::on_device::OnDevice;
use crate::{
    field::AnyField,
    poly::{AnyPoly, AnyPolyRing},
    transform::Direction,
};
use std::collections::BTreeMap;
use sunzi_device::GpuError;
use sunzi_device::double_buffer::DoubleBuffer;
use sunzi_gpu::big_prime::BigPrimeContext;

/// How devices multiply polynomials of this ring; none where it is not over a field modulo r^k + 1 that they know.
pub(super) fn multiplication(ring: &AnyPolyRing) -> Option<DeviceProducts> {
    let field = ring.field();
    BigPrimeContext::knows(field).then(|| DeviceProducts {
        words: field.width() * (size_of::<u64>() / size_of::<u32>()),
        multiply: OnDevice::multiply_digits,
        unasked: false,
    })
}

/// 2^n: the points of the transforms that a product of operands which are not empty takes.
fn log_points(operands: [usize; 2]) -> u32 {
    let [a, b] = operands;
    (a + b - 1).next_power_of_two().ilog2()
}

impl OnDevice {
    /// Products by cyclic convolutions, all of those at a time that take as many points.
    fn multiply_digits(
        &self,
        ring: &AnyPolyRing,
        pairs: &[Pair<'_>],
    ) -> Result<Vec<AnyPoly>, EngineError> {
        let mut by_points = BTreeMap::<u32, Vec<usize>>::new();
        for (row, pair) in pairs.iter().enumerate() {
            for operand in pair {
                ring.check(operand)?;
            }
            let lens = pair.map(AnyPoly::len);
            if lens.iter().all(|&len| len > 0) {
                by_points.entry(log_points(lens)).or_default().push(row);
            }
        }
        let mut products = vec![ring.polynomial(Vec::new())?; pairs.len()];
        for (log_n, rows) in by_points {
            let alike: Vec<_> = rows.iter().map(|&row| pairs[row]).collect();
            let found = self.convolve_digits(ring.field(), log_n, &alike)?;
            for (row, product) in rows.into_iter().zip(found) {
                products[row] = ring.polynomial(product)?;
            }
        }
        Ok(products)
    }

    /// The rows of products of operands that are not empty and together have at most 2^`log_n` + 1 coefficients.
    fn convolve_digits(
        &self,
        field: &AnyField,
        log_n: u32,
        pairs: &[Pair<'_>],
    ) -> Result<Vec<Vec<u64>>, EngineError> {
        let device = self.device();
        if log_n > field.two_adicity().min(BigPrimeContext::MAX_LOG_POINTS) {
            return Err(EngineError::Gpu(GpuError::Limits {
                device: device.info().name.clone(),
                kernel: "a transform".to_owned(),
                reason: format!("there is none of 2^{log_n} points modulo this prime"),
            }));
        }
        let row = field.width() << log_n;
        // Products come back in place of the second operands.
        let mut buffered = DoubleBuffer::new(device, pairs.len(), &[row; 2], 2)?;
        let context = BigPrimeContext::new(device, field, log_n, buffered.piece())?;
        let mut products = Vec::with_capacity(pairs.len());
        buffered.run(
            |side, rows, words: &mut [u64]| {
                for (pair, words) in pairs[rows].iter().zip(words.chunks_mut(row)) {
                    let operand = pair[side].rows();
                    let (kept, rest) = words.split_at_mut(operand.len());
                    kept.copy_from_slice(&operand);
                    rest.fill(0);
                }
            },
            |stream, buffers, batch| match buffers {
                [a, b] => context.convolve(stream, (b, 0), (a, 0), batch, false),
                _ => unreachable!("there are two operands"),
            },
            |first, words| {
                for ([a, b], words) in pairs[first..].iter().zip(words.chunks(row)) {
                    let len = a.len() + b.len() - 1;
                    products.push(words[..len * field.width()].to_vec());
                }
            },
        )?;
        Ok(products)
    }

    /// Transforms of vectors of 2^`log_n` points.
    pub(super) fn transform_digits(
        &self,
        field: &AnyField,
        log_n: u32,
        vectors: &[Vec<u64>],
        direction: Direction,
    ) -> Result<Vec<Vec<u64>>, EngineError> {
        let device = self.device();
        let row = field.width() << log_n;
        let mut buffered = DoubleBuffer::new(device, vectors.len(), &[row], 1)?;
        let context = BigPrimeContext::new(device, field, log_n, buffered.piece())?;
        let mut found = Vec::with_capacity(vectors.len());
        buffered.run(
            |_, rows, words| {
                for (vector, words) in vectors[rows].iter().zip(words.chunks_mut(row)) {
                    words.copy_from_slice(vector);
                }
            },
            |stream, buffers, batch| {
                let data = (&mut buffers[0], 0);
                match direction {
                    Direction::Forward => context.forward(stream, data, batch),
                    Direction::Inverse => context.inverse(stream, data, batch),
                }
            },
            |_, words| found.extend(words.chunks(row).map(<[u64]>::to_vec)),
        )?;
        Ok(found)
    }
}
