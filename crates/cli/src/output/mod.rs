//! Where results go: standard output, or a file that appears only when it is complete.

pub mod removal;
pub mod standard;
mod unfinished;

use crate::error::{Failure, reason};
use standard::Content;
use std::ffi::OsString;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use unfinished::{Unfinished, folder};

/// Bytes collected before they are written.
const BUFFER: usize = 1 << 18;

/// The destination of the results.
///
/// A regular file appears by [`Output::finish`]; an `Output` that is dropped before leaves nothing behind. Devices and
/// pipes are written directly.
pub struct Output {
    sink: Sink,
    /// Whole records, behind which there is `content`.
    buffer: Vec<u8>,
    content: Content,
    name: String,
}

/// What bytes are written to.
enum Sink {
    Standard(&'static File),
    Direct(File),
    File(Unfinished, Place),
}

/// Symbolic links that are followed one after the other, as many as Linux follows.
const MAX_LINKS: usize = 40;

impl Output {
    /// Standard output for `None` and `-`, else the file.
    pub fn create(path: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = path.filter(|&path| path != Path::new("-")) else {
            let stream = standard::stream().map_err(standard::failure)?;
            return Ok(Self::new(Sink::Standard(stream), standard::NAME.to_owned()));
        };
        let name = path.display().to_string();
        match Sink::open(path) {
            Ok(sink) => Ok(Self::new(sink, name)),
            Err(error) => Err(Failure::Usage(format!(
                "{name}: the output file cannot be made: {}",
                reason(&error)
            ))),
        }
    }

    fn new(sink: Sink, name: String) -> Self {
        Self {
            sink,
            buffer: Vec::with_capacity(BUFFER),
            content: Content::Whole,
            name,
        }
    }

    /// Writes a whole record, such as a line or a document.
    pub fn write(&mut self, record: &[u8]) -> Result<(), Failure> {
        self.write_parts(&[record], Content::Whole)
    }

    /// Writes the parts of a whole record, behind which there is `after`.
    pub fn write_parts(&mut self, parts: &[&[u8]], after: Content) -> Result<(), Failure> {
        self.push(parts, after).map_err(|error| self.failure(error))
    }

    /// Lets something else write.
    pub fn fill(
        &mut self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        write(&mut Filled(self)).map_err(|error| self.failure(error))
    }

    /// Brings everything to its place: the file gets its name.
    pub fn finish(self) -> Result<(), Failure> {
        Self::finish_all([self])
    }

    /// Does so for several, none of which gets its name before all are written. That nobody reads standard output any
    /// more keeps no file from its place.
    pub fn finish_all(outputs: impl IntoIterator<Item = Self>) -> Result<(), Failure> {
        let mut outputs: Vec<_> = outputs.into_iter().collect();
        let mut read = Ok(());
        for output in &mut outputs {
            match output.flush().map_err(|error| output.failure(error)) {
                Err(Failure::ReaderGone) => read = Err(Failure::ReaderGone),
                flushed => flushed?,
            }
        }
        for output in outputs {
            if let Sink::File(file, _) = output.sink {
                file.place().map_err(|error| Failure::Output {
                    target: output.name,
                    error,
                })?;
            }
        }
        read
    }

    /// Refuses outputs of which two would get the same name; each stands with the option that named it.
    pub fn distinct(outputs: &[(&str, Option<&Self>)]) -> Result<(), Failure> {
        for (index, (option, output)) in outputs.iter().enumerate() {
            let Some(place) = output.and_then(Self::place) else {
                continue;
            };
            for (other, before) in &outputs[..index] {
                if before.and_then(Self::place) == Some(place) {
                    let name = &output.map_or("", |output| &output.name);
                    return Err(Failure::Usage(format!(
                        "{name}: {other} and {option} name the same file: give each a file of its own"
                    )));
                }
            }
        }
        Ok(())
    }

    /// The place of its file, if it is one that is to get a name.
    pub fn place(&self) -> Option<&Place> {
        match &self.sink {
            Sink::File(_, place) => Some(place),
            Sink::Standard(_) | Sink::Direct(_) => None,
        }
    }

    fn push(&mut self, parts: &[&[u8]], after: Content) -> io::Result<()> {
        let length: usize = parts.iter().map(|part| part.len()).sum();
        if self.buffer.len() + length > BUFFER {
            self.flush()?;
        }
        if length > BUFFER {
            self.sink.write(parts, after)?;
        } else {
            parts
                .iter()
                .for_each(|part| self.buffer.extend_from_slice(part));
        }
        self.content = after;
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        if !self.buffer.is_empty() {
            self.sink.write(&[&self.buffer], self.content)?;
            self.buffer.clear();
        }
        Ok(())
    }

