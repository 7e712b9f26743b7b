//! Lines of a file, read one at a time: however long the file, one line is in memory.

use super::source::Source;
use crate::error::{Failure, Place, reason};
use crate::memory::{self, Available};
use memchr::memchr;
use std::io::{self, BufRead};
use std::path::Path;

/// From this length on a line is checked against the memory of the machine while it grows.
const LONG_LINE: usize = 1 << 26;

/// A line that holds data: no comment, no blanks around it, not empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The number of the line in its file, from 1.
    pub number: u64,
    text: Vec<u8>,
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
        self.start + offset + 1
    }
}

/// Refuses to read standard input as more than one file.
pub fn check_standard_input(paths: &[&Path]) -> Result<(), Failure> {
    if paths.iter().filter(|&&path| path == Path::new("-")).count() < 2 {
        return Ok(());
    }
    Err(Failure::Usage(
        "only one of the two files can be standard input (-)".to_owned(),
    ))
}

/// Reads the data lines of a file or of standard input.
pub struct LineReader {
    source: Box<dyn BufRead + Send>,
    name: String,
    lines_read: u64,
    bytes_read: u64,
    size: Option<u64>,
    available: Available,
}

impl LineReader {
    /// Opens a file; `-` is standard input.
    pub fn open(path: &Path, available: Available) -> Result<Self, Failure> {
        Ok(Self::over(Source::open(path)?, available))
    }

    /// Reads what has been opened.
    pub fn over(source: Source, available: Available) -> Self {
        Self::new(source.bytes, source.name, source.size, available)
    }

    fn new(
        source: Box<dyn BufRead + Send>,
        name: String,
        size: Option<u64>,
        available: Available,
    ) -> Self {
        Self {
            source,
            name,
            lines_read: 0,
            bytes_read: 0,
            size,
            available,
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

    /// Bytes read so far.
    pub fn bytes_read(&self) -> u64 {
        self.bytes_read
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
        let mut text = Vec::new();
        loop {
            text.clear();
            if !self.read_raw(&mut text)? {
                return Ok(None);
            }
            self.lines_read += 1;
            self.check_encoding(&text)?;
            let data = &text[..memchr(b'#', &text).unwrap_or(text.len())];
            let start = data.iter().position(|byte| !byte.is_ascii_whitespace());
            let Some(start) = start else { continue };
            let end = data
                .iter()
                .rposition(|byte| !byte.is_ascii_whitespace())
                .map_or(start, |last| last + 1);
            return Ok(Some(Line {
                number: self.lines_read,
                text,
                start,
                end,
            }));
        }
    }

    /// Appends the bytes up to the next line end; false at the end of the file.
    fn read_raw(&mut self, text: &mut Vec<u8>) -> Result<bool, Failure> {
        let mut checked = LONG_LINE;
        loop {
            let block = match self.source.fill_buf() {
                Ok(block) => block,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    let problem = format!("the file cannot be read: {}", reason(&error));
                    return Err(self.error(Some(self.lines_read + 1), None, problem));
                }
            };
            if block.is_empty() {
                return Ok(!text.is_empty());
            }
            let (used, ended) = match memchr(b'\n', block) {
                Some(at) => (at + 1, true),
                None => (block.len(), false),
            };
            text.extend_from_slice(&block[..used]);
            self.source.consume(used);
            self.bytes_read += used as u64;
            if ended {
                return Ok(true);
            }
            if text.len() >= checked {
                self.check_length(text.len())?;
                checked *= 2;
            }
        }
    }

    /// Refuses a line whose number alone would not leave room for a product.
    fn check_length(&self, length: usize) -> Result<(), Failure> {
        let available = self.available.bytes();
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

    /// Refuses what is no plain text, in words that say what to do.
    fn check_encoding(&self, text: &[u8]) -> Result<(), Failure> {
        let refuse = |column: usize, problem: &str| {
            Err(self.error(Some(self.lines_read), Some(column), problem.to_owned()))
        };
        if self.lines_read == 1 {
            if text.starts_with(b"\xef\xbb\xbf") {
                return refuse(
                    1,
                    "the file starts with a UTF-8 byte-order mark: save it as plain text without one",
                );
            }
            if text.starts_with(b"\xff\xfe") || text.starts_with(b"\xfe\xff") {
                return refuse(
                    1,
                    "the file is UTF-16 text: save it as plain ASCII or UTF-8 text",
                );
            }
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
        LineReader::new(
            Box::new(text),
            "a.txt".to_owned(),
            None,
            Available::detect(None),
        )
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
        for text in [&b"\xef\xbb\xbf1\n"[..], b"\xff\xfe1\0", b"1\x002\n"] {
            assert!(matches!(
                reader(text).next_line(),
                Err(Failure::Input { .. })
            ));
        }
    }
}
