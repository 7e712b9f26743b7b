//! Choices by measurement: launch shapes of kernels, for sizes that were never run, and the lengths from which algorithms win.
//!
//! A [`Description`] tells a kernel's arguments and shapes; [`Sampling`] decides what is run, by a [`KernelRunner`] where the kernel is
//! your own; an [`AnchoredModel`] of the times is what a [`Chooser`] chooses by. [`RationalFunction`]s and [`RationalProgram`]s are
//! what it is made of, and there are models of GPUs: [`MachineModel`], [`mwp_cwp`]. [`live`] is for kernels of programs whose source is not
//! there.
//!
//! **Sunzi's own kernels and algorithms.** A [`Tuning`] is a value: whoever measures one, or reads one, passes it on
//! ([`Engine::with_tuning`](crate::engine::Engine::with_tuning)). It has a part for a device ([`DeviceTuning`]) and a part for the
//! processor ([`ProcessorTuning`]), either of which may lack. Without one everything is cut as suits machines in general. No tuning
//! changes a result.
//!
//! ```
//! use sunzi::engine::{DeviceChoice, Engine};
//! use sunzi::gpu::{Device, Selection};
//! use sunzi::tune::Sampling;
//! use sunzi::tune::{DeviceTuning, Tuning};
//!
//! let Ok(device) = Device::open(Selection::Any) else { return Ok(()) };
//! let short = Sampling { seconds: 5.0, runs: 1, warm_up: 0, ..Sampling::default() };
//! let tuning = Tuning { device: Some(DeviceTuning::measure(&device, &short)?), processor: None };
//! let engine = Engine::on(&device).with_tuning(&Tuning::from_json(&tuning.to_json())?.into());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod device;
mod launch;
mod own;
mod processor;
mod runner;

pub use device::DeviceTuning;
pub use launch::{KernelRunner, LaunchError, profile};
pub use own::OwnKernel;
pub use processor::{Effort, FoundThreshold, ProcessorTuning, Work, disturbed};
pub use runner::OwnRunner;
#[doc(inline)]
pub use sunzi_tune::{
    AnchoredModel, BlockResources, BufferArgument, Chooser, ChunkedProduct, CondensationLaunch,
    Constants, DataRange, Degrees, Description, DescriptionError, Device, Element, Fill, FlowStep,
    IdealCache, Input, InputKind, Kernel, KernelArgument, KernelCosts, KernelId, Language, Limit,
    LittlesLaw, LittlesLawDevice, MachineModel, ManyCoreAlgorithm, ManyCoreCosts, ManyCoreProgram,
    MeasuredShape, ModelError, MultiprocessorLimits, MwpCwp, MwpCwpDevice, NumberOf, Output,
    PathCosts, Problem, ProgramBuilder, ProgramError, RationalFunction, RationalProgram, Resources,
    Rounding, Sample, Sampled, Sampling, SamplingError, Step, ThreadCosts, ThresholdTree,
    TransformCosts, TreeStep, UnknownKernel, Value, WarpCounts, WarpLaunch, WithinWarp,
    littles_law, live, mwp_cwp,
};

use serde::{Deserialize, Serialize};
use sunzi_device::GpuError;
use thiserror::Error;

/// The version of tunings as JSON that this crate writes and reads.
const VERSION: u32 = 2;

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
        source: ModelError,
    },
    /// Times of algorithms of which no curve is made.
    #[error("{threshold}: {source}")]
    Threshold {
        /// Which threshold.
        threshold: &'static str,
        /// Why no curve is made.
        source: ModelError,
    },
    /// A device that cannot be described.
    #[error(transparent)]
    Description(#[from] DescriptionError),
    /// Text that is no tuning.
    #[error("this is no tuning: {0}")]
    Json(String),
    /// A version that is not read.
    #[error("version {0} of tunings is unknown; this program reads version 2: measure anew")]
    Version(u32),
}

/// What was measured on a machine.
#[derive(Debug, Default)]
pub struct Tuning {
    /// On one of its devices.
    pub device: Option<DeviceTuning>,
    /// On its processor.
    pub processor: Option<ProcessorTuning>,
}

/// A tuning as it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    version: u32,
    device: Option<device::Document>,
    processor: Option<ProcessorTuning>,
}

impl Tuning {
    /// The tuning as JSON: a line without spaces.
    pub fn to_json(&self) -> String {
        let document = Document {
            version: VERSION,
            device: self.device.as_ref().map(DeviceTuning::document),
            processor: self.processor.clone(),
        };
        // Of finite numbers, strings and lists there is always JSON.
        serde_json::to_string(&document).unwrap_or_default()
    }

    /// Reads a tuning from JSON.
    ///
    /// # Errors
    /// [`TuningError::Json`] and [`TuningError::Version`].
    pub fn from_json(text: &str) -> Result<Self, TuningError> {
        /// What is the same in all versions.
        #[derive(Deserialize)]
        struct Versioned {
            version: u32,
        }
        let json = |error: serde_json::Error| TuningError::Json(error.to_string());
        let versioned: Versioned = serde_json::from_str(text).map_err(json)?;
        if versioned.version != VERSION {
            return Err(TuningError::Version(versioned.version));
        }
        let document: Document = serde_json::from_str(text).map_err(json)?;
        Ok(Self {
            device: document.device.map(DeviceTuning::read).transpose()?,
            processor: document.processor,
        })
    }
}
