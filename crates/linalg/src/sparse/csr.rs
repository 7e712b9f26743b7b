//! Rows of non-zeros.

use std::ops::Add;

use super::compressed::Compressed;
use super::csc::CscMatrix;
use super::error::{Line, SparseError};
use super::permutation::Permutation;
use super::rearrange::GRAIN;

/// A sparse matrix stored row by row (compressed sparse rows, CSR): for every row its entries' column
/// indices, ascending, and their values.
///
/// The pattern alone is a `CsrMatrix<()>`, which takes no memory for values.
///
/// ```
/// use sunzi_linalg::sparse::{CsrMatrix, SparseError};
///
/// // 5 0 6
/// // 0 0 7
/// let matrix = CsrMatrix::new(2, 3, vec![0, 2, 3], vec![0, 2, 2], vec![5, 6, 7])?;
/// assert_eq!(matrix.get(0, 2), Some(&6));
/// assert_eq!(matrix.get(0, 1), None);
///
/// let error = CsrMatrix::new(2, 3, vec![0, 2, 3], vec![2, 0, 3], vec![5, 6, 7]).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "row 0 has an entry in column 0 after one in 2: indices must ascend and not repeat"
/// );
/// # Ok::<(), SparseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CsrMatrix<E> {
    pub(super) lines: Compressed<E>,
}

impl<E> CsrMatrix<E> {
    /// The matrix whose row i has the entries from `row_starts[i]` to `row_starts[i + 1]` of
    /// `column_indices` and `values`.
    ///
    /// # Errors
    /// A [`SparseError`] that names the first place where the starts are not `rows + 1` ascending
    /// numbers from 0 to the number of entries, or a row's indices are not ascending numbers below
    /// `columns`.
    pub fn new(
        rows: usize,
        columns: usize,
        row_starts: Vec<usize>,
        column_indices: Vec<u32>,
        values: Vec<E>,
    ) -> Result<Self, SparseError> {
        let shape = (rows, columns);
        let lines = Compressed::new(Line::Row, shape, row_starts, column_indices, values)?;
        Ok(Self { lines })
    }

    /// The number of rows m.
    #[inline]
    pub fn rows(&self) -> usize {
        self.lines.lines()
    }

    /// The number of columns n.
    #[inline]
    pub fn columns(&self) -> usize {
        self.lines.width()
    }

    /// The number τ of entries that are stored.
    #[inline]
    pub fn nnz(&self) -> usize {
        self.lines.indices().len()
    }

    /// Where each row's entries start among all, and where the last row's end: `rows + 1` numbers.
    #[inline]
    pub fn row_starts(&self) -> &[usize] {
        self.lines.starts()
    }

    /// The column of every entry, row by row.
    #[inline]
    pub fn column_indices(&self) -> &[u32] {
        self.lines.indices()
    }

    /// The value of every entry, row by row.
    #[inline]
    pub fn values(&self) -> &[E] {
        self.lines.values()
    }

    /// The value of every entry, row by row.
    pub fn values_mut(&mut self) -> &mut [E] {
        self.lines.values_mut()
    }

    /// Row starts, column indices and values.
    pub fn into_parts(self) -> (Vec<usize>, Vec<u32>, Vec<E>) {
        self.lines.into_parts()
    }

    /// The column indices and the values of row `i`.
    ///
    /// # Panics
    /// If there is no such row.
    #[inline]
    pub fn row(&self, i: usize) -> (&[u32], &[E]) {
        self.lines.line(i)
    }

