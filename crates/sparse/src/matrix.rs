//! Sparse matrices, by rows or by columns.

use std::marker::PhantomData;
use std::ops::Add;

use super::compressed::Compressed;
use super::error::{Line, SparseError};
use super::permutation::Permutation;
use super::rearrange::GRAIN;

/// The lines that a sparse matrix is stored by: [`RowMajor`] or [`ColumnMajor`].
pub trait Major: sealed::Sealed {
    /// What the lines are.
    const LINE: Line;
}

/// Row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowMajor;

/// Column by column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnMajor;

impl Major for RowMajor {
    const LINE: Line = Line::Row;
}

impl Major for ColumnMajor {
    const LINE: Line = Line::Column;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::RowMajor {}
    impl Sealed for super::ColumnMajor {}
}

/// (row, column) as (line, index in it), or the other way round.
fn oriented<M: Major, T>((a, b): (T, T)) -> (T, T) {
    match M::LINE {
        Line::Row => (a, b),
        Line::Column => (b, a),
    }
}

/// A sparse matrix stored row by row (compressed sparse rows): for every row the column indices of its entries,
/// ascending, and their values.
///
/// The pattern alone is a `CsrMatrix<()>`, which takes no memory for values.
///
/// ```
/// use sunzi::sparse::{CsrMatrix, SparseError};
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
pub type CsrMatrix<E> = SparseMatrix<E, RowMajor>;

/// A sparse matrix stored column by column (compressed sparse columns): for every column the row indices of its
/// entries, ascending, and their values.
///
/// ```
/// use sunzi::sparse::{CscMatrix, SparseError};
///
/// // 5 0 6
/// // 0 0 7
/// let matrix = CscMatrix::new(2, 3, vec![0, 1, 1, 3], vec![0, 0, 1], vec![5, 6, 7])?;
/// assert_eq!(matrix.column(2), (&[0, 1][..], &[6, 7][..]));
/// assert_eq!(matrix.get(1, 0), None);
/// # Ok::<(), SparseError>(())
/// ```
pub type CscMatrix<E> = SparseMatrix<E, ColumnMajor>;

/// A sparse matrix: a [`CsrMatrix`] or a [`CscMatrix`].
///
/// ```
/// use sunzi::sparse::{CscMatrix, CsrMatrix};
///
/// let triplets = [(1, 0, 3), (0, 0, 1), (1, 0, 4)];
/// let by_rows = CsrMatrix::from_triplets(2, 2, &triplets)?;
/// assert_eq!(by_rows.row(1), (&[0][..], &[7][..]));
/// let by_columns = CscMatrix::from_triplets(2, 2, &triplets)?;
/// assert_eq!(by_columns.column(0), (&[0, 1][..], &[1, 7][..]));
/// assert_eq!(by_columns.to_csr(), by_rows);
/// # Ok::<(), sunzi::sparse::SparseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SparseMatrix<E, M> {
    pub(super) lines: Compressed<E>,
    major: PhantomData<M>,
}

impl<E, M: Major> SparseMatrix<E, M> {
    /// The matrix whose line i, a row or a column, has the entries from `starts[i]` to `starts[i + 1]` of `indices`
    /// and `values`.
    ///
    /// # Errors
    /// A [`SparseError`] that names the first place where the starts are not ascending numbers from 0 to the number
    /// of entries, one more than there are lines, or the indices of a line are not ascending numbers below
    /// the number of its columns or rows.
    pub fn new(
        rows: usize,
        columns: usize,
        starts: Vec<usize>,
        indices: Vec<u32>,
        values: Vec<E>,
    ) -> Result<Self, SparseError> {
        let shape = oriented::<M, _>((rows, columns));
        Compressed::new(M::LINE, shape, starts, indices, values).map(Self::of)
    }

    pub(super) fn of(lines: Compressed<E>) -> Self {
        Self {
            lines,
            major: PhantomData,
        }
    }

