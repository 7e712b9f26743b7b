//! `sunzi bench`: what Sunzi's operations take on the machine at hand, as tables and plots.

mod contest;
mod crossing;
mod gfp;
pub mod gpu;
pub mod options;
mod plots;
mod products;
mod report;
mod saved;
mod series;
mod speedup;
mod steps;
mod subject;

use crate::args::{BenchCommand, Common};
use sunzi_files::error::Failure;

/// Measures.
pub fn run(command: &BenchCommand, common: &Common) -> Result<(), Failure> {
    match command {
        BenchCommand::Gfp(options) => gfp::run(options, common),
        BenchCommand::Gpu(options) => gpu::run(options, common),
    }
}