    /// The value stored in row `i` and column `j`, if any. Takes a binary search in the row.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn get(&self, i: usize, j: usize) -> Option<&E> {
        self.lines.get(i, j)
    }

    /// The matrix of the values' images, at the same places.
    ///
    /// ```
    /// # use sunzi_linalg::sparse::CsrMatrix;
    /// let matrix = CsrMatrix::from_triplets(1, 2, &[(0, 1, 3)])?;
    /// assert_eq!(matrix.map(|&value| f64::from(value)).values(), [3.0]);
    /// # Ok::<(), sunzi_linalg::sparse::SparseError>(())
    /// ```
    pub fn map<T>(&self, image: impl FnMut(&E) -> T) -> CsrMatrix<T> {
        let values = self.values().iter().map(image).collect();
        CsrMatrix {
            lines: self.lines.with_values(values),
        }
    }

    /// The places of the entries alone.
    ///
    /// ```
    /// # use sunzi_linalg::sparse::*;
    /// let matrix = CsrMatrix::from_triplets(1, 2, &[(0, 1, 4)])?;
    /// assert_eq!(matrix.pattern().triplets().collect::<Vec<_>>(), [(0, 1, ())]);
    /// # Ok::<(), SparseError>(())
    /// ```
    pub fn pattern(&self) -> CsrMatrix<()> {
        self.map(|_| ())
    }

    /// The transpose, by columns: the same arrays seen otherwise.
    ///
    /// ```
    /// # use sunzi_linalg::sparse::*;
    /// let matrix = CsrMatrix::from_triplets(1, 2, &[(0, 1, 4)])?;
    /// assert_eq!(matrix.into_transposed_csc().get(1, 0), Some(&4));
    /// # Ok::<(), SparseError>(())
    /// ```
    pub fn into_transposed_csc(self) -> CscMatrix<E> {
        CscMatrix { lines: self.lines }
    }
}

impl<E: Copy> CsrMatrix<E> {
    /// The matrix of the entries (row, column, value), in any order; those at one place are summed, in the
    /// order in which they come. A sum of 0 stays an entry. O(rows + columns + entries) time.
    ///
    /// # Errors
    /// [`SparseError::TripletRange`] names the first entry outside the matrix; also if there are too
    /// many rows or columns for 32-bit indices or for the memory.
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

    /// As [`CsrMatrix::from_triplets`], with `add` for the sum of two values at one place.
    ///
    /// ```
    /// use sunzi_field::{Field, Fp32};
    /// use sunzi_linalg::sparse::CsrMatrix;
    ///
    /// let field = Fp32::new(101)?;
    /// let triplets = [(0, 0, 100), (0, 0, 2)];
    /// let matrix = CsrMatrix::from_triplets_with(1, 1, &triplets, |a, b| field.add(a, b))?;
    /// assert_eq!(matrix.values(), [1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
        let entries = triplets.iter().copied();
        let lines = Compressed::from_entries(Line::Row, (rows, columns), entries, add)?;
        Ok(Self { lines })
    }

    /// All entries as (row, column, value), row by row, each row's from left to right.
    pub fn triplets(&self) -> impl Iterator<Item = (u32, u32, E)> + Clone {
        self.lines.entries()
    }

    /// The same matrix by columns. O(m + n + τ) time.
    ///
    /// ```
    /// # use sunzi_linalg::sparse::CsrMatrix;
    /// let matrix = CsrMatrix::from_triplets(2, 2, &[(0, 1, 3), (1, 1, 4), (1, 0, 5)])?;
    /// assert_eq!(matrix.to_csc().column(1), (&[0, 1][..], &[3, 4][..]));
    /// assert_eq!(matrix.to_csc().to_csr(), matrix);
    /// # Ok::<(), sunzi_linalg::sparse::SparseError>(())
    /// ```
    pub fn to_csc(&self) -> CscMatrix<E> {
        CscMatrix {
            lines: self.lines.across(),
        }
    }

    /// Rows for columns. O(m + n + τ) time.
    ///
    /// ```
    /// # use sunzi_linalg::sparse::CsrMatrix;
    /// let matrix = CsrMatrix::from_triplets(2, 3, &[(0, 2, 3), (1, 0, 5)])?;
    /// assert_eq!(matrix.transposed().get(2, 0), Some(&3));
    /// # Ok::<(), sunzi_linalg::sparse::SparseError>(())
    /// ```
    pub fn transposed(&self) -> Self {
        Self {
            lines: self.lines.across(),
        }
    }
}

