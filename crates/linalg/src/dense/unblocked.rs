//! Determinants by Gauss's elimination, one pivot and one vectorized pass over the rows at a time.
//!
//! The measure of other methods that work row by row; methods that work block by block touch memory less
//! often.

use sunzi_field::Field;

use super::matrix::DenseMatrix;
use super::row_steps::{replace_rows, rows_of_square};
use crate::error::MatrixError;

/// The determinant over any field by elimination with row operations, bands of rows in parallel.
///
/// Takes n³/3 products and n inversions. Elements that are not canonical give unspecified values.
///
/// ```
/// use sunzi::field::Fp32;
/// use sunzi::matrix::DenseMatrix;
/// use sunzi_linalg::dense::unblocked;
///
/// let matrix = DenseMatrix::new(2, 2, vec![0, 2, 3, 4])?;
/// assert_eq!(unblocked::determinant(&Fp32::new(101)?, &matrix)?, 95);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`MatrixError::NotSquare`] if the matrix is not square.
pub fn determinant<F: Field>(
    field: &F,
    matrix: &DenseMatrix<F::Elem>,
) -> Result<F::Elem, MatrixError> {
    let mut storage = rows_of_square(matrix)?;
    let mut rows = &mut storage[..];
    let mut determinant = field.one();
    // The first column is the next to be eliminated, and then dropped.
    while !rows.is_empty() {
        let Some(found) = rows.iter().position(|row| row[0] != field.zero()) else {
            return Ok(field.zero());
        };
        if found != 0 {
            rows.swap(found, 0);
            determinant = field.neg(determinant);
        }
        let [top, below @ ..] = rows else { break };
        determinant = field.mul(determinant, top[0]);
        let Some(inverse) = field.inv(top[0]) else {
            return Ok(field.zero());
        };
        let top = &top[1..];
        replace_rows(below, top.len(), |row, new| {
            let factor = field.neg(field.mul(row[0], inverse));
            field.combine_slices(new, [(field.one(), &row[1..]), (factor, top)]);
        });
        rows = below;
    }
    Ok(determinant)
}

/// The same for small orders, row by row in the matrix's own memory: nothing is taken from the system, and no kernel is started.
pub(super) fn small_determinant<F: Field>(field: &F, mut matrix: DenseMatrix<F::Elem>) -> F::Elem {
    let n = matrix.rows();
    let mut determinant = field.one();
    let mut entries = matrix.entries_mut();
    for k in 0..n {
        // The rows from the k-th on, of which the first k entries are done.
        let Some(found) = entries
            .chunks_exact(n)
            .position(|row| row[k] != field.zero())
        else {
            return field.zero();
        };
        let (top, below) = entries.split_at_mut(n);
        let top = &mut top[k..];
        if found != 0 {
            top.swap_with_slice(&mut below[(found - 1) * n..found * n][k..]);
            determinant = field.neg(determinant);
        }
        determinant = field.mul(determinant, top[0]);
        if below.is_empty() {
            break;
        }
        let Some(inverse) = field.inv(top[0]) else {
            return field.zero();
        };
        for row in below.chunks_exact_mut(n) {
            let factor = field.mul(row[k], inverse);
            for (entry, &above) in row[k + 1..].iter_mut().zip(&top[1..]) {
                *entry = field.sub(*entry, field.mul(factor, above));
            }
        }
        entries = below;
    }
    determinant
}
