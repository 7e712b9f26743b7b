//! The model: t(N, b) = c_b · G(N) · F(N, b) + D(N, b), anchored on the largest size that was run.

use std::collections::{BTreeMap, HashMap};

use thiserror::Error;

use super::device::Device;
use super::factors::{Constants, Traffic, factors};
use crate::description::Kernel;

/// A measured time.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Values of the data parameters.
    pub data: Vec<i64>,
    /// Values of the program parameters.
    pub shape: Vec<i64>,
    /// Milliseconds.
    pub milliseconds: f64,
}

/// Why no model is fitted.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum FitError {
    /// Nothing was measured.
    #[error("no shape that fits the device was measured")]
    Empty,
    /// A time that is none.
    #[error("sample {index} took {milliseconds} ms; times are finite and positive")]
    Time {
        /// Which sample, from 0.
        index: usize,
        /// Its time.
        milliseconds: f64,
    },
    /// Data out of range.
    #[error("sample {index} is of data {data:?}, which the kernel's description does not take")]
    Data {
        /// Which sample, from 0.
        index: usize,
        /// Its data.
        data: Vec<i64>,
    },
    /// A shape that violates the constraints.
    #[error("sample {index} is of shape {shape:?}, which the kernel's description does not allow")]
    Shape {
        /// Which sample, from 0.
        index: usize,
        /// Its shape.
        shape: Vec<i64>,
    },
}

/// Times of a kernel's shapes at any size, from times at small ones.
///
/// F is waves of blocks, each slower the more warps are resident, and slower still where strided lines exceed the first-level
/// cache; D is what all blocks read of operands that exceed the second-level cache. What a shape is better or worse than F
/// says, c_b, is measured: mostly at the largest size. See [`Constants`].
#[derive(Clone, Debug)]
pub struct AnchoredModel {
    kernel: Kernel,
    device: Device,
    constants: Constants,
    shapes: Vec<(Vec<i64>, f64)>,
    /// log G by the logarithm of the product of the data: constant and slope.
    growth: (f64, f64),
}

/// A shape, and its milliseconds.
type Time<'a> = (&'a [i64], f64);

impl AnchoredModel {
    /// Fits the model to times. A single size is enough for a choice, but then G is constant.
    ///
    /// # Errors
    /// See [`FitError`]; shapes that do not fit the device are left out.
    pub fn fit(
        kernel: &Kernel,
        device: &Device,
        constants: Constants,
        samples: &[Sample],
    ) -> Result<Self, FitError> {
        let mut sizes = BTreeMap::<(i128, &[i64]), Vec<Time<'_>>>::new();
        for (index, sample) in samples.iter().enumerate() {
            let milliseconds = sample.milliseconds;
            if !(milliseconds.is_finite() && milliseconds > 0.0) {
                return Err(FitError::Time {
                    index,
                    milliseconds,
                });
            }
            if !kernel.takes(&sample.data) {
                return Err(FitError::Data {
                    index,
                    data: sample.data.clone(),
                });
            }
            if !kernel.is_legal(&sample.shape) {
                return Err(FitError::Shape {
                    index,
                    shape: sample.shape.clone(),
                });
            }
            let size = sample
                .data
                .iter()
                .fold(1_i128, |all, &n| all.saturating_mul(n.into()));
            sizes
                .entry((size, &sample.data))
                .or_default()
                .push((&sample.shape, milliseconds));
        }
        let mut shapes: HashMap<&[i64], (f64, f64)> = HashMap::new();
        let mut medians = Vec::new();
        let mut weight = 1.0;
        for ((_, data), times) in sizes.iter().rev() {
            let traffic = Traffic::new(kernel, data);
            let mut logs = Vec::new();
            for (shape, time) in times {
                let values = [data, *shape].concat();
                if let Some((f, d)) = factors(kernel, device, &constants, &traffic, &values) {
                    logs.push((*shape, ((time - d).max(constants.least * time) / f).ln()));
                }
            }
            let mut sorted: Vec<f64> = logs.iter().map(|(_, log)| *log).collect();
            sorted.sort_by(f64::total_cmp);
            let Some(last) = sorted.len().checked_sub(1) else {
                continue;
            };
            let median = (sorted[last / 2] + sorted[last.div_ceil(2)]) / 2.0;
            medians.push((log_size(data), median, weight));
            for (shape, log) in logs {
                let (sum, all) = shapes.entry(shape).or_default();
                *sum += weight * (log - median);
                *all += weight;
            }
            weight = (weight * constants.weight).max(f64::MIN_POSITIVE);
        }
        if shapes.is_empty() {
            return Err(FitError::Empty);
        }
        let mut shapes: Vec<(Vec<i64>, f64)> = shapes
            .into_iter()
            .map(|(shape, (sum, all))| (shape.to_vec(), (sum / all).exp()))
            .collect();
        shapes.sort_by(|a, b| a.0.cmp(&b.0));
        let (kernel, device) = (kernel.clone(), device.clone());
        Ok(AnchoredModel {
            kernel,
            device,
            constants,
            shapes,
            growth: line(&medians),
        })
    }

    /// The kernel.
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// Predicted milliseconds of every shape that was measured, in the shapes' order; `None` for data out of range.
    pub fn predict(&self, data: &[i64]) -> Option<Vec<(&[i64], f64)>> {
        if !self.kernel.takes(data) {
            return None;
        }
        let growth = (self.growth.0 + self.growth.1 * log_size(data)).exp();
        let traffic = Traffic::new(&self.kernel, data);
        let mut values = data.to_vec();
        let predicted = self.shapes.iter().filter_map(|(shape, c)| {
            values.truncate(data.len());
            values.extend_from_slice(shape);
            let (f, d) = factors(
                &self.kernel,
                &self.device,
                &self.constants,
                &traffic,
                &values,
            )?;
            Some((shape.as_slice(), c * growth * f + d))
        });
        Some(predicted.collect())
    }
}

fn log_size(data: &[i64]) -> f64 {
    data.iter().map(|&n| (n as f64).ln()).sum()
}

/// Constant and slope of the line through points (x, y, weight).
fn line(points: &[(f64, f64, f64)]) -> (f64, f64) {
    let mean = |f: &dyn Fn(&(f64, f64, f64)) -> f64| {
        let all: f64 = points.iter().map(|p| p.2).sum();
        points.iter().map(|p| p.2 * f(p)).sum::<f64>() / all
    };
    let (x, y) = (mean(&|p| p.0), mean(&|p| p.1));
    let spread = mean(&|p| (p.0 - x) * (p.0 - x));
    let slope = if spread > 1e-12 {
        mean(&|p| (p.0 - x) * (p.1 - y)) / spread
    } else {
        0.0
    };
    (y - slope * x, slope)
}
