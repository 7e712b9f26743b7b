//! What is wrong with a file, and where.

use std::{fmt, io};

use sunzi_text::TextError;
use thiserror::Error;

use super::header::Symmetry;
use crate::error::SparseError;

/// A Matrix Market file that can't be read, with the place.
#[derive(Debug, Error)]
pub struct MatrixMarketError {
    /// The line, counted from 1.
    pub line: u64,
    /// The column in bytes, counted from 1, where it is known.
    pub column: Option<usize>,
    /// What is wrong there.
    #[source]
    pub problem: Problem,
}

impl fmt::Display for MatrixMarketError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "line {}", self.line)?;
        if let Some(column) = self.column {
            write!(formatter, ", column {column}")?;
        }
        write!(formatter, ": {}", self.problem)
    }
}

/// What can be wrong with a Matrix Market file.
#[derive(Debug, Error)]
pub enum Problem {
    /// The file has no line at all.
    #[error("the file is empty")]
    Empty,
    /// The first line is no header.
    #[error("the first line must be of the kind `%%MatrixMarket matrix coordinate real general`")]
    NoHeader,
    /// A word of the header that is not known.
    #[error("`{found}` in the header: {expected} is expected there")]
    HeaderWord {
        /// The word.
        found: String,
        /// What may stand there.
        expected: &'static str,
    },
    /// A kind of matrix that is well-formed but has no place here.
    #[error(
        "{0} matrices are not supported: only real, integer and pattern ones are, general, symmetric or skew-symmetric"
    )]
    Unsupported(&'static str),
    /// Words of the header that exclude each other.
    #[error("a matrix can't be {0} and {1}")]
    Contradiction(&'static str, &'static str),
    /// The file ends before its sizes.
    #[error("the file ends before the line of sizes")]
    NoSizes,
    /// The line of sizes is too short or too long.
    #[error("the line of sizes has {found} numbers instead of {expected}: {names}")]
    SizeCount {
        /// Numbers found.
        found: usize,
        /// Numbers wanted.
        expected: usize,
        /// What they stand for.
        names: &'static str,
    },
    /// No natural number.
    #[error("`{0}` is no natural number")]
    NotNatural(String),
    /// A natural number beyond 64 bits, or a size beyond 32.
    #[error("`{0}` is too large")]
    TooLarge(String),
    /// Symmetry of a matrix that isn't square.
    #[error("a {symmetry} matrix is square, and this has {rows} rows and {columns} columns")]
    NotSquare {
        /// The symmetry in the header.
        symmetry: Symmetry,
        /// Rows declared.
        rows: usize,
        /// Columns declared.
        columns: usize,
    },
    /// A row or column out of range.
    #[error("{what} {index} is not among 1 to {count}")]
    Index {
        /// `row` or `column`.
        what: &'static str,
        /// The index, counted from 1.
        index: u64,
        /// How many there are.
        count: usize,
    },
    /// Entries on both sides of the diagonal that should follow from each other, and do not.
    #[error(
        "row {row}, column {column} and row {column}, column {row} are both given in a {symmetry} file, with values that do \
         not follow from each other: leave one of them out, or say `general` in the header"
    )]
    Halves {
        /// The symmetry in the header.
        symmetry: Symmetry,
        /// The row of the one below the diagonal, counted from 1.
        row: u64,
        /// Its column, counted from 1.
        column: u64,
    },
    /// A line of an entry that ends early.
    #[error("the line ends where {0} is expected")]
    Short(&'static str),
    /// Something after an entry.
    #[error("`{0}` follows after the entry, where the line should end")]
    Long(String),
    /// Text that is no number.
    #[error("`{text}` is no {kind}")]
    NotNumber {
        /// The text.
        text: String,
        /// What was expected.
        kind: &'static str,
    },
    /// NaN or an infinity.
    #[error("`{0}` is not finite")]
    NotFinite(String),
    /// A number too large for a double.
    #[error("`{0}` is too large for a double")]
    Overflow(String),
    /// An entry that the values of a caller refuse.
    #[error("{problem}")]
    Entry {
        /// Where in the entry, in bytes from its start.
        offset: usize,
        /// What is wrong there.
        problem: String,
    },
    /// A sum of entries at one place too large for a double.
    #[error(
        "the entries at one place (row {row}, column {column}) add up to more than a double holds"
    )]
    SumOverflow {
        /// Its row, counted from 1.
        row: u64,
        /// Its column, counted from 1.
        column: u64,
    },
    /// Fewer entries than declared.
    #[error("the file ends after {found} of {declared} declared entries")]
    TooFew {
        /// Entries found.
        found: u64,
        /// Entries declared.
        declared: u64,
    },
    /// More entries than declared.
    #[error("there are more entries than the {declared} that are declared")]
    TooMany {
        /// Entries declared.
        declared: u64,
    },
    /// An integer that an exponent makes far longer than its text.
    #[error(
        "the exponent of `{text}` adds more than {most} zeros to an integer: write its digits, or read it modulo a prime"
    )]
    ManyZeros {
        /// The text.
        text: String,
        /// The most zeros that an exponent may add.
        most: u32,
    },
    /// A line that doesn't end.
    #[error("the line has more than {} MiB: break it where there are spaces", most >> 20)]
    LongLine {
        /// The most bytes there may be.
        most: usize,
    },
    /// A carriage return that ends no line.
    #[error("{}", TextError::LoneReturn)]
    LoneReturn,
    /// More comments and blank lines than the entries between them excuse.
    #[error("{}", TextError::Idle)]
    Idle,
    /// A line that isn't text.
    #[error("the line is not UTF-8 text")]
    NotText,
    /// The bytes can't be read or decompressed.
    #[error("the file can't be read on: {0}")]
    Read(io::Error),
    /// The matrix is too large.
    #[error(transparent)]
    Matrix(#[from] SparseError),
}

impl From<TextError> for Problem {
    fn from(error: TextError) -> Self {
        match error {
            TextError::Read(error) => Self::Read(error),
            TextError::LoneReturn => Self::LoneReturn,
            TextError::Idle => Self::Idle,
        }
    }
}

/// Text cut short for a message.
pub(super) fn shown(text: &str) -> String {
    const MOST: usize = 40;
    if text.chars().count() <= MOST {
        text.to_owned()
    } else {
        text.chars().take(MOST).chain("...".chars()).collect()
    }
}
