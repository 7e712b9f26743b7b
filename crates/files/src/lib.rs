//! Values from the lines of files, and results into files that appear only when they are complete.
//!
//! | module | holds |
//! |---|---|
//! | [`input`] | files as lines, rows, tables and vectors, each parsed on all threads |
//! | [`numbers`] | integers, rational numbers and residues, from text and to text |
//! | [`polynomials`] | polynomials as text: lists of coefficients, or expressions in x |
//! | [`results`], [`listing`], [`style`] | results on their way to an output, as lines or in a JSON document |
//! | [`output`] | standard output, or a file that gets its name when it is complete |
//! | [`memory`] | how much memory there is, and an allocator that takes no more than allowed |
//! | [`error`] | what can go wrong, in a sentence with file, line and column |
//! | [`progress`] | a bar on a terminal for work that takes long |
//!
//! Numbers are parsed and written here, not in the program: this code is compiled once, in one unit, like kernels.
//!
//! ```
//! use sunzi_files::numbers::integers::IntegerText;
//!
//! let text = IntegerText::new();
//! let mut written = Vec::new();
//! text.write(&text.read(b"0x1f")?, &mut written);
//! assert_eq!(written, b"31");
//! assert_eq!(text.read(b"1_000").unwrap_err().offset, 1);
//! # Ok::<(), sunzi_files::input::LineError>(())
//! ```

pub mod failure;
pub mod input;
pub mod listing;
pub mod memory;
pub mod numbers;
pub mod output;
pub mod polynomials;
pub mod progress;
pub mod results;
pub mod style;
