//! Which shapes are run at which sizes: all at the smallest, and at larger ones those that promise something.

use std::collections::HashSet;
use std::time::Instant;

use thiserror::Error;

use super::constants::Constants;
use super::device::Device;
use super::model::{AnchoredModel, Sample};
use crate::description::Kernel;
use crate::error::ModelError;

/// How kernels are sampled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampling {
    /// Seconds after which no further run begins.
    pub seconds: f64,
    /// Runs of a shape that are not timed.
    pub warm_up: usize,
    /// Runs of a shape that are timed: their median counts.
    pub runs: usize,
    /// Shapes predicted to take more than this times the best are not run at the next size.
    pub within: f64,
    /// Shapes that stay at least.
    pub at_least: usize,
}

impl Default for Sampling {
    fn default() -> Self {
        Sampling {
            seconds: 30.0,
            warm_up: 1,
            runs: 5,
            within: 2.0,
            at_least: 8,
        }
    }
}

/// What was sampled.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sampled {
    /// The median times, sizes upward.
    pub samples: Vec<Sample>,
    /// Milliseconds of all timed runs.
    pub milliseconds: f64,
    /// Whether the time was up before all sizes were run.
    pub cut_short: bool,
}

/// Why nothing is sampled.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SamplingError<E> {
    /// A run that failed.
    #[error("shape {shape:?} at {data:?}: {source}")]
    Run {
        /// The data.
        data: Vec<i64>,
        /// The shape.
        shape: Vec<i64>,
        /// Why it failed.
        source: E,
    },
    /// Times of which no model is made.
    #[error(transparent)]
    Fit(#[from] ModelError),
}

impl Sampling {
    /// Runs a kernel's shapes at sizes in the order given, which is upward. `run` runs a shape once, and tells its milliseconds;
    /// `None` if the device has no such shape. Before it is called for a size, shapes are dropped that the model of all smaller
    /// sizes predicts to be far from the best.
    ///
    /// ```
    /// use sunzi::tune::{Description, Device, Sampling};
    /// # let text = r#"
    /// # version = 1
    /// # [[kernel]]
    /// # name = "sums"
    /// # data = { n = { from = 1, to = 1000000 } }
    /// # program = { bx = { values = [32, 64, 128, 256] } }
    /// # block = ["bx"]
    /// # grid = ["ceil(n / bx)"]
    /// # "#;
    /// # let device = Device::new(28, 64, 32, 1 << 21, 484.0);
    /// let description = Description::parse(text, "sums.toml")?;
    /// let kernel = description.kernel("sums").unwrap();
    /// let sampling = Sampling { at_least: 1, ..Sampling::default() };
    /// let clock = |data: &[i64], shape: &[i64]| Ok::<_, std::convert::Infallible>(Some((data[0] / shape[0]) as f64));
    /// let sampled = sampling.run(kernel, &device, &[vec![1000], vec![2000]], clock)?;
    /// assert_eq!(sampled.samples.len(), 4 + 1); // at the second size only the best is run
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SamplingError`].
    pub fn run<E>(
        &self,
        kernel: &Kernel,
        device: &Device,
        sizes: &[Vec<i64>],
        mut run: impl FnMut(&[i64], &[i64]) -> Result<Option<f64>, E>,
    ) -> Result<Sampled, SamplingError<E>> {
        let (start, mut sampled) = (Instant::now(), Sampled::default());
        for data in sizes {
            for shape in self.promising(kernel, device, &sampled.samples, data)? {
                let mut times = Vec::new();
                for index in 0..self.warm_up + self.runs.max(1) {
                    if start.elapsed().as_secs_f64() > self.seconds {
                        sampled.cut_short = true;
                        break;
                    }
                    let failed = |source| SamplingError::Run {
                        data: data.clone(),
                        shape: shape.clone(),
                        source,
                    };
                    let Some(time) = run(data, &shape).map_err(failed)? else {
                        break;
                    };
                    if index >= self.warm_up {
                        sampled.milliseconds += time;
                        times.push(time);
                    }
                }
                times.sort_by(f64::total_cmp);
                if let Some(&milliseconds) = times.get(times.len() / 2) {
                    sampled.samples.push(Sample {
                        data: data.clone(),
                        shape,
                        milliseconds,
                    });
                }
                if sampled.cut_short {
                    return Ok(sampled);
                }
            }
        }
        Ok(sampled)
    }

    /// The shapes to run for these data: those that promise something, and those that have no time yet, since the device has had
    /// no such shape for smaller data.
    fn promising(
        &self,
        kernel: &Kernel,
        device: &Device,
        samples: &[Sample],
        data: &[i64],
    ) -> Result<Vec<Vec<i64>>, ModelError> {
        if samples.is_empty() {
            return Ok(kernel.shapes().to_vec());
        }
        let model = AnchoredModel::fit(kernel, device, Constants::default(), samples)?;
        let mut predicted = model.predict(data).unwrap_or_default();
        predicted.sort_by(|a, b| a.1.total_cmp(&b.1));
        let best = predicted.first().map_or(0.0, |(_, time)| *time);
        let promise = |(rank, (_, time)): &(usize, &(&[i64], f64))| {
            *rank < self.at_least || *time <= self.within * best
        };
        let promising = predicted.iter().enumerate().filter(promise);
        let promising = promising.map(|(_, (shape, _))| shape.to_vec());
        let known: HashSet<&[i64]> = samples.iter().map(|sample| &sample.shape[..]).collect();
        let new = kernel
            .shapes()
            .iter()
            .filter(|shape| !known.contains(&shape[..]));
        Ok(promising.chain(new.cloned()).collect())
    }
}
