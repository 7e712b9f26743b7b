//! Files as they come: packed, in pieces, and cut short by an error.

use std::io::{self, Cursor, Read, Write};

use flate2::Compression;
use flate2::write::GzEncoder;

/// A text compressed by gzip.
///
/// ```
/// assert!(sunzi_testkit::gzip("1 2 3").starts_with(b"\x1f\x8b"));
/// ```
pub fn gzip(text: impl AsRef<[u8]>) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    let written = encoder.write_all(text.as_ref());
    written
        .and_then(|()| encoder.finish())
        .expect("memory takes everything")
}

/// A reader that gives a few bytes at a time. After them it fails once, if it is to fail, and then says that this
/// was the end.
///
/// ```
/// use std::io::Read;
/// use sunzi_testkit::Pieces;
///
/// let mut reader = Pieces::new(b"1 2", 2, true);
/// let mut text = Vec::new();
/// assert!(reader.read_to_end(&mut text).is_err());
/// assert_eq!((reader.read_to_end(&mut text).unwrap(), &text[..]), (0, &b"1 2"[..]));
/// ```
#[derive(Debug)]
pub struct Pieces<B> {
    bytes: Cursor<B>,
    size: usize,
    fails: bool,
}

impl<B: AsRef<[u8]>> Pieces<B> {
    /// Gives `bytes`, `size` > 0 at a time.
    pub fn new(bytes: B, size: usize, fails: bool) -> Self {
        Self {
            bytes: Cursor::new(bytes),
            size,
            fails,
        }
    }
}

impl<B: AsRef<[u8]>> Read for Pieces<B> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let room = self.size.min(bytes.len());
        let count = self.bytes.read(&mut bytes[..room])?;
        if count == 0 && room > 0 && std::mem::take(&mut self.fails) {
            return Err(io::Error::other("the disk is gone"));
        }
        Ok(count)
    }
}