impl<E: Copy + Send + Sync> CsrMatrix<E> {
    /// The rows in another order: row k is what was row `order[k]`. O(m + τ) time.
    ///
    /// ```
    /// # use sunzi_linalg::sparse::*;
    /// let matrix = CsrMatrix::from_triplets(2, 1, &[(0, 0, 4), (1, 0, 5)])?;
    /// let permuted = matrix.permute_rows(&Permutation::new(vec![1, 0])?)?;
    /// assert_eq!(permuted.values(), [5, 4]);
    /// # Ok::<(), SparseError>(())
    /// ```
    ///
    /// # Errors
    /// [`SparseError::Length`] if the permutation is not one of the rows.
    pub fn permute_rows(&self, order: &Permutation) -> Result<Self, SparseError> {
        check_length(Line::Row, self.rows(), order)?;
        Ok(Self {
            lines: self.lines.permute_lines(order, GRAIN),
        })
    }

    /// The columns in another order: column k is what was column `order[k]`. O(m + n + τ) time.
    ///
    /// ```
    /// # use sunzi_linalg::sparse::{CsrMatrix, Permutation};
    /// let matrix = CsrMatrix::from_triplets(1, 3, &[(0, 0, 'a'), (0, 2, 'c')].map(|(i, j, c)| (i, j, c as u32)))?;
    /// let permuted = matrix.permute_columns(&Permutation::new(vec![2, 0, 1])?)?;
    /// assert_eq!(permuted.row(0), (&[0, 1][..], &['c' as u32, 'a' as u32][..]));
    /// # Ok::<(), sunzi_linalg::sparse::SparseError>(())
    /// ```
    ///
    /// # Errors
    /// [`SparseError::Length`] if the permutation is not one of the columns.
    pub fn permute_columns(&self, order: &Permutation) -> Result<Self, SparseError> {
        self.permuted(&Permutation::identity(self.rows()), order)
    }

    /// Rows and columns in other orders: entry (k, l) is what was entry (`rows[k]`, `columns[l]`).
    /// O(m + n + τ) time.
    ///
    /// ```
    /// # use sunzi_linalg::sparse::{CsrMatrix, Permutation};
    /// let matrix = CsrMatrix::from_triplets(2, 2, &[(0, 1, 7)])?;
    /// let swap = Permutation::new(vec![1, 0])?;
    /// assert_eq!(matrix.permuted(&swap, &swap)?.get(1, 0), Some(&7));
    /// # Ok::<(), sunzi_linalg::sparse::SparseError>(())
    /// ```
    ///
    /// # Errors
    /// [`SparseError::Length`] if the permutations are not one of the rows and one of the columns.
    pub fn permuted(&self, rows: &Permutation, columns: &Permutation) -> Result<Self, SparseError> {
        check_length(Line::Row, self.rows(), rows)?;
        check_length(Line::Column, self.columns(), columns)?;
        Ok(Self {
            lines: self.lines.permuted(rows, columns, GRAIN),
        })
    }
}

/// Refuses a permutation of another number of lines.
pub(super) fn check_length(
    line: Line,
    expected: usize,
    order: &Permutation,
) -> Result<(), SparseError> {
    if order.len() == expected {
        return Ok(());
    }
    Err(SparseError::Length {
        what: "the permutation",
        line,
        expected,
        found: order.len(),
    })
}

/// Refuses entries outside the matrix.
pub(super) fn check_triplets<E: Copy>(
    rows: usize,
    columns: usize,
    triplets: &[(u32, u32, E)],
) -> Result<(), SparseError> {
    let outside =
        |&(row, column, _): &(u32, u32, E)| row as usize >= rows || column as usize >= columns;
    match triplets.iter().position(outside) {
        None => Ok(()),
        Some(position) => Err(SparseError::TripletRange {
            position,
            row: triplets[position].0,
            column: triplets[position].1,
            rows,
            columns,
        }),
    }
}
