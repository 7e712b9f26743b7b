//! Matrices over a prime field, eliminated: rank, determinant, solutions of square systems, inverse.

use super::echelon::{self, Echelon};
use super::matrix::DenseMatrix;
use super::panels::Panels;
use super::product::{BlockKernels, MatrixField};
use super::view::{View, ViewMut};
use crate::error::MatrixError;

/// A matrix over a prime field as P·A = L·E, with L unit lower triangular and E in row echelon form.
///
/// It is made once, in O(n³) operations of which all but O(n²) are products of blocks, and then tells the
/// rank, the determinant, and solutions for any number of right sides in O(n²) each. The algorithm is
/// recursive elimination (C.-P. Jeannerod, C. Pernet, A. Storjohann, *Rank-profile revealing Gaussian
/// elimination and the CUP matrix decomposition*, 2013), on all threads of the current pool; the results do not
/// depend on their number.
///
/// ```
/// use sunzi::field::Fp32;
/// use sunzi::matrix::{Decomposition, DenseMatrix};
///
/// let field = Fp32::new(101)?;
/// let matrix = DenseMatrix::new(2, 2, vec![1, 2, 3, 4])?;
/// let decomposition = Decomposition::new(&field, matrix);
/// assert_eq!(decomposition.rank(), 2);
/// assert_eq!(decomposition.determinant()?, 101 - 2);
/// let solution = decomposition.solve(&DenseMatrix::new(2, 1, vec![5, 11])?)?;
/// assert_eq!(solution.entries(), [1, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Decomposition<'a, F: MatrixField> {
    pub(super) field: &'a F,
    /// L below the pivots, E from them on.
    pub(super) matrix: DenseMatrix<F::Elem>,
    pub(super) echelon: Echelon,
}

impl<'a, F: MatrixField> Decomposition<'a, F> {
    /// Eliminates a matrix of any shape, whose entries are canonical residues; others give unspecified
    /// results.
    pub fn new(field: &'a F, mut matrix: DenseMatrix<F::Elem>) -> Self {
        let (rows, columns) = (matrix.rows(), matrix.columns());
        let view = ViewMut::new(matrix.entries_mut(), rows, columns);
        let echelon = echelon::eliminate(field, view);
        Self {
            field,
            matrix,
            echelon,
        }
    }

    /// The rank.
    pub fn rank(&self) -> usize {
        self.echelon.pivots.len()
    }

    /// The columns of the pivots, ascending: the lexicographically first ones that are independent.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::matrix::{Decomposition, DenseMatrix};
    ///
    /// let field = Fp32::new(7)?;
    /// let matrix = DenseMatrix::new(2, 3, vec![0, 1, 2, 0, 2, 5])?;
    /// assert_eq!(Decomposition::new(&field, matrix).pivot_columns(), [1, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pivot_columns(&self) -> &[usize] {
        &self.echelon.pivots
    }

    /// The determinant of a square matrix; 1 of one without rows.
    ///
    /// # Errors
    /// [`MatrixError::NotSquare`].
    pub fn determinant(&self) -> Result<F::Elem, MatrixError> {
        let order = self.matrix.order()?;
        if self.rank() < order {
            return Ok(self.field.zero());
        }
        let diagonal = (0..order).map(|i| self.matrix[(i, i)]);
        let product = diagonal.fold(self.field.one(), |product, pivot| {
            self.field.mul(product, pivot)
        });
        Ok(if self.echelon.is_odd() {
            self.field.neg(product)
        } else {
            product
        })
    }

    /// The X with A·X = B, column by column, for an invertible A; [`Self::solve_any`] takes others, too.
    ///
    /// # Errors
    /// [`MatrixError::NotSquare`] or [`MatrixError::Singular`] of A; [`MatrixError::RightSide`] if B has another number of rows.
    pub fn solve(&self, right: &DenseMatrix<F::Elem>) -> Result<DenseMatrix<F::Elem>, MatrixError> {
        let order = self.matrix.order()?;
        if right.rows() != order {
            return Err(MatrixError::RightSide {
                rows: order,
                right: right.rows(),
            });
        }
        let rank = self.rank();
        if rank < order {
            return Err(MatrixError::Singular { rank, order });
        }
        let mut solution = right.clone();
        let columns = solution.columns();
        let mut view = ViewMut::new(solution.entries_mut(), order, columns);
        let matrix = View::new(self.matrix.entries(), order, order);
        self.echelon.exchange_rows(&mut view);
        Panels::of::<F>().each_right_side(view, |room, mut panel| {
            echelon::solve_unit_lower(self.field, room, matrix, panel.reborrow());
            echelon::solve_upper(self.field, room, matrix, panel);
        });
        Ok(solution)
    }

    /// The inverse.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::matrix::{Decomposition, DenseMatrix};
    ///
    /// let field = Fp32::new(7)?;
    /// let inverse = Decomposition::new(&field, DenseMatrix::new(2, 2, vec![2, 0, 0, 3])?).inverse()?;
    /// assert_eq!(inverse.entries(), [4, 0, 0, 5]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`MatrixError::NotSquare`]; [`MatrixError::Singular`] if it is not invertible.
    pub fn inverse(&self) -> Result<DenseMatrix<F::Elem>, MatrixError> {
        let order = self.matrix.order()?;
        let (zero, one) = (self.field.zero(), self.field.one());
        self.solve(&DenseMatrix::from_fn(order, order, |i, j| {
            if i == j { one } else { zero }
        }))
    }
}

/// The determinant of a square matrix of canonical residues, by elimination.
///
/// ```
/// use sunzi::field::Fp64;
/// use sunzi::matrix::{DenseMatrix, determinant};
///
/// let field = Fp64::new((1 << 60) - (1 << 18) + 1)?;
/// let vandermonde = DenseMatrix::new(3, 3, vec![1, 2, 4, 1, 3, 9, 1, 5, 25])?;
/// assert_eq!(determinant(&field, vandermonde)?, 6); // (3 − 2)·(5 − 2)·(5 − 3)
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`MatrixError::NotSquare`].
pub fn determinant<F: MatrixField>(
    field: &F,
    matrix: DenseMatrix<F::Elem>,
) -> Result<F::Elem, MatrixError> {
    if matrix.order()? <= <F::Kernels as BlockKernels<F>>::SMALL {
        return Ok(F::Kernels::small_determinant(field, matrix));
    }
    Decomposition::new(field, matrix).determinant()
}
