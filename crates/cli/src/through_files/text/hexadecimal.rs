//! An integer in hexadecimal digits, from its end on, as limbs.

use super::{DIGITS, PIECE, in_file};
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use sunzi_files::failure::{Failure, reason};

/// A file with one integer, `0x…`, in one line.
pub(super) struct Hexadecimal {
    file: File,
    path: PathBuf,
    pub(super) is_negative: bool,
    /// Where its digits begin and end.
    start: u64,
    end: u64,
}

impl Hexadecimal {
    /// Finds its digits; comments may stand in lines before.
    pub(super) fn open(path: &Path) -> Result<Self, Failure> {
        let unreadable = |error: io::Error| {
            in_file(path, format!("the file cannot be read: {}", reason(&error)))
        };
        let file = File::open(path).map_err(unreadable)?;
        let length = file.metadata().map_err(unreadable)?.len();
        let mut head = vec![0; PIECE.min(length as usize)];
        file.read_exact_at(&mut head, 0).map_err(unreadable)?;
        let mut at = 0;
        while let Some(byte) = head.get(at) {
            match byte {
                b'#' => {
                    at += head[at..]
                        .iter()
                        .position(|&byte| byte == b'\n')
                        .unwrap_or(head.len() - at)
                }
                byte if byte.is_ascii_whitespace() => at += 1,
                _ => break,
            }
        }
        let sign = head.get(at).filter(|byte| matches!(byte, b'+' | b'-'));
        let digits = at + usize::from(sign.is_some());
        if !matches!(head.get(digits..digits + 2), Some(b"0x" | b"0X")) {
            return Err(in_file(
                path,
                "with --scratch an integer is written 0x…, or is an array of limbs in a name that ends in .npy: decimal integers are for \
                 memory, where --scratch is left out"
                    .to_owned(),
            ));
        }
        let mut tail = vec![0; (PIECE as u64).min(length) as usize];
        let from = length - tail.len() as u64;
        file.read_exact_at(&mut tail, from).map_err(unreadable)?;
        let blanks = tail
            .iter()
            .rev()
            .take_while(|byte| byte.is_ascii_whitespace())
            .count();
        let (start, end) = (digits as u64 + 2, length - blanks as u64);
        if end <= start {
            return Err(in_file(path, "no digit follows 0x".to_owned()));
        }
        Ok(Self {
            is_negative: sign == Some(&b'-'),
            path: path.to_owned(),
            file,
            start,
            end,
        })
    }

    /// Hands on limbs, the lowest first; gives how many there are.
    pub(super) fn convert(
        self,
        write: &mut dyn FnMut(&[u64]) -> Result<(), Failure>,
    ) -> Result<usize, Failure> {
        let unreadable = |error: io::Error| {
            in_file(
                &self.path,
                format!("the file cannot be read: {}", reason(&error)),
            )
        };
        let (mut end, mut count) = (self.end, 0);
        let mut text = vec![0; PIECE];
        let mut limbs = Vec::with_capacity(PIECE / DIGITS);
        while end > self.start {
            let length = (end - self.start).min(PIECE as u64);
            let text = &mut text[..length as usize];
            self.file
                .read_exact_at(text, end - length)
                .map_err(unreadable)?;
            limbs.clear();
            for digits in text.rchunks(DIGITS) {
                let digit = |limb: Option<u64>, &byte: &u8| {
                    Some(limb? << 4 | u64::from((byte as char).to_digit(16)?))
                };
                let Some(limb) = digits.iter().fold(Some(0), digit) else {
                    let at = text
                        .iter()
                        .rposition(|byte| !byte.is_ascii_hexdigit())
                        .unwrap_or(0);
                    let problem = format!(
                        "byte {} is no hexadecimal digit: with --scratch a file holds one integer, 0x…",
                        end - length + at as u64 + 1
                    );
                    return Err(in_file(&self.path, problem));
                };
                limbs.push(limb);
            }
            count += limbs.len();
            write(&limbs)?;
            end -= length;
        }
        Ok(count)
    }
}
