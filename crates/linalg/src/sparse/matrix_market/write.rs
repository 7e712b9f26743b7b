//! From matrices to text.

use std::io::{self, Write};

use dashu_int::IBig;

use super::header::{Symmetry, ValueKind};
use super::mirror::{self, is_written};
use crate::DenseMatrix;
use crate::sparse::CsrMatrix;

/// Values that Matrix Market files can hold.
pub trait Written: PartialEq {
    /// What the header calls them.
    const KIND: ValueKind;

    /// Whether the value is `−other`.
    fn is_negative_of(&self, other: &Self) -> bool;

    /// Writes a space and the value, if it has one.
    ///
    /// # Errors
    /// If `out` does not take it, or the format has no word for it (NaN, infinities).
    fn write(&self, out: &mut impl Write) -> io::Result<()>;
}

impl Written for f64 {
    const KIND: ValueKind = ValueKind::Real;

    fn is_negative_of(&self, other: &f64) -> bool {
        *self == -other
    }

    /// The shortest decimal that reads back as the same double.
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        if !self.is_finite() {
            return Err(refused(format!(
                "{self} has no place in a Matrix Market file"
            )));
        }
        write!(out, " {self:?}")
    }
}

impl Written for () {
    const KIND: ValueKind = ValueKind::Pattern;

    /// A pattern has no signs.
    fn is_negative_of(&self, (): &()) -> bool {
        false
    }

    fn write(&self, _out: &mut impl Write) -> io::Result<()> {
        Ok(())
    }
}

macro_rules! written_integers {
    ($($integer:ty),*) => {$(
        impl Written for $integer {
            const KIND: ValueKind = ValueKind::Integer;

            fn is_negative_of(&self, other: &$integer) -> bool {
                other.checked_neg() == Some(*self)
            }

            fn write(&self, out: &mut impl Write) -> io::Result<()> {
                write!(out, " {self}")
            }
        }
    )*};
}

written_integers!(i8, i32, i64, u32, u64);

impl Written for IBig {
    const KIND: ValueKind = ValueKind::Integer;

    fn is_negative_of(&self, other: &IBig) -> bool {
        *self == -other
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        write!(out, " {self}")
    }
}

fn kind_word(kind: ValueKind) -> &'static str {
    match kind {
        ValueKind::Real => "real",
        ValueKind::Integer => "integer",
        ValueKind::Pattern => "pattern",
    }
}

/// What a caller asked for and can't have.
pub(super) fn refused(sentence: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, sentence)
}

/// Writes all entries of a sparse matrix, row by row, as a `coordinate … general` file; every line of
/// `comment` becomes a comment. What is written reads back equal. Give a buffered writer.
///
/// ```
/// use sunzi_linalg::sparse::{CsrMatrix, matrix_market};
///
/// let matrix = CsrMatrix::from_triplets(2, 3, &[(1, 2, 0.1)])?;
/// let mut file = Vec::new();
/// matrix_market::write(&mut file, &matrix, "one entry")?;
/// let lines = "%%MatrixMarket matrix coordinate real general\n% one entry\n2 3 1\n2 3 0.1\n";
/// assert_eq!(String::from_utf8(file)?, lines);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If `out` fails, or a value is not finite.
pub fn write<E: Written + Copy>(
    out: impl Write,
    matrix: &CsrMatrix<E>,
    comment: &str,
) -> io::Result<()> {
    write_as(out, matrix, Symmetry::General, comment)
}