    fn failure(&self, error: io::Error) -> Failure {
        match self.sink {
            Sink::Standard(_) => standard::failure(error),
            Sink::Direct(_) | Sink::File(..) => Failure::Output {
                target: self.name.clone(),
                error,
            },
        }
    }
}

/// An output that something else writes to.
struct Filled<'a>(&'a mut Output);

impl Write for Filled<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.push(&[bytes], Content::Whole)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Sink {
    fn open(path: &Path) -> io::Result<Self> {
        // Through all links, those to pipes among them, which have no path.
        let existing = match fs::metadata(path) {
            Ok(existing) => existing,
            Err(_) => return Self::file(destination(path)?),
        };
        if existing.is_dir() {
            return Err(io::Error::other("this is a folder"));
        }
        if !existing.is_file() {
            return Ok(Self::Direct(OpenOptions::new().write(true).open(path)?));
        }
        if let Some(stream) = standard_output(&existing) {
            return Ok(Self::Standard(stream));
        }
        let mut sink = Self::file(fs::canonicalize(path)?)?;
        if let Self::File(file, _) = &mut sink {
            file.file().set_permissions(existing.permissions())?;
        }
        Ok(sink)
    }

    fn file(target: PathBuf) -> io::Result<Self> {
        let place = Place::of(&target)?;
        Ok(Self::File(Unfinished::create(target)?, place))
    }

    fn write(&mut self, parts: &[&[u8]], after: Content) -> io::Result<()> {
        let file = match self {
            Self::Standard(stream) => return standard::write(stream, parts, after),
            Self::Direct(file) => file,
            Self::File(file, _) => file.file(),
        };
        parts.iter().try_for_each(|part| file.write_all(part))
    }
}

/// The place of a file that need not exist: however a path names it, it is the same.
#[derive(Debug, PartialEq, Eq)]
pub struct Place {
    folder: FolderId,
    pub name: OsString,
}

impl Place {
    pub fn of(file: &Path) -> io::Result<Self> {
        let name = file.file_name();
        Ok(Self {
            name: name
                .ok_or_else(|| io::Error::other("this is no file name"))?
                .to_owned(),
            folder: folder_id(folder(file))?,
        })
    }

    /// Whether it is in this folder.
    pub fn is_in(&self, folder: &Path) -> bool {
        folder_id(folder).is_ok_and(|id| id == self.folder)
    }
}

/// What tells a folder from every other.
#[cfg(unix)]
type FolderId = (u64, u64);
#[cfg(not(unix))]
type FolderId = PathBuf;

#[cfg(unix)]
fn folder_id(folder: &Path) -> io::Result<FolderId> {
    use std::os::unix::fs::MetadataExt;
    let found = fs::metadata(folder)?;
    Ok((found.dev(), found.ino()))
}

#[cfg(not(unix))]
fn folder_id(folder: &Path) -> io::Result<FolderId> {
    fs::canonicalize(folder)
}

/// Standard output, if it goes to this file: it may stand in the middle of it, as behind `>>`.
#[cfg(unix)]
fn standard_output(file: &Metadata) -> Option<&'static File> {
    use std::os::unix::fs::MetadataExt;
    let stream = standard::stream().ok()?;
    let own = stream.metadata().ok()?;
    ((own.dev(), own.ino()) == (file.dev(), file.ino())).then_some(stream)
}

#[cfg(not(unix))]
fn standard_output(_: &Metadata) -> Option<&'static File> {
    None
}

/// The file that a path names: through symbolic links, which stay, to a file that does not exist.
fn destination(path: &Path) -> io::Result<PathBuf> {
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
    fn long_records_and_many_short_ones_come_in_their_order() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let mut output = Output::create(Some(&path)).unwrap();
        let mut all = Vec::new();
        for length in [1, 1000, BUFFER - 1, 1, 3 * BUFFER, BUFFER, 0, BUFFER + 1, 7] {
            let record: Vec<u8> = (0..length).map(|i| (i % 251) as u8).collect();
            output.write(&record).unwrap();
            all.extend(record);
        }
        output.finish().unwrap();
        assert!(fs::read(&path).unwrap() == all);
    }
}
