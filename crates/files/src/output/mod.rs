//! Where results go: standard output, or a file that appears only when it is complete.

pub mod compression;
pub(crate) mod removal;
pub mod standard;
mod unfinished;

use crate::failure::{Failure, reason};
use compression::Compressor;
use standard::Content;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::mem;
use std::path::{Path, PathBuf, is_separator};
use unfinished::{Unfinished, folder};

/// Bytes collected before they are written.
const BUFFER: usize = 1 << 18;

/// The destination of the results.
///
/// A regular file appears by [`Output::finish`]; an `Output` that is dropped before leaves nothing behind. Devices and
/// pipes are written directly. What goes to a name that ends in `.gz` is compressed by gzip.
pub struct Output {
    sink: Sink,
    compressor: Option<Compressor>,
    /// What is written next, behind which there is `content`: whole records, but of what [`Output::fill`] lets write
    /// any part of it.
    buffer: Vec<u8>,
    content: Content,
    name: String,
    /// The option that named it.
    option: &'static str,
}

/// What bytes are written to. A document can be open on any of the streams until the program ends, and so are they.
enum Sink {
    Standard(&'static File),
    Direct(&'static File),
    File(Unfinished, Place),
}

/// Where bytes go to, such that two outputs must not go to the same.
#[derive(PartialEq, Eq)]
pub enum Destination<'a> {
    /// Standard output.
    Standard,
    /// A file that is to get a name.
    File(&'a Place),
}

/// Symbolic links that are followed one after the other, as many as Linux follows.
const MAX_LINKS: usize = 40;

impl Output {
    /// Standard output for `None` and `-`, else the file, which `-o` named.
    pub fn create(path: Option<&Path>) -> Result<Self, Failure> {
        match path.filter(|&path| path != Path::new("-")) {
            Some(path) => Self::create_named("-o", path),
            None => {
                let stream = standard::stream();
                let stream = stream.map_err(|error| standard::failure(standard::NAME, error))?;
                let name = standard::NAME;
                Ok(Self::new(Sink::Standard(stream), name.to_owned(), name))
            }
        }
    }

    /// The file that an option named.
    pub fn create_named(option: &'static str, path: &Path) -> Result<Self, Failure> {
        let name = path.display().to_string();
        if let Some(end) = compression::other(path) {
            return Err(Failure::Usage(format!(
                "a name that ends in .{end} is for a compressed file, which is not what is written: give {option} another \
                 name, which may end in .gz, or compress the file afterwards"
            )));
        }
        match Sink::open(path) {
            Ok(sink) => Ok(Self {
                compressor: compression::is_by_gzip(path).then(Compressor::new),
                ..Self::new(sink, name, option)
            }),
            Err(error) => Err(Failure::Usage(format!(
                "{name}: the output file cannot be made: {}",
                reason(&error)
            ))),
        }
    }

    fn new(sink: Sink, name: String, option: &'static str) -> Self {
        Self {
            sink,
            compressor: None,
            buffer: Vec::with_capacity(BUFFER),
            content: Content::Whole,
            name,
            option,
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
        Self::finish_all([Ok(self)])
    }

    /// Does so for several that have been written, none of which gets its name before all are complete. That nobody
    /// reads a stream any more keeps no file from its place.
    pub fn finish_all(
        written: impl IntoIterator<Item = Result<Self, Failure>>,
    ) -> Result<(), Failure> {
        let mut outputs = Vec::new();
        let mut read = Ok(());
        for output in written {
            match output.and_then(Self::completed) {
                Ok(output) => outputs.push(output),
                Err(Failure::ReaderGone) => read = Err(Failure::ReaderGone),
                Err(failure) => return Err(failure),
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

    /// Refuses outputs of which two would go to the same file.
    pub fn distinct(outputs: &[&Self]) -> Result<(), Failure> {
        for (index, output) in outputs.iter().enumerate() {
            let Some(destination) = output.destination() else {
                continue;
            };
            for before in &outputs[..index] {
                if before.destination().as_ref() == Some(&destination) {
                    return Err(Failure::Usage(format!(
                        "{}: {} and {} name the same file: give each a file of its own",
                        output.name, before.option, output.option
                    )));
                }
            }
        }
        Ok(())
    }

    /// Where it goes to; nowhere in particular if that takes whatever comes, as devices do.
    pub fn destination(&self) -> Option<Destination<'_>> {
        match &self.sink {
            Sink::Standard(_) => Some(Destination::Standard),
            Sink::Direct(_) => None,
            Sink::File(_, place) => Some(Destination::File(place)),
        }
    }

    /// With everything written.
    fn completed(mut self) -> Result<Self, Failure> {
        match self.complete() {
            Ok(()) => Ok(self),
            Err(error) => Err(self.failure(error)),
        }
    }

    fn complete(&mut self) -> io::Result<()> {
        self.flush()?;
        match self.compressor.take() {
            Some(compressor) => {
                compressor.finish(|compressed| self.sink.write(&[compressed], Content::Whole))
            }
            None => Ok(()),
        }
    }

    fn push(&mut self, parts: &[&[u8]], after: Content) -> io::Result<()> {
        let length: usize = parts.iter().map(|part| part.len()).sum();
        if self.buffer.len() + length > BUFFER {
            self.flush()?;
        }
        if length > BUFFER {
            self.send(parts, after)?;
        } else {
            parts
                .iter()
                .for_each(|part| self.buffer.extend_from_slice(part));
        }
        self.content = after;
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        let mut buffer = mem::take(&mut self.buffer);
        let sent = self.send(&[&buffer], self.content);
        buffer.clear();
        self.buffer = buffer;
        sent
    }

    fn send(&mut self, parts: &[&[u8]], after: Content) -> io::Result<()> {
        let Some(compressor) = &mut self.compressor else {
            return self.sink.write(parts, after);
        };
        let mut write = |compressed: &[u8]| self.sink.write(&[compressed], Content::Whole);
        parts
            .iter()
            .try_for_each(|part| compressor.compress(part, &mut write))
    }

    fn failure(&self, error: io::Error) -> Failure {
        match self.sink {
            Sink::Standard(_) => standard::failure(standard::NAME, error),
            Sink::Direct(_) => standard::failure(&self.name, error),
            Sink::File(..) => Failure::Output {
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
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Self::file(destination(path)?);
            }
            // A name that cannot be made at all is told before the work.
            Err(error) => return Err(error),
        };
        if existing.is_dir() {
            return Err(io::Error::other("this is a folder"));
        }
        if let Some(stream) = standard::at(&existing) {
            return Ok(Self::Standard(stream));
        }
        if !existing.is_file() {
            let file = OpenOptions::new().write(true).open(path)?;
            return Ok(Self::Direct(Box::leak(Box::new(file))));
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
            Self::Standard(stream) | Self::Direct(stream) => {
                return standard::write(stream, parts, after);
            }
            Self::File(file, _) => file.file(),
        };
        parts.iter().try_for_each(|part| file.write_all(part))
    }
}

/// The place of a file that need not exist: however a path names it, it is the same.
#[derive(Debug, PartialEq, Eq)]
pub struct Place {
    folder: FolderId,
    /// Its name in its folder.
    pub name: OsString,
}

impl Place {
    /// The place of this name.
    ///
    /// # Errors
    /// If it is no name of a file, or its folder does not exist.
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

/// The file that a path names: through symbolic links, which stay, to a file that does not exist.
fn destination(path: &Path) -> io::Result<PathBuf> {
    let mut target = path.to_owned();
    for _ in 0..=MAX_LINKS {
        match fs::read_link(&target) {
            // An absolute link replaces the whole path.
            Ok(next) => target = target.parent().unwrap_or(Path::new("")).join(next),
            Err(_) if names_a_folder(&target) => {
                return Err(io::Error::other("this is the name of a folder"));
            }
            Err(_) => return Ok(target),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Whether a name is one that only a folder can have, as `new/` and `new/.` are.
fn names_a_folder(path: &Path) -> bool {
    let name = path.as_os_str().as_encoded_bytes();
    let name = name.strip_suffix(b".").unwrap_or(name);
    name.last().is_some_and(|&byte| is_separator(byte.into()))
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
