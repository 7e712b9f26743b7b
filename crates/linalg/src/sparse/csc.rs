//! Columns of non-zeros.

use std::ops::Add;

use super::compressed::Compressed;
use super::csr::{CsrMatrix, check_length, check_triplets};
use super::error::{Line, SparseError};
use super::permutation::Permutation;
use super::rearrange::GRAIN;

/// A sparse matrix stored column by column (compressed sparse columns, CSC): for every column its
/// entries' row indices, ascending, and their values.
///
/// ```
/// use sunzi_linalg::sparse::{CscMatrix, SparseError};
///
/// // 5 0 6
/// // 0 0 7
/// let matrix = CscMatrix::new(2, 3, vec![0, 1, 1, 3], vec![0, 0, 1], vec![5, 6, 7])?;
/// assert_eq!(matrix.column(2), (&[0, 1][..], &[6, 7][..]));
/// assert_eq!(matrix.get(1, 0), None);
/// # Ok::<(), SparseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CscMatrix<E> {
    pub(super) lines: Compressed<E>,
}

impl<E> CscMatrix<E> {
    /// The matrix whose column j has the entries from `column_starts[j]` to `column_starts[j + 1]` of
    /// `row_indices` and `values`.
    ///
    /// # Errors
    /// A [`SparseError`] that names the first place where the starts are not `columns + 1` ascending
    /// numbers from 0 to the number of entries, or a column's indices are not ascending numbers below
    /// `rows`.
    pub fn new(
        rows: usize,
        columns: usize,
        column_starts: Vec<usize>,
        row_indices: Vec<u32>,
        values: Vec<E>,
    ) -> Result<Self, SparseError> {
        let shape = (columns, rows);
        let lines = Compressed::new(Line::Column, shape, column_starts, row_indices, values)?;
        Ok(Self { lines })
    }

    /// The number of rows m.
    #[inline]
    pub fn rows(&self) -> usize {
        self.lines.width()
    }

    /// The number of columns n.
    #[inline]
    pub fn columns(&self) -> usize {
        self.lines.lines()
    }

    /// The number τ of entries that are stored.
    #[inline]
    pub fn nnz(&self) -> usize {
        self.lines.indices().len()
    }

    /// Where each column's entries start among all, and where the last column's end: `columns + 1`
    /// numbers.
    #[inline]
    pub fn column_starts(&self) -> &[usize] {
        self.lines.starts()
    }

    /// The row of every entry, column by column.
    #[inline]
    pub fn row_indices(&self) -> &[u32] {
        self.lines.indices()
    }

    /// The value of every entry, column by column.
    #[inline]
    pub fn values(&self) -> &[E] {
        self.lines.values()
    }

    /// The value of every entry, column by column.
    pub fn values_mut(&mut self) -> &mut [E] {
        self.lines.values_mut()
    }

    /// Column starts, row indices and values.
    pub fn into_parts(self) -> (Vec<usize>, Vec<u32>, Vec<E>) {
        self.lines.into_parts()
    }

    /// The row indices and the values of column `j`.
    ///
    /// # Panics
    /// If there is no such column.
    #[inline]
    pub fn column(&self, j: usize) -> (&[u32], &[E]) {
        self.lines.line(j)
    }

    /// The value stored in row `i` and column `j`, if any. Takes a binary search in the column.
    ///
    /// # Panics
    /// If there is no such column.
    pub fn get(&self, i: usize, j: usize) -> Option<&E> {
        self.lines.get(j, i)
    }

    /// The matrix of the values' images, at the same places.
    ///
    /// ```
    /// # use sunzi_linalg::sparse::*;
    /// let matrix = CscMatrix::from_triplets(2, 1, &[(1, 0, 3)])?;
    /// assert_eq!(matrix.map(|value| value * 2).values(), [6]);
    /// assert_eq!(matrix.pattern().row_indices(), [1]);
    /// # Ok::<(), SparseError>(())
    /// ```
    pub fn map<T>(&self, image: impl FnMut(&E) -> T) -> CscMatrix<T> {
        let values = self.values().iter().map(image).collect();
        CscMatrix {
            lines: self.lines.with_values(values),
        }
    }

    /// The places of the entries alone.
    pub fn pattern(&self) -> CscMatrix<()> {
        self.map(|_| ())
    }

    /// The transpose, by rows: the same arrays seen otherwise.
    ///
    /// ```
    /// # use sunzi_linalg::sparse::*;
    /// let matrix = CscMatrix::from_triplets(1, 2, &[(0, 1, 4)])?;
    /// assert_eq!(matrix.into_transposed_csr().get(1, 0), Some(&4));
    /// # Ok::<(), SparseError>(())
    /// ```
    pub fn into_transposed_csr(self) -> CsrMatrix<E> {
        CsrMatrix { lines: self.lines }
    }
}

