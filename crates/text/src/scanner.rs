//! From bytes to lines.

use std::io::{self, BufRead};

use memchr::{memchr, memchr3};
use thiserror::Error;

/// Bytes of comments and blanks that any file may have.
pub const FREE_IDLE: u64 = 1 << 28;

/// Further bytes of them for each byte of data.
pub const IDLE_PER_DATA: u64 = 64;

/// Why a file can't be read on.
#[derive(Debug, Error)]
pub enum TextError {
    /// The bytes can't be read or decompressed.
    #[error("{0}")]
    Read(#[from] io::Error),
    /// A carriage return within a line.
    #[error(
        "a carriage return without a line feed, which is the end of a line to some programs and a blank to others: \
         end lines by line feeds"
    )]
    LoneReturn,
    /// Comments without end.
    #[error(
        "there are more than {} MiB of comments and blanks and hardly any data between them: leave them out",
        FREE_IDLE >> 20
    )]
    Idle,
}

/// Where bytes of a line end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// With the line, whose end is taken.
    Line,
    /// With the file.
    File,
    /// In front of the byte that was to stop them.
    Stop,
    /// In the line, because there are many.
    Most,
}

/// Takes lines from a file.
///
/// ```
/// use sunzi_text::{End, Scanner};
///
/// let mut file = Scanner::new(&b"1 2 # two\n3"[..]);
/// let mut text = Vec::new();
/// assert_eq!(file.take(&mut text, b'#', usize::MAX)?, End::Stop);
/// assert_eq!(text, b"1 2 ");
/// file.skip_line()?;
/// text.clear();
/// assert_eq!(file.take(&mut text, b'#', usize::MAX)?, End::File);
/// assert_eq!(text, b"3");
/// # Ok::<(), sunzi_text::TextError>(())
/// ```
#[derive(Debug)]
pub struct Scanner<R> {
    source: R,
    /// Whether the last byte taken is a carriage return, whose line feed has to follow.
    returned: bool,
    /// Bytes of comments and blanks that may still come.
    idle: u64,
}

impl<R: BufRead> Scanner<R> {
    /// At the start of a file. Its errors should stay, as those of [`Decompressed`](crate::Decompressed) do.
    ///
    /// ```
    /// assert_eq!(sunzi_text::Scanner::new(&b""[..]).peek()?, None);
    /// # Ok::<(), sunzi_text::TextError>(())
    /// ```
    pub fn new(source: R) -> Self {
        Self {
            source,
            returned: false,
            idle: FREE_IDLE,
        }
    }

    /// What is read.
    ///
    /// ```
    /// assert_eq!(sunzi_text::Scanner::new(&b"1\n"[..]).source(), b"1\n");
    /// ```
    pub fn source(&self) -> &R {
        &self.source
    }

    /// The next byte, which stays; none at the end of the file.
    ///
    /// ```
    /// let mut file = sunzi_text::Scanner::new(&b"% comment"[..]);
    /// assert_eq!(file.peek()?, Some(b'%'));
    /// assert_eq!(file.peek()?, Some(b'%'));
    /// # Ok::<(), sunzi_text::TextError>(())
    /// ```
    ///
    /// # Errors
    /// [`TextError::Read`].
    #[inline]
    pub fn peek(&mut self) -> Result<Option<u8>, TextError> {
        Ok(block(&mut self.source)?.first().copied())
    }

