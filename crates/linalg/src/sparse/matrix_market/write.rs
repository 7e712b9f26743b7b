//! From matrices to text.

use std::io::{self, Write};

use dashu_int::IBig;

use super::header::ValueKind;
use crate::DenseMatrix;
use crate::sparse::CsrMatrix;

/// Values that Matrix Market files can hold.
pub trait Written {
    /// What the header calls them.
    const KIND: ValueKind;

    /// Writes a space and the value, if it has one.
    ///
    /// # Errors
    /// If `out` does not take it, or the format has no word for it (NaN, infinities).
    fn write(&self, out: &mut impl Write) -> io::Result<()>;
}

impl Written for f64 {
    const KIND: ValueKind = ValueKind::Real;

    /// The shortest decimal that reads back as the same double.
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        if !self.is_finite() {
            let sentence = format!("{self} has no place in a Matrix Market file");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, sentence));
        }
        write!(out, " {self:?}")
    }
}

impl Written for () {
    const KIND: ValueKind = ValueKind::Pattern;

    fn write(&self, _out: &mut impl Write) -> io::Result<()> {
        Ok(())
    }
}

macro_rules! written_integers {
    ($($integer:ty),*) => {$(
        impl Written for $integer {
            const KIND: ValueKind = ValueKind::Integer;

            fn write(&self, out: &mut impl Write) -> io::Result<()> {
                write!(out, " {self}")
            }
        }
    )*};
}

written_integers!(i8, i32, i64, u32, u64, IBig);

fn kind_word(kind: ValueKind) -> &'static str {
    match kind {
        ValueKind::Real => "real",
        ValueKind::Integer => "integer",
        ValueKind::Pattern => "pattern",
    }
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
    mut out: impl Write,
    matrix: &CsrMatrix<E>,
    comment: &str,
) -> io::Result<()> {
    let (rows, columns, count) = (matrix.rows(), matrix.columns(), matrix.nnz());
    write_head::<E>(&mut out, "coordinate", comment)?;
    writeln!(out, "{rows} {columns} {count}")?;
    for (row, column, value) in matrix.triplets() {
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
    mut out: impl Write,
    matrix: &DenseMatrix<E>,
    comment: &str,
) -> io::Result<()> {
    if E::KIND == ValueKind::Pattern {
        let sentence = "a pattern can't be written as an array";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, sentence));
    }
    write_head::<E>(&mut out, "array", comment)?;
    writeln!(out, "{} {}", matrix.rows(), matrix.columns())?;
    for j in 0..matrix.columns() {
        for i in 0..matrix.rows() {
            matrix[(i, j)].write(&mut out)?;
            out.write_all(b"\n")?;
        }
    }
    out.flush()
}

fn write_head<E: Written>(out: &mut impl Write, format: &str, comment: &str) -> io::Result<()> {
    let kind = kind_word(E::KIND);
    writeln!(out, "%%MatrixMarket matrix {format} {kind} general")?;
    for line in comment.lines() {
        writeln!(out, "% {line}")?;
    }
    Ok(())
}
