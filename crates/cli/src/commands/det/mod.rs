//! `sunzi det`.

mod exact;
mod float;
mod input;
mod modular;

use crate::args::Common;
use crate::args::det::{DetAlgorithm, DetArguments};
use crate::report::Figures;
use serde::Serialize;
use sunzi_files::error::Failure;
use sunzi_files::output::Output;

/// What needs memory, in sentences.
const WORK: &str = "determinant";

/// Finds a determinant.
pub fn run(wanted: &DetArguments, common: &Common) -> Result<(), Failure> {
    match &wanted.prime {
        Some(prime) => modular::run(prime, wanted, common),
        None if wanted.float => float::run(wanted, common),
        None => exact::run(wanted, common),
    }
}

/// What is found of a determinant, in JSON.
#[derive(Serialize)]
struct Facts<V> {
    command: &'static str,
    /// Rows and columns.
    rows: usize,
    #[serde(flatten)]
    value: V,
    algorithm: String,
    #[serde(flatten)]
    figures: Figures,
}

impl<V: Serialize> Facts<V> {
    /// Writes them, or else the lines of text that say the same.
    fn write(&self, text: &str, json: bool, mut output: Output) -> Result<(), Failure> {
        if json {
            let json = serde_json::to_string_pretty(self)
                .map_err(|error| Failure::Computation(error.to_string()))?;
            output.write(json.as_bytes())?;
            output.write(b"\n")?;
        } else {
            output.write(text.as_bytes())?;
        }
        output.finish()
    }
}

/// The name of an algorithm.
fn name(algorithm: DetAlgorithm) -> &'static str {
    match algorithm {
        DetAlgorithm::Elimination => "elimination",
        DetAlgorithm::Condensation => "condensation",
    }
}
