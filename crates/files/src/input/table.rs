//! Tables of numbers: a row a line, or as other programs print matrices.

use super::LineError;
use super::coefficients;
use super::headless::Headless;
use super::lines::{LineReader, Piece};
use super::nested::{Nesting, Row};
use crate::failure::Failure;
use crate::progress;
use sunzi_machine::threads::Threads;

/// Bytes of a row that are in memory at a time.
const PIECE: usize = 1 << 20;

/// With fewer entries, what looks like a Matrix Market file without its first line is taken as a matrix.
const CHANCE: usize = 4;

/// Input that is parsed together, in bytes and in pieces of rows.
const BATCH_BYTES: usize = 4 << 20;
const BATCH_PIECES: usize = 1 << 14;

/// The rows of a file, all of one length, of which there is one at least.
#[derive(Debug, PartialEq, Eq)]
pub struct Table<T> {
    /// Those that are complete.
    pub rows: usize,
    /// Entries of the first row, as soon as it is complete.
    pub columns: usize,
    /// Row by row.
    pub entries: Vec<T>,
}

/// All rows of a file. The error told is the first in the file, but of what seems to be no matrix at all.
///
/// `grown` hears of what has been read whenever there is more, and may refuse to go on.
pub fn read<T, R, G>(
    reader: &mut LineReader,
    read_one: R,
    mut grown: G,
) -> Result<Table<T>, Failure>
where
    T: Send,
    R: Fn(&[u8]) -> Result<T, LineError> + Sync,
    G: FnMut(&LineReader, &Table<T>) -> Result<(), Failure>,
{
    let mut table = Table {
        rows: 0,
        columns: 0,
        entries: Vec::new(),
    };
    let (mut first_line, mut length) = (0, 0);
    let mut nesting = Nesting::default();
    let mut headless = None;
    // The first word tells whether there are brackets, of which lines are read whole.
    let mut first = reader.next_piece(1)?;
    let starts = |piece: &Piece| piece.line.content().starts_with(b"[");
    let bracketed = first.as_ref().is_some_and(starts);
    let most = if bracketed { usize::MAX } else { PIECE };
    loop {
        let first = first.take();
        let is_start = first.is_some();
        let (pieces, mut postponed) = batch(reader, first, most);
        if is_start && !bracketed && pieces.iter().all(|piece| piece.is_last) {
            headless = Headless::of(pieces.iter().map(|piece| piece.line.content()));
        }
        // As rows of a matrix these have different lengths.
        if headless.is_some_and(|it| it.words == 2) {
            break;
        }
        let mut rows = Vec::new();
        for piece in &pieces {
            let found = match bracketed {
                true => nesting.rows(piece.line.content()),
                false => Ok(vec![(0, piece.line.content())]),
            };
            match found {
                Ok(found) => rows.extend(found.into_iter().map(|row| (piece, row))),
                // Wrong entries before it come first.
                Err(error) => {
                    postponed = Some(reader.error_at(&piece.line, error.offset, error.problem));
                    break;
                }
            }
        }
        let parse = |(_, (_, row)): &(&Piece, Row<'_>)| coefficients::parse(row, &read_one);
        // Of a line there may be as many as of a file.
        for rows in rows.chunks(BATCH_PIECES) {
            let parsed = Threads::all().map(rows, parse);
            for ((Piece { line, is_last }, (start, _)), values) in rows.iter().zip(parsed) {
                let values = values
                    .map_err(|error| reader.error_at(line, start + error.offset, error.problem))?;
                length += values.len();
                // What is too long is counted to its end, and not kept.
                if table.rows == 0 || length <= table.columns {
                    table.entries.extend(values);
                }
                if !is_last {
                    continue;
                }
                if table.rows == 0 {
                    (first_line, table.columns) = (line.number, length);
                } else if length != table.columns {
                    let entries = if length == 1 { "entry" } else { "entries" };
                    let problem = format!(
                        "the row has {length} {entries}, but the first row, in line {first_line}, has {}",
                        table.columns
                    );
                    return Err(reader.error(Some(line.number), None, problem));
                }
                table.rows += 1;
                length = 0;
            }
            grown(reader, &table)?;
        }
        if let Some(failure) = postponed {
            return Err(failure);
        }
        if pieces.is_empty() {
            break;
        }
    }
    match headless {
        Some(Headless { words: 2, .. }) => {
            return Err(reader.error(None, None, Headless::PROBLEM.to_owned()));
        }
        Some(Headless { entries, .. }) if entries + 1 == table.rows => {
            // A few rows may be a matrix by chance.
            let problem = reader.error(None, None, Headless::PROBLEM.to_owned());
            match entries < CHANCE {
                true => progress::warn(&problem.to_string()),
                false => return Err(problem),
            }
        }
        _ => {}
    }
    if let Err(problem) = nesting.end() {
        return Err(reader.error(None, None, problem.to_owned()));
    }
    match table.rows {
        0 => Err(reader.holds_no("row of a matrix")),
        _ => Ok(table),
    }
}

/// The next pieces of rows, none at the end of the file, and what is wrong behind them: wrong entries before it come
/// first.
fn batch(
    reader: &mut LineReader,
    first: Option<Piece>,
    most: usize,
) -> (Vec<Piece>, Option<Failure>) {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut bytes = 0;
    match first.map(|piece| reader.extended(piece, most)) {
        Some(Ok(piece)) => pieces.push(piece),
        Some(Err(failure)) => return (pieces, Some(failure)),
        None => {}
    }
    while bytes < BATCH_BYTES && pieces.len() < BATCH_PIECES {
        match reader.next_piece(most) {
            Ok(Some(piece)) => {
                bytes += piece.line.content().len();
                pieces.push(piece);
            }
            Ok(None) => break,
            Err(failure) => return (pieces, Some(failure)),
        }
    }
    (pieces, None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::source::Source;
    use sunzi_machine::memory::Budget;

    fn table(text: String) -> Result<Table<u32>, Failure> {
        let bytes = Box::new(std::io::Cursor::new(text.into_bytes()));
        let source = Source::over(bytes, "t".to_owned(), None)?;
        let mut reader = LineReader::over(source, Budget::system());
        let number = |word: &[u8]| {
            let text = std::str::from_utf8(word).unwrap_or_default();
            text.parse().map_err(|_| LineError::new(0, "no number"))
        };
        read(&mut reader, number, |_, _| Ok(()))
    }

    #[test]
    fn rows_longer_than_what_is_in_memory_are_read_whole() {
        let row: Vec<u32> = (0..700_000).collect();
        let words: Vec<_> = row.iter().map(u32::to_string).collect();
        let line = words.join("  ");
        let found = table(format!("# two\n{line}\n\n  {line} # more\n")).unwrap();
        assert_eq!((found.rows, found.columns), (2, row.len()));
        assert!(found.entries == [&row[..], &row[..]].concat());

        let said = table(format!("{line}\n{line} 1\n"))
            .unwrap_err()
            .to_string();
        let expected =
            "t, line 2: the row has 700001 entries, but the first row, in line 1, has 700000";
        assert_eq!(said, expected);
        let said = table(format!("{line} x 1\n1\n")).unwrap_err().to_string();
        assert_eq!(
            said,
            format!("t, line 1, column {}: no number", line.len() + 2)
        );
    }
}
