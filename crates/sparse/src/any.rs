//! Products over a field that is known at run time only, compiled in this crate, once for each field.

use std::fmt;
use std::sync::Arc;

use sunzi_field::{AnyField, Rows, any_operations, with_field};
use thiserror::Error;

use super::error::SparseError;
use super::matrix::CsrMatrix;
use super::product::ModularProduct;
use sunzi_linalg::row_order;

/// A sparse matrix over some field, for products with vectors of rows of words; clones share its entries.
///
/// ```
/// use sunzi_field::AnyField;
/// use sunzi_sparse::{AnySparseMatrix, CsrMatrix};
///
/// let field = AnyField::generalized_fermat(10, 2)?; // 10² + 1
/// // 42  0  3
/// //  0  3  0
/// let indices = CsrMatrix::new(2, 3, vec![0, 2, 3], vec![0, 2, 1], vec![0, 1, 1])?;
/// let matrix = AnySparseMatrix::new(&field, indices, vec![2, 4, 3, 0])?;
/// assert_eq!(matrix.mul_vector(&[1, 0, 5, 0, 0, 1])?, [2, 7, 5, 1]); // 42·1 + 3·10, 3·5
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct AnySparseMatrix(Arc<dyn Operations>, AnyField);

impl fmt::Debug for AnySparseMatrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("AnySparseMatrix");
        shown.field("field", &self.1).finish_non_exhaustive()
    }
}

/// What is wrong with a sparse matrix over a field found at run time, or with a vector.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum AnySparseError {
    /// The vector and the matrix do not fit.
    #[error(transparent)]
    Sparse(#[from] SparseError),
    /// An entry is no element of the field.
    #[error("entry {index} of the {of} is not in the field: entries are residues from 0 to p − 1")]
    EntryOutside {
        /// `matrix` or `vector`.
        of: &'static str,
        /// Which one, row by row, from 0 upward.
        index: usize,
    },
}

impl AnySparseMatrix {
    /// The matrix whose values are given by the indices of rows of words, as
    /// [`ResidueRows`](super::matrix_market::ResidueRows) reads them. Rows move within their memory, and are copied where
    /// several entries have the same.
    ///
    /// # Errors
    /// [`AnySparseError::EntryOutside`] if there is no such row, or it is no element of the field.
    pub fn new(
        field: &AnyField,
        indices: CsrMatrix<u32>,
        rows: Vec<u64>,
    ) -> Result<Self, AnySparseError> {
        let shape = [indices.rows(), indices.columns()];
        let (starts, columns, values) = indices.into_parts();
        let words = row_order::arranged(values, rows, field.width())
            .map_err(|index| AnySparseError::EntryOutside { of: MATRIX, index })?;
        let (any, places) = (field.clone(), (shape, starts, columns));
        with_field!(field, field => Ok(Self(Arc::new(Over::new(field, places, words)?), any)))
    }
}

const MATRIX: &str = "matrix";
const VECTOR: &str = "vector";

struct Over<F: Rows> {
    field: F,
    matrix: CsrMatrix<F::Elem>,
}

any_operations! {
    [Send + Sync] Operations for [F: ModularProduct + Rows] Over<F> as AnySparseMatrix;

    /// The rows of A·x, for those of x, on all threads.
    ///
    /// # Errors
    /// [`SparseError::Length`] if x doesn't have a row for each column; [`AnySparseError::EntryOutside`] if one is no element
    /// of the field, or not whole.
    pub fn mul_vector(&self, x: &[u64]) -> Result<Vec<u64>, AnySparseError> {
        let x = elements(&self.field, x.to_vec(), VECTOR)?;
        let y = self.matrix.mul_vector_mod(&self.field, &x)?;
        Ok(F::into_rows(y))
    }
}

type Places = ([usize; 2], Vec<usize>, Vec<u32>);

impl<F: Rows> Over<F> {
    fn new(
        field: &F,
        ([rows, columns], starts, indices): Places,
        words: Vec<u64>,
    ) -> Result<Self, AnySparseError> {
        let values = elements(field, words, MATRIX)?;
        Ok(Self {
            field: field.clone(),
            matrix: CsrMatrix::new(rows, columns, starts, indices, values)?,
        })
    }
}

/// The elements of rows, which must be some.
fn elements<F: Rows>(
    field: &F,
    words: Vec<u64>,
    of: &'static str,
) -> Result<Vec<F::Elem>, AnySparseError> {
    let (count, rest) = (words.len() / F::WIDTH, words.len() % F::WIDTH);
    let elements = F::from_rows(words);
    let outside = elements
        .iter()
        .position(|&element| !field.is_canonical(element));
    match outside.or((rest > 0).then_some(count)) {
        Some(index) => Err(AnySparseError::EntryOutside { of, index }),
        None => Ok(elements),
    }
}
