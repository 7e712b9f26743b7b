//! Lines of a file, and tokens of a line.

use std::io::Read;
use std::str;

use sunzi_text::{Decompressed, End, Scanner};

use super::error::{MatrixMarketError, Problem, shown};

/// About how many bytes a line may have. Comments may have more: they are skipped.
const MOST_BYTES: usize = 1 << 26;

/// The lines of a text, decompressed if it begins as gzip does.
pub(super) struct Lines<'a> {
    scanner: Scanner<Decompressed<Box<dyn Read + 'a>>>,
    line: Vec<u8>,
    number: u64,
}

impl<'a> Lines<'a> {
    pub(super) fn new(source: impl Read + 'a) -> Result<Self, MatrixMarketError> {
        let source: Box<dyn Read + 'a> = Box::new(source);
        let decompressed = Decompressed::open(source).map_err(|error| MatrixMarketError {
            line: 1,
            column: None,
            problem: Problem::Read(error),
        })?;
        Ok(Self {
            scanner: Scanner::new(decompressed),
            line: Vec::new(),
            number: 0,
        })
    }

    /// An error in the line that was read last.
    pub(super) fn error(&self, column: Option<usize>, problem: Problem) -> MatrixMarketError {
        MatrixMarketError {
            line: self.number,
            column,
            problem,
        }
    }

    /// The number of the line that was read last, from 1.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Reads the next line; `false` at the end.
    pub(super) fn advance(&mut self) -> Result<bool, MatrixMarketError> {
        self.line.clear();
        // What can't be read is in the line after the last one that could.
        self.number += 1;
        match self.scanner.take(&mut self.line, b'\n', MOST_BYTES) {
            Ok(End::Most) => Err(self.error(None, Problem::LongLine { most: MOST_BYTES })),
            Ok(_) => Ok(!self.line.is_empty()),
            Err(error) => {
                let problem = Problem::from(error);
                let place = matches!(problem, Problem::LoneReturn).then_some(self.line.len() + 1);
                Err(self.error(place, problem))
            }
        }
    }

    /// Skips lines that start with `%` without storing them.
    fn skip_comments(&mut self) -> Result<(), MatrixMarketError> {
        while self.peek()? == Some(b'%') {
            self.number += 1;
            self.scanner
                .skip_line()
                .map_err(|error| self.error(None, error.into()))?;
        }
        Ok(())
    }

    /// The byte that the next line starts with.
    fn peek(&mut self) -> Result<Option<u8>, MatrixMarketError> {
        let next = self.scanner.peek();
        next.map_err(|error| MatrixMarketError {
            line: self.number + 1,
            column: None,
            problem: error.into(),
        })
    }

    /// Reads the next line that is neither blank nor a comment; `false` at the end.
    pub(super) fn advance_to_data(&mut self) -> Result<bool, MatrixMarketError> {
        loop {
            self.skip_comments()?;
            if !self.advance()? {
                return Ok(false);
            }
            let bytes = self.line.len();
            match self.line.iter().find(|byte| !byte.is_ascii_whitespace()) {
                None | Some(b'%') => self
                    .scanner
                    .idle(bytes)
                    .map_err(|error| self.error(None, error.into()))?,
                Some(_) => {
                    self.scanner.pay(bytes);
                    return Ok(true);
                }
            }
        }
    }

    pub(super) fn tokens(&self) -> Tokens<'_> {
        Tokens {
            line: &self.line,
            at: 0,
        }
    }

    /// Bytes of the file that have been read, by blocks.
    pub(super) fn bytes_read(&self) -> u64 {
        self.scanner.source().taken()
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.line
    }
}

/// Text between blanks, and the column where it starts, from 1.
#[derive(Clone, Copy)]
pub(super) struct Token<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) column: usize,
}

impl Token<'_> {
    /// The token in a message: cut short, whatever the bytes are.
    pub(super) fn shown(&self) -> String {
        shown(&String::from_utf8_lossy(self.bytes))
    }
}

/// The tokens of a line.
#[derive(Clone)]
pub(super) struct Tokens<'a> {
    line: &'a [u8],
    at: usize,
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    #[inline]
    fn next(&mut self) -> Option<Token<'a>> {
        let rest = &self.line[self.at..];
        let blank = rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
        let token = &rest[blank..];
        let length = token.iter().position(u8::is_ascii_whitespace);
        let token = &token[..length.unwrap_or(token.len())];
        let start = self.at + blank;
        self.at = start + token.len();
        Some(Token {
            bytes: token,
            column: start + 1,
        })
    }
}

impl Tokens<'_> {
    /// The next token and the column where it starts, if it is a natural number of at most 19 digits (less than
    /// 2^64); else nothing is taken. Digits are read as they are found: indices make up most of a file.
    #[inline]
    pub(super) fn next_natural(&mut self) -> Option<(u64, usize)> {
        let rest = &self.line[self.at..];
        let blank = rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
        let (mut number, mut end) = (0u64, blank);
        while let Some(digit) = rest.get(end).map(|byte| byte.wrapping_sub(b'0'))
            && digit <= 9
        {
            number = number.wrapping_mul(10).wrapping_add(u64::from(digit));
            end += 1;
        }
        let ends = rest.get(end).is_none_or(u8::is_ascii_whitespace);
        if !ends || !(1..=19).contains(&(end - blank)) {
            return None;
        }
        let column = self.at + blank + 1;
        self.at += end;
        Some((number, column))
    }
}

/// A natural number below 2^64, or what is wrong with it.
pub(super) fn natural(token: Token<'_>) -> Result<u64, Problem> {
    match str::from_utf8(token.bytes).map(str::parse) {
        _ if !token.bytes.iter().all(u8::is_ascii_digit) => Err(Problem::NotNatural(token.shown())),
        Ok(Ok(number)) => Ok(number),
        _ => Err(Problem::TooLarge(token.shown())),
    }
}
