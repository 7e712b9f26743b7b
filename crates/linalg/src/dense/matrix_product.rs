//! The product of two matrices, by panels of rows.

use super::matrix::DenseMatrix;
use super::panels::Panels;
use super::product::{MatrixField, Room};
use super::view::ViewMut;
use crate::error::MatrixError;
use sunzi_machine::threads::Work;

/// The product A·B of matrices of canonical residues; others give unspecified results.
///
/// Takes m·k·n products of residues for m by k and k by n entries, on all threads of the current pool; the result does
/// not depend on their number.
///
/// ```
/// use sunzi::field::Fp32;
/// use sunzi::matrix::{DenseMatrix, product};
///
/// let field = Fp32::new(101)?;
/// let a = DenseMatrix::new(2, 3, vec![1, 2, 3, 4, 5, 6])?;
/// let b = DenseMatrix::new(3, 1, vec![10, 20, 30])?;
/// assert_eq!(product(&field, &a, &b)?.entries(), [140 - 101, 320 - 303]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`MatrixError::Inner`] if A has not as many columns as B has rows.
pub fn product<F: MatrixField>(
    field: &F,
    a: &DenseMatrix<F::Elem>,
    b: &DenseMatrix<F::Elem>,
) -> Result<DenseMatrix<F::Elem>, MatrixError> {
    a.inner(b)?;
    let (rows, columns) = (a.rows(), b.columns());
    let mut entries = vec![field.zero(); rows * columns];
    let work = Work::new(rows as u64, "rows");
    Panels::of::<F>().subtract_product(
        field,
        &mut Room::new(),
        ViewMut::new(&mut entries, rows, columns),
        a.view(),
        b.view(),
        |rows| work.done(rows as u64),
    );
    field.neg_slice(&mut entries);
    DenseMatrix::new(rows, columns, entries)
}
