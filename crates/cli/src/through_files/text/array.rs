//! An array that becomes text, a piece of it in memory at a time.

use super::{DIGITS, Entries, PIECE, in_file};
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use sunzi::scale::npy::{Header, MOST_BYTES};
use sunzi::{Integer, Natural};
use sunzi_files::failure::{Failure, reason};
use sunzi_files::numbers::integers::IntegerText;
use sunzi_files::output::Output;

/// An array that becomes text.
pub(super) struct Array {
    file: File,
    path: PathBuf,
    header: Header,
    start: u64,
    /// Words of an element, and elements.
    digits: usize,
    elements: usize,
}

impl Array {
    pub(super) fn open(path: &Path) -> Result<Self, Failure> {
        let unreadable = |error: io::Error| {
            in_file(path, format!("the file cannot be read: {}", reason(&error)))
        };
        let file = File::open(path).map_err(unreadable)?;
        let length = file.metadata().map_err(unreadable)?.len();
        let mut head = vec![0; MOST_BYTES.min(length as usize)];
        file.read_exact_at(&mut head, 0).map_err(unreadable)?;
        let (header, start) = Header::parse(&head).map_err(|problem| in_file(path, problem))?;
        let (elements, digits) = match *header.shape {
            [elements] => (elements, 1),
            [elements, digits] => (elements, digits),
            _ => {
                return Err(in_file(
                    path,
                    "its shape is another than it was written with".to_owned(),
                ));
            }
        };
        Ok(Self {
            file,
            path: path.to_owned(),
            header,
            start: start as u64,
            digits,
            elements,
        })
    }

    /// The words of some elements.
    fn words(&self, from: usize, count: usize) -> Result<Vec<u64>, Failure> {
        let (word, words) = (self.header.word, count * self.digits);
        let mut bytes = vec![0; words * word];
        let at = self.start + (from * self.digits * word) as u64;
        let read = self.file.read_exact_at(&mut bytes, at);
        read.map_err(|error| {
            in_file(
                &self.path,
                format!("the file cannot be read: {}", reason(&error)),
            )
        })?;
        let value = |bytes: &[u8]| {
            bytes
                .iter()
                .rev()
                .fold(0, |word, &byte| word << 8 | u64::from(byte))
        };
        Ok(bytes.chunks_exact(word).map(value).collect())
    }

    /// Elements that are read at a time.
    fn piece(&self) -> usize {
        (PIECE / 8 / self.digits).max(1)
    }

    /// How many elements there are before those that are 0.
    fn significant(&self) -> Result<usize, Failure> {
        let mut end = self.elements;
        while end > 0 {
            let from = end.saturating_sub(self.piece());
            let words = self.words(from, end - from)?;
            if let Some(last) = words.iter().rposition(|&word| word != 0) {
                return Ok(from + last / self.digits + 1);
            }
            end = from;
        }
        Ok(0)
    }

    pub(super) fn write(
        &self,
        entries: Entries<'_>,
        is_negative: bool,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let count = match entries {
            Entries::Lines(..) => self.elements,
            _ => self.significant()?,
        };
        if let Entries::Hexadecimal = entries {
            return self.write_hexadecimal(count, is_negative, output);
        }
        let (integers, mut text) = (IntegerText::new(), Vec::new());
        let mut from = 0;
        while from < count {
            let length = self.piece().min(count - from);
            text.clear();
            for (index, row) in self
                .words(from, length)?
                .chunks_exact(self.digits)
                .enumerate()
            {
                match entries {
                    Entries::Lines(residues, _) | Entries::Coefficients(residues, _) => {
                        residues.write(row, &mut text)
                    }
                    Entries::Integers | Entries::Hexadecimal => {
                        integers.write(&integer(row), &mut text)
                    }
                }
                let is_last = matches!(entries, Entries::Lines(..)) || from + index + 1 == count;
                text.push(if is_last { b'\n' } else { b' ' });
            }
            output.fill(|to| to.write_all(&text))?;
            from += length;
        }
        match count {
            0 => output.write(b"0\n"),
            _ => Ok(()),
        }
    }

    fn write_hexadecimal(
        &self,
        count: usize,
        is_negative: bool,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let sign = if is_negative && count > 0 {
            "-0x"
        } else {
            "0x"
        };
        output.fill(|to| to.write_all(sign.as_bytes()))?;
        let mut end = count;
        while end > 0 {
            let from = end.saturating_sub(self.piece());
            let mut text = String::with_capacity((end - from) * DIGITS);
            for limb in self.words(from, end - from)?.iter().rev() {
                text += &match text.is_empty() && end == count {
                    true => format!("{limb:x}"),
                    false => format!("{limb:016x}"),
                };
            }
            output.fill(|to| to.write_all(text.as_bytes()))?;
            end = from;
        }
        output.write(if count == 0 { b"0\n" } else { b"\n" })
    }
}

/// The integer of words in two's complement.
fn integer(words: &[u64]) -> Integer {
    let is_negative = words.last().is_some_and(|top| top >> 63 == 1);
    let magnitude = match is_negative {
        false => words.to_vec(),
        true => {
            let mut carry = true;
            let negated = words.iter().map(|word| {
                let (negated, overflow) = (!word).overflowing_add(carry.into());
                carry = overflow;
                negated
            });
            negated.collect()
        }
    };
    let magnitude = Integer::from(Natural::from_limbs(magnitude));
    if is_negative { -magnitude } else { magnitude }
}
