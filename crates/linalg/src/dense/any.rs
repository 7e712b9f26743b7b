//! Matrices over a field that is known at run time only, and linear algebra with them, compiled in this crate, once for each field.

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use sunzi_field::{AnyField, Rows, WordRows, any_operations, with_field};

use super::condensation;
use super::decomposition::{Decomposition, determinant};
use super::matrix::DenseMatrix;
use super::matrix_product::product;
use super::product::MatrixField;
use super::reduced::Solution;
use crate::error::MatrixError;
use crate::row_order;

/// A dense matrix over some field; clones share its entries.
///
/// ```
/// use sunzi::field::AnyField;
/// use sunzi::matrix::AnyDenseMatrix;
///
/// let field = AnyField::modulo_word(101)?;
/// let matrix = AnyDenseMatrix::new(&field, 2, 2, vec![1, 2, 3, 4])?;
/// assert_eq!(matrix.condensed_determinant()?, [99]); // 1·4 − 2·3
/// assert_eq!(matrix.determinant()?, [99]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct AnyDenseMatrix(Arc<dyn Operations>, AnyField);

/// What is wanted of an eliminated matrix.
#[derive(Clone, Copy)]
pub(super) enum Wanted {
    Inverse,
    ReducedRowEchelonForm,
    Nullspace,
}

/// A matrix over some field that was made of another one, and the rank of that one.
///
/// ```
/// use sunzi::field::AnyField;
/// use sunzi::matrix::AnyDenseMatrix;
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

#[derive(Clone, Debug)]
struct Over<F: Rows> {
    field: F,
    matrix: DenseMatrix<F::Elem>,
}

impl<F: MatrixField + Rows> Over<F> {
    fn new(field: &F, [rows, columns]: [usize; 2], words: Vec<u64>) -> Result<Self, MatrixError> {
        if !words.len().is_multiple_of(F::WIDTH) {
            let index = words.len() / F::WIDTH;
            return Err(MatrixError::EntryOutside { index });
        }
        let entries = F::from_rows(words);
        let outside = entries.iter().position(|&entry| !field.is_canonical(entry));
        if let Some(index) = outside {
            return Err(MatrixError::EntryOutside { index });
        }
        Ok(Self {
            field: field.clone(),
            matrix: DenseMatrix::new(rows, columns, entries)?,
        })
    }

    fn copied(
        field: &F,
        [rows, columns]: [usize; 2],
        words: WordRows<'_>,
    ) -> Result<Self, MatrixError> {
        let count = words.len() / F::WIDTH;
        if !words.len().is_multiple_of(F::WIDTH) {
            return Err(MatrixError::EntryOutside { index: count });
        }
        let mut entries = vec![field.zero(); count];
        let outside = |index| MatrixError::EntryOutside { index };
        field.copy_rows(words, &mut entries).map_err(outside)?;
        Ok(Self {
            field: field.clone(),
            matrix: DenseMatrix::new(rows, columns, entries)?,
        })
    }

    /// Another matrix over the field.
    fn another(field: F, matrix: DenseMatrix<F::Elem>) -> Arc<dyn Operations> {
        Arc::new(Self { field, matrix })
    }
}

/// A matrix made of another, whose rank was found.
type Eliminated = Result<(Arc<dyn Operations>, usize), MatrixError>;

