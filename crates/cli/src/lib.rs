//! What the program `sunzi` does: exact computer algebra on files, on all cores.
//!
//! It is a library so that fuzz targets and tests can call its readers.

mod apart;
mod args;
mod commands;
#[doc(hidden)]
pub mod door;
mod draw;
mod early;
mod images;
mod kept;
mod mistakes;
mod modulus;
mod operation;
mod parts;
mod pipeline;
mod process;
#[cfg(unix)]
mod ranks;
mod report;
mod table;
mod through_files;
mod wording;

use args::{Common, MaxMemory};
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser};
use commands::{Command, Run};
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;
use sunzi_files::failure::{Failure, WRONG_USAGE};
use sunzi_files::input::literal;
use sunzi_files::output::standard;

/// Exact arithmetic with integers, polynomials and matrices of any size, systems of two equations, transforms over
/// prime fields, sparse matrices and sorting, on all cores.
#[derive(Debug, Parser)]
#[command(name = "sunzi", version, propagate_version = true)]
#[command(after_help = "Examples:
  sunzi int mul a.txt b.txt -o products.txt
  sunzi int mul -e 12 -e 13
  sunzi poly mul f.txt g.txt --mod 2^60-2^18+1
  sunzi poly gcd f.txt g.txt --mod P8
  sunzi dft x.txt --mod P8
  sunzi solve f.txt g.txt -o curves.svg
  sunzi det m.mtx
  sunzi matrix solve m.mtx b.txt
  sunzi sparse reorder m.mtx -o reordered.mtx
  sunzi sort numbers.txt
  sunzi prime 469762049
  sunzi prime search --digits 8 --bits 60 --two-adicity 312
  sunzi int mul a.txt b.txt --device opencl
  sunzi bench gfp --out plots
  sunzi bench gpu --out plots
  sunzi info

Exit codes: 0 done; 1 the computation cannot be done; 2 wrong usage or unreadable input;
128 + n, as shells call it, ended by signal n (130 by Ctrl-C).")]
struct Arguments {
    #[command(flatten)]
    common: Common,
    /// Take this text where a file is expected: -e 12 -e 13
    // It stands here to be told of, and for its text to be missed: `literal` has taken all that are complete.
    #[arg(short = 'e', value_name = "TEXT", global = true)]
    _operand: Option<String>,
    #[command(subcommand)]
    command: Command,
}

/// Runs the program on the arguments of the process.
#[must_use]
pub fn main() -> ExitCode {
    let words = literal::arguments(std::env::args_os());
    program(Arguments::command(), words, run)
}

/// Runs a program on arguments, its name first, as its command line reads them; what goes wrong is told.
#[doc(hidden)]
pub fn program(
    line: clap::Command,
    arguments: impl IntoIterator<Item = OsString>,
    work: impl FnOnce(&ArgMatches) -> Result<(), Failure>,
) -> ExitCode {
    process::ignore_file_size_signal();
    let ended = match line.try_get_matches_from(arguments) {
        Ok(matches) => work(&matches).map(|()| 0),
        Err(answer) => tell(&answer),
    };
    ExitCode::from(ended.unwrap_or_else(|failure| {
        standard::close(&mut standard::lock(), &failure);
        if !matches!(failure, Failure::ReaderGone | Failure::Told) {
            // Without standard error there is nobody to tell.
            let told = literal::told(&failure.to_string());
            let _ = writeln!(io::stderr(), "sunzi: {told}");
        }
        failure.exit_code()
    }))
}

/// Shows what the parser of arguments says instead of arguments: help on standard output, mistakes on standard error.
/// The exit code.
fn tell(answer: &clap::Error) -> Result<u8, Failure> {
    if answer.use_stderr() {
        // Without standard error there is nobody to tell.
        let _ = write!(io::stderr(), "{}", mistakes::told(&answer.to_string()));
        return Ok(WRONG_USAGE);
    }
    // It has the colours of a terminal if it is one, for which the parser writes by itself.
    let shown = standard::stream().and_then(|_| answer.print());
    let shown = shown.and_then(|()| io::stdout().flush());
    shown.map_err(|error| standard::failure(standard::NAME, error))?;
    Ok(0)
}

fn run(matches: &ArgMatches) -> Result<(), Failure> {
    let arguments =
        Arguments::from_arg_matches(matches).map_err(|error| Failure::Usage(error.to_string()))?;
    let common = &arguments.common;
    compute(common, matches, || arguments.command.run(common))
}

/// Does the work of a command within its limits of memory, on its threads.
///
/// # Errors
/// What options ask for that cannot be, and what the work ends with.
#[doc(hidden)]
pub fn compute(
    common: &Common,
    matches: &ArgMatches,
    work: impl FnOnce() -> Result<(), Failure> + Send,
) -> Result<(), Failure> {
    process::limit_memory(MaxMemory::limit_among(matches));
    process::threads(common.threads)?.install(work)
}