/// As [`write()`], with only one of two entries that mirror each other: those on and below the diagonal of a
/// symmetric matrix, those below it of a skew-symmetric one (whose file has no place for zeros that are stored on the
/// diagonal). Takes O(m + τ) time and a copy of the matrix to look whether it is symmetric.
///
/// ```
/// use sunzi_linalg::sparse::CsrMatrix;
/// use sunzi_linalg::sparse::matrix_market::{self, Symmetry};
///
/// let matrix = CsrMatrix::from_triplets(2, 2, &[(0, 1, -3), (1, 0, 3)])?;
/// let mut file = Vec::new();
/// matrix_market::write_as(&mut file, &matrix, Symmetry::SkewSymmetric, "")?;
/// let lines = "%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 3\n";
/// assert_eq!(String::from_utf8(file)?, lines);
///
/// let error = matrix_market::write_as(Vec::new(), &matrix, Symmetry::Symmetric, "").unwrap_err();
/// assert_eq!(error.to_string(), "the matrix is not symmetric: see row 1, column 2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`write()`]; also if the matrix does not have that symmetry, or a pattern is to be skew-symmetric; then nothing
/// is written.
pub fn write_as<E: Written + Copy>(
    mut out: impl Write,
    matrix: &CsrMatrix<E>,
    symmetry: Symmetry,
    comment: &str,
) -> io::Result<()> {
    mirror::check(matrix, symmetry)?;
    let written = |&(row, column, _): &(u32, u32, E)| is_written(symmetry, row, column);
    let count = match symmetry {
        Symmetry::General => matrix.nnz(),
        _ => matrix.triplets().filter(written).count(),
    };
    write_head::<E>(&mut out, "coordinate", symmetry, comment)?;
    writeln!(out, "{} {} {count}", matrix.rows(), matrix.columns())?;
    for (row, column, value) in matrix.triplets().filter(written) {
        write!(out, "{} {}", u64::from(row) + 1, u64::from(column) + 1)?;
        value.write(&mut out)?;
        out.write_all(b"\n")?;
    }
    out.flush()
}

/// Writes a dense matrix, column by column, as an `array … general` file, as [`write()`] does. A pattern has
/// no arrays: `E` must have values.
///
/// ```
/// use sunzi_linalg::{DenseMatrix, sparse::matrix_market};
///
/// let mut file = Vec::new();
/// matrix_market::write_dense(&mut file, &DenseMatrix::new(1, 2, vec![3i64, -4])?, "")?;
/// assert_eq!(String::from_utf8(file)?, "%%MatrixMarket matrix array integer general\n1 2\n 3\n -4\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`write()`]; also if `E` is `()`.
pub fn write_dense<E: Written>(
    out: impl Write,
    matrix: &DenseMatrix<E>,
    comment: &str,
) -> io::Result<()> {
    write_dense_as(out, matrix, Symmetry::General, comment)
}

/// As [`write_dense()`], with only those entries that [`write_as()`] writes.
///
/// ```
/// use sunzi_linalg::DenseMatrix;
/// use sunzi_linalg::sparse::matrix_market::{self, Symmetry};
///
/// let matrix = DenseMatrix::new(2, 2, vec![4i64, 1, 1, 5])?;
/// let mut file = Vec::new();
/// matrix_market::write_dense_as(&mut file, &matrix, Symmetry::Symmetric, "")?;
/// assert_eq!(String::from_utf8(file)?, "%%MatrixMarket matrix array integer symmetric\n2 2\n 4\n 1\n 5\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`write_dense()`]; also if the matrix does not have that symmetry; then nothing is written.
pub fn write_dense_as<E: Written>(
    mut out: impl Write,
    matrix: &DenseMatrix<E>,
    symmetry: Symmetry,
    comment: &str,
) -> io::Result<()> {
    if E::KIND == ValueKind::Pattern {
        return Err(refused("a pattern can't be written as an array".to_owned()));
    }
    mirror::check_dense(matrix, symmetry)?;
    let (rows, columns) = (matrix.rows(), matrix.columns());
    write_head::<E>(&mut out, "array", symmetry, comment)?;
    writeln!(out, "{rows} {columns}")?;
    let below = |&(i, j): &(usize, usize)| is_written(symmetry, i, j);
    let places = (0..columns).flat_map(|j| (0..rows).map(move |i| (i, j)));
    for place in places.filter(below) {
        matrix[place].write(&mut out)?;
        out.write_all(b"\n")?;
    }
    out.flush()
}

fn write_head<E: Written>(
    out: &mut impl Write,
    format: &str,
    symmetry: Symmetry,
    comment: &str,
) -> io::Result<()> {
    let kind = kind_word(E::KIND);
    writeln!(out, "%%MatrixMarket matrix {format} {kind} {symmetry}")?;
    for line in comment.lines() {
        writeln!(out, "% {line}")?;
    }
    Ok(())
}
