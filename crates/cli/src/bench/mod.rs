//! `sunzi bench`: what Sunzi's operations take on the machine at hand, as tables and plots.

mod contest;
mod crossing;
mod gfp;
mod gpu;
mod options;
mod plots;
mod products;
mod report;
mod saved;
mod series;
mod speedup;
mod steps;
mod subject;

use crate::args::Common;
use clap::Subcommand;
use gpu::GpuOptions;
use options::GfpOptions;
use sunzi_files::error::Failure;

/// What is measured.
#[derive(Debug, Subcommand)]
pub enum BenchCommand {
    /// Products and transforms modulo the named primes r^k + 1, against several word-size primes
    #[command(after_help = options::GFP_HELP)]
    Gfp(GfpOptions),
    /// Transforms and products on a GPU, against what its memory and its multiplications allow
    #[command(after_help = gpu::GPU_HELP)]
    Gpu(GpuOptions),
}

/// Measures.
pub fn run(command: &BenchCommand, common: &Common) -> Result<(), Failure> {
    match command {
        BenchCommand::Gfp(options) => gfp::run(options, common),
        BenchCommand::Gpu(options) => gpu::run(options, common),
    }
}
