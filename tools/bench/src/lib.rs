//! `sunzi bench`: what Sunzi's operations take on the machine at hand, as tables and plots.
//!
//! It is a program of its own, `sunzi-bench`, which `sunzi bench` calls: who computes needs no benchmarks. It is a library
//! so that fuzz targets can call it.

mod contest;
mod crossing;
mod gfp;
mod gpu;
mod options;
mod paper;
mod plots;
mod products;
mod report;
mod saved;
#[cfg(unix)]
mod scale;
mod series;
mod speedup;
mod steps;
mod subject;

use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};
use std::process::ExitCode;
use sunzi::tune::disturbed;
use sunzi_cli::door::{self, Common};
use sunzi_files::failure::Failure;
use sunzi_files::progress::warn;

/// Measurements on this machine, with tables and plots
#[derive(Debug, Parser)]
#[command(
    name = "sunzi bench",
    bin_name = "sunzi bench",
    version,
    propagate_version = true,
    arg_required_else_help = true
)]
struct Arguments {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    measurement: Measurement,
}

/// What is measured.
#[derive(Debug, Subcommand)]
enum Measurement {
    /// Products and transforms modulo the named primes r^k + 1, against several word-size primes
    Gfp(options::GfpOptions),
    /// Transforms and products on a GPU, against what its memory and its multiplications allow
    Gpu(gpu::GpuOptions),
    /// The tables and figures of the papers that Sunzi implements, beside the same measured here
    Paper(paper::PaperOptions),
    /// Transforms through files, against what the disk and the processor allow
    #[cfg(unix)]
    Scale(scale::ScaleOptions),
}

/// Runs the program on the arguments of the process.
#[must_use]
pub fn main() -> ExitCode {
    door::program(Arguments::command(), std::env::args_os(), measure)
}

/// Runs the program on arguments, its name not among them; or gives the exit code and the sentence.
///
/// # Errors
/// What the arguments lack, or what cannot be measured.
pub fn run(arguments: &[&str]) -> Result<(), (u8, String)> {
    let words = std::iter::once(&"sunzi bench").chain(arguments);
    let matches = Arguments::command().try_get_matches_from(words);
    let matches = matches.map_err(|error| (2, error.to_string()))?;
    measure(&matches).map_err(|failure| (failure.exit_code(), failure.to_string()))
}

/// The program's commands and options, as clap has them.
#[cfg(test)]
fn command() -> clap::Command {
    Arguments::command()
}

fn measure(matches: &ArgMatches) -> Result<(), Failure> {
    let arguments =
        Arguments::from_arg_matches(matches).map_err(|error| Failure::Usage(error.to_string()))?;
    let common = &arguments.common;
    door::compute(common, matches, || {
        let (done, waited) = disturbed(|| match &arguments.measurement {
            Measurement::Gfp(chosen) => chosen.run(common).map(|()| true),
            Measurement::Gpu(chosen) => chosen.run(common).map(|()| true),
            Measurement::Paper(chosen) => chosen.run(common),
            #[cfg(unix)]
            Measurement::Scale(chosen) => chosen.run(common).map(|()| true),
        });
        let measured = done?;
        if let Some(said) = waited.and_then(door::busy).filter(|_| measured) {
            warn(&said);
        }
        Ok(())
    })
}
