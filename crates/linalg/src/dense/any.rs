//! Matrices over a field that is known at run time only, and their determinants, compiled in this crate, once for each field.

use std::any::{Any, TypeId};
use std::borrow::Cow;

use sunzi_field::{AnyField, Rows, with_field};
use thiserror::Error;

use super::condensation;
use super::decomposition::{SystemError, determinant};
use super::matrix::{DenseMatrix, ShapeError};
use super::product::MatrixField;
use crate::row_order;

/// A dense matrix over some field.
///
/// ```
/// use sunzi_field::AnyField;
/// use sunzi_linalg::dense::AnyDenseMatrix;
///
/// let field = AnyField::modulo_word(101)?;
/// let matrix = AnyDenseMatrix::new(&field, 2, 2, vec![1, 2, 3, 4])?;
/// assert_eq!(matrix.condensed_determinant()?, [99]); // 1·4 − 2·3
/// assert_eq!(matrix.determinant()?, [99]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct AnyDenseMatrix {
    field: AnyField,
    /// A `DenseMatrix` of the field's elements.
    matrix: Box<dyn Any + Send + Sync>,
}

/// What is wrong with a matrix over a field found at run time.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AnyMatrixError {
    /// The numbers of rows, columns and entries do not fit.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// A system has no answer.
    #[error(transparent)]
    System(#[from] SystemError),
    /// An entry is no element of the field.
    #[error("entry {index} is not in the field: entries are residues from 0 to p − 1")]
    EntryOutside {
        /// Which one, row by row, from 0 upward.
        index: usize,
    },
    /// The elements are of another type than those of the field.
    #[error(
        "the matrix is over another field: its elements must be those of the field that is named"
    )]
    OtherField,
}

impl AnyDenseMatrix {
    /// The matrix whose entries, row by row, are rows of words each.
    ///
    /// # Errors
    /// [`AnyMatrixError::Shape`] if they are not as many as rows and columns make; [`AnyMatrixError::EntryOutside`] if one
    /// is no element of the field, or not whole.
    pub fn new(
        field: &AnyField,
        rows: usize,
        columns: usize,
        words: Vec<u64>,
    ) -> Result<Self, AnyMatrixError> {
        fn typed<F: Rows>(
            field: &F,
            [rows, columns]: [usize; 2],
            words: Vec<u64>,
        ) -> Result<Box<dyn Any + Send + Sync>, AnyMatrixError> {
            if !words.len().is_multiple_of(F::WIDTH) {
                let index = words.len() / F::WIDTH;
                return Err(AnyMatrixError::EntryOutside { index });
            }
            let entries = F::from_rows(words);
            let outside = entries.iter().position(|&entry| !field.is_canonical(entry));
            match outside {
                Some(index) => Err(AnyMatrixError::EntryOutside { index }),
                None => Ok(Box::new(DenseMatrix::new(rows, columns, entries)?)),
            }
        }
        Ok(Self {
            field: field.clone(),
            matrix: with_field!(field, field => typed(field, [rows, columns], words)?),
        })
    }

