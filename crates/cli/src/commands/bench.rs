//! `sunzi bench` and `sunzi paper`: what a program of its own does, so that who computes needs no benchmarks.

use crate::args::Common;
use crate::commands::Run;
use clap::Args;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::Command;
use sunzi_files::failure::{Failure, reason};

/// The program that measures.
const PROGRAM: &str = "sunzi-bench";

/// What it is told.
#[derive(Debug, Args)]
#[command(
    disable_help_flag = true,
    disable_version_flag = true,
    after_help = "The program sunzi-bench measures, which stands beside this one or on the PATH: in a checkout,
cargo build --release -p sunzi-bench makes it, and cargo install --path tools/bench installs it.

Examples:
  sunzi bench --help
  sunzi bench gfp --out plots
  sunzi bench gpu --help"
)]
pub struct Bench {
    /// What is measured, and how: gfp, gpu, paper or scale, with options; --help tells them
    #[arg(
        value_name = "ARGUMENTS",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    arguments: Vec<OsString>,
}

/// What it is told of papers.
#[derive(Debug, Args)]
#[command(
    disable_help_flag = true,
    disable_version_flag = true,
    after_help = "This is sunzi bench paper, of the program sunzi-bench, which stands beside this one or on the PATH.

Examples:
  sunzi paper list
  sunzi paper 2021-table-3.4 --quick
  sunzi paper --help"
)]
pub struct Paper {
    /// The name of a table or figure, such as 2021-table-3.4, or list, with options; --help tells them
    #[arg(
        value_name = "ARGUMENTS",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    arguments: Vec<OsString>,
}

impl Run for Bench {
    fn run(&self, common: &Common) -> Result<(), Failure> {
        hand_over(common, None, &self.arguments)
    }
}

impl Run for Paper {
    fn run(&self, common: &Common) -> Result<(), Failure> {
        hand_over(common, Some("paper"), &self.arguments)
    }
}

/// Hands over to that program; why that failed.
fn hand_over(
    common: &Common,
    measurement: Option<&str>,
    arguments: &[OsString],
) -> Result<(), Failure> {
    let mut command = Command::new(beside().unwrap_or_else(|| PROGRAM.into()));
    if let Some(file) = &common.output {
        command.arg("--output").arg(file);
    }
    if common.json {
        command.arg("--json");
    }
    if let Some(threads) = common.threads {
        command.args(["--threads", &threads.to_string()]);
    }
    let error = become_it(command.args(measurement).args(arguments));
    let why = match error.kind() {
        io::ErrorKind::NotFound => {
            "it is neither beside this program nor on the PATH; `cargo build --release -p sunzi-bench` in a \
             checkout makes it"
                .to_owned()
        }
        _ => reason(&error),
    };
    Err(Failure::Computation(format!(
        "the program {PROGRAM}, which measures, cannot be run: {why}"
    )))
}

/// The program in the folder of this one, if it is there.
fn beside() -> Option<PathBuf> {
    let name = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    let file = std::env::current_exe().ok()?.with_file_name(name);
    file.is_file().then_some(file)
}

/// Puts a program in the place of this one; why that failed.
#[cfg(unix)]
fn become_it(command: &mut Command) -> io::Error {
    std::os::unix::process::CommandExt::exec(command)
}

/// Runs a program and ends as it does; why that failed.
#[cfg(not(unix))]
fn become_it(command: &mut Command) -> io::Error {
    match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(error) => error,
    }
}
