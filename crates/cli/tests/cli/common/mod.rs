//! What tests of the program share.

pub mod matrices;
pub mod polynomials;
mod sandbox;
pub mod sparse;

pub use sandbox::{Outcome, Sandbox, outcome_with_input};

use std::path::{Path, PathBuf};

/// The folder `examples` of the repository.
pub fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}
