//! Text files as lines: unpacked, with comments skipped, and errors that stay.
//!
//! - [`Unpacked`] reads a file that is packed by gzip, or not packed at all, and refuses other packings by name.
//! - [`Scanner`] cuts its bytes into lines, in any number of pieces, and skips comments.
//!
//! Three rules hold for all files. An error once seen is the answer to every later read, so that nobody can take it
//! for the end of the file. A carriage return stands only in front of a line feed or at the end of the file: to some
//! programs it ends a line by itself, so that two would read different numbers. And comments and blanks are limited
//! by the data between them ([`Scanner::pay`]), because gzip packs a thousand of them into a byte.
//!
//! **Cost.** One pass over the bytes, in a buffer of 256 KiB: a file of any length takes little memory.
//!
//! ```
//! use sunzi_text::{End, Scanner, Unpacked};
//!
//! let mut file = Scanner::new(Unpacked::open(&b"1 2 # two\n3"[..])?);
//! let mut text = Vec::new();
//! assert_eq!(file.take(&mut text, b'#', usize::MAX)?, End::Stop);
//! assert_eq!(text, b"1 2 ");
//! file.skip_line()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod scanner;
mod steady;
mod unpacked;

pub use scanner::{End, FREE_IDLE, IDLE_PER_DATA, Scanner, TextError};
pub use unpacked::Unpacked;
