//! The obvious slow ways, which tests trust.

use std::mem;

use sunzi_field::Field;
use sunzi_integer::Integer;

use super::matrix::DenseMatrix;
use crate::error::MatrixError;

/// The determinant over any field by Gauss's elimination, an element at a time.
///
/// Takes about n³/3 products and n inversions; n = 0 gives 1.
///
/// ```
/// use sunzi::field::Fp32;
/// use sunzi::matrix::DenseMatrix;
/// use sunzi_linalg::dense::reference;
///
/// let matrix = DenseMatrix::new(2, 2, vec![1, 2, 3, 4])?;
/// assert_eq!(reference::determinant(&Fp32::new(101)?, &matrix)?, 99);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`MatrixError::NotSquare`] if the matrix is not square.
pub fn determinant<F: Field>(
    field: &F,
    matrix: &DenseMatrix<F::Elem>,
) -> Result<F::Elem, MatrixError> {
    let n = matrix.order()?;
    let mut rows: Vec<Vec<F::Elem>> = (0..n).map(|i| matrix.row(i).to_vec()).collect();
    let mut determinant = field.one();
    for k in 0..n {
        let Some(found) = (k..n).find(|&i| rows[i][k] != field.zero()) else {
            return Ok(field.zero());
        };
        if found != k {
            rows.swap(found, k);
            determinant = field.neg(determinant);
        }
        let pivot = rows[k][k];
        determinant = field.mul(determinant, pivot);
        let Some(inverse) = field.inv(pivot) else {
            return Ok(field.zero());
        };
        let (above, below) = rows.split_at_mut(k + 1);
        let top = &above[k];
        for row in below {
            let factor = field.mul(row[k], inverse);
            for j in k + 1..n {
                row[j] = field.sub(row[j], field.mul(factor, top[j]));
            }
        }
    }
    Ok(determinant)
}

/// The reduced row echelon form over any field by Gauss and Jordan's elimination, an element at a time, and the columns
/// of its pivots.
///
/// Takes about r·m·n products and r inversions for m rows, n columns and rank r.
///
/// ```
/// use sunzi::field::Fp32;
/// use sunzi::matrix::DenseMatrix;
/// use sunzi_linalg::dense::reference;
///
/// let matrix = DenseMatrix::new(2, 3, vec![2, 4, 6, 1, 2, 4])?;
/// let (form, pivots) = reference::reduced_row_echelon_form(&Fp32::new(7)?, &matrix);
/// assert_eq!((form.entries(), &pivots[..]), (&[1, 2, 0, 0, 0, 1][..], &[0, 2][..]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn reduced_row_echelon_form<F: Field>(
    field: &F,
    matrix: &DenseMatrix<F::Elem>,
) -> (DenseMatrix<F::Elem>, Vec<usize>) {
    let (mut form, mut pivots) = (matrix.clone(), Vec::new());
    let (rows, columns) = (form.rows(), form.columns());
    for column in 0..columns {
        let rank = pivots.len();
        let found = (rank..rows).find(|&i| form[(i, column)] != field.zero());
        let Some((found, inverse)) = found.and_then(|i| Some((i, field.inv(form[(i, column)])?)))
        else {
            continue;
        };
        for j in 0..columns {
            let entry = field.mul(inverse, form[(found, j)]);
            form[(found, j)] = form[(rank, j)];
            form[(rank, j)] = entry;
        }
        for i in (0..rows).filter(|&i| i != rank) {
            let factor = form[(i, column)];
            for j in 0..columns {
                let product = field.mul(factor, form[(rank, j)]);
                form[(i, j)] = field.sub(form[(i, j)], product);
            }
        }
        pivots.push(column);
    }
    (form, pivots)
}

