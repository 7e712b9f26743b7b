//! Readers that give their bytes in pieces, and fail.

use std::io::{self, Read};

/// Gives so many bytes at a time; where they end it fails once, if it is to fail, and then says that this was the end.
pub struct Pieces {
    bytes: io::Cursor<Vec<u8>>,
    size: usize,
    fails: bool,
}

impl Pieces {
    pub fn new(bytes: &[u8], size: usize, fails: bool) -> Self {
        Self {
            bytes: io::Cursor::new(bytes.to_vec()),
            size: size.max(1),
            fails,
        }
    }
}

impl Read for Pieces {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = self.size.min(bytes.len());
        let count = self.bytes.read(&mut bytes[..count])?;
        if count == 0 && !bytes.is_empty() && std::mem::take(&mut self.fails) {
            return Err(io::Error::other("the reader failed"));
        }
        Ok(count)
    }
}
