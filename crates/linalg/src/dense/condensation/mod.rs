//! Determinants by condensation.
//!
//! **Problem.** The determinant of a square matrix A of order n over a prime field.
//!
//! **Algorithm.** A condensation step turns A into a matrix B of order n − 1 (A. Salem and K. Said,
//! "Condensation: a new algorithm for computing determinants", 2008; thesis of 2013, §7.2). Its pivot
//! p = a_{0,ℓ} is the first non-zero of the first row; where there is none, the determinant is 0. Rows
//! are never exchanged, and every entry of B is a minor of order 2:
//!
//! - b_{i,j} = p·a_{i+1,j+1} − a_{i+1,ℓ}·a_{0,j+1} for j ≥ ℓ, and b_{i,j} = −p·a_{i+1,j} for j < ℓ;
//! - det A = det B / p^(n−2).
//!
//! With the first row divided by p beforehand, p·a becomes a, the sign of the columns left of ℓ goes to
//! the determinant, and det A = (−1)^ℓ·p·det B: half the products, for an inversion a step. Three such
//! steps make one pass over memory: the first three rows are reduced among each other until each has a
//! one in its own pivot's column and zeros in those of the others; then every other row loses the
//! combination of them that it has in these columns. [`Variant`] names the three.
//!
//! **Bounds.** None: arithmetic is exact, and n = 0 gives 1.
//!
//! **Floor.** n³/3 products; over fields of word size 2·n³/3 multiplications in vectors, since the
//! reductions of three products are shared.

mod pivot_powers;
mod unit_pivots;

use sunzi_field::Field;

use super::matrix::DenseMatrix;
use super::row_steps::rows_of_square;
use crate::elimination::RowByRow;
use crate::error::MatrixError;

/// How condensation treats pivots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Variant {
    /// The matrices of Salem and Said, whose pivots' powers are divided out in the end: 2n³/3 products and
    /// a single inversion.
    PivotPowers,
    /// The pivots' row is divided by the pivot: n³/3 products and n inversions.
    UnitPivots,
    /// The same, three steps in one pass over memory: the fastest.
    #[default]
    ThreeSteps,
}

impl Variant {
    /// Every variant.
    pub const ALL: [Self; 3] = [Self::PivotPowers, Self::UnitPivots, Self::ThreeSteps];
}

/// The determinant over any field by condensation, by the fastest [`Variant`].
///
/// Takes n³/3 products and n inversions, bands of rows in parallel. Elements that are not canonical give
/// unspecified values.
///
/// ```
/// use sunzi::field::{Field, Fp64, GeneralizedFermat};
/// use sunzi::matrix::{DenseMatrix, condensation};
///
/// let matrix = DenseMatrix::new(3, 3, vec![0, 0, 2, 0, 3, 1, 5, 1, 1])?;
/// let field = Fp64::new((1 << 60) - (1 << 18) + 1)?;
/// assert_eq!(condensation::determinant(&field, &matrix)?, field.from_i64(-30));
///
/// let field = GeneralizedFermat::<4>::new((1 << 59) + (1 << 58) + (1 << 11))?; // P4
/// let matrix = matrix.map(|&entry| field.from_u64(entry));
/// assert_eq!(condensation::determinant(&field, &matrix)?, field.from_i64(-30));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`MatrixError::NotSquare`] if the matrix is not square.
pub fn determinant<F: Field>(
    field: &F,
    matrix: &DenseMatrix<F::Elem>,
) -> Result<F::Elem, MatrixError> {
    determinant_by(Variant::default(), field, matrix)
}

/// The determinant by one variant of condensation.
///
/// ```
/// use sunzi::field::Fp32;
/// use sunzi::matrix::DenseMatrix;
/// use sunzi::matrix::condensation::{Variant, determinant_by};
///
/// let field = Fp32::new(101)?;
/// let matrix = DenseMatrix::new(2, 2, vec![1, 2, 3, 4])?;
/// for variant in Variant::ALL {
///     assert_eq!(determinant_by(variant, &field, &matrix)?, 99);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`MatrixError::NotSquare`] if the matrix is not square.
pub fn determinant_by<F: Field>(
    variant: Variant,
    field: &F,
    matrix: &DenseMatrix<F::Elem>,
) -> Result<F::Elem, MatrixError> {
    let mut rows = rows_of_square(matrix)?;
    let work = RowByRow::of(rows.len());
    Ok(match variant {
        Variant::PivotPowers => pivot_powers::determinant(field, &mut rows, &work),
        Variant::UnitPivots => unit_pivots::determinant::<F, 1, 2>(field, &mut rows, &work),
        Variant::ThreeSteps => unit_pivots::determinant::<F, 3, 4>(field, &mut rows, &work),
    })
}

/// The place of the first non-zero element.
fn first_non_zero<F: Field>(field: &F, row: &[F::Elem]) -> Option<usize> {
    let zero = field.zero();
    row.iter().position(|&element| element != zero)
}

/// The determinant of a matrix of order below 3, or `None` for a larger one.
fn small_determinant<F: Field>(field: &F, rows: &[Vec<F::Elem>]) -> Option<F::Elem> {
    match rows {
        [] => Some(field.one()),
        [row] => Some(row[0]),
        [first, second] => Some(field.sub(
            field.mul(first[0], second[1]),
            field.mul(first[1], second[0]),
        )),
        _ => None,
    }
}
