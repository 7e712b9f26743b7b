//! What was measured, case by case.

use super::failure;
use super::peers::{PeerCase, Request};
use serde::Serialize;
use sunzi::gpu::GpuError;
use sunzi_files::failure::Failure;
use sunzi_measure::Timing;

/// The time that one way to do something takes.
#[derive(Clone, Debug, Serialize)]
pub struct Case {
    pub section: &'static str,
    /// What is done.
    pub group: String,
    /// Points, words, terms or bits.
    pub size: u64,
    /// How many at once.
    pub batch: u64,
    /// What does it.
    pub contender: String,
    /// Threads of the host that it takes.
    pub threads: usize,
    #[serde(rename = "seconds")]
    pub timing: Timing,
    /// Seconds that hardware of the measured rates takes at least, where that is known.
    pub floor: Option<f64>,
    /// By how much the time may be above the floor to be good enough.
    pub goal: Option<f64>,
    /// Butterflies, products of words, or coefficients of products.
    pub operations: f64,
    /// How often transforms go through memory.
    pub passes: Option<usize>,
    /// What programs by others are asked for beside it.
    #[serde(skip)]
    pub request: Option<Request>,
}

impl Case {
    /// The time over the floor.
    pub fn ratio(&self) -> Option<f64> {
        Some(self.timing.median / self.floor?)
    }

    /// Seconds for one of the batch.
    pub fn each(&self) -> f64 {
        self.timing.median / self.batch as f64
    }
}

/// Why a case was not measured.
#[derive(Debug)]
pub enum Problem {
    /// The device.
    Gpu(GpuError),
    /// Anything else: a wrong result, above all.
    Other(Failure),
}

impl From<GpuError> for Problem {
    fn from(error: GpuError) -> Self {
        Self::Gpu(error)
    }
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        Self::Other(failure)
    }
}

/// What the processor could not do.
pub fn impossible(error: impl std::fmt::Display) -> Problem {
    Problem::Other(Failure::Computation(format!(
        "the processor could not compute what to compare with: {error}"
    )))
}

/// That a result is wrong.
pub fn wrong(what: &str, number: usize) -> Problem {
    Problem::Other(Failure::Computation(format!(
        "{what}: result {number} of the device is not the processor's; nothing of it was timed"
    )))
}

/// All that was measured, and what was not.
#[derive(Debug, Default)]
pub struct Findings {
    pub cases: Vec<Case>,
    /// What others take for the same.
    pub peers: Vec<PeerCase>,
    /// With the reasons.
    pub left_out: Vec<String>,
}

impl Findings {
    /// Takes cases; what the device is too small for is left out with a note.
    pub fn take(&mut self, what: &str, cases: Result<Vec<Case>, Problem>) -> Result<(), Failure> {
        match cases {
            Ok(cases) => self.cases.extend(cases),
            Err(Problem::Gpu(
                error @ (GpuError::OutOfMemory { .. }
                | GpuError::Limits { .. }
                | GpuError::TooFewPrimes { .. }),
            )) => self.left_out.push(format!("{what}: left out, as {error}.")),
            Err(Problem::Gpu(error)) => return Err(failure(error)),
            Err(Problem::Other(failure)) => return Err(failure),
        }
        Ok(())
    }
}
