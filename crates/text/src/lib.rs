//! Text files as lines: decompressed, with comments skipped, and errors that stay.
//!
//! - [`Decompressed`] reads a file that is compressed by gzip, or not compressed at all, and refuses other compressions by name.
//! - [`Scanner`] cuts its bytes into lines, in any number of pieces, and skips comments.
//!
//! Three rules hold for all files. An error once seen is the answer to every later read, so that nobody can take it
//! for the end of the file. A carriage return stands only in front of a line feed or at the end of the file: to some
//! programs it ends a line by itself, so that two would read different numbers. And comments and blanks are limited
//! by the data between them ([`Scanner::pay`]), because gzip compresses a thousand of them into a byte.
//!
//! **Cost.** One pass over the bytes, in a buffer of 256 KiB: a file of any length takes little memory.
//!
//! ```
//! use sunzi_text::{Decompressed, End, Scanner};
//!
//! let mut file = Scanner::new(Decompressed::open(&b"1 2 # two\n3"[..])?);
//! let mut text = Vec::new();
//! assert_eq!(file.take(&mut text, b'#', usize::MAX)?, End::Stop);
//! assert_eq!(text, b"1 2 ");
//! file.skip_line()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod decompressed;
mod scanner;
mod steady;

pub use decompressed::Decompressed;
pub use scanner::{End, FREE_IDLE, IDLE_PER_DATA, Scanner, TextError};