    /// Rows and columns.
    #[inline]
    fn shape(&self) -> (usize, usize) {
        oriented::<M, _>((self.lines.lines(), self.lines.width()))
    }

    /// The number of rows m.
    #[inline]
    pub fn rows(&self) -> usize {
        self.shape().0
    }

    /// The number of columns n.
    #[inline]
    pub fn columns(&self) -> usize {
        self.shape().1
    }

    /// The number τ of entries that are stored.
    #[inline]
    pub fn nnz(&self) -> usize {
        self.lines.indices().len()
    }

    /// The value of every entry, line by line.
    #[inline]
    pub fn values(&self) -> &[E] {
        self.lines.values()
    }

    /// The value of every entry, line by line.
    pub fn values_mut(&mut self) -> &mut [E] {
        self.lines.values_mut()
    }

    /// Starts, indices and values, as [`SparseMatrix::new`] takes them.
    pub fn into_parts(self) -> (Vec<usize>, Vec<u32>, Vec<E>) {
        self.lines.into_parts()
    }

    /// The value stored in row `i` and column `j`, if any; none outside the matrix. Takes a binary search in the row, or in the
    /// column.
    ///
    /// ```
    /// # use sunzi::sparse::CsrMatrix;
    /// let matrix = CsrMatrix::from_triplets(1, 2, &[(0, 1, 3)])?;
    /// assert_eq!([(0, 1), (0, 0), (1, 1), (0, 9)].map(|(i, j)| matrix.get(i, j)), [Some(&3), None, None, None]);
    /// # Ok::<(), sunzi::sparse::SparseError>(())
    /// ```
    pub fn get(&self, i: usize, j: usize) -> Option<&E> {
        let (line, index) = oriented::<M, _>((i, j));
        self.lines.get(line, index)
    }

    /// The matrix of the values' images, at the same places.
    ///
    /// ```
    /// # use sunzi::sparse::CsrMatrix;
    /// let matrix = CsrMatrix::from_triplets(1, 2, &[(0, 1, 3)])?;
    /// assert_eq!(matrix.map(|&value| f64::from(value)).values(), [3.0]);
    /// # Ok::<(), sunzi::sparse::SparseError>(())
    /// ```
    pub fn map<T>(&self, image: impl FnMut(&E) -> T) -> SparseMatrix<T, M> {
        let values = self.values().iter().map(image).collect();
        SparseMatrix::of(self.lines.with_values(values))
    }

    /// The places of the entries alone.
    ///
    /// ```
    /// # use sunzi_sparse::*;
    /// let matrix = CsrMatrix::from_triplets(1, 2, &[(0, 1, 4)])?;
    /// assert_eq!(matrix.pattern().iter().collect::<Vec<_>>(), [(0, 1, ())]);
    /// # Ok::<(), SparseError>(())
    /// ```
    pub fn pattern(&self) -> SparseMatrix<(), M> {
        self.map(|_| ())
    }
}

impl<E> CsrMatrix<E> {
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

    /// The column indices and the values of row `i`.
    ///
    /// # Panics
    /// If there is no such row.
    #[inline]
    pub fn row(&self, i: usize) -> (&[u32], &[E]) {
        self.lines.line(i)
    }

    /// The transpose, by columns: the same arrays seen otherwise.
    ///
    /// ```
    /// # use sunzi_sparse::*;
    /// let matrix = CsrMatrix::from_triplets(1, 2, &[(0, 1, 4)])?;
    /// assert_eq!(matrix.into_transposed_csc().get(1, 0), Some(&4));
    /// # Ok::<(), SparseError>(())
    /// ```
    pub fn into_transposed_csc(self) -> CscMatrix<E> {
        SparseMatrix::of(self.lines)
    }
}

impl<E> CscMatrix<E> {
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

    /// The row indices and the values of column `j`.
    ///
    /// # Panics
    /// If there is no such column.
    #[inline]
    pub fn column(&self, j: usize) -> (&[u32], &[E]) {
        self.lines.line(j)
    }

