//! What is wrong with matrices, and why there is no answer.

use sunzi_machine::memory::OutOfMemory;
use thiserror::Error;

/// What is wrong with a matrix, or why what was asked of it has no answer.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MatrixError {
    /// The number of entries is another one than rows times columns.
    #[error("{rows} by {columns} entries are wanted, and {entries} are there")]
    Count {
        /// Rows asked for.
        rows: usize,
        /// Columns asked for.
        columns: usize,
        /// Entries given.
        entries: usize,
    },
    /// A row has another number of entries than the first one.
    #[error("row {row}, counted from 0, has {entries} entries, and the first row {columns}")]
    Ragged {
        /// Which one, from 0.
        row: usize,
        /// How many it has.
        entries: usize,
        /// How many the first one has.
        columns: usize,
    },
    /// A square matrix is needed.
    #[error("the matrix has {rows} rows and {columns} columns; this needs a square one")]
    NotSquare {
        /// Its rows.
        rows: usize,
        /// Its columns.
        columns: usize,
    },
    /// Two matrices have no product.
    #[error(
        "the left matrix has {columns} columns and the right one {rows} rows; a product needs as many"
    )]
    Inner {
        /// Columns of the left matrix.
        columns: usize,
        /// Rows of the right one.
        rows: usize,
    },
    /// The right sides have another number of rows than the matrix.
    #[error("the matrix has {rows} rows and the right side {right}; they must be as many")]
    RightSide {
        /// Rows of the matrix.
        rows: usize,
        /// Rows of the right side.
        right: usize,
    },
    /// The matrix has no inverse.
    #[error("the matrix is singular: its rank is {rank}, and it has {order} rows")]
    Singular {
        /// Its rank.
        rank: usize,
        /// Its order.
        order: usize,
    },
    /// No solution exists.
    #[error(
        "the system has no solution: column {} of the right side is no combination of the matrix's columns",
        column + 1
    )]
    Inconsistent {
        /// The first column of the right side without one, from 0 upward.
        column: usize,
    },
    /// An entry is no element of the field.
    #[error("entry {index} is not in the field: entries are residues from 0 to p − 1")]
    EntryOutside {
        /// Which one, row by row, from 0 upward.
        index: usize,
    },
    /// The elements are of another type than those of the field.
    #[error(
        "the matrix is over another field: its elements must be those of the field that is named"
    )]
    OtherField,
    /// An entry in floating point is infinite or no number.
    #[error(
        "the entry in row {row} and column {column}, counted from 0, is {value}; entries must be finite numbers"
    )]
    NotFinite {
        /// Its row, from 0.
        row: usize,
        /// Its column, from 0.
        column: usize,
        /// What it is.
        value: f64,
    },
    /// No named prime is large enough for a determinant over the integers.
    #[error(
        "the determinant may have {bits} bits, and the largest prime r^k + 1 with a name has {largest}: use residues or lifting"
    )]
    TooLarge {
        /// Bits that the prime would need.
        bits: u64,
        /// Bits of the largest one.
        largest: u64,
    },
    /// Images modulo primes of 31 bits were asked for that there are not.
    #[error("there are {count} primes for images, and number {number} is none of them")]
    NoSuchImage {
        /// The number.
        number: u64,
        /// How many there are, counted from 0.
        count: u64,
    },
    /// The answer would be larger than the memory.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
}
