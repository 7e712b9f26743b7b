//! Text files as lines: unpacked, with comments skipped, and errors that stay.
//!
//! - [`Unpacked`] reads a file that is packed by gzip, or not packed at all, and refuses other packings by name.
//! - [`Scanner`] cuts its bytes into lines, in any number of pieces, and skips comments.
//!
//! Three rules hold for all files. An error once seen is the answer to every later read, so that nobody can take it
//! for the end of the file. A carriage return stands only in front of a line feed or at the end of the file: to some
//! programs it ends a line by itself, so that two would read different numbers. And comments and blanks are limited
//! by the data between them ([`Scanner::pay`]), because gzip packs a thousand of them into a byte.

mod scanner;
mod steady;
mod unpacked;

pub use scanner::{End, FREE_IDLE, IDLE_PER_DATA, Scanner, TextError};
pub use unpacked::Unpacked;