    /// The matrix whose entries are given by the indices of rows of words, as
    /// a reader of Matrix Market files gives them. Rows move within their memory, and are copied
    /// where several entries have the same.
    ///
    /// ```
    /// use sunzi_field::AnyField;
    /// use sunzi_linalg::DenseMatrix;
    /// use sunzi_linalg::dense::AnyDenseMatrix;
    ///
    /// let field = AnyField::generalized_fermat(10, 2)?; // 10² + 1
    /// let indices = DenseMatrix::new(2, 2, vec![1, 0, 0, 1])?;
    /// let matrix = AnyDenseMatrix::of_rows(&field, indices, vec![0, 0, 3, 1])?;
    /// assert_eq!(matrix.determinant()?, [8, 6]); // 13² ≡ 68
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`AnyMatrixError::EntryOutside`] if there is no such row, or it is no element of the field.
    pub fn of_rows(
        field: &AnyField,
        indices: DenseMatrix<u32>,
        rows: Vec<u64>,
    ) -> Result<Self, AnyMatrixError> {
        let (lines, columns) = (indices.rows(), indices.columns());
        let words = row_order::arranged(indices.into_entries(), rows, field.width())
            .map_err(|index| AnyMatrixError::EntryOutside { index })?;
        Self::new(field, lines, columns, words)
    }

    /// A matrix of elements whose type the caller knows. Elements that are not canonical give unspecified results.
    ///
    /// # Errors
    /// [`AnyMatrixError::OtherField`] if they are none of the field's type.
    pub fn over<F: Rows>(
        field: &AnyField,
        matrix: DenseMatrix<F::Elem>,
    ) -> Result<Self, AnyMatrixError> {
        if with_field!(field, field => field.type_id()) != TypeId::of::<F>() {
            return Err(AnyMatrixError::OtherField);
        }
        Ok(Self {
            field: field.clone(),
            matrix: Box::new(matrix),
        })
    }

    /// The field that entries are of.
    pub fn field(&self) -> &AnyField {
        &self.field
    }

    /// The matrix of elements, whose type the caller knows.
    ///
    /// # Errors
    /// [`AnyMatrixError::OtherField`] if they are none of the field's type.
    pub fn elements<F: Rows>(&self) -> Result<&DenseMatrix<F::Elem>, AnyMatrixError> {
        let is_same = with_field!(&self.field, field => field.type_id()) == TypeId::of::<F>();
        let matrix = self.matrix.downcast_ref().filter(|_| is_same);
        matrix.ok_or(AnyMatrixError::OtherField)
    }

    /// The shape: rows and columns.
    pub fn shape(&self) -> (usize, usize) {
        fn typed<F: Rows>(_: &F, matrix: &AnyDenseMatrix) -> (usize, usize) {
            let matrix = matrix.elements::<F>();
            matrix.map_or((0, 0), |matrix| (matrix.rows(), matrix.columns()))
        }
        with_field!(&self.field, field => typed(field, self))
    }

    /// The entries, row by row, as rows of words.
    pub fn words(&self) -> Cow<'_, [u64]> {
        fn typed<'a, F: Rows>(_: &F, matrix: &'a AnyDenseMatrix) -> Cow<'a, [u64]> {
            let matrix = matrix.elements::<F>();
            matrix.map_or(Cow::Borrowed(&[]), |matrix| F::rows(matrix.entries()))
        }
        with_field!(&self.field, field => typed(field, self))
    }

    /// The field, and the matrix of its elements.
    pub(super) fn into_parts(self) -> (AnyField, Box<dyn Any + Send + Sync>) {
        (self.field, self.matrix)
    }

    /// A matrix of this field's elements.
    pub(super) fn of(field: &AnyField, matrix: Box<dyn Any + Send + Sync>) -> Self {
        Self {
            field: field.clone(),
            matrix,
        }
    }

    /// The row of the determinant, by elimination in blocks, which takes the matrix's own memory.
    ///
    /// # Errors
    /// [`AnyMatrixError::Shape`] if the matrix is not square.
    pub fn determinant(self) -> Result<Vec<u64>, AnyMatrixError> {
        fn typed<F: MatrixField + Rows>(
            field: &F,
            matrix: Box<dyn Any + Send + Sync>,
        ) -> Result<Vec<u64>, AnyMatrixError> {
            let matrix = matrix.downcast::<DenseMatrix<F::Elem>>();
            let matrix = matrix.map_err(|_| AnyMatrixError::OtherField)?;
            Ok(F::into_rows(vec![determinant(field, *matrix)?]))
        }
        with_field!(&self.field, field => typed(field, self.matrix))
    }

    /// The same by elimination of a copy.
    ///
    /// # Errors
    /// As [`AnyDenseMatrix::determinant`].
    pub fn determinant_of_copy(&self) -> Result<Vec<u64>, AnyMatrixError> {
        fn typed<F: MatrixField + Rows>(
            field: &F,
            matrix: &AnyDenseMatrix,
        ) -> Result<Vec<u64>, AnyMatrixError> {
            let copy = matrix.elements::<F>()?.clone();
            Ok(F::into_rows(vec![determinant(field, copy)?]))
        }
        with_field!(&self.field, field => typed(field, self))
    }

    /// The same by condensation ([`condensation`]).
    ///
    /// # Errors
    /// As [`AnyDenseMatrix::determinant`].
    pub fn condensed_determinant(&self) -> Result<Vec<u64>, AnyMatrixError> {
        fn typed<F: MatrixField + Rows>(
            field: &F,
            matrix: &dyn Any,
        ) -> Result<Vec<u64>, AnyMatrixError> {
            let matrix = matrix.downcast_ref::<DenseMatrix<F::Elem>>();
            let matrix = matrix.ok_or(AnyMatrixError::OtherField)?;
            let found = condensation::determinant(field, matrix)?;
            Ok(F::into_rows(vec![found]))
        }
        with_field!(&self.field, field => typed(field, &*self.matrix))
    }
}
