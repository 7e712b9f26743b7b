//! Lines of a file, read one at a time: however long the file, one line, or a piece of it, is in memory.

use super::source::Source;
use crate::failure::{Failure, Place, reason};
use crate::memory;
use memchr::memchr;
use std::io::Read;
use std::path::Path;
use sunzi_machine::memory::Budget;
use sunzi_text::{Decompressed, End, Scanner, TextError};

/// From this length on a line is looked at while it grows: whether it is text.
const FIRST_LOOK: usize = 1 << 20;
/// From this length on, whether it fits the memory of the machine, too.
const LONG_LINE: usize = 1 << 26;

/// A line that holds data, or a piece of it: no comment, no blanks around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The number of the line in its file, from 1.
    pub number: u64,
    text: Vec<u8>,
    /// Bytes of the line before `text`.
    before: usize,
    start: usize,
    end: usize,
}

impl Line {
    /// What stands in the line, without comment and surrounding blanks.
    pub fn content(&self) -> &[u8] {
        &self.text[self.start..self.end]
    }

    /// The column, from 1, of a byte of the content.
    pub fn column(&self, offset: usize) -> usize {
        self.before + self.start + offset + 1
    }
}

/// A piece of a line, cut at a blank; the last of a line may hold nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its part of the line.
    pub line: Line,
    /// Whether the line ends with it.
    pub is_last: bool,
}

/// Refuses to read standard input as more than one file.
pub fn check_standard_input(paths: &[&Path]) -> Result<(), Failure> {
    if paths.iter().filter(|&&path| path == Path::new("-")).count() < 2 {
        return Ok(());
    }
    Err(Failure::Usage(
        "only one file can be standard input (-)".to_owned(),
    ))
}

/// Reads the data lines of a file or of standard input.
pub struct LineReader {
    scanner: Scanner<Decompressed<Box<dyn Read + Send>>>,
    name: String,
    lines_read: u64,
    /// Bytes of the line under way that have been handed out, or left out.
    before: usize,
    /// Bytes of that line that have been read and are for its next piece.
    rest: Vec<u8>,
    /// Whether a piece of that line has been handed out.
    within: bool,
    size: Option<u64>,
    budget: Budget,
}

impl LineReader {
    /// Opens a file; `-` is standard input.
    pub fn open(path: &Path, budget: Budget) -> Result<Self, Failure> {
        Ok(Self::over(Source::open(path)?, budget))
    }

    /// Reads what has been opened.
    pub fn over(source: Source, budget: Budget) -> Self {
        Self {
            scanner: Scanner::new(source.bytes),
            name: source.name,
            lines_read: 0,
            before: 0,
            rest: Vec::new(),
            within: false,
            size: source.size,
            budget,
        }
    }

    /// The name of the file in sentences.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Bytes in the file, where that is known beforehand.
    pub fn size(&self) -> Option<u64> {
        self.size
    }

    /// Bytes read so far, compressed if the file is.
    pub fn bytes_read(&self) -> u64 {
        self.scanner.source().taken()
    }

    /// Bytes of text in the file, where that is known beforehand.
    pub fn text_size(&self) -> Option<u64> {
        // Files of the system that are made while they are read say that they are empty.
        let known = self.size.filter(|&size| size > 0);
        known.filter(|_| !self.scanner.source().is_compressed())
    }

    /// An error at a byte of the content of a line of this file.
    pub fn error_at(&self, line: &Line, offset: usize, problem: String) -> Failure {
        self.error(Some(line.number), Some(line.column(offset)), problem)
    }

    /// An error in this file.
    pub fn error(&self, line: Option<u64>, column: Option<usize>, problem: String) -> Failure {
        Failure::Input {
            place: Place {
                file: self.name.clone(),
                line,
                column,
            },
            problem,
        }
    }

    /// The file holds no line with data, each of which would be a `noun`.
    pub fn holds_no(&self, noun: &str) -> Failure {
        self.error(
            None,
            None,
            format!("the file holds no {noun}: write one a line"),
        )
    }

    /// This file ended after `count` lines with data, although another has more: its line number
    /// `line` is its `other_count`th.
    pub fn missing_line(
        &self,
        count: u64,
        noun: &str,
        other: &str,
        other_count: u64,
        line: u64,
    ) -> Failure {
        let plural = if count == 1 { "" } else { "s" };
        self.error(
            Some(self.lines_read + 1),
            None,
            format!(
                "a line is missing: the file ends after {count} {noun}{plural}, but {other} has \
                 number {other_count} in line {line}"
            ),
        )
    }

    /// The next line that holds data, if there is one.
    pub fn next_line(&mut self) -> Result<Option<Line>, Failure> {
        let whole = self.next_piece(usize::MAX)?;
        Ok(whole.map(|piece| piece.line))
    }