/// The determinant over the integers by elimination without fractions: every entry on the way is a minor
/// of the matrix, so that each division leaves no remainder (E. H. Bareiss, "Sylvester's identity and
/// multistep integer-preserving Gaussian elimination", 1968).
///
/// Takes about n³ products and n³/3 divisions of integers as long as the determinant.
///
/// ```
/// use sunzi::Integer;
/// use sunzi::matrix::DenseMatrix;
/// use sunzi_linalg::dense::reference;
///
/// let matrix = DenseMatrix::new(2, 2, vec![1, 2, 3, 4])?.map(|&entry| Integer::from(entry));
/// assert_eq!(reference::integer_determinant(&matrix)?, Integer::from(-2));
/// # Ok::<(), sunzi::matrix::MatrixError>(())
/// ```
///
/// # Errors
/// [`MatrixError::NotSquare`] if the matrix is not square.
pub fn integer_determinant(matrix: &DenseMatrix<Integer>) -> Result<Integer, MatrixError> {
    let n = matrix.order()?;
    let mut rows: Vec<Vec<Integer>> = (0..n).map(|i| matrix.row(i).to_vec()).collect();
    let mut previous = Integer::ONE;
    let mut negative = false;
    for k in 0..n {
        let Some(found) = (k..n).find(|&i| !rows[i][k].is_zero()) else {
            return Ok(Integer::ZERO);
        };
        if found != k {
            rows.swap(found, k);
            negative = !negative;
        }
        let (above, below) = rows.split_at_mut(k + 1);
        let top = &above[k];
        for row in below {
            for j in k + 1..n {
                row[j] = (&top[k] * &row[j] - &row[k] * &top[j]) / &previous;
            }
        }
        previous = mem::take(&mut rows[k][k]);
    }
    Ok(if negative { -previous } else { previous })
}

/// The reduced row echelon form over the integers by elimination without fractions: d and d times the form, and the
/// columns of its pivots, which are sought in the first `columns` columns only.
///
/// As in [`integer_determinant`], every entry on the way is a minor. Takes about 2·r·m·n products and r·m·n divisions of
/// integers as long as minors of order r, for rank r.
///
/// ```
/// use sunzi::Integer;
/// use sunzi::matrix::DenseMatrix;
/// use sunzi_linalg::dense::reference;
///
/// let matrix = DenseMatrix::new(2, 3, vec![2, 4, 5, 1, 2, 4])?.map(|&entry| Integer::from(entry));
/// let (d, form, pivots) = reference::integer_row_echelon_form(&matrix, 3);
/// let three = Integer::from(3);
/// assert_eq!(d, three);
/// assert_eq!(form.row(0), [three.clone(), Integer::from(6), Integer::ZERO]);
/// assert_eq!(form.row(1), [Integer::ZERO, Integer::ZERO, three]);
/// assert_eq!(pivots, [0, 2]);
/// # Ok::<(), sunzi::matrix::MatrixError>(())
/// ```
pub fn integer_row_echelon_form(
    matrix: &DenseMatrix<Integer>,
    columns: usize,
) -> (Integer, DenseMatrix<Integer>, Vec<usize>) {
    let (m, n) = (matrix.rows(), matrix.columns());
    let mut rows: Vec<Vec<Integer>> = (0..m).map(|i| matrix.row(i).to_vec()).collect();
    let mut pivots = Vec::new();
    let mut previous = Integer::ONE;
    for column in 0..columns.min(n) {
        let rank = pivots.len();
        let Some(found) = (rank..m).find(|&i| !rows[i][column].is_zero()) else {
            continue;
        };
        rows.swap(found, rank);
        let top = mem::take(&mut rows[rank]);
        let pivot = &top[column];
        for row in rows.iter_mut().filter(|row| !row.is_empty()) {
            let factor = row[column].clone();
            for (entry, above) in row.iter_mut().zip(&top) {
                *entry = (pivot * &*entry - &factor * above) / &previous;
            }
        }
        previous = pivot.clone();
        rows[rank] = top;
        pivots.push(column);
    }
    let form = DenseMatrix::from_fn(m, n, |i, j| mem::take(&mut rows[i][j]));
    (previous, form, pivots)
}