    /// The transpose, by rows: the same arrays seen otherwise.
    ///
    /// ```
    /// # use sunzi_sparse::*;
    /// let matrix = CscMatrix::from_triplets(1, 2, &[(0, 1, 4)])?;
    /// assert_eq!(matrix.into_transposed_csr().get(1, 0), Some(&4));
    /// # Ok::<(), SparseError>(())
    /// ```
    pub fn into_transposed_csr(self) -> CsrMatrix<E> {
        SparseMatrix::of(self.lines)
    }
}

impl<E: Copy> CsrMatrix<E> {
    /// The same matrix by columns. O(m + n + τ) time.
    ///
    /// ```
    /// # use sunzi::sparse::CsrMatrix;
    /// let matrix = CsrMatrix::from_triplets(2, 2, &[(0, 1, 3), (1, 1, 4), (1, 0, 5)])?;
    /// assert_eq!(matrix.to_csc().column(1), (&[0, 1][..], &[3, 4][..]));
    /// assert_eq!(matrix.to_csc().to_csr(), matrix);
    /// # Ok::<(), sunzi::sparse::SparseError>(())
    /// ```
    pub fn to_csc(&self) -> CscMatrix<E> {
        SparseMatrix::of(self.lines.across())
    }
}

impl<E: Copy> CscMatrix<E> {
    /// The same matrix by rows. O(m + n + τ) time.
    ///
    /// ```
    /// # use sunzi_sparse::*;
    /// let matrix = CscMatrix::from_triplets(1, 2, &[(0, 0, 3), (0, 1, 4)])?;
    /// assert_eq!(matrix.to_csr().row(0), (&[0, 1][..], &[3, 4][..]));
    /// # Ok::<(), SparseError>(())
    /// ```
    pub fn to_csr(&self) -> CsrMatrix<E> {
        SparseMatrix::of(self.lines.across())
    }
}

impl<E: Copy, M: Major> SparseMatrix<E, M> {
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

    /// As [`SparseMatrix::from_triplets`], with `add` for the sum of two values at one place.
    ///
    /// ```
    /// use sunzi::field::{Field, Fp32};
    /// use sunzi::sparse::CsrMatrix;
    ///
    /// let field = Fp32::new(101)?;
    /// let triplets = [(0, 0, 100), (0, 0, 2)];
    /// let matrix = CsrMatrix::from_triplets_with(1, 1, &triplets, |a, b| field.add(a, b))?;
    /// assert_eq!(matrix.values(), [1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`SparseMatrix::from_triplets`].
    pub fn from_triplets_with(
        rows: usize,
        columns: usize,
        triplets: &[(u32, u32, E)],
        add: impl FnMut(E, E) -> E,
    ) -> Result<Self, SparseError> {
        let is_outside =
            |&(row, column, _): &(u32, u32, E)| row as usize >= rows || column as usize >= columns;
        if let Some(position) = triplets.iter().position(is_outside) {
            return Err(SparseError::TripletRange {
                position,
                row: triplets[position].0,
                column: triplets[position].1,
                rows,
                columns,
            });
        }
        let entries = triplets.iter().map(|&(row, column, value)| {
            let (line, index) = oriented::<M, _>((row, column));
            (line, index, value)
        });
        let shape = oriented::<M, _>((rows, columns));
        Compressed::from_entries(M::LINE, shape, entries, add).map(Self::of)
    }

