//! Subproduct trees on devices, over all fields that these know.

use super::EngineError;
use super::device_words::DeviceWords;
use super::on_device::OnDevice;
use crate::field::AnyField;
use crate::poly::{AnyPoly, AnyPolyRing};
use sunzi_device::double_buffer::DoubleBuffer;
use sunzi_device::{GpuError, Stream};
use sunzi_gpu::Word;
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
    words: DeviceWords,
}

impl DeviceTree {
    /// The tree over points that are elements, which are given by their rows.
    pub(super) fn grow(
        device: &OnDevice,
        ring: &AnyPolyRing,
        points: &[u64],
    ) -> Result<Self, EngineError> {
        let (field, device) = (ring.field(), device.device());
        let (words, stream) = (DeviceWords::of(field), device.stream()?);
        let count = points.len() / field.width();
        let tree = match (field.word_prime(), words.word()) {
            (Some(prime), Word::U32) => {
                let points: Vec<_> = points.iter().map(|&point| point as u32).collect();
                let points = device.filled(&stream, &points)?;
                SubproductTree::new(device, &stream, prime, (&points, 0), count)?
            }
            (Some(prime), _) => {
                let points = device.filled(&stream, points)?;
                SubproductTree::new(device, &stream, prime, (&points, 0), count)?
            }
            (None, _) => {
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
