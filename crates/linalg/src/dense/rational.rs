//! Exact determinants of rational matrices.

use sunzi_integer::{Integer, Natural, Rational};

use super::integer::integer_determinant;
use super::matrix::DenseMatrix;
use crate::error::MatrixError;

/// The determinant of a matrix of rational numbers, exactly.
///
/// Each row is multiplied by the least common multiple of its denominators; the integers' determinant is
/// divided by these multiples again.
///
/// # Errors
/// [`MatrixError::NotSquare`] if the matrix is not square.
pub(crate) fn rational_determinant(
    matrix: &DenseMatrix<Rational>,
) -> Result<Rational, MatrixError> {
    matrix.order()?;
    let (integers, multiple) = clear_denominators(matrix);
    Ok(Rational::from_parts(
        integer_determinant(&integers)?,
        multiple,
    ))
}

/// The matrix with each row multiplied by the least common multiple of its denominators, and the product of
/// these multiples, by which the determinant grows.
///
/// ```
/// use sunzi::{Integer, Natural, Rational};
/// use sunzi::matrix::{DenseMatrix, clear_denominators};
///
/// let half = Rational::from_parts(1.into(), 2u8.into());
/// let (integers, multiple) = clear_denominators(&DenseMatrix::new(1, 2, vec![half, Rational::ONE])?);
/// assert_eq!(integers.entries(), [Integer::from(1), Integer::from(2)]);
/// assert_eq!(multiple, Natural::from(2u8));
/// # Ok::<(), sunzi::matrix::MatrixError>(())
/// ```
pub fn clear_denominators(matrix: &DenseMatrix<Rational>) -> (DenseMatrix<Integer>, Natural) {
    let multiples = RowMultiples::new(matrix);
    (multiples.integers(), multiples.product())
}

/// By what the rows of a matrix are multiplied so that its entries are integers: the least common multiple of each
/// row's denominators.
///
/// [`clear_denominators`] in steps, so that callers know beforehand how large the integers are: one small
/// denominator makes all numerators of its row longer.
///
/// ```
/// use sunzi::Rational;
/// use sunzi::matrix::{DenseMatrix, RowMultiples};
///
/// let tiny = Rational::from_parts(1.into(), sunzi::Natural::ONE << 1000);
/// let matrix = DenseMatrix::new(1, 2, vec![tiny, Rational::ONE])?;
/// let multiples = RowMultiples::new(&matrix);
/// assert!((125..150).contains(&multiples.digit_bytes()));
/// assert_eq!(multiples.integers()[(0, 1)], multiples.product());
/// # Ok::<(), sunzi::matrix::MatrixError>(())
/// ```
#[derive(Clone, Debug)]
pub struct RowMultiples<'a> {
    matrix: &'a DenseMatrix<Rational>,
    multiples: Vec<Natural>,
}

impl<'a> RowMultiples<'a> {
    /// Finds them; they take no more digits than the denominators.
    pub fn new(matrix: &'a DenseMatrix<Rational>) -> Self {
        let rows = (0..matrix.rows()).map(|i| common_denominator(matrix.row(i)));
        Self {
            matrix,
            multiples: rows.collect(),
        }
    }

    /// At most about how many bytes the digits of the integers take.
    pub fn digit_bytes(&self) -> u64 {
        let bits = |entry: &Rational, multiple: usize| match entry.is_zero() {
            true => 0,
            false => entry.numerator().bit_len() + 1 + multiple - entry.denominator().bit_len(),
        };
        let rows = self.multiples.iter().enumerate().map(|(i, multiple)| {
            let multiple = multiple.bit_len();
            let bytes = self.matrix.row(i).iter();
            bytes
                .map(|entry| bits(entry, multiple).div_ceil(8) as u64)
                .sum::<u64>()
        });
        rows.sum()
    }

    /// The rows, each multiplied.
    pub fn integers(&self) -> DenseMatrix<Integer> {
        DenseMatrix::from_fn(self.matrix.rows(), self.matrix.columns(), |i, j| {
            let entry = &self.matrix[(i, j)];
            entry.numerator() * Integer::from(&self.multiples[i] / entry.denominator())
        })
    }

    /// The multiple of each row.
    pub fn multiples(&self) -> &[Natural] {
        &self.multiples
    }

    /// The product of all, by which the determinant grows.
    pub fn product(&self) -> Natural {
        self.multiples.iter().product()
    }
}

/// The least common multiple of the denominators.
fn common_denominator(row: &[Rational]) -> Natural {
    row.iter().fold(Natural::ONE, |multiple, entry| {
        let denominator = entry.denominator();
        let common = multiple.gcd(denominator);
        multiple * (denominator / common)
    })
}