    /// Appends the bytes of a line up to its end, which is appended too; or up to a byte `stop`, which is not taken
    /// (a line feed where nothing else is to stop them); or about as many as make `text` `most` bytes long.
    ///
    /// # Errors
    /// [`TextError::Read`], and [`TextError::LoneReturn`], in front of which the bytes appended end.
    #[inline]
    pub fn take(&mut self, text: &mut Vec<u8>, stop: u8, most: usize) -> Result<End, TextError> {
        loop {
            let block = block(&mut self.source)?;
            let Some(&first) = block.first() else {
                self.returned = false;
                return Ok(End::File);
            };
            if self.returned {
                if first != b'\n' {
                    text.pop();
                    return Err(TextError::LoneReturn);
                }
                self.returned = false;
                text.push(first);
                self.source.consume(1);
                return Ok(End::Line);
            }
            let Some(at) = memchr3(b'\n', b'\r', stop, block) else {
                let count = block.len();
                text.extend_from_slice(block);
                self.source.consume(count);
                if text.len() >= most {
                    return Ok(End::Most);
                }
                continue;
            };
            let (taken, end) = match (block[at], block.get(at + 1)) {
                (b'\n', _) => (at + 1, Some(End::Line)),
                (b'\r', Some(b'\n')) => (at + 2, Some(End::Line)),
                (b'\r', Some(_)) => {
                    text.extend_from_slice(&block[..at]);
                    return Err(TextError::LoneReturn);
                }
                (b'\r', None) => {
                    self.returned = true;
                    (at + 1, None)
                }
                _ => (at, Some(End::Stop)),
            };
            text.extend_from_slice(&block[..taken]);
            self.source.consume(taken);
            if let Some(end) = end {
                return Ok(end);
            }
        }
    }

    /// Skips what is left of a line, which is a comment of any bytes: [`End::Line`], or [`End::File`].
    ///
    /// # Errors
    /// [`TextError`], of which [`TextError::Idle`] limits the time that this takes.
    pub fn skip_line(&mut self) -> Result<End, TextError> {
        loop {
            let block = block(&mut self.source)?;
            let Some(&first) = block.first() else {
                self.returned = false;
                return Ok(End::File);
            };
            if std::mem::take(&mut self.returned) && first != b'\n' {
                return Err(TextError::LoneReturn);
            }
            let (taken, ended) = match memchr(b'\n', block) {
                Some(at) => (at + 1, true),
                None => (block.len(), false),
            };
            let skipped = &block[..taken];
            if let Some(at) = memchr(b'\r', skipped) {
                match skipped.get(at + 1) {
                    Some(b'\n') => {}
                    None => self.returned = true,
                    Some(_) => return Err(TextError::LoneReturn),
                }
            }
            self.source.consume(taken);
            self.idle(taken)?;
            if ended {
                return Ok(End::Line);
            }
        }
    }

    /// Counts bytes that say nothing and were not skipped by [`skip_line`](Self::skip_line): blanks.
    ///
    /// # Errors
    /// [`TextError::Idle`] if there were too many.
    #[inline]
    pub fn idle(&mut self, bytes: usize) -> Result<(), TextError> {
        let left = self.idle.checked_sub(bytes as u64);
        self.idle = left.ok_or(TextError::Idle)?;
        Ok(())
    }

    /// Counts bytes of data, which pay for comments: a file may have [`FREE_IDLE`] bytes of comments and blanks, and
    /// [`IDLE_PER_DATA`] more for each byte of data.
    ///
    /// ```
    /// use sunzi_text::{FREE_IDLE, Scanner};
    ///
    /// let mut file = Scanner::new(&b""[..]);
    /// assert!(file.idle(FREE_IDLE as usize + 1).is_err());
    /// file.pay(1);
    /// assert!(file.idle(FREE_IDLE as usize + 1).is_ok());
    /// ```
    #[inline]
    pub fn pay(&mut self, bytes: usize) {
        let more = IDLE_PER_DATA.saturating_mul(bytes as u64);
        self.idle = self.idle.saturating_add(more);
    }
}

/// The bytes that come next, none at the end of the file.
#[inline]
fn block<R: BufRead>(source: &mut R) -> Result<&[u8], TextError> {
    // A loop over `fill_buf` would borrow the bytes in every turn.
    while let Err(error) = source.fill_buf() {
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error.into());
        }
    }
    Ok(source.fill_buf()?)
}
