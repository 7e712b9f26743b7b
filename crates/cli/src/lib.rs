//! What the program `sunzi` does: exact computer algebra on files, on all cores.
//!
//! It is a library so that fuzz targets and tests can call its readers.

mod args;
mod bench;
mod commands;
#[doc(hidden)]
pub mod door;
mod modulus;
mod operation;
mod picture;
mod pipeline;
mod process;
mod report;
mod table;

use args::poly::PolyCommand;
use args::{Arguments, BenchCommand, Command, Common, IntCommand, PrimeCommand};
use clap::Parser;
use std::io::{self, Write};
use std::process::ExitCode;
use sunzi::engine::DeviceChoice;
use sunzi_files::error::{Failure, WRONG_USAGE};
use sunzi_files::output::{packing, standard};

/// Runs the program on the arguments of the process.
#[must_use]
pub fn main() -> ExitCode {
    process::ignore_file_size_signal();
    let ended = match Arguments::try_parse() {
        Ok(arguments) => run(&arguments).map(|()| 0),
        Err(answer) => tell(&answer),
    };
    ExitCode::from(ended.unwrap_or_else(|failure| {
        standard::close(&mut standard::lock(), &failure);
        if !matches!(failure, Failure::ReaderGone) {
            // Without standard error there is nobody to tell.
            let _ = writeln!(io::stderr(), "sunzi: {failure}");
        }
        failure.exit_code()
    }))
}

/// Shows what the parser of arguments says instead of arguments: help on standard output, mistakes on standard error.
/// The exit code.
fn tell(answer: &clap::Error) -> Result<u8, Failure> {
    if answer.use_stderr() {
        let _ = answer.print();
        return Ok(WRONG_USAGE);
    }
    // It has the colours of a terminal if it is one, for which the parser writes by itself.
    let shown = standard::stream().and_then(|_| answer.print());
    let shown = shown.and_then(|()| io::stdout().flush());
    shown.map_err(|error| standard::failure(standard::NAME, error))?;
    Ok(0)
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    let common = &arguments.common;
    check_output(common)?;
    process::limit_memory(arguments.command.max_memory());
    if let DeviceChoice::Only(device) = common.device
        && !computes_on_devices(&arguments.command)
    {
        return Err(Failure::Computation(format!(
            "this command computes on the processor alone, not on {device}: use --device cpu or auto"
        )));
    }
    let pool = process::threads(common.threads)?;
    pool.install(|| dispatch(&arguments.command, common))
}

/// Refuses packed documents, which could not be closed with the error in them where one ends the work.
fn check_output(common: &Common) -> Result<(), Failure> {
    let file = common.output.as_deref();
    if common.json && file.is_some_and(packing::is_by_gzip) {
        return Err(Failure::Usage(
            "--json is not packed: give -o a name that does not end in .gz".to_owned(),
        ));
    }
    Ok(())
}

/// Whether a command can compute on another device than the processor.
fn computes_on_devices(command: &Command) -> bool {
    match command {
        Command::Int(IntCommand::Mul(_))
        | Command::Poly(PolyCommand::Mul(_))
        | Command::Bench(BenchCommand::Gpu(_))
        | Command::Info => true,
        Command::Poly(_)
        | Command::Dft(_)
        | Command::Det(_)
        | Command::Sparse(_)
        | Command::Sort(_)
        | Command::Bench(_)
        | Command::Prime { .. } => false,
    }
}

fn dispatch(command: &Command, common: &Common) -> Result<(), Failure> {
    match command {
        Command::Int(IntCommand::Mul(wanted)) => commands::int_mul::run(wanted, common),
        Command::Poly(command) => commands::poly::run(command, common),
        Command::Dft(vector) => commands::dft::run(vector, common),
        Command::Det(wanted) => commands::det::run(wanted, common),
        Command::Sparse(command) => commands::sparse::run(command, common),
        Command::Sort(wanted) => commands::sort::run(wanted, common),
        Command::Bench(command) => bench::run(command, common),
        Command::Prime { modulus, action } => match (modulus, action) {
            (Some(modulus), None) => commands::prime::run(modulus, common),
            (None, Some(PrimeCommand::Search(wanted))) => {
                commands::prime_search::run(wanted, common)
            }
            // The parser lets a prime stand before a subcommand, too.
            _ => Err(Failure::Usage(
                "give a prime, or a search: `sunzi prime P` or `sunzi prime search`".to_owned(),
            )),
        },
        Command::Info => commands::info::run(common),
    }
}
