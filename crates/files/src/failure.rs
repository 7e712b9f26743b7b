//! What can go wrong, and the exit code and sentence that tell it.

use crate::input::literal;
use std::fmt;
use std::io;
use std::path::Path;
use thiserror::Error;

/// The exit code of wrong usage and unreadable input.
pub const WRONG_USAGE: u8 = 2;

/// Why the program ends without a result.
#[derive(Debug, Error)]
pub enum Failure {
    /// The command line asks for something that does not exist. Exit code 2.
    #[error("{0}")]
    Usage(String),
    /// A file cannot be read, or what stands in it cannot be understood. Exit code 2.
    #[error("{place}: {problem}")]
    Input {
        /// Where.
        place: Place,
        /// What is wrong there, and what to do.
        problem: String,
    },
    /// The input is right but the computation cannot be done. Exit code 1.
    #[error("{0}")]
    Computation(String),
    /// The result could not be written. Exit code 1.
    #[error("{target}: the result cannot be written: {}", reason(error))]
    Output {
        /// The name of the file, or `standard output`.
        target: String,
        /// What the system says.
        error: io::Error,
    },
    /// The reader of a stream of results went away, which is its right: a quiet end. Exit code 0.
    #[error("the reader of the results is gone")]
    ReaderGone,
    /// Another process of the same job tells it, and ends with its code. This one ends quietly, with 0: by any other code its
    /// launcher would end the one that speaks before it has spoken.
    #[error("another process tells what is wrong")]
    Told,
}

impl Failure {
    /// The code that the process ends with.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Usage(_) | Self::Input { .. } => WRONG_USAGE,
            Self::Computation(_) | Self::Output { .. } => 1,
            Self::ReaderGone | Self::Told => 0,
        }
    }
}

/// A place in the input, as exactly as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The name of the file as the user gave it, or `standard input`.
    pub file: String,
    /// Line, counted from 1.
    pub line: Option<u64>,
    /// Column in bytes, counted from 1.
    pub column: Option<usize>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        if let Some(column) = self.column {
            write!(f, ", column {column}")?;
        }
        Ok(())
    }
}

/// The name by which sentences call a file.
pub fn shown(path: &Path) -> String {
    match literal::text(path) {
        Some(text) => literal::shown(text),
        None if path == Path::new("-") => "standard input".to_owned(),
        None => path.display().to_string(),
    }
}

/// A system error in words, without the `(os error 2)` that Rust appends.
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.split_once(" (os error") {
        Some((reason, _)) => reason.to_lowercase(),
        None => text,
    }
}