any_operations! {
    [Any + fmt::Debug + Send + Sync] Operations for [F: MatrixField + Rows] Over<F> as AnyDenseMatrix;

    /// The shape: rows and columns.
    pub fn shape(&self) -> (usize, usize) {
        (self.matrix.rows(), self.matrix.columns())
    }

    /// The entries, row by row, as rows of words.
    pub fn words(&self) -> Cow<'_, [u64]> {
        F::rows(self.matrix.entries())
    }

    /// The same where they lie, in words of the field's size.
    pub fn word_rows(&self) -> WordRows<'_> {
        F::words(self.matrix.entries())
    }

    /// The row of the determinant, by condensation ([`condensation`]).
    ///
    /// # Errors
    /// As [`AnyDenseMatrix::determinant`].
    pub fn condensed_determinant(&self) -> Result<Vec<u64>, MatrixError> {
        let found = condensation::determinant(&self.field, &self.matrix)?;
        Ok(F::into_rows(vec![found]))
    }

    fn multiplied(&self, right: &AnyDenseMatrix) -> Result<Arc<dyn Operations>, MatrixError> {
        let product = product(&self.field, &self.matrix, right.elements::<F>()?)?;
        Ok(Self::another(self.field.clone(), product))
    }

    @owned

    /// The row of the determinant, by elimination in blocks, in the matrix's own memory if no clone shares it.
    ///
    /// # Errors
    /// [`MatrixError::NotSquare`].
    pub fn determinant(self) -> Result<Vec<u64>, MatrixError> {
        let Over { field, matrix } = Arc::unwrap_or_clone(self);
        Ok(F::into_rows(vec![determinant(&field, matrix)?]))
    }

    /// The rank, found in the matrix's own memory if no clone shares it.
    ///
    /// ```
    /// use sunzi::field::AnyField;
    /// use sunzi::matrix::AnyDenseMatrix;
    ///
    /// let field = AnyField::modulo_word(7)?;
    /// let matrix = AnyDenseMatrix::new(&field, 2, 3, vec![1, 2, 3, 2, 4, 6])?;
    /// assert_eq!(matrix.rank()?, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// None of matrices that could be made.
    pub fn rank(self) -> Result<usize, MatrixError> {
        let Over { field, matrix } = Arc::unwrap_or_clone(self);
        Ok(Decomposition::new(&field, matrix).rank())
    }

    fn eliminated(self, wanted: Wanted) -> Eliminated {
        let Over { field, matrix } = Arc::unwrap_or_clone(self);
        let decomposition = Decomposition::new(&field, matrix);
        let found = match wanted {
            Wanted::Inverse => decomposition.inverse()?,
            Wanted::ReducedRowEchelonForm => decomposition.reduced_row_echelon_form(),
            Wanted::Nullspace => decomposition.nullspace(),
        };
        let rank = decomposition.rank();
        Ok((Self::another(field, found), rank))
    }

    fn solution(self, right: &AnyDenseMatrix) -> Eliminated {
        let Over { field, matrix } = Arc::unwrap_or_clone(self);
        let decomposition = Decomposition::new(&field, matrix);
        let Solution { matrix, rank } = decomposition.solve_any(right.elements::<F>()?)?;
        Ok((Self::another(field, matrix), rank))
    }
}

impl AnyDenseMatrix {
    /// The matrix whose entries, row by row, are rows of words each.
    ///
    /// # Errors
    /// [`MatrixError::Count`] if they are not as many as rows and columns make; [`MatrixError::EntryOutside`] if one
    /// is no element of the field, or not whole.
    pub fn new(
        field: &AnyField,
        rows: usize,
        columns: usize,
        words: Vec<u64>,
    ) -> Result<Self, MatrixError> {
        let any = field.clone();
        with_field!(field, field => Ok(Self(Arc::new(Over::new(field, [rows, columns], words)?), any)))
    }

    /// The matrix whose entries, row by row, are rows in words of any size, which are copied.
    ///
    /// ```
    /// use sunzi::field::{AnyField, WordRows};
    /// use sunzi::matrix::AnyDenseMatrix;
    ///
    /// let field = AnyField::modulo_word(101)?;
    /// let matrix = AnyDenseMatrix::of_words(&field, 2, 2, WordRows::Words64(&[1, 2, 3, 4]))?;
    /// assert_eq!(matrix.word_rows(), WordRows::Words32(&[1, 2, 3, 4]));
    /// assert_eq!(matrix.clone().rank()?, 2);
    /// # Ok::<(), sunzi::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`AnyDenseMatrix::new`].
    pub fn of_words(
        field: &AnyField,
        rows: usize,
        columns: usize,
        words: WordRows<'_>,
    ) -> Result<Self, MatrixError> {
        let any = field.clone();
        with_field!(field, field => Ok(Self(Arc::new(Over::copied(field, [rows, columns], words)?), any)))
    }

