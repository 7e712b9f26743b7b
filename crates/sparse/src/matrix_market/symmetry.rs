//! The symmetry of matrices, of which files hold one half.

use std::io;

use super::error::Problem;
use super::header::{Symmetry, ValueKind};
use super::values::{WriteValue, refused};
use crate::matrix::CsrMatrix;
use sunzi_linalg::dense::DenseMatrix;

impl Symmetry {
    /// The symmetry that a matrix has: [`Symmetry::General`] if it has none.
    ///
    /// ```
    /// use sunzi::sparse::CsrMatrix;
    /// use sunzi::sparse::matrix_market::Symmetry;
    ///
    /// let matrix = CsrMatrix::from_triplets(2, 2, &[(0, 1, -3), (1, 0, 3)])?;
    /// assert_eq!(Symmetry::of(&matrix), Symmetry::SkewSymmetric);
    /// # Ok::<(), sunzi::sparse::SparseError>(())
    /// ```
    pub fn of<E: WriteValue + Copy>(matrix: &CsrMatrix<E>) -> Self {
        if matrix.rows() != matrix.columns() {
            return Self::General;
        }
        let mut symmetric = true;
        let mut skew = E::KIND != ValueKind::Pattern;
        let transposed = matrix.transposed();
        for (entry, mirrored) in matrix.iter().zip(transposed.iter()) {
            symmetric &= agree(Self::Symmetric, &entry, &mirrored);
            skew &= agree(Self::SkewSymmetric, &entry, &mirrored);
            if !(symmetric || skew) {
                break;
            }
        }
        match (symmetric, skew) {
            (true, _) => Self::Symmetric,
            (false, true) => Self::SkewSymmetric,
            (false, false) => Self::General,
        }
    }
}

/// Refuses a sparse matrix that lacks a symmetry, with the first place that shows it.
pub(super) fn check<E: WriteValue + Copy>(
    matrix: &CsrMatrix<E>,
    symmetry: Symmetry,
) -> io::Result<()> {
    if symmetry == Symmetry::General {
        return Ok(());
    }
    if symmetry == Symmetry::SkewSymmetric && E::KIND == ValueKind::Pattern {
        return Err(refused("a pattern can't be skew-symmetric".to_owned()));
    }
    check_square(symmetry, matrix.rows(), matrix.columns())?;
    // Both have as many entries, so that the first two that differ show what is wrong.
    let transposed = matrix.transposed();
    let mut pairs = matrix.iter().zip(transposed.iter());
    let wrong = pairs.find(|(entry, mirrored)| !agree(symmetry, entry, mirrored));
    match wrong {
        None => Ok(()),
        Some(((i, j, _), (k, l, _))) => {
            let (row, column) = (i, j).min((k, l));
            Err(lacks(symmetry, row as usize, column as usize))
        }
    }
}

/// Refuses a dense matrix that lacks a symmetry.
pub(super) fn check_dense<E: WriteValue>(
    matrix: &DenseMatrix<E>,
    symmetry: Symmetry,
) -> io::Result<()> {
    if symmetry == Symmetry::General {
        return Ok(());
    }
    check_square(symmetry, matrix.rows(), matrix.columns())?;
    let mut places = (0..matrix.rows()).flat_map(|i| (0..=i).map(move |j| (i, j)));
    let wrong = places.find(|&(i, j)| !mirrors(symmetry, &matrix[(i, j)], &matrix[(j, i)]));
    match wrong {
        None => Ok(()),
        Some((i, j)) => Err(lacks(symmetry, j, i)),
    }
}

/// Whether an entry and the one in its order of the transposed matrix are at one place, with values as they must be.
fn agree<E: WriteValue>(
    symmetry: Symmetry,
    entry: &(u32, u32, E),
    mirrored: &(u32, u32, E),
) -> bool {
    (entry.0, entry.1) == (mirrored.0, mirrored.1) && mirrors(symmetry, &entry.2, &mirrored.2)
}

/// Whether a value is what the one at the mirrored place says.
fn mirrors<E: WriteValue>(symmetry: Symmetry, value: &E, mirrored: &E) -> bool {
    match symmetry {
        Symmetry::General => true,
        Symmetry::Symmetric => value == mirrored,
        Symmetry::SkewSymmetric => value.is_negative_of(mirrored),
    }
}

fn check_square(symmetry: Symmetry, rows: usize, columns: usize) -> io::Result<()> {
    if rows == columns {
        return Ok(());
    }
    let problem = Problem::NotSquare {
        symmetry,
        rows,
        columns,
    };
    Err(refused(problem.to_string()))
}

fn lacks(symmetry: Symmetry, row: usize, column: usize) -> io::Error {
    let (row, column) = (row + 1, column + 1);
    refused(format!(
        "the matrix is not {symmetry}: see row {row}, column {column}"
    ))
}
