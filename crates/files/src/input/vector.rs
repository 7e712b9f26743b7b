//! Vectors, one entry a line.

use super::LineError;
use super::lines::{Line, LineReader};
use crate::failure::Failure;
use sunzi_machine::threads::Threads;

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

/// Looks at the entries of a file whenever there are more, and may refuse to go on.
pub type Grown<'a, T> = dyn FnMut(&LineReader, &Vector<T>) -> Result<(), Failure> + 'a;

/// All entries of a file, which has one at least, parsed on all threads. The error told is the first
/// in the file; `noun` is what an entry is called, and `read_one` appends it.
///
/// `grown` looks at the entries whenever there are more, and may refuse to go on.
pub fn read<T, R>(
    reader: &mut LineReader,
    noun: &str,
    read_one: R,
    grown: &mut Grown<'_, T>,
) -> Result<Vector<T>, Failure>
where
    T: Send,
    R: Fn(&[u8], &mut Vec<T>) -> Result<(), LineError> + Sync,
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

/// The line numbers of entries in the order of the file, in a few bytes: entries mostly follow line by line.
#[derive(Debug, Default)]
pub struct LineNumbers {
    /// Stretches of entries whose lines follow each other: the first entry's index and line.
    stretches: Vec<(usize, u64)>,
    count: usize,
}

impl LineNumbers {
    /// Notes the line of the next entry.
    pub fn push(&mut self, line: u64) {
        if self.expected() != Some(line) {
            self.stretches.push((self.count, line));
        }
        self.count += 1;
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// The line of the next entry if nothing stands between.
    fn expected(&self) -> Option<u64> {
        let &(first, line) = self.stretches.last()?;
        Some(line + (self.count - first) as u64)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The line of the entry at an index.
    pub fn get(&self, index: usize) -> Option<u64> {
        if index >= self.count {
            return None;
        }
        let behind = self.stretches.partition_point(|&(first, _)| first <= index);
        let &(first, line) = self.stretches.get(behind.checked_sub(1)?)?;
        Some(line + (index - first) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_back_and_stretches_are_few() {
        for lines in [
            &[][..],
            &[1],
            &[1, 2, 3],
            &[7],
            &[2, 3, 5, 6, 7, 9, 1_000_000, 1_000_001],
        ] {
            let mut numbers = LineNumbers::default();
            lines.iter().for_each(|&line| numbers.push(line));
            let found: Vec<_> = (0..lines.len()).map(|index| numbers.get(index)).collect();
            let expected: Vec<_> = lines.iter().copied().map(Some).collect();
            assert_eq!(found, expected);
            assert_eq!(numbers.get(lines.len()), None);
        }
        let mut numbers = LineNumbers::default();
        (1..=1000).for_each(|line| numbers.push(line));
        assert_eq!(numbers.stretches.len(), 1);
    }
}
