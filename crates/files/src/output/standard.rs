//! Standard output and other streams, and the JSON document that is open on one of them.
//!
//! Results go there in whole records, so that the document can be closed wherever the program has to end early.

use crate::failure::Failure;
use std::fmt::{self, Display, Write as _};
use std::fs::{File, Metadata};
use std::io::{self, Write as _};
use std::ptr;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// Its name in sentences.
pub const NAME: &str = "standard output";

/// What stands behind what is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Nothing, whole lines, or a whole document.
    Whole,
    /// A document whose array of results has no end yet.
    Open,
}

/// The stream on which such a document is open: of the results of a command, one is a document at most.
type Open = Option<&'static File>;

/// That stream; locked while any is written to.
static OPEN: Mutex<Open> = Mutex::new(None);

/// Takes all streams from all others for as long as the guard lives. Takes no memory.
pub fn lock() -> MutexGuard<'static, Open> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Standard output without the buffer that the language gives it, or why there is none.
pub fn stream() -> io::Result<&'static File> {
    static STREAM: OnceLock<File> = OnceLock::new();
    if start::was_closed() {
        return Err(io::Error::other("it is closed"));
    }
    if let Some(stream) = STREAM.get() {
        return Ok(stream);
    }
    let stream = system::duplicate()?;
    Ok(STREAM.get_or_init(|| stream))
}

/// Standard output, if it goes to this file, in the middle of which it may stand, as behind `>>`; or to this pipe or
/// terminal. Other devices, such as the null device, take whatever is written to them by whomever.
#[cfg(unix)]
pub fn at(file: &Metadata) -> Option<&'static File> {
    use std::io::IsTerminal;
    use std::os::unix::fs::{FileTypeExt, MetadataExt};
    let stream = stream().ok()?;
    let own = stream.metadata().ok()?;
    let same = (own.dev(), own.ino()) == (file.dev(), file.ino());
    (same && (!own.file_type().is_char_device() || stream.is_terminal())).then_some(stream)
}

/// Nobody knows where it goes.
#[cfg(not(unix))]
pub fn at(_: &Metadata) -> Option<&'static File> {
    None
}

/// What an error of writing to a stream of this name means.
pub fn failure(name: &str, error: io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::ReaderGone,
        _ => Failure::Output {
            target: name.to_owned(),
            error,
        },
    }
}

/// Writes parts of one or more whole records to a stream, behind which there is `after`. Takes no memory.
pub fn write(mut stream: &'static File, parts: &[&[u8]], after: Content) -> io::Result<()> {
    let mut open = lock();
    // A write that fails leaves a part of a record, behind which no document can be closed.
    if open.is_some_and(|open| ptr::eq(open, stream)) {
        *open = None;
    }
    parts.iter().try_for_each(|part| stream.write_all(part))?;
    if after == Content::Open {
        *open = Some(stream);
    }
    Ok(())
}

/// Closes the document if one is open, and tells in it what went wrong. Takes no memory.
pub fn close(open: &mut Open, error: &dyn Display) {
    let Some(stream) = open.take() else { return };
    let mut text = Escaped {
        stream,
        bytes: [0; 512],
        length: 0,
    };
    // What cannot be written here is told on standard error.
    let _ = text.write_end(error);
}

/// A text in JSON's quotes, collected in a small buffer.
struct Escaped<W> {
    stream: W,
    bytes: [u8; 512],
    length: usize,
}

impl<W: io::Write> Escaped<W> {
    /// The end of a document behind its results.
    fn write_end(&mut self, error: &dyn Display) -> fmt::Result {
        self.put(b"\n],\"error\":\"")?;
        write!(self, "{error}")?;
        self.put(b"\"}\n")?;
        self.flush()
    }

    fn put(&mut self, bytes: &[u8]) -> fmt::Result {
        for &byte in bytes {
            if self.length == self.bytes.len() {
                self.flush()?;
            }
            self.bytes[self.length] = byte;
            self.length += 1;
        }
        Ok(())
    }

    fn flush(&mut self) -> fmt::Result {
        let bytes = &self.bytes[..self.length];
        self.length = 0;
        self.stream.write_all(bytes).map_err(|_| fmt::Error)
    }
}

impl<W: io::Write> fmt::Write for Escaped<W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        for byte in text.bytes() {
            match byte {
                b'"' | b'\\' => self.put(&[b'\\', byte])?,
                0..0x20 => {
                    let low = DIGITS[usize::from(byte % 16)];
                    self.put(&[b'\\', b'u', b'0', b'0', b'0' + byte / 16, low])?;
                }
                _ => self.put(&[byte])?,
            }
        }
        Ok(())
    }
}

#[cfg(unix)]
mod system {
    use std::fs::File;
    use std::io;
    use std::os::fd::AsFd;

    pub fn duplicate() -> io::Result<File> {
        io::stdout().as_fd().try_clone_to_owned().map(File::from)
    }
}

#[cfg(windows)]
mod system {
    use std::fs::File;
    use std::io;
    use std::os::windows::io::AsHandle;

    pub fn duplicate() -> io::Result<File> {
        io::stdout()
            .as_handle()
            .try_clone_to_owned()
            .map(File::from)
    }
}

/// Whether standard output was closed when the program started: the language opens the null device in its place,
/// before `main`, and everything that is written would be lost without a word.
#[cfg(target_os = "linux")]
mod start {
    use std::sync::atomic::{AtomicBool, Ordering};

    static CLOSED: AtomicBool = AtomicBool::new(false);

    /// The system calls what stands in this section before the language's own start.
    #[used]
    #[unsafe(link_section = ".init_array")]
    static LOOK: extern "C" fn() = look;

    extern "C" fn look() {
        // SAFETY: asking for the flags of a number that may be no open file changes nothing.
        let flags = unsafe { libc::fcntl(libc::STDOUT_FILENO, libc::F_GETFD) };
        CLOSED.store(flags == -1, Ordering::Relaxed);
    }

    pub fn was_closed() -> bool {
        CLOSED.load(Ordering::Relaxed)
    }
}

#[cfg(not(target_os = "linux"))]
mod start {
    /// Nobody knows.
    pub fn was_closed() -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_closed_with_any_error() {
        let long = "x".repeat(2000);
        for error in ["", "a \"b\" \\ c", "line\nend\t\u{1}\u{1f}", "ζ — ∞", &long] {
            let mut text = Escaped {
                stream: b"{\"results\":[\n1".to_vec(),
                bytes: [0; 512],
                length: 0,
            };
            text.write_end(&error).unwrap();
            let document: serde_json::Value = serde_json::from_slice(&text.stream).unwrap();
            assert_eq!(document["error"], error);
            assert_eq!(document["results"][0], 1);
        }
    }
}