    /// The matrix whose entries are given by the indices of rows of words, as
    /// a reader of Matrix Market files gives them. Rows move within their memory, and are copied
    /// where several entries have the same.
    ///
    /// ```
    /// use sunzi::field::AnyField;
    /// use sunzi::matrix::{AnyDenseMatrix, DenseMatrix};
    ///
    /// let field = AnyField::generalized_fermat(10, 2)?; // 10² + 1
    /// let indices = DenseMatrix::new(2, 2, vec![1, 0, 0, 1])?;
    /// let matrix = AnyDenseMatrix::of_rows(&field, indices, vec![0, 0, 3, 1])?;
    /// assert_eq!(matrix.determinant()?, [8, 6]); // 13² ≡ 68
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`MatrixError::EntryOutside`] if there is no such row, or it is no element of the field.
    pub fn of_rows(
        field: &AnyField,
        indices: DenseMatrix<u32>,
        rows: Vec<u64>,
    ) -> Result<Self, MatrixError> {
        let (lines, columns) = (indices.rows(), indices.columns());
        let words = row_order::arranged(indices.into_entries(), rows, field.width())
            .map_err(|index| MatrixError::EntryOutside { index })?;
        Self::new(field, lines, columns, words)
    }

    /// A matrix of elements whose type the caller knows. Elements that are not canonical give unspecified results.
    ///
    /// # Errors
    /// [`MatrixError::OtherField`] if they are none of the field's type.
    pub fn over<F: MatrixField + Rows>(
        field: &AnyField,
        matrix: DenseMatrix<F::Elem>,
    ) -> Result<Self, MatrixError> {
        let typed: &F = field.over().ok_or(MatrixError::OtherField)?;
        Ok(Self(Over::another(typed.clone(), matrix), field.clone()))
    }

    /// The field that entries are of.
    pub fn field(&self) -> &AnyField {
        &self.1
    }

    /// The matrix of elements, whose type the caller knows.
    ///
    /// # Errors
    /// [`MatrixError::OtherField`] if they are none of the field's type.
    pub fn elements<F: Rows>(&self) -> Result<&DenseMatrix<F::Elem>, MatrixError> {
        let matrix: &dyn Any = &*self.0;
        let typed = matrix.downcast_ref::<Over<F>>();
        typed
            .map(|over| &over.matrix)
            .ok_or(MatrixError::OtherField)
    }

    /// The inverse ([`Decomposition::inverse`]).
    ///
    /// # Errors
    /// [`MatrixError::NotSquare`] or [`MatrixError::Singular`] if there is none.
    pub fn inverse(self) -> Result<AnyEliminated, MatrixError> {
        self.made(|matrix| matrix.eliminated(Wanted::Inverse))
    }

    /// The reduced row echelon form ([`Decomposition::reduced_row_echelon_form`]).
    ///
    /// # Errors
    /// None of matrices that could be made.
    pub fn reduced_row_echelon_form(self) -> Result<AnyEliminated, MatrixError> {
        self.made(|matrix| matrix.eliminated(Wanted::ReducedRowEchelonForm))
    }

    /// A basis of the nullspace as columns ([`Decomposition::nullspace`]).
    ///
    /// # Errors
    /// None of matrices that could be made.
    pub fn nullspace(self) -> Result<AnyEliminated, MatrixError> {
        self.made(|matrix| matrix.eliminated(Wanted::Nullspace))
    }

    /// An X with A·X = B ([`Decomposition::solve_any`]).
    ///
    /// ```
    /// use sunzi::field::AnyField;
    /// use sunzi::matrix::AnyDenseMatrix;
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
    /// [`MatrixError::Inconsistent`] if there is none; [`MatrixError::RightSide`] if B has another number of rows;
    /// [`MatrixError::OtherField`] if it is over another field.
    pub fn solve_any(self, right: &Self) -> Result<AnyEliminated, MatrixError> {
        self.check_field(right)?;
        self.made(|matrix| matrix.solution(right))
    }

    /// The product with a matrix on the right ([`product`]).
    ///
    /// ```
    /// use sunzi::field::AnyField;
    /// use sunzi::matrix::AnyDenseMatrix;
    ///
    /// let field = AnyField::generalized_fermat(10, 2)?; // 10² + 1
    /// let matrix = AnyDenseMatrix::new(&field, 1, 1, vec![3, 1])?;
    /// assert_eq!(matrix.product(&matrix)?.words().into_owned(), [8, 6]); // 13² ≡ 68
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`MatrixError::Inner`] if there is none; [`MatrixError::OtherField`] if they are over different fields.
    pub fn product(&self, right: &Self) -> Result<Self, MatrixError> {
        self.check_field(right)?;
        Ok(Self(self.multiplied(right)?, self.1.clone()))
    }

    fn made(self, make: impl FnOnce(Self) -> Eliminated) -> Result<AnyEliminated, MatrixError> {
        let field = self.1.clone();
        let (matrix, rank) = make(self)?;
        Ok(AnyEliminated {
            matrix: Self(matrix, field),
            rank,
        })
    }

    fn check_field(&self, other: &Self) -> Result<(), MatrixError> {
        match self.field() == other.field() {
            true => Ok(()),
            false => Err(MatrixError::OtherField),
        }
    }
}