impl<E: Copy> CscMatrix<E> {
    /// The matrix of the entries (row, column, value), in any order; those at one place are summed, in the
    /// order in which they come. A sum of 0 stays an entry. O(rows + columns + entries) time.
    ///
    /// ```
    /// # use sunzi_linalg::sparse::*;
    /// let matrix = CscMatrix::from_triplets(2, 2, &[(1, 0, 3), (0, 0, 1), (1, 0, 4)])?;
    /// assert_eq!(matrix.column(0), (&[0, 1][..], &[1, 7][..]));
    /// # Ok::<(), SparseError>(())
    /// ```
    ///
    /// # Errors
    /// As [`CsrMatrix::from_triplets`].
    pub fn from_triplets(
        rows: usize,
        columns: usize,
        triplets: &[(u32, u32, E)],
    ) -> Result<Self, SparseError>
    where
        E: Add<Output = E>,
    {
        Self::from_triplets_with(rows, columns, triplets, |a, b| a + b)
    }

    /// As [`CscMatrix::from_triplets`], with `add` for the sum of two values at one place.
    ///
    /// # Errors
    /// As [`CsrMatrix::from_triplets`].
    pub fn from_triplets_with(
        rows: usize,
        columns: usize,
        triplets: &[(u32, u32, E)],
        add: impl FnMut(E, E) -> E,
    ) -> Result<Self, SparseError> {
        check_triplets(rows, columns, triplets)?;
        let entries = triplets
            .iter()
            .map(|&(row, column, value)| (column, row, value));
        let lines = Compressed::from_entries(Line::Column, (columns, rows), entries, add)?;
        Ok(Self { lines })
    }

    /// All entries as (row, column, value), column by column, each column's from top to bottom.
    pub fn triplets(&self) -> impl Iterator<Item = (u32, u32, E)> + Clone {
        let entries = self.lines.entries();
        entries.map(|(column, row, value)| (row, column, value))
    }

    /// The same matrix by rows. O(m + n + τ) time.
    ///
    /// ```
    /// # use sunzi_linalg::sparse::*;
    /// let matrix = CscMatrix::from_triplets(1, 2, &[(0, 0, 3), (0, 1, 4)])?;
    /// assert_eq!(matrix.to_csr().row(0), (&[0, 1][..], &[3, 4][..]));
    /// # Ok::<(), SparseError>(())
    /// ```
    pub fn to_csr(&self) -> CsrMatrix<E> {
        CsrMatrix {
            lines: self.lines.across(),
        }
    }

    /// Rows for columns. O(m + n + τ) time.
    ///
    /// ```
    /// # use sunzi_linalg::sparse::*;
    /// let matrix = CscMatrix::from_triplets(1, 2, &[(0, 1, 4)])?;
    /// assert_eq!(matrix.transposed().get(1, 0), Some(&4));
    /// # Ok::<(), SparseError>(())
    /// ```
    pub fn transposed(&self) -> Self {
        Self {
            lines: self.lines.across(),
        }
    }
}

impl<E: Copy + Send + Sync> CscMatrix<E> {
    /// The columns in another order: column k is what was column `order[k]`. O(n + τ) time.
    ///
    /// # Errors
    /// [`SparseError::Length`] if the permutation is not one of the columns.
    pub fn permute_columns(&self, order: &Permutation) -> Result<Self, SparseError> {
        check_length(Line::Column, self.columns(), order)?;
        Ok(Self {
            lines: self.lines.permute_lines(order, GRAIN),
        })
    }

    /// The rows in another order: row k is what was row `order[k]`. O(m + n + τ) time.
    ///
    /// # Errors
    /// [`SparseError::Length`] if the permutation is not one of the rows.
    pub fn permute_rows(&self, order: &Permutation) -> Result<Self, SparseError> {
        self.permuted(order, &Permutation::identity(self.columns()))
    }

    /// Rows and columns in other orders: entry (k, l) is what was entry (`rows[k]`, `columns[l]`).
    /// O(m + n + τ) time.
    ///
    /// ```
    /// # use sunzi_linalg::sparse::*;
    /// let matrix = CscMatrix::from_triplets(2, 1, &[(0, 0, 4)])?;
    /// let swap = Permutation::new(vec![1, 0])?;
    /// let permuted = matrix.permuted(&swap, &Permutation::identity(1))?;
    /// assert_eq!(permuted.get(1, 0), Some(&4));
    /// assert_eq!(permuted, matrix.permute_rows(&swap)?);
    /// # Ok::<(), SparseError>(())
    /// ```
    ///
    /// # Errors
    /// [`SparseError::Length`] if the permutations are not one of the rows and one of the columns.
    pub fn permuted(&self, rows: &Permutation, columns: &Permutation) -> Result<Self, SparseError> {
        check_length(Line::Row, self.rows(), rows)?;
        check_length(Line::Column, self.columns(), columns)?;
        Ok(Self {
            lines: self.lines.permuted(columns, rows, GRAIN),
        })
    }
}
