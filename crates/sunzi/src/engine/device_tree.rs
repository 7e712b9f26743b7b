//! Subproduct trees on devices, over all fields that these know.

use super::EngineError;
use super::on_device::{OnDevice, limbs_of};
use crate::field::{AnyField, Fp32};
use crate::poly::{AnyPoly, AnyPolyRing};
use sunzi_device::double_buffer::DoubleBuffer;
use sunzi_device::{GpuError, Stream};
use sunzi_gpu::big_prime::BigPrimeContext;
use sunzi_gpu::tree::{SubproductTree, TreePlan};

/// Points of a leaf on GPUs.
const LEAF: usize = 256;

/// Whether devices have trees over so many points in a field.
pub(super) fn fits(field: &AnyField, points: usize) -> bool {
    match field.word_prime() {
        Some(prime) => {
            let plan = TreePlan { points, leaf: LEAF };
            plan.fits(prime) || plan.fits_several_primes(prime)
        }
        None => {
            BigPrimeContext::knows(field)
                && TreePlan::of_elements(points).fits_big_prime(field.two_adicity())
        }
    }
}

/// A tree on a device.
#[derive(Debug)]
pub(super) struct DeviceTree {
    tree: SubproductTree,
    ring: AnyPolyRing,
    /// How rows become the device's words of 32 bits.
    words: Words,
}

/// Words of the device's elements.
#[derive(Clone, Copy, Debug)]
struct Words {
    /// Of a row.
    width: usize,
    /// Whether the device has half of each.
    narrow: bool,
}

impl Words {
    fn of(field: &AnyField) -> Self {
        Self {
            width: field.width(),
            narrow: field.over::<Fp32>().is_some(),
        }
    }

    /// Words of 32 bits of so many elements.
    const fn count(self, elements: usize) -> usize {
        match self.narrow {
            true => elements,
            false => 2 * self.width * elements,
        }
    }

    /// Rows at the beginning of words, and zeros behind them.
    fn fill(self, to: &mut [u32], rows: &[u64]) {
        let (kept, rest) = to.split_at_mut(self.count(rows.len() / self.width));
        match self.narrow {
            true => kept
                .iter_mut()
                .zip(rows)
                .for_each(|(to, &row)| *to = row as u32),
            false => kept.copy_from_slice(bytemuck::cast_slice(rows)),
        }
        rest.fill(0);
    }

    /// The rows of such words.
    fn rows(self, words: &[u32]) -> Vec<u64> {
        match self.narrow {
            true => words.iter().map(|&word| word.into()).collect(),
            false => limbs_of(words),
        }
    }
}

impl DeviceTree {
    /// The tree over points that are elements, which are given by their rows.
    pub(super) fn grow(
        device: &OnDevice,
        ring: &AnyPolyRing,
        points: &[u64],
    ) -> Result<Self, EngineError> {
        let (field, device) = (ring.field(), device.device());
        let (words, stream) = (Words::of(field), device.stream()?);
        let count = points.len() / words.width;
        let tree = match field.word_prime() {
            Some(prime) if words.narrow => {
                let points: Vec<_> = points.iter().map(|&point| point as u32).collect();
                let points = device.filled(&stream, &points)?;
                SubproductTree::new(device, &stream, prime, (&points, 0), count)?
            }
            Some(prime) => {
                let points = device.filled(&stream, points)?;
                SubproductTree::new(device, &stream, prime, (&points, 0), count)?
            }
            None => {
                let points = device.filled(&stream, points)?;
                SubproductTree::of_elements(device, &stream, field, (&points, 0), count)?
            }
        };
        Ok(Self {
            tree,
            ring: ring.clone(),
            words,
        })
    }

    /// The rows of the values of polynomials.
    pub(super) fn values(
        &self,
        device: &OnDevice,
        polynomials: &[&AnyPoly],
    ) -> Result<Vec<Vec<u64>>, EngineError> {
        for polynomial in polynomials {
            self.ring.check(polynomial)?;
        }
        let points = self.tree.plan().points;
        let lens = polynomials.iter().map(|polynomial| polynomial.len());
        // Of the polynomial 0 there is one coefficient to upload.
        let longest = lens.max().unwrap_or(0).max(1);
        let lens = [longest, points].map(|len| self.words.count(len));
        let mut buffered = DoubleBuffer::<u32>::new(device.device(), polynomials.len(), &lens, 1)?;
        let mut found = Vec::with_capacity(polynomials.len());
        buffered.run(
            |_, rows, words| {
                for (polynomial, words) in polynomials[rows].iter().zip(words.chunks_mut(lens[0])) {
                    self.words.fill(words, &polynomial.rows());
                }
            },
            |stream, buffers, batch| {
                let [from, to] = buffers else {
                    unreachable!("there are coefficients and values")
                };
                (0..batch).try_for_each(|row| {
                    let values = (&mut *to, row * points);
                    self.tree
                        .evaluate(stream, (from, row * longest), longest, values)
                })
            },
            |_, words| found.extend(words.chunks(lens[1]).map(|row| self.words.rows(row))),
        )?;
        Ok(found)
    }

    /// The polynomials of values, which are as many canonical ones as points.
    pub(super) fn interpolations(
        &self,
        device: &OnDevice,
        values: &[&Vec<u64>],
    ) -> Result<Vec<AnyPoly>, EngineError> {
        let points = self.tree.plan().points;
        let row = self.words.count(points);
        let mut buffered = DoubleBuffer::<u32>::new(device.device(), values.len(), &[row; 2], 1)?;
        let mut found = Vec::with_capacity(values.len());
        buffered.run(
            |_, rows, words| {
                for (values, words) in values[rows].iter().zip(words.chunks_mut(row)) {
                    self.words.fill(words, values);
                }
            },
            |stream, buffers, batch| {
                let [from, to] = buffers else {
                    unreachable!("there are values and coefficients")
                };
                (0..batch).try_for_each(|row| {
                    let coefficients = (&mut *to, row * points);
                    self.tree
                        .interpolate(stream, (from, row * points), coefficients)
                })
            },
            |_, words| found.extend(words.chunks(row).map(|row| self.words.rows(row))),
        )?;
        let polynomials = found.into_iter().map(|rows| self.ring.polynomial(rows));
        Ok(polynomials.collect::<Result<_, _>>()?)
    }

    /// The number of a point that is there twice.
    pub(super) fn repeated_point(&self, stream: &Stream) -> Result<Option<usize>, GpuError> {
        self.tree.repeated_point(stream)
    }
}
