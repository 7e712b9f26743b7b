//! Exact determinants of rational matrices.

use dashu_int::ops::Gcd;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use super::integer_determinant;
use super::{DenseMatrix, ShapeError};

/// The determinant of a matrix of rational numbers, exactly.
///
/// Each row is multiplied by the least common multiple of its denominators; the integers' determinant is
/// divided by these multiples again.
///
/// ```
/// use dashu_ratio::RBig;
/// use sunzi_linalg::{DenseMatrix, dense::rational_determinant};
///
/// let hilbert = DenseMatrix::from_fn(3, 3, |i, j| RBig::from_parts(1.into(), (i + j + 1).into()));
/// assert_eq!(rational_determinant(&hilbert)?.to_string(), "1/2160");
/// # Ok::<(), sunzi_linalg::dense::ShapeError>(())
/// ```
///
/// # Errors
/// [`ShapeError::NotSquare`] if the matrix is not square.
pub fn rational_determinant(matrix: &DenseMatrix<RBig>) -> Result<RBig, ShapeError> {
    matrix.order()?;
    let (integers, multiple) = clear_denominators(matrix);
    Ok(RBig::from_parts(integer_determinant(&integers)?, multiple))
}

/// The matrix with each row multiplied by the least common multiple of its denominators, and the product of
/// these multiples, by which the determinant grows.
///
/// ```
/// use dashu_int::{IBig, UBig};
/// use dashu_ratio::RBig;
/// use sunzi_linalg::{DenseMatrix, dense::clear_denominators};
///
/// let half = RBig::from_parts(1.into(), 2u8.into());
/// let (integers, multiple) = clear_denominators(&DenseMatrix::new(1, 2, vec![half, RBig::ONE])?);
/// assert_eq!(integers.entries(), [IBig::from(1), IBig::from(2)]);
/// assert_eq!(multiple, UBig::from(2u8));
/// # Ok::<(), sunzi_linalg::dense::ShapeError>(())
/// ```
pub fn clear_denominators(matrix: &DenseMatrix<RBig>) -> (DenseMatrix<IBig>, UBig) {
    let multiples: Vec<UBig> = (0..matrix.rows())
        .map(|i| common_denominator(matrix.row(i)))
        .collect();
    let integers = DenseMatrix::from_fn(matrix.rows(), matrix.columns(), |i, j| {
        let entry = &matrix[(i, j)];
        entry.numerator() * IBig::from(&multiples[i] / entry.denominator())
    });
    (integers, multiples.iter().product())
}

/// The least common multiple of the denominators.
fn common_denominator(row: &[RBig]) -> UBig {
    row.iter().fold(UBig::ONE, |multiple, entry| {
        let denominator = entry.denominator();
        let common = (&multiple).gcd(denominator);
        multiple * (denominator / common)
    })
}
