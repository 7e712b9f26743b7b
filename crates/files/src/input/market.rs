//! Matrix Market files, read for as long as there is memory.

use super::source::Source;
use crate::failure::{Failure, Place, reason};
use crate::memory::{self, AT_LEAST};
use crate::progress::{self, Progress};
use std::io::{self, Read};
use sunzi_machine::memory::Budget;
use sunzi_sparse::{
    SparseError,
    matrix_market::{MatrixMarketError, Problem, Reader},
};

/// Reads a matrix by `parse`, which gets the file when its header has been read. Where it breaks the format, and is read all
/// the same, a note on standard error says so.
pub fn read<M>(
    source: Source,
    budget: Budget,
    parse: impl FnOnce(Reader<'_>) -> Result<M, MatrixMarketError>,
) -> Result<M, Failure> {
    let name = source.name.clone();
    let watched = Watched {
        progress: Progress::reading(source.size),
        source,
    };
    let file = Reader::open(watched);
    let mut warnings = Vec::new();
    let matrix = file.and_then(|file| parse(file.within(budget).with_warnings(&mut warnings)));
    let matrix = matrix.map_err(|error| refusal(&name, budget, error))?;
    for warning in &warnings {
        progress::warn(&format!("{name}, {warning}"));
    }
    Ok(matrix)
}

/// What is wrong with a file, as this program says it.
fn refusal(name: &str, budget: Budget, error: MatrixMarketError) -> Failure {
    let problem = match error.problem {
        // The limit is for the whole matrix; the system ends at a line.
        Problem::Matrix(SparseError::Memory(error)) if budget.limit() == Some(error.available) => {
            return memory::refusal(name, "matrix", AT_LEAST, error);
        }
        Problem::Matrix(SparseError::Memory(_)) => {
            let (line, problem) = (error.line, error.problem);
            return Failure::Computation(format!("{name}, line {line}: {problem}"));
        }
        Problem::Read(error) => format!("the file cannot be read: {}", reason(&error)),
        problem => problem.to_string(),
    };
    Failure::Input {
        place: Place {
            file: name.to_owned(),
            line: Some(error.line),
            column: error.column,
        },
        problem,
    }
}

/// Bytes that a progress bar counts while they are read.
struct Watched {
    source: Source,
    progress: Progress,
}

impl Read for Watched {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = self.source.bytes.read(bytes)?;
        match count {
            0 if !bytes.is_empty() => self.progress.goes_on("arranging the entries"),
            _ => self.progress.at(self.source.bytes.taken()),
        }
        Ok(count)
    }
}
