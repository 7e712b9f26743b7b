//! Linear algebra over a field that is known at run time only, compiled in this crate, once for each field.

use std::any::Any;

use sunzi_field::{Rows, with_field};

use super::any::{AnyDenseMatrix, AnyMatrixError};
use super::decomposition::Decomposition;
use super::matrix::DenseMatrix;
use super::product::{MatrixField, product};
use super::reduced::Solution;

/// What is wanted of an eliminated matrix.
#[derive(Clone, Copy)]
enum Wanted {
    Inverse,
    ReducedRowEchelonForm,
    Nullspace,
}

/// A matrix over some field that was made of another one, and the rank of that one.
///
/// ```
/// use sunzi_field::AnyField;
/// use sunzi_linalg::dense::AnyDenseMatrix;
///
/// let field = AnyField::modulo_word(7)?;
/// let matrix = AnyDenseMatrix::new(&field, 2, 2, vec![1, 2, 3, 6])?;
/// let reduced = matrix.reduced_row_echelon_form()?;
/// assert_eq!((reduced.rank, reduced.matrix.words().into_owned()), (1, vec![1, 2, 0, 0]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct AnyEliminated {
    /// What was asked for.
    pub matrix: AnyDenseMatrix,
    /// The rank of the matrix that was eliminated.
    pub rank: usize,
}

impl AnyDenseMatrix {
    /// The rank. Takes the matrix's own memory.
    ///
    /// ```
    /// use sunzi_field::AnyField;
    /// use sunzi_linalg::dense::AnyDenseMatrix;
    ///
    /// let field = AnyField::modulo_word(7)?;
    /// let matrix = AnyDenseMatrix::new(&field, 2, 3, vec![1, 2, 3, 2, 4, 6])?;
    /// assert_eq!(matrix.rank()?, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// None of matrices that could be made.
    pub fn rank(self) -> Result<usize, AnyMatrixError> {
        fn typed<F: MatrixField + Rows>(
            field: &F,
            matrix: Box<dyn Any + Send + Sync>,
        ) -> Result<usize, AnyMatrixError> {
            Ok(Decomposition::new(field, elements::<F>(matrix)?).rank())
        }
        let (field, matrix) = self.into_parts();
        with_field!(&field, field => typed(field, matrix))
    }

    /// The inverse ([`Decomposition::inverse`]).
    ///
    /// # Errors
    /// [`AnyMatrixError::System`] if there is none.
    pub fn inverse(self) -> Result<AnyEliminated, AnyMatrixError> {
        self.eliminated(Wanted::Inverse)
    }

    /// The reduced row echelon form ([`Decomposition::reduced_row_echelon_form`]).
    ///
    /// # Errors
    /// None of matrices that could be made.
    pub fn reduced_row_echelon_form(self) -> Result<AnyEliminated, AnyMatrixError> {
        self.eliminated(Wanted::ReducedRowEchelonForm)
    }

    /// A basis of the nullspace as columns ([`Decomposition::nullspace`]).
    ///
    /// # Errors
    /// None of matrices that could be made.
    pub fn nullspace(self) -> Result<AnyEliminated, AnyMatrixError> {
        self.eliminated(Wanted::Nullspace)
    }

    /// An X with A·X = B ([`Decomposition::solve_any`]).
    ///
    /// ```
    /// use sunzi_field::AnyField;
    /// use sunzi_linalg::dense::AnyDenseMatrix;
    ///
    /// let field = AnyField::modulo_word(101)?;
    /// let matrix = AnyDenseMatrix::new(&field, 2, 2, vec![1, 2, 3, 4])?;
    /// let right = AnyDenseMatrix::new(&field, 2, 1, vec![5, 11])?;
    /// let solution = matrix.solve_any(&right)?;
    /// assert_eq!(solution.matrix.words().into_owned(), [1, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`AnyMatrixError::System`] if there is none, or B has another number of rows; [`AnyMatrixError::OtherField`] if it
    /// is over another field.
    pub fn solve_any(self, right: &Self) -> Result<AnyEliminated, AnyMatrixError> {
        fn typed<F: MatrixField + Rows>(
            field: &F,
            matrix: Box<dyn Any + Send + Sync>,
            right: &AnyDenseMatrix,
        ) -> Result<(DenseMatrix<F::Elem>, usize), AnyMatrixError> {
            let decomposition = Decomposition::new(field, elements::<F>(matrix)?);
            let Solution { matrix, rank } = decomposition.solve_any(right.elements::<F>()?)?;
            Ok((matrix, rank))
        }
        self.check_field(right)?;
        let (any, matrix) = self.into_parts();
        with_field!(&any, field => {
            let (matrix, rank) = typed(field, matrix, right)?;
            Ok(AnyEliminated { matrix: AnyDenseMatrix::of(&any, Box::new(matrix)), rank })
        })
    }

    /// The product with a matrix on the right ([`product`]).
    ///
    /// ```
    /// use sunzi_field::AnyField;
    /// use sunzi_linalg::dense::AnyDenseMatrix;
    ///
    /// let field = AnyField::generalized_fermat(10, 2)?; // 10² + 1
    /// let matrix = AnyDenseMatrix::new(&field, 1, 1, vec![3, 1])?;
    /// assert_eq!(matrix.product(&matrix)?.words().into_owned(), [8, 6]); // 13² ≡ 68
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`AnyMatrixError::Shape`] if there is none; [`AnyMatrixError::OtherField`] if they are over different fields.
    pub fn product(&self, right: &Self) -> Result<Self, AnyMatrixError> {
        fn typed<F: MatrixField + Rows>(
            field: &F,
            left: &AnyDenseMatrix,
            right: &AnyDenseMatrix,
        ) -> Result<DenseMatrix<F::Elem>, AnyMatrixError> {
            Ok(product(
                field,
                left.elements::<F>()?,
                right.elements::<F>()?,
            )?)
        }
        self.check_field(right)?;
        with_field!(self.field(), field => {
            Ok(Self::of(self.field(), Box::new(typed(field, self, right)?)))
        })
    }

    fn eliminated(self, wanted: Wanted) -> Result<AnyEliminated, AnyMatrixError> {
        fn typed<F: MatrixField + Rows>(
            field: &F,
            matrix: Box<dyn Any + Send + Sync>,
            wanted: Wanted,
        ) -> Result<(DenseMatrix<F::Elem>, usize), AnyMatrixError> {
            let decomposition = Decomposition::new(field, elements::<F>(matrix)?);
            let found = match wanted {
                Wanted::Inverse => decomposition.inverse()?,
                Wanted::ReducedRowEchelonForm => decomposition.reduced_row_echelon_form(),
                Wanted::Nullspace => decomposition.nullspace(),
            };
            Ok((found, decomposition.rank()))
        }
        let (any, matrix) = self.into_parts();
        with_field!(&any, field => {
            let (matrix, rank) = typed(field, matrix, wanted)?;
            Ok(AnyEliminated { matrix: AnyDenseMatrix::of(&any, Box::new(matrix)), rank })
        })
    }

    fn check_field(&self, other: &Self) -> Result<(), AnyMatrixError> {
        match self.field() == other.field() {
            true => Ok(()),
            false => Err(AnyMatrixError::OtherField),
        }
    }
}

/// The matrix of elements of this field.
fn elements<F: Rows>(
    matrix: Box<dyn Any + Send + Sync>,
) -> Result<DenseMatrix<F::Elem>, AnyMatrixError> {
    let matrix = matrix.downcast::<DenseMatrix<F::Elem>>();
    Ok(*matrix.map_err(|_| AnyMatrixError::OtherField)?)
}
