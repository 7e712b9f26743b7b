//! Where results go: standard output, or a file that appears only when it is complete.

use crate::error::{Failure, reason};
use crate::interruption::Interruption;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Bytes collected before they are written.
const BUFFER: usize = 1 << 18;

/// The destination of the results.
///
/// A regular file is written under a temporary name beside it and renamed by [`Output::finish`]; an
/// `Output` that is dropped before leaves nothing behind. Devices and pipes are written directly.
pub struct Output {
    writer: Option<BufWriter<Box<dyn Write>>>,
    name: String,
    standard: bool,
    temporary: Option<Temporary>,
}

/// Names that are tried for a temporary file, should killed programs have left some behind.
const ATTEMPTS: u32 = 100;

/// Symbolic links that are followed one after the other, as many as Linux follows.
const MAX_LINKS: usize = 40;

/// A file under its temporary name, removed on drop or interruption unless renamed.
struct Temporary {
    path: PathBuf,
    target: PathBuf,
    renamed: bool,
    /// Keeps the path known to the handler of interruptions.
    _interruption: Interruption,
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.renamed {
            // Nothing can be done about a failure here, and nothing depends on it.
            let _ = fs::remove_file(&self.path);
        }
    }
}

impl Output {
    /// Standard output for `None` and `-`, else the file.
    pub fn create(path: Option<&Path>) -> Result<Self, Failure> {
        match path {
            None => Ok(Self::standard()),
            Some(path) if path == Path::new("-") => Ok(Self::standard()),
            Some(path) => Self::file(path).map_err(|error| {
                Failure::Usage(format!(
                    "{}: the output file cannot be made: {}",
                    path.display(),
                    reason(&error)
                ))
            }),
        }
    }

    fn standard() -> Self {
        Self::direct(Box::new(io::stdout()), "standard output".to_owned(), true)
    }

    fn direct(sink: Box<dyn Write>, name: String, standard: bool) -> Self {
        Self {
            writer: Some(BufWriter::with_capacity(BUFFER, sink)),
            name,
            standard,
            temporary: None,
        }
    }

    fn file(path: &Path) -> io::Result<Self> {
        let name = path.display().to_string();
        let target = destination(path)?;
        let existing = fs::metadata(&target).ok();
        if let Some(existing) = &existing {
            if existing.is_dir() {
                return Err(io::Error::other("this is a folder"));
            }
            if !existing.is_file() {
                let sink = OpenOptions::new().write(true).open(&target)?;
                return Ok(Self::direct(Box::new(sink), name, false));
            }
        }
        let (file, temporary) = Temporary::create(target)?;
        if let Some(existing) = existing {
            file.set_permissions(existing.permissions())?;
        }
        let mut output = Self::direct(Box::new(file), name, false);
        output.temporary = Some(temporary);
        Ok(output)
    }

    /// Writes bytes.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let result = match &mut self.writer {
            Some(writer) => writer.write_all(bytes),
            None => Ok(()),
        };
        result.map_err(|error| self.failure(error))
    }

    /// Lets something else write.
    pub fn fill(
        &mut self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let result = match &mut self.writer {
            Some(writer) => write(writer),
            None => Ok(()),
        };
        result.map_err(|error| self.failure(error))
    }

    /// Brings everything to its place: the file gets its name.
    pub fn finish(mut self) -> Result<(), Failure> {
        let flushed = self
            .writer
            .take()
            .map_or(Ok(()), |mut writer| writer.flush());
        let placed =
            flushed.and_then(|()| self.temporary.as_mut().map_or(Ok(()), Temporary::rename));
        placed.map_err(|error| self.failure(error))
    }

    fn failure(&self, error: io::Error) -> Failure {
        if self.standard && error.kind() == io::ErrorKind::BrokenPipe {
            return Failure::ReaderGone;
        }
        Failure::Output {
            target: self.name.clone(),
            error,
        }
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if let Some(writer) = self.writer.take() {
            // What an error left in the buffer must not be written any more.
            let _ = writer.into_parts();
        }
    }
}

/// The file that a path names: through symbolic links, which stay, to a file that need not exist.
fn destination(path: &Path) -> io::Result<PathBuf> {
    if let Ok(target) = fs::canonicalize(path) {
        return Ok(target);
    }
    let mut target = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&target) {
            // An absolute link replaces the whole path.
            Ok(next) => target = target.parent().unwrap_or(Path::new("")).join(next),
            Err(_) => return Ok(target),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

impl Temporary {
    /// A new file beside the target (a rename is atomic within one file system only).
    fn create(target: PathBuf) -> io::Result<(File, Self)> {
        let name = target
            .file_name()
            .ok_or_else(|| io::Error::other("this is no file name"))?;
        let mut start = OsString::from(".");
        start.push(name);
        start.push(format!(".{}", std::process::id()));
        let interruption = Interruption::watch();
        for attempt in 0..ATTEMPTS {
            let mut hidden = start.clone();
            hidden.push(match attempt {
                0 => ".part".to_owned(),
                _ => format!(".{attempt}.part"),
            });
            let path = target.with_file_name(hidden);
            let made = interruption.protect(&path, || {
                OpenOptions::new().write(true).create_new(true).open(&path)
            });
            match made {
                Ok(file) => {
                    let temporary = Self {
                        path,
                        target,
                        renamed: false,
                        _interruption: interruption,
                    };
                    return Ok((file, temporary));
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::other("too many temporary files lie beside it"))
    }

    fn rename(&mut self) -> io::Result<()> {
        fs::rename(&self.path, &self.target)?;
        self.renamed = true;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_appears_only_when_finished() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.txt");
        let mut output = Output::create(Some(&path)).unwrap();
        output.write(b"12\n").unwrap();
        assert!(!path.exists());
        output.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"12\n");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn an_abandoned_file_leaves_nothing_and_keeps_the_old_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.txt");
        fs::write(&path, "old").unwrap();
        let mut output = Output::create(Some(&path)).unwrap();
        output.write(b"new").unwrap();
        drop(output);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn places_that_cannot_hold_a_file_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Output::create(Some(folder.path())).is_err());
        assert!(Output::create(Some(&folder.path().join("no/such/out"))).is_err());
    }

    #[test]
    fn a_temporary_file_that_was_left_behind_is_no_hindrance() {
        let folder = tempfile::tempdir().unwrap();
        let left = folder
            .path()
            .join(format!(".out.txt.{}.part", std::process::id()));
        fs::write(&left, "left").unwrap();
        let path = folder.path().join("out.txt");
        let mut output = Output::create(Some(&path)).unwrap();
        output.write(b"new").unwrap();
        output.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read(&left).unwrap(), b"left");
    }
}
