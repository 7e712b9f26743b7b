//! Vectors, one entry a line.

use super::LineError;
use super::line_numbers::LineNumbers;
use super::lines::{Line, LineReader};
use crate::error::Failure;
use sunzi_threads::Threads;

/// Input that is parsed together, in bytes and in lines.
const BATCH_BYTES: usize = 4 << 20;
const BATCH_LINES: usize = 1 << 14;

/// Lines that a thread takes at a time, at least.
const PIECE: usize = 1 << 8;

/// The entries of a file.
#[derive(Debug)]
pub struct Vector<T> {
    /// Each in one part or in several.
    pub entries: Vec<T>,
    /// Where they stand.
    pub lines: LineNumbers,
}

/// All entries of a file, which has one at least, parsed on all threads. The error told is the first
/// in the file; `noun` is what an entry is called, and `read_one` appends it.
///
/// `grown` looks at the entries whenever there are more, and may refuse to go on.
pub fn read<T, R, G>(
    reader: &mut LineReader,
    noun: &str,
    read_one: R,
    mut grown: G,
) -> Result<Vector<T>, Failure>
where
    T: Send,
    R: Fn(&[u8], &mut Vec<T>) -> Result<(), LineError> + Sync,
    G: FnMut(&LineReader, &Vector<T>) -> Result<(), Failure>,
{
    let mut vector = Vector {
        entries: Vec::new(),
        lines: LineNumbers::default(),
    };
    while read_some(reader, &mut vector, &read_one)? {
        grown(reader, &vector)?;
    }
    if vector.entries.is_empty() {
        return Err(reader.holds_no(noun));
    }
    Ok(vector)
}

/// Appends the entries of the next lines; false at the end of the file.
fn read_some<T, R>(
    reader: &mut LineReader,
    vector: &mut Vector<T>,
    read_one: &R,
) -> Result<bool, Failure>
where
    T: Send,
    R: Fn(&[u8], &mut Vec<T>) -> Result<(), LineError> + Sync,
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
    let threads = Threads::all();
    let pieces = lines.chunks(threads.piece(lines.len(), PIECE));
    let read = threads.map(pieces, |lines| {
        let mut entries = Vec::with_capacity(lines.len());
        for line in lines {
            read_one(line.content(), &mut entries).map_err(|error| (line, error))?;
        }
        Ok(entries)
    });
    for entries in read {
        vector
            .entries
            .extend(entries.map_err(|(line, error): (&Line, LineError)| {
                reader.error_at(line, error.offset, error.problem)
            })?);
    }
    for line in &lines {
        vector.lines.push(line.number);
    }
    match postponed {
        Some(failure) => Err(failure),
        None => Ok(!lines.is_empty()),
    }
}

/// An error in a line that is to hold one `noun`: where a blank stands in it, there may be two.
pub fn hinted(content: &[u8], noun: &str, mut error: LineError) -> LineError {
    let found = content.get(error.offset);
    if found.is_some_and(u8::is_ascii_whitespace) {
        error
            .problem
            .push_str(&format!(": write one {noun} a line"));
    }
    error
}
