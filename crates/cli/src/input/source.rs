//! A file or standard input, opened.

use crate::error::{Failure, Place, reason, shown};
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// Bytes read from a file at a time.
const BUFFER: usize = 1 << 18;

/// Bytes that have yet to be read.
pub struct Source {
    pub bytes: Box<dyn BufRead + Send>,
    /// The name of the file in sentences.
    pub name: String,
    /// Bytes in the file, where that is known beforehand.
    pub size: Option<u64>,
}

impl Source {
    /// Opens a file; `-` is standard input.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let name = shown(path);
        if path == Path::new("-") {
            return Ok(Self {
                bytes: Box::new(BufReader::with_capacity(BUFFER, io::stdin())),
                name,
                size: None,
            });
        }
        let refuse = |problem: String| unreadable(&name, problem);
        let cannot =
            |error: io::Error| refuse(format!("the file cannot be opened: {}", reason(&error)));
        let file = File::open(path).map_err(cannot)?;
        let metadata = file.metadata().map_err(cannot)?;
        if metadata.is_dir() {
            return Err(refuse("this is a folder, not a file".to_owned()));
        }
        Ok(Self {
            bytes: Box::new(BufReader::with_capacity(BUFFER, file)),
            size: metadata.is_file().then_some(metadata.len()),
            name,
        })
    }

    /// The first bytes, which stay to be read: one at least unless there are none.
    pub fn first_bytes(&mut self) -> Result<&[u8], Failure> {
        let refuse = |error: &io::Error| {
            unreadable(
                &self.name,
                format!("the file cannot be read: {}", reason(error)),
            )
        };
        while let Err(error) = self.bytes.fill_buf() {
            if error.kind() != io::ErrorKind::Interrupted {
                return Err(refuse(&error));
            }
        }
        self.bytes.fill_buf().map_err(|error| refuse(&error))
    }
}

/// A file that cannot be read at all.
fn unreadable(name: &str, problem: String) -> Failure {
    let place = Place {
        file: name.to_owned(),
        line: None,
        column: None,
    };
    Failure::Input { place, problem }
}
