//! What is wrong with a sparse matrix.

use std::fmt;

use sunzi_machine::memory::OutOfMemory;
use thiserror::Error;

/// A row or a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// Across.
    Row,
    /// Down.
    Column,
}

impl Line {
    /// A column for a row, a row for a column.
    pub(super) fn across(self) -> Self {
        match self {
            Self::Row => Self::Column,
            Self::Column => Self::Row,
        }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Row => "row",
            Self::Column => "column",
        })
    }
}

/// What is wrong with a sparse matrix, a permutation, their sizes, or what is asked of them. Indices count from 0.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum SparseError {
    /// More rows or columns than 32-bit indices reach.
    #[error("{count} {line}s are too many: at most 2^32 - 1 are supported")]
    TooManyLines {
        /// Rows or columns.
        line: Line,
        /// How many.
        count: usize,
    },
    /// The list of starts doesn't have one element for each line and one for the end.
    #[error("a matrix of {lines} {line}s has {} starts of {line}s, and {starts} are there", lines + 1)]
    StartsCount {
        /// Rows or columns.
        line: Line,
        /// How many lines.
        lines: usize,
        /// How many starts.
        starts: usize,
    },
    /// The first line doesn't begin with the first entry.
    #[error("the first {line} starts at entry {start} instead of 0")]
    FirstStart {
        /// Rows or columns.
        line: Line,
        /// Where it starts.
        start: usize,
    },
    /// A line ends before it starts.
    #[error("{line} {index} starts at entry {start} and ends before it, at {end}")]
    StartsDescend {
        /// Row or column.
        line: Line,
        /// Which.
        index: usize,
        /// Where it starts.
        start: usize,
        /// Where the next one starts.
        end: usize,
    },
    /// The last line doesn't end with the last entry.
    #[error(
        "the {line}s hold {end} entries in all, but {indices} indices and {values} values are there"
    )]
    LastStart {
        /// Rows or columns.
        line: Line,
        /// The last start.
        end: usize,
        /// Indices given.
        indices: usize,
        /// Values given.
        values: usize,
    },
    /// An index beyond the last line of the other kind.
    #[error("{line} {index} has an entry in {} {entry}, and there are {width}", line.across())]
    IndexRange {
        /// Row or column.
        line: Line,
        /// Which.
        index: usize,
        /// The index of the entry in it.
        entry: usize,
        /// How many there are.
        width: usize,
    },
    /// Indices of a line that don't ascend, or repeat.
    #[error("{line} {index} has an entry in {} {entry} after one in {before}: indices must ascend and not repeat", line.across())]
    IndexOrder {
        /// Row or column.
        line: Line,
        /// Which.
        index: usize,
        /// The index that comes first.
        before: u32,
        /// The index that comes next.
        entry: u32,
    },
    /// A triplet outside the matrix.
    #[error(
        "entry {position} is in row {row} and column {column}, outside a matrix of {rows} by {columns}"
    )]
    TripletRange {
        /// Its place in the list.
        position: usize,
        /// Its row.
        row: u32,
        /// Its column.
        column: u32,
        /// Rows of the matrix.
        rows: usize,
        /// Columns of the matrix.
        columns: usize,
    },
    /// An entry of a matrix over a field found at run time, or of a vector, is no element of the field.
    #[error("entry {index} of the {of} is not in the field: entries are residues from 0 to p − 1")]
    EntryOutside {
        /// `matrix` or `vector`.
        of: &'static str,
        /// Which one, row by row, from 0 upward.
        index: usize,
    },
    /// No permutation, since an index is too large or comes twice.
    #[error("place {place} of a permutation of {length} has {index}, which {}", if *index as usize >= *length { "is too large" } else { "came before" })]
    NotPermutation {
        /// The place.
        place: usize,
        /// The index there.
        index: u32,
        /// The length.
        length: usize,
    },
    /// Other things than a permutation orders.
    #[error("{found} things cannot be put in an order of {expected}")]
    Things {
        /// How many it orders.
        expected: usize,
        /// How many are there.
        found: usize,
    },
    /// A permutation or a vector of another length than the matrix has rows or columns.
    #[error("{what} has length {found}, and the matrix has {expected} {line}s")]
    Length {
        /// What has the wrong length.
        what: &'static str,
        /// Rows or columns.
        line: Line,
        /// The length it must have.
        expected: usize,
        /// The length it has.
        found: usize,
    },
    /// The matrix isn't square.
    #[error(
        "the matrix has {rows} rows and {columns} columns; conjugate gradients need a square one"
    )]
    NotSquare {
        /// Its rows.
        rows: usize,
        /// Its columns.
        columns: usize,
    },
    /// The matrix isn't symmetric. Counted from 0.
    #[error(
        "the entries in row {row}, column {column} and in its mirror image differ; conjugate gradients need a symmetric matrix"
    )]
    NotSymmetric {
        /// The row of an entry.
        row: u32,
        /// Its column.
        column: u32,
    },
    /// A diagonal entry that isn't positive.
    #[error(
        "the diagonal entry in row {row} is not positive; conjugate gradients need a positive definite matrix"
    )]
    Diagonal {
        /// The row, from 0.
        row: usize,
    },
    /// A direction in which the matrix isn't positive.
    #[error(
        "iteration {iteration} found a vector p with p·A·p = {product:e}; conjugate gradients need a positive definite matrix"
    )]
    NotPositive {
        /// The iteration, from 1.
        iteration: usize,
        /// p·A·p, where b is scaled so that its largest element is between 1 and 2.
        product: f64,
    },
    /// A number that isn't finite in what was given.
    #[error("{what} {index} is not finite")]
    NotFinite {
        /// `entry` of the matrix or `element` of the right side.
        what: &'static str,
        /// Its place.
        index: usize,
    },
    /// Numbers became too large for doubles.
    #[error("iteration {iteration} left the range of doubles: scale the system")]
    Overflow {
        /// The iteration, from 1.
        iteration: usize,
    },
    /// A tolerance that can't be met.
    #[error("the tolerance is {0}, and must be a number of at least 0")]
    Tolerance(f64),
    /// t is not between 0 and 1.
    #[error("t = {stop} does not lie between 0 and 1 (both excluded): 0.9 is usual")]
    Stop {
        /// The value of t.
        stop: f64,
    },
    /// An unknown name.
    #[error(
        "`{0}` is no family of matrices: there are chessboard:M,N,K, matching:N,K, grid2d:X,Y, grid2d9:X,Y, grid3d:X,Y,Z, grid3d27:X,Y,Z, rmat:LOG2N,DEGREE, circuit:NODES and lp:COLUMNS"
    )]
    Family(String),
    /// Parameters that aren't as many natural numbers as the family wants.
    #[error("`{text}`: {name} is written {form}, with natural numbers below 2^32")]
    Parameters {
        /// The family.
        name: &'static str,
        /// How it is written.
        form: &'static str,
        /// What was given.
        text: String,
    },
    /// A parameter out of range.
    #[error("{0}")]
    Range(&'static str),
    /// A matrix with too many rows, columns or entries.
    #[error("{0} has more rows, columns or entries than 32 bits count")]
    TooLarge(String),
    /// Not enough memory.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
}

impl SparseError {
    /// Refuses what should have one element for each line, of which there are `expected`.
    pub(super) fn check_length(
        what: &'static str,
        line: Line,
        expected: usize,
        found: usize,
    ) -> Result<(), Self> {
        if expected == found {
            return Ok(());
        }
        Err(Self::Length {
            what,
            line,
            expected,
            found,
        })
    }
}
