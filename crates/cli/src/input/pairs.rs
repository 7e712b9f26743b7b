//! Pairs of lines from two files: line i with line i, or the only line of one file with each of the other.

use super::lines::{Line, LineReader};
use crate::error::Failure;
use crate::memory::Available;
use std::collections::VecDeque;
use std::path::Path;

/// Input that is dealt with together, so that small products fill all threads.
const BATCH_WEIGHT: usize = 4 << 20;

/// Most pairs dealt with together.
const BATCH_LINES: usize = 1 << 14;

/// One of the two files.
pub struct Side {
    reader: LineReader,
    /// Lines read ahead to learn whether there is more than one.
    ahead: VecDeque<Line>,
    /// Data lines handed out.
    taken: u64,
}

/// Reads two files together.
pub struct Pairs {
    pub left: Side,
    pub right: Side,
    repeated: Option<Which>,
    /// What a line holds, in sentences: `integer`.
    noun: &'static str,
    /// How much work and memory a line stands for, in bytes.
    weight: fn(&[u8]) -> usize,
    /// An error found behind lines that have yet to be dealt with.
    postponed: Option<Failure>,
}

/// Names a file of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// The first.
    Left,
    /// The second.
    Right,
}

/// Lines to be dealt with together; the side that is repeated has none here.
#[derive(Debug, Default)]
pub struct Batch {
    pub left: Vec<Line>,
    pub right: Vec<Line>,
}

impl Side {
    fn open(path: &Path, noun: &str, available: Available) -> Result<Self, Failure> {
        let mut reader = LineReader::open(path, available)?;
        let mut ahead = VecDeque::new();
        while ahead.len() < 2 {
            match reader.next_line()? {
                Some(line) => ahead.push_back(line),
                None => break,
            }
        }
        if ahead.is_empty() {
            return Err(reader.error(
                None,
                None,
                format!("the file holds no {noun}: write one a line"),
            ));
        }
        Ok(Self {
            reader,
            ahead,
            taken: 0,
        })
    }

    fn next(&mut self) -> Result<Option<Line>, Failure> {
        let line = match self.ahead.pop_front() {
            Some(line) => Some(line),
            None => self.reader.next_line()?,
        };
        self.taken += u64::from(line.is_some());
        Ok(line)
    }

    /// An error at a byte of a line of this file.
    pub fn error_at(&self, line: &Line, offset: usize, problem: String) -> Failure {
        self.reader.error_at(line, offset, problem)
    }

    /// The name of the file in sentences.
    pub fn name(&self) -> &str {
        self.reader.name()
    }
}

impl Pairs {
    /// Opens two files, of which at most one may be standard input.
    pub fn open(
        left: &Path,
        right: &Path,
        noun: &'static str,
        weight: fn(&[u8]) -> usize,
        available: Available,
    ) -> Result<Self, Failure> {
        if left == Path::new("-") && right == Path::new("-") {
            return Err(Failure::Usage(
                "only one of the two files can be standard input (-)".to_owned(),
            ));
        }
        let left = Side::open(left, noun, available)?;
        let right = Side::open(right, noun, available)?;
        let repeated = match (left.ahead.len(), right.ahead.len()) {
            (1, 2) => Some(Which::Left),
            (2, 1) => Some(Which::Right),
            _ => None,
        };
        Ok(Self {
            left,
            right,
            repeated,
            noun,
            weight,
            postponed: None,
        })
    }

    /// The only line of the file that multiplies every line of the other, if that is so.
    pub fn take_repeated(&mut self) -> Result<Option<(Which, Line)>, Failure> {
        let Some(which) = self.repeated else {
            return Ok(None);
        };
        let side = if which == Which::Left {
            &mut self.left
        } else {
            &mut self.right
        };
        Ok(side.next()?.map(|line| (which, line)))
    }

    /// Bytes of both files, where known.
    pub fn total_bytes(&self) -> Option<u64> {
        Some(self.left.reader.size()? + self.right.reader.size()?)
    }

    /// Bytes read so far.
    pub fn bytes_read(&self) -> u64 {
        self.left.reader.bytes_read() + self.right.reader.bytes_read()
    }

    /// The next lines, none at the end. Errors come in the order of the lines.
    pub fn next_batch(&mut self) -> Result<Option<Batch>, Failure> {
        if let Some(failure) = self.postponed.take() {
            return Err(failure);
        }
        let mut batch = Batch::default();
        let mut weight = 0;
        while weight < BATCH_WEIGHT && batch.left.len().max(batch.right.len()) < BATCH_LINES {
            match self.next_pair() {
                Ok((None, None)) => break,
                Ok((left, right)) => {
                    weight += left
                        .iter()
                        .chain(&right)
                        .map(|line| (self.weight)(line.content()))
                        .sum::<usize>();
                    batch.left.extend(left);
                    batch.right.extend(right);
                }
                Err(failure) if batch.left.is_empty() && batch.right.is_empty() => {
                    return Err(failure);
                }
                Err(failure) => {
                    self.postponed = Some(failure);
                    break;
                }
            }
        }
        let empty = batch.left.is_empty() && batch.right.is_empty();
        Ok((!empty).then_some(batch))
    }

    fn next_pair(&mut self) -> Result<(Option<Line>, Option<Line>), Failure> {
        match self.repeated {
            Some(Which::Left) => Ok((None, self.right.next()?)),
            Some(Which::Right) => Ok((self.left.next()?, None)),
            None => match (self.left.next()?, self.right.next()?) {
                (Some(line), None) => Err(self.missing(&self.right, &self.left, &line)),
                (None, Some(line)) => Err(self.missing(&self.left, &self.right, &line)),
                both => Ok(both),
            },
        }
    }

    /// `short` ends although `long` goes on with `line`.
    fn missing(&self, short: &Side, long: &Side, line: &Line) -> Failure {
        let problem = format!(
            "a line is missing: the file ends after {} {}, but {} has number {} in line {}",
            short.taken,
            if short.taken == 1 {
                self.noun.to_owned()
            } else {
                format!("{}s", self.noun)
            },
            long.name(),
            long.taken,
            line.number,
        );
        short
            .reader
            .error(Some(short.reader.lines_read() + 1), None, problem)
    }
}
