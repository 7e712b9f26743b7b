//! What fuzz targets and the program `sunzi-bench` call of the program itself: no promise to anybody else.

pub use crate::args::{ChosenDevice, Common};
#[cfg(unix)]
pub use crate::ranks::Company;
pub use crate::report::{Figures, Head, Report, files, timed};
pub use crate::table::Table;
pub use crate::wording::busy;
pub use crate::{compute, program};

use crate::Arguments;
use crate::commands::Calculator;
use crate::modulus;
use clap::CommandFactory;
use sunzi::Natural;
use sunzi::memory::Budget;
use sunzi_files::input::literal;

/// Whether there is a word field for a modulus; or the exit code and the sentence that say why not.
pub fn modulus(text: &str) -> Result<(), (u8, String)> {
    match modulus::word_field(text) {
        Ok(_) => Ok(()),
        Err(failure) => Err((failure.exit_code(), failure.to_string())),
    }
}

/// What an expression of numbers comes to, within so many bytes; or the place of what is wrong, and the sentence.
pub fn calculate(text: &[u8], modulus: Option<u64>, bytes: u64) -> Result<String, (usize, String)> {
    let calculator = Calculator::new(Budget::within(Some(bytes)), modulus.map(Natural::from));
    match calculator.value(text) {
        Ok(value) => Ok(value.to_string()),
        Err(error) => Err((error.offset, error.problem)),
    }
}

/// The program's commands and options, as clap has them.
pub fn command() -> clap::Command {
    Arguments::command()
}

/// Runs the program on arguments, its name not among them; or gives the exit code and the sentence.
pub fn run(arguments: &[&str]) -> Result<(), (u8, String)> {
    let words = std::iter::once(&"sunzi").chain(arguments);
    let words = literal::arguments(words.map(Into::into));
    let matches = Arguments::command().try_get_matches_from(words);
    let matches = matches.map_err(|error| (2, error.to_string()))?;
    crate::run(&matches).map_err(|failure| (failure.exit_code(), failure.to_string()))
}
