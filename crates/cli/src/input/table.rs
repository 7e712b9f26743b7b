//! Tables of numbers: a row a line.

use super::LineError;
use super::coefficients;
use super::lines::LineReader;
use super::vector::{self, Vector};
use crate::error::Failure;

/// The rows of a file, all of one length, of which there is one at least.
#[derive(Debug, PartialEq, Eq)]
pub struct Table<T> {
    pub rows: usize,
    pub columns: usize,
    /// Row by row.
    pub entries: Vec<T>,
}

/// All rows of a file. The error told is the first in the file.
///
/// `grown` hears of the number of rows and columns whenever there are more rows, and may refuse to go on.
pub fn read<T, R, G>(
    reader: &mut LineReader,
    read_one: R,
    mut grown: G,
) -> Result<Table<T>, Failure>
where
    T: Send,
    R: Fn(&[u8]) -> Result<T, LineError> + Sync,
    G: FnMut(&LineReader, usize, usize) -> Result<(), Failure>,
{
    let read_row = |content: &[u8]| coefficients::parse(content, &read_one);
    let mut checked = 0;
    let rows = vector::read(reader, "row of a matrix", read_row, |reader, rows| {
        check_lengths(reader, rows, checked)?;
        checked = rows.entries.len();
        grown(reader, checked, rows.entries[0].len())
    })?;
    Ok(Table {
        rows: rows.entries.len(),
        columns: rows.entries[0].len(),
        entries: rows.entries.into_iter().flatten().collect(),
    })
}

/// Refuses a row from the one at `start` on that is longer or shorter than the first.
fn check_lengths<T>(
    reader: &LineReader,
    rows: &Vector<Vec<T>>,
    start: usize,
) -> Result<(), Failure> {
    let length = rows.entries[0].len();
    let other = rows.entries[start..]
        .iter()
        .position(|row| row.len() != length);
    let Some(index) = other.map(|place| start + place) else {
        return Ok(());
    };
    let line = |index: usize| rows.lines.get(index).unwrap_or_default();
    let found = rows.entries[index].len();
    let entries = if found == 1 { "entry" } else { "entries" };
    Err(reader.error(
        Some(line(index)),
        None,
        format!(
            "the row has {found} {entries}, but the first row, in line {}, has {length}",
            line(0)
        ),
    ))
}
