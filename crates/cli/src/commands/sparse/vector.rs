//! Vectors that go with a matrix.

use super::matrix::MatrixFile;
use crate::report::{Seconds, timed};
use std::path::Path;
use sunzi::memory::Budget;
use sunzi_files::failure::Failure;
use sunzi_files::input::LineError;
use sunzi_files::input::lines::{self, LineReader};
use sunzi_files::input::vector;
use sunzi_files::memory;
use sunzi_files::progress::Progress;

/// The rows or columns of a matrix, each of which goes with an entry.
pub struct Lines<'a> {
    /// The name of its file.
    pub matrix: &'a str,
    pub count: usize,
    /// `row` or `column`.
    pub noun: &'static str,
}

/// Refuses to read the matrix and the vector both from standard input.
pub fn check_standard_input(matrix: &MatrixFile, vector: Option<&Path>) -> Result<(), Failure> {
    match vector {
        Some(vector) => lines::check_standard_input(&[&matrix.file, vector]),
        None => Ok(()),
    }
}

/// The entries of a file, as many as there are lines; all of them are `one` without a file. An entry has as many parts as
/// `one`, and `read_one` appends them.
pub fn read<T, R>(
    file: Option<&Path>,
    lines: &Lines,
    one: &[T],
    read_one: R,
    budget: Budget,
    seconds: &mut Seconds,
) -> Result<Vec<T>, Failure>
where
    T: Copy + Send,
    R: Fn(&[u8], &mut Vec<T>) -> Result<(), LineError> + Sync,
{
    let Some(file) = file else {
        return Ok(one.repeat(lines.count));
    };
    let mut reader = LineReader::open(file, budget)?;
    if lines.count == 0 {
        // No entry is right, and an empty file holds none.
        return match reader.next_line()? {
            None => Ok(Vec::new()),
            Some(_) => Err(wrong_count(
                reader.name(),
                "1 entry or more".to_owned(),
                lines,
            )),
        };
    }
    let progress = Progress::reading(reader.size());
    let read = timed(&mut seconds.reading, || {
        vector::read(&mut reader, "number", read_one, &mut |reader, vector| {
            progress.at(reader.bytes_read());
            let found = vector.lines.len();
            if found > lines.count {
                let found = format!("more than {}", entries(lines.count));
                return Err(wrong_count(reader.name(), found, lines));
            }
            let bytes = size_of_val(&vector.entries[..]) as u64;
            memory::check(reader.name(), "vector", 0, budget.holding(bytes))
        })
    })?;
    match read.lines.len() == lines.count {
        true => Ok(read.entries),
        false => Err(wrong_count(reader.name(), entries(read.lines.len()), lines)),
    }
}

fn entries(count: usize) -> String {
    match count {
        1 => "1 entry".to_owned(),
        _ => format!("{count} entries"),
    }
}

/// A vector that does not fit its matrix.
fn wrong_count(name: &str, found: String, lines: &Lines) -> Failure {
    let plural = if lines.count == 1 { "" } else { "s" };
    Failure::Computation(format!(
        "{name}: the vector has {found}, but {} has {} {}{plural}",
        lines.matrix, lines.count, lines.noun
    ))
}