    /// All entries as (row, column, value), line by line, those of each line ascending.
    ///
    /// ```
    /// # use sunzi::sparse::CsrMatrix;
    /// let matrix = CsrMatrix::from_triplets(2, 3, &[(1, 0, 5), (0, 2, 3)])?;
    /// assert_eq!(matrix.iter().collect::<Vec<_>>(), [(0, 2, 3), (1, 0, 5)]);
    /// # Ok::<(), sunzi::sparse::SparseError>(())
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32, E)> + Clone {
        self.lines.entries().map(|(line, index, value)| {
            let (row, column) = oriented::<M, _>((line, index));
            (row, column, value)
        })
    }

    /// Rows for columns. O(m + n + τ) time.
    ///
    /// ```
    /// # use sunzi::sparse::CsrMatrix;
    /// let matrix = CsrMatrix::from_triplets(2, 3, &[(0, 2, 3), (1, 0, 5)])?;
    /// assert_eq!(matrix.transposed().get(2, 0), Some(&3));
    /// # Ok::<(), sunzi::sparse::SparseError>(())
    /// ```
    pub fn transposed(&self) -> Self {
        Self::of(self.lines.across())
    }
}

impl<E: Copy + Send + Sync, M: Major> SparseMatrix<E, M> {
    /// The rows in another order: row k is what was row `order[k]`. O(m + τ) time in a [`CsrMatrix`], else
    /// O(m + n + τ).
    ///
    /// ```
    /// # use sunzi_sparse::*;
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
        Ok(self.permute(Line::Row, order))
    }

    /// The columns in another order: column k is what was column `order[k]`. O(n + τ) time in a [`CscMatrix`], else
    /// O(m + n + τ).
    ///
    /// ```
    /// # use sunzi::sparse::{CsrMatrix, Permutation};
    /// let matrix = CsrMatrix::from_triplets(1, 3, &[(0, 0, 'a'), (0, 2, 'c')].map(|(i, j, c)| (i, j, c as u32)))?;
    /// let permuted = matrix.permute_columns(&Permutation::new(vec![2, 0, 1])?)?;
    /// assert_eq!(permuted.row(0), (&[0, 1][..], &['c' as u32, 'a' as u32][..]));
    /// # Ok::<(), sunzi::sparse::SparseError>(())
    /// ```
    ///
    /// # Errors
    /// [`SparseError::Length`] if the permutation is not one of the columns.
    pub fn permute_columns(&self, order: &Permutation) -> Result<Self, SparseError> {
        check_length(Line::Column, self.columns(), order)?;
        Ok(self.permute(Line::Column, order))
    }

    /// Permutes rows or columns.
    fn permute(&self, line: Line, order: &Permutation) -> Self {
        Self::of(if line == M::LINE {
            self.lines.permute_lines(order, GRAIN)
        } else {
            let unmoved = Permutation::identity(self.lines.lines());
            self.lines.permuted(&unmoved, order, GRAIN)
        })
    }

    /// Rows and columns in other orders: entry (k, l) is what was entry (`rows[k]`, `columns[l]`).
    /// O(m + n + τ) time.
    ///
    /// ```
    /// # use sunzi_sparse::*;
    /// let matrix = CsrMatrix::from_triplets(2, 2, &[(0, 1, 7)])?;
    /// let swap = Permutation::new(vec![1, 0])?;
    /// assert_eq!(matrix.permuted(&swap, &swap)?.get(1, 0), Some(&7));
    /// # Ok::<(), sunzi::sparse::SparseError>(())
    /// ```
    ///
    /// # Errors
    /// [`SparseError::Length`] if the permutations are not one of the rows and one of the columns.
    pub fn permuted(&self, rows: &Permutation, columns: &Permutation) -> Result<Self, SparseError> {
        check_length(Line::Row, self.rows(), rows)?;
        check_length(Line::Column, self.columns(), columns)?;
        let (lines, indices) = oriented::<M, _>((rows, columns));
        Ok(Self::of(self.lines.permuted(lines, indices, GRAIN)))
    }
}

/// Refuses a permutation of another number of lines.
fn check_length(line: Line, expected: usize, order: &Permutation) -> Result<(), SparseError> {
    SparseError::check_length("the permutation", line, expected, order.len())
}

/// The lines of a matrix, for tests.
#[cfg(feature = "internals")]
pub fn lines<E, M>(matrix: &SparseMatrix<E, M>) -> &Compressed<E> {
    &matrix.lines
}
