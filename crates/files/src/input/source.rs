//! A file or standard input, opened.

use super::literal;
use crate::failure::{Failure, Place, reason, shown};
use crate::output::standard;
use std::fs::{File, Metadata};
use std::io::{self, BufRead, Cursor, Read};
use std::path::Path;
use sunzi_text::Decompressed;

/// Whether somebody seems to have written an operand in the place of a file: digits, with signs and variables.
fn is_expression(path: &Path) -> bool {
    let text = path.to_string_lossy();
    let digits = text.bytes().any(|byte| byte.is_ascii_digit());
    let others = |byte: u8| byte.is_ascii_digit() || b" +-*^/(),[]xy".contains(&byte);
    digits && text.bytes().all(others)
}

/// Bytes that have yet to be read, decompressed if the file is compressed by gzip.
pub struct Source {
    /// What is read.
    pub bytes: Decompressed<Box<dyn Read + Send>>,
    /// The name of the file in sentences.
    pub name: String,
    /// Bytes in the file, where that is known beforehand; compressed if it is.
    pub size: Option<u64>,
}

impl Source {
    /// Opens a file; `-` is standard input, and an operand of the command line is itself.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let name = shown(path);
        if let Some(text) = literal::text(path) {
            let size = Some(text.len() as u64);
            return Self::over(Box::new(Cursor::new(text.to_vec())), name, size);
        }
        if path == Path::new("-") {
            if let Some(metadata) = standard_input() {
                check_not_written(&metadata, &name)?;
            }
            return Self::over(Box::new(io::stdin()), name, None);
        }
        let refuse = |problem: String| unreadable(&name, problem);
        let cannot = |error: io::Error| {
            let hint = match error.kind() == io::ErrorKind::NotFound && is_expression(path) {
                true => {
                    "; operands are names of files, and `-` is standard input: write -e before one that is none"
                }
                false => "",
            };
            refuse(format!(
                "the file cannot be opened: {}{hint}",
                reason(&error)
            ))
        };
        let file = File::open(path).map_err(cannot)?;
        let metadata = file.metadata().map_err(cannot)?;
        if metadata.is_dir() {
            return Err(refuse("this is a folder, not a file".to_owned()));
        }
        check_not_written(&metadata, &name)?;
        let size = metadata.is_file().then_some(metadata.len());
        Self::over(Box::new(file), name, size)
    }

    /// Reads what is open.
    pub fn over(
        bytes: Box<dyn Read + Send>,
        name: String,
        size: Option<u64>,
    ) -> Result<Self, Failure> {
        match Decompressed::open(bytes) {
            Ok(bytes) => Ok(Self { bytes, name, size }),
            Err(error) => Err(unread(&name, &error)),
        }
    }

    /// The first byte that is no blank, as far as can be seen; all stay to be read.
    pub fn first_byte(&mut self) -> Result<Option<u8>, Failure> {
        match self.bytes.fill_buf() {
            Ok(bytes) => Ok(bytes
                .iter()
                .copied()
                .find(|byte| !byte.is_ascii_whitespace())),
            Err(error) => Err(unread(&self.name, &error)),
        }
    }
}

/// Refuses a file that standard output goes to: a program that reads what it writes never comes to the end.
fn check_not_written(file: &Metadata, name: &str) -> Result<(), Failure> {
    match file.is_file() && standard::at(file).is_some() {
        true => Err(Failure::Usage(format!(
            "{name} is also standard output: use -o, which may name an input, and send standard output elsewhere"
        ))),
        false => Ok(()),
    }
}

/// What standard input is, if the system tells.
#[cfg(unix)]
fn standard_input() -> Option<Metadata> {
    use std::os::fd::AsFd;
    let file = io::stdin().as_fd().try_clone_to_owned().ok()?;
    File::from(file).metadata().ok()
}

#[cfg(not(unix))]
fn standard_input() -> Option<Metadata> {
    None
}

/// A file of which not even the first bytes can be read.
fn unread(name: &str, error: &io::Error) -> Failure {
    unreadable(name, format!("the file cannot be read: {}", reason(error)))
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
