//! Matrix Market files, plain or compressed with gzip.
//!
//! The format is that of Boisvert, Pozo and Remington, "The Matrix Market exchange formats: initial
//! design", NISTIR 5935, 1996: a header, comments, a line of sizes, and one entry a line.
//!
//! Matrices may be `coordinate` or `array`; `real`, `integer` or `pattern`; `general`, `symmetric` or `skew-symmetric`.
//! `unsigned-integer`, which other programs write, is `integer`.
//!
//! A symmetric or skew-symmetric file should hold the entries below the diagonal alone, and the symmetric one those on it.
//! What breaks this rule is read, and [`Reader::with_warnings`] tells of it:
//! - An entry above the diagonal is mirrored as those below are.
//! - Entries at one place are summed; a place that is given on both sides of the diagonal counts once, if the one value
//!   follows from the other. If it does not, the file is refused: nobody knows whether one of the two is meant or their sum,
//!   which other programs take in both cases.
//! - Entries on the diagonal of a skew-symmetric file are kept as they are.
//!
//! The caller chooses what values become: [`Reals`], [`Integers`] of any size, [`Residues`] in a field ([`ResidueRows`]
//! where it is known at run time only), or [`Places`] alone. Entries at one place are summed, as most programs do.
//! Comments may hold any bytes but lone carriage returns, and may stand between entries too; blank lines are skipped; of
//! both together there may be 256 MiB, and 64 bytes more for each byte of entries. Memory grows with the entries that
//! come, not with the number that the file declares, and reading ends with an error before there is none left.
//!
//! ```
//! use sunzi::sparse::matrix_market;
//! use sunzi::sparse::matrix_market::Reals;
//!
//! let file = "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 4\n2 1 -1.5\n";
//! let matrix = matrix_market::read(file.as_bytes(), &Reals)?;
//! assert_eq!(matrix.row(0), (&[0, 1][..], &[4.0, -1.5][..]));
//!
//! let file = "%%MatrixMarket matrix coordinate real general\n2 2 1\n\n1 3 4\n";
//! let error = matrix_market::read(file.as_bytes(), &Reals).unwrap_err();
//! assert_eq!(error.to_string(), "line 4, column 3: column 3 is not among 1 to 2");
//! # Ok::<(), matrix_market::MatrixMarketError>(())
//! ```

mod entries;
mod error;
mod halves;
mod header;
mod lines;
mod read;
mod residue_rows;
mod symmetry;
mod values;
mod warning;
mod write;

pub use error::{MatrixMarketError, Problem};
pub use header::{Format, Header, Symmetry, ValueKind};
pub use read::{Reader, read, read_dense};
pub use residue_rows::ResidueRows;
pub use values::{Integers, Places, Reals, Residues, Values, WriteValue};
pub use warning::{Warning, WarningKind};
pub use write::{write, write_dense};
