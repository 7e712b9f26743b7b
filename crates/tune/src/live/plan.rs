//! What a layer is told, and what it tells: JSON in files, since the program has standard input and output for itself.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::choice::{AnchoredModel, Device};

/// The version of plans that this crate writes and reads.
const VERSION: u32 = 1;

/// Why a plan is not followed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PlanError {
    /// No JSON, or not that of a plan.
    #[error("this is no plan of a run: {0}")]
    Json(String),
    /// A layer of another version than the program.
    #[error(
        "version {0} of plans is unknown, this layer reads version 1: the layer and the program sunzi are of different versions"
    )]
    Version(u32),
}

/// A device that is known to whoever made the plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KnownDevice {
    /// Its name.
    pub name: String,
    /// What choices know of it.
    pub profile: Device,
}

/// A kernel that was learned in a run, for the next one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LearnedKernel {
    /// The device's name, and its driver.
    pub device: String,
    /// The kernel's name.
    pub kernel: String,
    /// What tells its code from other code: equal for equal code.
    pub code: String,
    /// The model of its times.
    pub model: AnchoredModel,
}

/// What a layer is to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunPlan {
    version: u32,
    /// Where launches are recorded, a line of JSON for each.
    pub record: Option<PathBuf>,
    /// Where findings go, a line of JSON for each.
    pub findings: PathBuf,
    /// Seconds that spare launches may take together; none with 0.
    pub seconds: f64,
    /// Descriptions of kernels, in TOML.
    pub descriptions: Vec<String>,
    /// Models that the user gave: what they choose is not compared.
    pub models: Vec<AnchoredModel>,
    /// What earlier runs have learned.
    pub learned: Vec<LearnedKernel>,
    /// Kernels whose results may change with the shape.
    pub may_change: Vec<String>,
    /// Devices that are known.
    pub devices: Vec<KnownDevice>,
}

impl RunPlan {
    /// The environment variable that names the file of the plan.
    pub const VARIABLE: &str = "SUNZI_TUNE_RUN";

    /// A plan by which launches are let through as they are.
    pub fn new(findings: PathBuf) -> Self {
        RunPlan {
            version: VERSION,
            record: None,
            findings,
            seconds: 0.0,
            descriptions: Vec::new(),
            models: Vec::new(),
            learned: Vec::new(),
            may_change: Vec::new(),
            devices: Vec::new(),
        }
    }

    /// The plan as JSON.
    pub fn to_json(&self) -> String {
        // Of finite numbers, strings and lists there is always JSON.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads a plan.
    ///
    /// # Errors
    /// [`PlanError`].
    pub fn from_json(text: &str) -> Result<Self, PlanError> {
        /// What is the same in all versions.
        #[derive(Deserialize)]
        struct Versioned {
            version: u32,
        }
        let json = |error: serde_json::Error| PlanError::Json(error.to_string());
        let versioned: Versioned = serde_json::from_str(text).map_err(json)?;
        if versioned.version != VERSION {
            return Err(PlanError::Version(versioned.version));
        }
        serde_json::from_str(text).map_err(json)
    }
}

/// What a layer found out about a kernel: of several about the same kernel the last one counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// The device's name, and its driver.
    pub device: String,
    /// The kernel's name.
    pub kernel: String,
    /// What tells its code from other code.
    pub code: String,
    /// The data of the launch.
    pub data: Vec<i64>,
    /// The program's own block; `None` where it leaves it to the driver.
    pub own_block: Option<[u64; 3]>,
    /// The block that takes its place.
    pub block: Option<[u64; 3]>,
    /// Why launches stay as they are, if they do.
    pub unchanged: Option<String>,
    /// The model, if spare launches made one.
    pub model: Option<AnchoredModel>,
}
