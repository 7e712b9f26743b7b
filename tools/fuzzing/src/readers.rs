//! Readers that come in pieces, are packed, or fail once and then report the end.

use crate::bytes::Bytes;
use crate::coefficients;
use std::io::Read;
use sunzi::Integer;
use sunzi::{
    memory::Budget,
    sparse::matrix_market::{Reals, read},
};
use sunzi_files::failure::Failure;
use sunzi_files::input::lines::{Line, LineReader};
use sunzi_files::input::source::Source;
use sunzi_files::input::table::{self, Table};
use sunzi_files::numbers::integers::IntegerText;
use sunzi_testkit::{Pieces, gzip};

/// What files begin with that are no text: marks of other encodings, and packings.
const NO_TEXT: [&[u8]; 9] = [
    b"\xff\xfe",
    b"\xfe\xff",
    b"\x1f\x8b",
    b"\x1f\x9d",
    b"BZh",
    b"\xfd7zXZ\0",
    b"\x28\xb5\x2f\xfd",
    b"\x04\x22\x4d\x18",
    b"PK\x03\x04",
];

/// A line that holds data, or a piece of it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct TextLine {
    /// Its number, from 1.
    number: u64,
    /// The column of its first byte, from 1.
    column: usize,
    /// Without comment and surrounding blanks.
    content: Vec<u8>,
}

impl From<&Line> for TextLine {
    fn from(line: &Line) -> Self {
        Self {
            number: line.number,
            column: line.column(0),
            content: line.content().to_vec(),
        }
    }
}

fn reader(bytes: Box<dyn Read + Send>) -> Result<LineReader, Failure> {
    let source = Source::over(bytes, "file".to_owned(), None)?;
    Ok(LineReader::over(source, Budget::system()))
}

/// The lines of a file that hold data.
fn read_lines(bytes: Box<dyn Read + Send>) -> Result<Vec<TextLine>, Failure> {
    let mut reader = reader(bytes)?;
    let mut lines = Vec::new();
    while let Some(line) = reader.next_line()? {
        lines.push((&line).into());
    }
    Ok(lines)
}

/// The same in pieces of about `most` bytes.
fn read_pieces(bytes: Box<dyn Read + Send>, most: usize) -> Result<Vec<TextLine>, Failure> {
    let mut reader = reader(bytes)?;
    let mut pieces = Vec::new();
    while let Some(piece) = reader.next_piece(most)? {
        pieces.push((&piece.line).into());
    }
    Ok(pieces)
}

/// A table of integers.
fn read_table(bytes: Box<dyn Read + Send>) -> Result<Table<Integer>, Failure> {
    let integers = IntegerText::new();
    let mut reader = reader(bytes)?;
    table::read(&mut reader, |word| integers.read(word), |_, _| Ok(()))
}

pub fn run(data: &[u8]) -> bool {
    let mut bytes = Bytes::new(data);
    let (kind, size, most) = (bytes.byte(), bytes.within(1..=300), bytes.within(1..=300));
    let text = bytes.rest();
    if kind % 2 == 0 && text.starts_with(b"\x1f\x8b") {
        // Its text is another one.
        return false;
    }
    let file = match kind % 2 {
        0 => text.to_vec(),
        _ => gzip(text),
    };
    let pieces =
        |fails| -> Box<dyn Read + Send> { Box::new(Pieces::new(file.clone(), size, fails)) };

    let expected = lines(text);
    let found = read_lines(pieces(false));
    assert_eq!(found.as_ref().ok(), expected.as_ref(), "{found:?}");
    assert!(read_lines(pieces(true)).is_err());
    // In pieces they are the same words at the same places.
    let all_words = |lines: &[TextLine]| -> Vec<_> { lines.iter().flat_map(words).collect() };
    let found = read_pieces(pieces(false), most);
    let found = found.ok().map(|pieces| all_words(&pieces));
    assert_eq!(found, expected.as_deref().map(all_words));
    assert!(read_pieces(pieces(true), most).is_err());

    let expected_table = expected.as_deref().and_then(table_of);
    let found = read_table(pieces(false));
    let shown = found.as_ref().ok().map(|table| {
        let entries: Vec<_> = table.entries.iter().map(ToString::to_string).collect();
        (table.rows, table.columns, entries)
    });
    assert_eq!(shown, expected_table, "{found:?}");
    assert!(read_table(pieces(true)).is_err());
    assert!(read(pieces(true), &Reals).is_err());
    expected.is_some()
}

/// The words of a line, and where they stand.
fn words(line: &TextLine) -> Vec<(u64, usize, Vec<u8>)> {
    let mut found = Vec::new();
    let mut at = 0;
    for word in line.content.split(u8::is_ascii_whitespace) {
        if !word.is_empty() {
            found.push((line.number, line.column + at, word.to_vec()));
        }
        at += word.len() + 1;
    }
    found
}

/// Lines with data, by their definition; none of what is no text.
fn lines(text: &[u8]) -> Option<Vec<TextLine>> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let returns = (0..text.len()).filter(|&at| text[at] == b'\r');
    let mut lone = returns.filter(|at| !matches!(text.get(at + 1), None | Some(b'\n')));
    if lone.next().is_some() || NO_TEXT.iter().any(|start| text.starts_with(start)) {
        return None;
    }
    let mut lines = Vec::new();
    for (index, line) in text.split(|&byte| byte == b'\n').enumerate() {
        let data = line.split(|&byte| byte == b'#').next().unwrap_or_default();
        if data.contains(&0) {
            return None;
        }
        let content = data.trim_ascii();
        if !content.is_empty() {
            let before = data.len() - data.trim_ascii_start().len();
            lines.push(TextLine {
                number: index as u64 + 1,
                column: before + 1,
                content: content.to_vec(),
            });
        }
    }
    Some(lines)
}

/// Rows, columns and entries in decimal, if lines are a table of integers.
fn table_of(lines: &[TextLine]) -> Option<(usize, usize, Vec<String>)> {
    let mut columns = None;
    let mut entries = Vec::new();
    for line in lines {
        let row = words(line);
        if *columns.get_or_insert(row.len()) != row.len() {
            return None;
        }
        for (_, _, word) in row {
            entries.push(coefficients::integer(&word)?.to_string());
        }
    }
    Some((lines.len(), columns?, entries))
}
