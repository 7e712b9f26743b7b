//! Products over a field that is known at run time only, compiled in this crate, once for each field.

use std::fmt;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;

use sunzi_field::{AnyField, Rows, any_operations, with_field};

use super::error::SparseError;
use super::matrix::CsrMatrix;
use super::product::ModularProduct;
use sunzi_linalg::row_order;

/// A sparse matrix over some field, for products with vectors of rows of words; clones share its entries.
///
/// ```
/// use sunzi::field::AnyField;
/// use sunzi::sparse::{AnySparseMatrix, CsrMatrix};
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

impl AnySparseMatrix {
    /// The matrix whose values are given by the indices of rows of words, as
    /// [`ResidueRows`](super::matrix_market::ResidueRows) reads them. Rows move within their memory, and are copied where
    /// several entries have the same.
    ///
    /// # Errors
    /// [`SparseError::EntryOutside`] if there is no such row, or it is no element of the field.
    pub fn new(
        field: &AnyField,
        indices: CsrMatrix<u32>,
        rows: Vec<u64>,
    ) -> Result<Self, SparseError> {
        let shape = [indices.rows(), indices.columns()];
        let (starts, columns, values) = indices.into_parts();
        let words = row_order::arranged(values, rows, field.width())
            .map_err(|index| SparseError::EntryOutside { of: MATRIX, index })?;
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
    [Send + Sync + UnwindSafe + RefUnwindSafe] Operations for [F: ModularProduct + Rows] Over<F> as AnySparseMatrix;

    /// The rows of A·x, for those of x, on all threads.
    ///
    /// # Errors
    /// [`SparseError::Length`] if x doesn't have a row for each column; [`SparseError::EntryOutside`] if one is no element
    /// of the field, or not whole.
    pub fn mul_vector(&self, x: &[u64]) -> Result<Vec<u64>, SparseError> {
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
    ) -> Result<Self, SparseError> {
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
) -> Result<Vec<F::Elem>, SparseError> {
    let (count, rest) = (words.len() / F::WIDTH, words.len() % F::WIDTH);
    let elements = F::from_rows(words);
    let outside = elements
        .iter()
        .position(|&element| !field.is_canonical(element));
    match outside.or((rest > 0).then_some(count)) {
        Some(index) => Err(SparseError::EntryOutside { of, index }),
        None => Ok(elements),
    }
}
