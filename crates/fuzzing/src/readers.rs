//! Readers that come in pieces, are packed, or fail once and then report the end.

use crate::bytes::Bytes;
use crate::faulty::Pieces;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{Read, Write};
use sunzi::linalg::sparse::matrix_market::{Reals, read};
use sunzi_cli::door;

pub fn run(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let (kind, size, most) = (bytes.byte(), bytes.within(1..=300), bytes.within(1..=300));
    let text = bytes.rest();
    let file = match kind % 2 {
        0 => text.to_vec(),
        _ => {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
            // Memory takes everything.
            encoder.write_all(text).expect("memory");
            encoder.finish().expect("memory")
        }
    };
    let pieces = |fails| -> Box<dyn Read + Send> { Box::new(Pieces::new(&file, size, fails)) };
    let whole = || -> Box<dyn Read + Send> { Box::new(Pieces::new(text, usize::MAX, false)) };

    let lines = door::lines(whole());
    assert_eq!(
        door::lines(pieces(false)).ok(),
        lines.as_ref().ok().cloned()
    );
    assert!(door::lines(pieces(true)).is_err());
    if let Ok(lines) = &lines {
        check_lines(text, lines);
        // In pieces they are the same words at the same places.
        let expected: Vec<_> = lines.iter().flat_map(words).collect();
        let found = door::pieces(pieces(false), most).expect("what was read whole");
        let found: Vec<_> = found.iter().flat_map(words).collect();
        assert_eq!(found, expected);
    }
    assert!(door::pieces(pieces(true), most).is_err());

    let table = door::table(whole());
    assert_eq!(door::table(pieces(false)), table);
    assert!(door::table(pieces(true)).is_err());
    if let (Ok(lines), Ok((rows, columns, entries))) = (&lines, &table) {
        assert_eq!(*rows, lines.len());
        assert_eq!(entries.len(), rows * columns);
    }
    assert!(read(pieces(true), &Reals).is_err());
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

/// Lines by their definition.
fn check_lines(text: &[u8], lines: &[door::TextLine]) {
    let mut found = lines.iter();
    for (index, line) in text.split(|&byte| byte == b'\n').enumerate() {
        let data = line.split(|&byte| byte == b'#').next().unwrap_or_default();
        let content = data.trim_ascii();
        if content.is_empty() {
            continue;
        }
        let line = found.next().expect("a line with data");
        assert_eq!(
            (line.number, &line.content[..]),
            (index as u64 + 1, content)
        );
        assert_eq!(data[line.column - 1], content[0]);
    }
    assert!(found.next().is_none());
}