    /// The next piece of a line that holds data, if there is one: the line, or about `most` bytes of it.
    pub fn next_piece(&mut self, most: usize) -> Result<Option<Piece>, Failure> {
        loop {
            let mut text = std::mem::take(&mut self.rest);
            let end = self.read_stretch(&mut text, most)?;
            if end == End::File && text.is_empty() && !self.within {
                return Ok(None);
            }
            let (before, number) = (self.before, self.lines_read + 1);
            self.check_encoding(&text)?;
            if end == End::Stop {
                self.skip_comment()?;
            }
            let is_last = end != End::Most;
            let start = text.iter().position(|byte| !byte.is_ascii_whitespace());
            let start = start.unwrap_or(text.len());
            if !is_last {
                // A word that is not complete is for the next piece.
                let last_blank = text.iter().rposition(u8::is_ascii_whitespace);
                self.rest = text.split_off(last_blank.map_or(0, |last| last + 1).max(start));
            }
            let end = text.iter().rposition(|byte| !byte.is_ascii_whitespace());
            let end = end.map_or(start, |last| last + 1);
            self.scanner.pay(end - start);
            let blanks = text.len() - (end - start);
            let within = self.within;
            let idle = self.scanner.idle(blanks);
            idle.map_err(|error| self.unread(&error, None))?;
            match is_last {
                true => {
                    self.lines_read += 1;
                    (self.before, self.within) = (0, false);
                }
                false => self.before += text.len(),
            }
            // Blanks are no piece, but where a line ends has to be told.
            if start == end && !(within && is_last) {
                continue;
            }
            self.within = !is_last;
            let line = Line {
                number,
                text,
                before,
                start,
                end,
            };
            return Ok(Some(Piece { line, is_last }));
        }
    }

    /// A piece with what follows of its line, about `most` bytes more.
    pub fn extended(&mut self, mut piece: Piece, most: usize) -> Result<Piece, Failure> {
        if !piece.is_last
            && let Some(next) = self.next_piece(most)?
        {
            // One is behind the other.
            piece.line.end = piece.line.text.len() + next.line.end;
            piece.line.text.extend(next.line.text);
            piece.is_last = next.is_last;
        }
        Ok(piece)
    }

    /// Appends bytes up to the end of the line or a comment; or about `most`, once there is a blank among them.
    fn read_stretch(&mut self, text: &mut Vec<u8>, most: usize) -> Result<End, Failure> {
        let mut most = most;
        let mut checked = FIRST_LOOK;
        loop {
            let end = match self.scanner.take(text, b'#', most.min(checked)) {
                Ok(end) => end,
                Err(error) => {
                    // Text of another kind, such as UTF-16, may have such bytes.
                    self.check_encoding(text)?;
                    return Err(self.unread(&error, Some(self.before + text.len() + 1)));
                }
            };
            if end != End::Most {
                return Ok(end);
            }
            if text.len() >= checked {
                self.check_encoding(text)?;
                if text.len() >= LONG_LINE {
                    self.check_length(text.len())?;
                }
                checked = checked.saturating_mul(2);
            }
            if text.len() >= most {
                if text.iter().any(u8::is_ascii_whitespace) {
                    return Ok(end);
                }
                // A number as long as that.
                most = most.saturating_mul(2);
            }
        }
    }

    fn skip_comment(&mut self) -> Result<(), Failure> {
        let skipped = self.scanner.skip_line();
        skipped.map_err(|error| self.unread(&error, None))?;
        Ok(())
    }

    /// Why the line under way cannot be read on, from a column where that is known.
    fn unread(&self, error: &TextError, column: Option<usize>) -> Failure {
        let (column, problem) = match error {
            TextError::Read(error) => (None, format!("the file cannot be read: {}", reason(error))),
            TextError::LoneReturn => (column, error.to_string()),
            TextError::Idle => (None, error.to_string()),
        };
        self.error(Some(self.lines_read + 1), column, problem)
    }

    /// Refuses a line whose number alone would not leave room for a product.
    fn check_length(&self, length: usize) -> Result<(), Failure> {
        let available = self.budget.holding(length as u64).available();
        if available.is_some_and(|available| length as u64 > available / 2) {
            return Err(Failure::Computation(format!(
                "{}, line {}: the line is longer than {} and does not fit the memory: {} can be used",
                self.name,
                self.lines_read + 1,
                memory::shown(length as u64),
                memory::shown(available.unwrap_or_default()),
            )));
        }
        Ok(())
    }

