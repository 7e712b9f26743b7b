//! Vectors, one entry a line.

use super::LineError;
use super::lines::{Line, LineReader};
use crate::error::Failure;
use rayon::prelude::*;

/// Input that is parsed together, in bytes and in lines.
const BATCH_BYTES: usize = 4 << 20;
const BATCH_LINES: usize = 1 << 14;

/// Appends the entries of the next lines to `vector`, parsed on all threads; false at the end of the
/// file. The error told is the first in the file.
pub fn read_some<T, R>(
    reader: &mut LineReader,
    vector: &mut Vec<T>,
    read: R,
) -> Result<bool, Failure>
where
    T: Send,
    R: Fn(&[u8]) -> Result<T, LineError> + Sync,
{
    let mut lines: Vec<Line> = Vec::new();
    let mut bytes = 0;
    let mut postponed = None;
    while bytes < BATCH_BYTES && lines.len() < BATCH_LINES {
        match reader.next_line() {
            Ok(Some(line)) => {
                bytes += line.content().len();
                lines.push(line);
            }
            Ok(None) => break,
            // Wrong entries before it come first.
            Err(failure) => {
                postponed = Some(failure);
                break;
            }
        }
    }
    let entries: Vec<_> = lines
        .par_iter()
        .map(|line| read(line.content()).map_err(|error| hinted(line.content(), error)))
        .collect();
    for (line, entry) in lines.iter().zip(entries) {
        vector.push(entry.map_err(|error| reader.error_at(line, error.offset, error.problem))?);
    }
    match postponed {
        Some(failure) => Err(failure),
        None => Ok(!lines.is_empty()),
    }
}

/// Where a blank stands in an entry, there may be two.
fn hinted(content: &[u8], mut error: LineError) -> LineError {
    let found = content.get(error.offset);
    if found.is_some_and(u8::is_ascii_whitespace) {
        error.problem.push_str(": write one integer a line");
    }
    error
}
