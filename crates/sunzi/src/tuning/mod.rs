//! Shapes of Sunzi's own kernels, chosen for a device by measurement.
//!
//! A [`Tuning`] is a value: whoever measures one ([`Tuning::measure`]), or reads one, passes it on
//! ([`Engine::with_tuning`](crate::engine::Engine::with_tuning)). Without one everything is cut as suits devices in general
//! ([`ProductShape::for_device`]). No tuning changes a result.
//!
//! ```
//! use sunzi::engine::{DeviceChoice, Engine};
//! use sunzi::gpu::{Device, Selection};
//! use sunzi::tune::Sampling;
//! use sunzi::tuning::Tuning;
//!
//! let Ok(device) = Device::open(Selection::Any) else { return Ok(()) };
//! let short = Sampling { seconds: 0.5, runs: 1, ..Sampling::default() };
//! let tuning = Tuning::measure(&device, &short)?;
//! let engine = Engine::on(&device).with_tuning(&Tuning::from_json(&tuning.to_json())?.into());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod own;

pub use own::{OwnKernel, OwnRunner};

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sunzi_gpu::products::{Finish, ProductProblem, ProductShape};
use sunzi_gpu::{Device, DeviceInfo, GpuError};
use sunzi_tune::{
    AnchoredModel, Chooser, Constants, DescriptionError, FitError, Sampling, SamplingError,
};
use thiserror::Error;

use crate::launch::profile;

/// The version of tunings as JSON that this crate writes and reads.
const VERSION: u32 = 1;

/// Why nothing is tuned.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TuningError {
    /// The device.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// Runs of a kernel.
    #[error("{kernel}: {source}")]
    Sampling {
        /// Which kernel.
        kernel: &'static str,
        /// Why it was not run.
        source: Box<SamplingError<GpuError>>,
    },
    /// Times of which no model is made.
    #[error("{kernel}: {source}")]
    Fit {
        /// Which kernel.
        kernel: &'static str,
        /// Why no model is made.
        source: FitError,
    },
    /// A device that cannot be described.
    #[error(transparent)]
    Description(#[from] DescriptionError),
    /// Text that is no tuning.
    #[error("this is no tuning: {0}")]
    Json(String),
    /// A version that is not read.
    #[error("version {0} of tunings is unknown; this program reads version 1: measure anew")]
    Version(u32),
}

/// Shapes of Sunzi's own kernels for a device.
#[derive(Debug)]
pub struct Tuning {
    device: DeviceName,
    choosers: BTreeMap<OwnKernel, Chooser>,
}

/// What tells a device from others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DeviceName {
    backend: String,
    name: String,
    driver: String,
}

impl DeviceName {
    fn of(info: &DeviceInfo) -> Self {
        DeviceName {
            backend: info.backend.name().to_owned(),
            name: info.name.clone(),
            driver: info.driver.clone(),
        }
    }
}

/// A tuning as it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    version: u32,
    device: DeviceName,
    models: Vec<AnchoredModel>,
}

impl Tuning {
    /// Measures all kernels on a device: the time of `sampling` is shared out among them.
    ///
    /// # Errors
    /// [`TuningError`].
    pub fn measure(device: &Device, sampling: &Sampling) -> Result<Self, TuningError> {
        let known = profile(device.info());
        let sampling = Sampling {
            seconds: sampling.seconds / OwnKernel::ALL.len() as f64,
            ..*sampling
        };
        let mut choosers = BTreeMap::new();
        for own in OwnKernel::ALL {
            let kernel = own.describe(device.info())?;
            let mut runner = OwnRunner::new(device, own)?;
            let run = |data: &[i64], shape: &[i64]| runner.run(data, shape);
            let sampled = sampling.run(&kernel, &known, &kernel.samples(), run);
            let sampled = sampled.map_err(|source| TuningError::Sampling {
                kernel: own.name(),
                source: Box::new(source),
            })?;
            let model = AnchoredModel::fit(&kernel, &known, Constants::default(), &sampled.samples);
            let model = model.map_err(|source| TuningError::Fit {
                kernel: own.name(),
                source,
            })?;
            choosers.insert(own, Chooser::new(model));
        }
        Ok(Tuning {
            device: DeviceName::of(device.info()),
            choosers,
        })
    }

    /// Whether it was measured on this device, by this driver.
    pub fn is_for(&self, info: &DeviceInfo) -> bool {
        self.device == DeviceName::of(info)
    }

    /// The device's name.
    pub fn device(&self) -> &str {
        &self.device.name
    }

    /// The model of a kernel.
    pub fn model(&self, kernel: OwnKernel) -> Option<&AnchoredModel> {
        self.choosers.get(&kernel).map(Chooser::model)
    }

    /// The shape for a problem on the device that was measured: what suits devices in general, but for what was measured.
    pub fn shape(&self, info: &DeviceInfo, problem: &ProductProblem) -> ProductShape {
        let mut shape = ProductShape::for_device(info);
        // What was measured are residues of one word.
        if !matches!(problem.form.finish, Finish::Modulo32(_)) || !self.is_for(info) {
            return shape;
        }
        let [n, m] = problem.terms;
        let batch = problem.batch.max(1);
        let choose = |kernel: OwnKernel, data: [usize; 2]| {
            let data = data.map(|value| i64::try_from(value).unwrap_or(i64::MAX));
            self.choosers.get(&kernel)?.choose(&data).ok()
        };
        shape.term_by_term =
            choose(OwnKernel::TermByTerm, [batch, n.min(m)]).map(|shape| OwnKernel::plan(&shape));
        let points = n.saturating_add(m).next_power_of_two();
        shape.transforms = choose(OwnKernel::Transforms, [points, batch])
            .map(|shape| OwnKernel::parameters(info, points.ilog2(), batch, &shape));
        // A shape that the device refuses is not used.
        shape
            .check(info)
            .unwrap_or_else(|_| ProductShape::for_device(info))
    }

    /// The tuning as JSON: a line without spaces.
    pub fn to_json(&self) -> String {
        let models = self
            .choosers
            .values()
            .map(|chooser| chooser.model().clone())
            .collect();
        let document = Document {
            version: VERSION,
            device: self.device.clone(),
            models,
        };
        // Of finite numbers, strings and lists there is always JSON.
        serde_json::to_string(&document).unwrap_or_default()
    }

    /// Reads a tuning from JSON.
    ///
    /// # Errors
    /// [`TuningError::Json`] and [`TuningError::Version`].
    pub fn from_json(text: &str) -> Result<Self, TuningError> {
        let document: Document =
            serde_json::from_str(text).map_err(|error| TuningError::Json(error.to_string()))?;
        if document.version != VERSION {
            return Err(TuningError::Version(document.version));
        }
        let mut choosers = BTreeMap::new();
        for model in document.models {
            let own = OwnKernel::ALL
                .into_iter()
                .find(|own| own.name() == model.kernel());
            let own = own.ok_or_else(|| {
                TuningError::Json(format!("there is no kernel {:?}", model.kernel()))
            })?;
            let [data, parameters] = own.names();
            let is_same = model.data().iter().map(|data| &data.name).eq(data)
                && model.parameters().iter().eq(parameters);
            if !is_same {
                return Err(TuningError::Json(format!(
                    "{:?} has other parameters",
                    model.kernel()
                )));
            }
            choosers.insert(own, Chooser::new(model));
        }
        Ok(Tuning {
            device: document.device,
            choosers,
        })
    }
}
