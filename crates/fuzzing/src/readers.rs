//! Readers that come in pieces, are packed, or fail once and then report the end.

use crate::bytes::Bytes;
use crate::coefficients;
use std::io::Read;
use sunzi::linalg::sparse::matrix_market::{Reals, read};
use sunzi_cli::door;
use sunzi_testkit::{Pieces, gzip};

/// What files begin with that are no text: marks of other encodings, and packings.
const NO_TEXT: [&[u8]; 10] = [
    b"\xef\xbb\xbf",
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
    let found = door::lines(pieces(false));
    assert_eq!(found.as_ref().ok(), expected.as_ref(), "{found:?}");
    assert!(door::lines(pieces(true)).is_err());
    // In pieces they are the same words at the same places.
    let all_words = |lines: &[door::TextLine]| -> Vec<_> { lines.iter().flat_map(words).collect() };
    let found = door::pieces(pieces(false), most);
    let found = found.ok().map(|pieces| all_words(&pieces));
    assert_eq!(found, expected.as_deref().map(all_words));
    assert!(door::pieces(pieces(true), most).is_err());

    let expected_table = expected.as_deref().and_then(table);
    let found = door::table(pieces(false));
    let shown = found.as_ref().ok().map(|(rows, columns, entries)| {
        let entries: Vec<_> = entries.iter().map(ToString::to_string).collect();
        (*rows, *columns, entries)
    });
    assert_eq!(shown, expected_table, "{found:?}");
    assert!(door::table(pieces(true)).is_err());
    assert!(read(pieces(true), &Reals).is_err());
    expected.is_some()
}

/// The words of a line, and where they stand.
fn words(line: &door::TextLine) -> Vec<(u64, usize, Vec<u8>)> {
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
fn lines(text: &[u8]) -> Option<Vec<door::TextLine>> {
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
            lines.push(door::TextLine {
                number: index as u64 + 1,
                column: before + 1,
                content: content.to_vec(),
            });
        }
    }
    Some(lines)
}

/// Rows, columns and entries in decimal, if lines are a table of integers.
fn table(lines: &[door::TextLine]) -> Option<(usize, usize, Vec<String>)> {
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
