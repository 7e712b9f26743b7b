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

/// What is wrong with a sparse matrix, a permutation, or their sizes. Indices count from 0.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
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
