//! From matrices to text.

use std::io::{self, Write};

use super::header::{Format, Symmetry, ValueKind};
use super::symmetry;
use super::values::{WriteValue, refused};
use crate::matrix::CsrMatrix;
use sunzi_linalg::dense::DenseMatrix;

/// Writes a sparse matrix, row by row, as a `coordinate` file; every line of `comment` becomes a comment. Of two entries
/// that mirror each other only one is written: of a symmetric matrix those on and below the diagonal, of a
/// skew-symmetric one those below it (whose file has no place for zeros that are stored on the diagonal). What is written
/// reads back equal. Give a buffered writer.
///
/// Takes O(m + τ) time, and a copy of the matrix to check a symmetry; [`Symmetry::of`] finds it.
///
/// ```
/// use sunzi::sparse::{CsrMatrix, matrix_market};
/// use sunzi::sparse::matrix_market::Symmetry;
///
/// let matrix = CsrMatrix::from_triplets(2, 3, &[(1, 2, 0.1)])?;
/// let mut file = Vec::new();
/// matrix_market::write(&mut file, &matrix, Symmetry::General, "one entry")?;
/// let lines = "%%MatrixMarket matrix coordinate real general\n% one entry\n2 3 1\n2 3 0.1\n";
/// assert_eq!(String::from_utf8(file)?, lines);
///
/// let matrix = CsrMatrix::from_triplets(2, 2, &[(0, 1, -3), (1, 0, 3)])?;
/// let mut file = Vec::new();
/// matrix_market::write(&mut file, &matrix, Symmetry::SkewSymmetric, "")?;
/// let lines = "%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 3\n";
/// assert_eq!(String::from_utf8(file)?, lines);
///
/// let error = matrix_market::write(Vec::new(), &matrix, Symmetry::Symmetric, "").unwrap_err();
/// assert_eq!(error.to_string(), "the matrix is not symmetric: see row 1, column 2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If `out` fails, or a value is not finite; also if the matrix does not have that symmetry, or a pattern is to be
/// skew-symmetric: then nothing is written.
pub fn write<E: WriteValue + Copy>(
    mut out: impl Write,
    matrix: &CsrMatrix<E>,
    symmetry: Symmetry,
    comment: &str,
) -> io::Result<()> {
    symmetry::check(matrix, symmetry)?;
    let is_stored = |&(row, column, _): &(u32, u32, E)| symmetry.is_stored(row, column);
    let count = match symmetry {
        Symmetry::General => matrix.nnz(),
        _ => matrix.iter().filter(is_stored).count(),
    };
    write_head::<E>(&mut out, Format::Coordinate, symmetry, comment)?;
    writeln!(out, "{} {} {count}", matrix.rows(), matrix.columns())?;
    for (row, column, value) in matrix.iter().filter(is_stored) {
        write!(out, "{} {}", u64::from(row) + 1, u64::from(column) + 1)?;
        value.write(&mut out)?;
        out.write_all(b"\n")?;
    }
    out.flush()
}

/// Writes a dense matrix, column by column, as an `array` file, as [`write()`] does. A pattern has no arrays: `E` must
/// have values.
///
/// ```
/// use sunzi::matrix::DenseMatrix;
/// use sunzi::sparse::matrix_market;
/// use sunzi::sparse::matrix_market::Symmetry;
///
/// let matrix = DenseMatrix::new(2, 2, vec![4i64, 1, 1, 5])?;
/// let mut file = Vec::new();
/// matrix_market::write_dense(&mut file, &matrix, Symmetry::General, "")?;
/// assert_eq!(String::from_utf8(file)?, "%%MatrixMarket matrix array integer general\n2 2\n 4\n 1\n 1\n 5\n");
///
/// let mut file = Vec::new();
/// matrix_market::write_dense(&mut file, &matrix, Symmetry::Symmetric, "")?;
/// assert_eq!(String::from_utf8(file)?, "%%MatrixMarket matrix array integer symmetric\n2 2\n 4\n 1\n 5\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`write()`]; also if `E` is `()`.
pub fn write_dense<E: WriteValue>(
    mut out: impl Write,
    matrix: &DenseMatrix<E>,
    symmetry: Symmetry,
    comment: &str,
) -> io::Result<()> {
    if E::KIND == ValueKind::Pattern {
        return Err(refused("a pattern can't be written as an array".to_owned()));
    }
    symmetry::check_dense(matrix, symmetry)?;
    let (rows, columns) = (matrix.rows(), matrix.columns());
    write_head::<E>(&mut out, Format::Array, symmetry, comment)?;
    writeln!(out, "{rows} {columns}")?;
    let places = (0..columns).flat_map(|j| (0..rows).map(move |i| (i, j)));
    for place in places.filter(|&(i, j)| symmetry.is_stored(i, j)) {
        matrix[place].write(&mut out)?;
        out.write_all(b"\n")?;
    }
    out.flush()
}

fn write_head<E: WriteValue>(
    out: &mut impl Write,
    format: Format,
    symmetry: Symmetry,
    comment: &str,
) -> io::Result<()> {
    writeln!(out, "%%MatrixMarket matrix {format} {} {symmetry}", E::KIND)?;
    for line in comment.lines() {
        writeln!(out, "% {line}")?;
    }
    Ok(())
}