    /// Refuses what is no plain text of the line under way, in words that say what to do.
    fn check_encoding(&self, text: &[u8]) -> Result<(), Failure> {
        let refuse = |column: usize, problem: &str| {
            let column = self.before + column;
            Err(self.error(Some(self.lines_read + 1), Some(column), problem.to_owned()))
        };
        let is_utf16 = text.starts_with(b"\xff\xfe") || text.starts_with(b"\xfe\xff");
        if is_utf16 && self.lines_read == 0 && self.before == 0 {
            return refuse(
                1,
                "the file is UTF-16 text: save it as plain ASCII or UTF-8 text",
            );
        }
        match memchr(0, text) {
            Some(at) => refuse(
                at + 1,
                "a NUL byte: this is a binary file, not a text of numbers",
            ),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reader(text: &'static [u8]) -> LineReader {
        let source = Source::over(Box::new(text), "a.txt".to_owned(), None);
        LineReader::over(source.unwrap(), Budget::system())
    }

    fn contents(text: &'static [u8]) -> Vec<(u64, Vec<u8>)> {
        let mut reader = reader(text);
        std::iter::from_fn(|| reader.next_line().unwrap())
            .map(|line| (line.number, line.content().to_vec()))
            .collect()
    }

    #[test]
    fn comments_blanks_and_line_ends_are_no_data() {
        let text = b"# head\r\n\n  12 # twelve\r\n\t\r\n#\n13";
        assert_eq!(contents(text), [(3, b"12".to_vec()), (6, b"13".to_vec())]);
        assert_eq!(contents(b""), []);
        assert_eq!(contents(b"\n\n"), []);
    }

    #[test]
    fn columns_count_from_the_start_of_the_line() {
        let line = reader(b"   1 2").next_line().unwrap().unwrap();
        assert_eq!((line.column(0), line.column(2)), (4, 6));
    }

    #[test]
    fn what_is_no_plain_text_is_refused() {
        for text in [&b"\xff\xfe1\0"[..], b"1\x002\n"] {
            assert!(matches!(
                reader(text).next_line(),
                Err(Failure::Input { .. })
            ));
        }
    }

    #[test]
    fn pieces_are_those_of_the_lines() {
        /// Gives this many bytes at a time, so that blocks are short.
        struct Blocks(&'static [u8], usize);
        impl Read for Blocks {
            fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
                let count = self.1.min(bytes.len());
                self.0.read(&mut bytes[..count])
            }
        }
        let text = b" 12 345  6 # c\n#\n   \n7\n      8      \r\n90123456789 1 # 2";
        let expected: [(u64, &[(usize, &str)]); 4] = [
            (1, &[(2, "12"), (5, "345"), (10, "6")]),
            (4, &[(1, "7")]),
            (5, &[(7, "8")]),
            (6, &[(1, "90123456789"), (13, "1")]),
        ];
        for block in 1..12 {
            for most in (1..12).chain([usize::MAX]) {
                let source = Source::over(Box::new(Blocks(text, block)), String::new(), None);
                let mut reader = LineReader::over(source.unwrap(), Budget::system());
                for (number, words) in expected {
                    let mut found = Vec::new();
                    loop {
                        let Piece { line, is_last } = reader.next_piece(most).unwrap().unwrap();
                        assert_eq!(line.number, number);
                        let content = String::from_utf8(line.content().to_vec()).unwrap();
                        let mut at = 0;
                        for word in content.split(' ') {
                            if !word.is_empty() {
                                found.push((line.column(at), word.to_owned()));
                            }
                            at += word.len() + 1;
                        }
                        if is_last {
                            break;
                        }
                    }
                    let words = words
                        .iter()
                        .map(|&(column, word)| (column, word.to_owned()));
                    assert_eq!(found, words.collect::<Vec<_>>(), "{block} {most}");
                }
                assert!(reader.next_piece(most).unwrap().is_none());
            }
        }
    }

    #[test]
    fn carriage_returns_within_lines_are_refused_where_they_are() {
        for (text, line, column) in [
            (&b"1 2\r3\n"[..], 1, Some(4)),
            (b"1\r\n 2 \r", 2, None),
            (b"1\r\n\r2", 2, Some(1)),
            (b"1 # 2\r3\n", 1, None),
            (b"#\r\r\n", 1, None),
        ] {
            let mut reader = reader(text);
            let found = loop {
                match reader.next_line() {
                    Ok(Some(_)) => {}
                    Ok(None) => break None,
                    Err(Failure::Input { place, .. }) => break Some((place.line, place.column)),
                    Err(other) => panic!("{other}"),
                }
            };
            let expected = (text != b"1\r\n 2 \r").then_some((Some(line), column));
            assert_eq!(found, expected, "{text:?}");
        }
    }
}
