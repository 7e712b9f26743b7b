//! A dense matrix of any entries.

use std::ops::{Index, IndexMut};

use super::view::View;
use crate::error::MatrixError;

/// A dense matrix: its entries row by row.
///
/// ```
/// use sunzi::matrix::DenseMatrix;
///
/// let matrix = DenseMatrix::new(2, 3, vec![1, 2, 3, 4, 5, 6])?;
/// assert_eq!(matrix[(1, 0)], 4);
/// assert_eq!(matrix.transposed().row(2), [3, 6]);
/// # Ok::<(), sunzi::matrix::MatrixError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DenseMatrix<E> {
    rows: usize,
    columns: usize,
    entries: Vec<E>,
}

impl<E> DenseMatrix<E> {
    /// The matrix of these entries, row by row.
    ///
    /// # Errors
    /// [`MatrixError::Count`] if there are not `rows · columns` entries.
    pub fn new(rows: usize, columns: usize, entries: Vec<E>) -> Result<Self, MatrixError> {
        if rows.checked_mul(columns) == Some(entries.len()) {
            Ok(Self {
                rows,
                columns,
                entries,
            })
        } else {
            Err(MatrixError::Count {
                rows,
                columns,
                entries: entries.len(),
            })
        }
    }

    /// The matrix whose entry in row i and column j is `entry(i, j)`.
    pub fn from_fn(rows: usize, columns: usize, mut entry: impl FnMut(usize, usize) -> E) -> Self {
        let mut entries = Vec::with_capacity(rows * columns);
        for i in 0..rows {
            entries.extend((0..columns).map(|j| entry(i, j)));
        }
        Self {
            rows,
            columns,
            entries,
        }
    }

    /// The matrix of these rows.
    ///
    /// ```
    /// use sunzi::Integer;
    /// use sunzi::matrix::DenseMatrix;
    ///
    /// let matrix = DenseMatrix::<Integer>::from_rows([[1, 2], [3, 4]])?;
    /// assert_eq!(matrix[(1, 0)], 3);
    /// # Ok::<(), sunzi::matrix::MatrixError>(())
    /// ```
    ///
    /// # Errors
    /// [`MatrixError::Ragged`] if a row has another number of entries than the first one.
    pub fn from_rows<R>(rows: impl IntoIterator<Item = R>) -> Result<Self, MatrixError>
    where
        R: IntoIterator<Item: Into<E>>,
    {
        let mut entries = Vec::new();
        let (mut count, mut columns) = (0, None);
        for row in rows {
            let start = entries.len();
            entries.extend(row.into_iter().map(Into::into));
            let found = entries.len() - start;
            let wanted = *columns.get_or_insert(found);
            if found != wanted {
                return Err(MatrixError::Ragged {
                    row: count,
                    entries: found,
                    columns: wanted,
                });
            }
            count += 1;
        }
        Ok(Self::with_entries(count, columns.unwrap_or(0), entries))
    }

    /// The matrix of these entries, of which there are as many as the shape says.
    pub(super) fn with_entries(rows: usize, columns: usize, entries: Vec<E>) -> Self {
        debug_assert_eq!(entries.len(), rows * columns);
        Self {
            rows,
            columns,
            entries,
        }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The order n of a square matrix.
    ///
    /// # Errors
    /// [`MatrixError::NotSquare`] if rows and columns differ in number.
    pub fn order(&self) -> Result<usize, MatrixError> {
        if self.rows == self.columns {
            Ok(self.rows)
        } else {
            Err(MatrixError::NotSquare {
                rows: self.rows,
                columns: self.columns,
            })
        }
    }

    /// All entries, row by row.
    pub fn entries(&self) -> &[E] {
        &self.entries
    }

    /// All entries, row by row.
    pub fn entries_mut(&mut self) -> &mut [E] {
        &mut self.entries
    }

    /// All entries, row by row.
    pub fn into_entries(self) -> Vec<E> {
        self.entries
    }

    /// The entries of row `i`.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn row(&self, i: usize) -> &[E] {
        assert!(i < self.rows, "row {i} of {}", self.rows);
        &self.entries[i * self.columns..(i + 1) * self.columns]
    }

    /// The entries of row `i`.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn row_mut(&mut self, i: usize) -> &mut [E] {
        assert!(i < self.rows, "row {i} of {}", self.rows);
        &mut self.entries[i * self.columns..(i + 1) * self.columns]
    }

    /// The rows, from the first on.
    ///
    /// ```
    /// use sunzi::matrix::DenseMatrix;
    ///
    /// let matrix = DenseMatrix::<i64>::from_rows([[1, 2], [3, 4]])?;
    /// assert_eq!(matrix.row_iter().map(|row| row[0] * row[1]).collect::<Vec<_>>(), [2, 12]);
    /// # Ok::<(), sunzi::matrix::MatrixError>(())
    /// ```
    pub fn row_iter(&self) -> impl ExactSizeIterator<Item = &[E]> {
        (0..self.rows).map(|i| self.row(i))
    }

    /// All of it as a block.
    pub(super) fn view(&self) -> View<'_, E> {
        View::new(&self.entries, self.rows, self.columns)
    }

    /// The number of terms in an entry of the product with a matrix on the right.
    pub(super) fn inner<T>(&self, right: &DenseMatrix<T>) -> Result<usize, MatrixError> {
        if self.columns == right.rows {
            Ok(self.columns)
        } else {
            Err(MatrixError::Inner {
                columns: self.columns,
                rows: right.rows,
            })
        }
    }

    /// Where an entry is among all.
    fn position(&self, (i, j): (usize, usize)) -> usize {
        assert!(
            i < self.rows && j < self.columns,
            "row {i} of {}, column {j} of {}",
            self.rows,
            self.columns
        );
        i * self.columns + j
    }

    /// The matrix of the entries' images.
    pub fn map<T>(&self, image: impl FnMut(&E) -> T) -> DenseMatrix<T> {
        DenseMatrix {
            rows: self.rows,
            columns: self.columns,
            entries: self.entries.iter().map(image).collect(),
        }
    }

    /// Rows for columns, without a copy of any entry. A square matrix stays where it is in memory.
    ///
    /// ```
    /// use sunzi::matrix::DenseMatrix;
    ///
    /// let words = DenseMatrix::new(1, 2, vec!["a".to_owned(), "b".to_owned()])?;
    /// assert_eq!(words.into_transposed()[(1, 0)], "b");
    /// # Ok::<(), sunzi::matrix::MatrixError>(())
    /// ```
    pub fn into_transposed(mut self) -> Self {
        let (rows, columns) = (self.rows, self.columns);
        if rows == columns {
            for i in 0..rows {
                for j in 0..i {
                    self.entries.swap(i * columns + j, j * columns + i);
                }
            }
            return self;
        }
        let mut entries: Vec<Option<E>> = self.entries.into_iter().map(Some).collect();
        let places = (0..columns).flat_map(|j| (0..rows).map(move |i| i * columns + j));
        Self {
            rows: columns,
            columns: rows,
            entries: places.filter_map(|place| entries[place].take()).collect(),
        }
    }
}

/// The matrix of these rows.
///
/// ```
/// use sunzi::Integer;
/// use sunzi::matrix::DenseMatrix;
///
/// assert_eq!(DenseMatrix::<Integer>::from([[1, 2], [3, 4]]).determinant()?, -2);
/// # Ok::<(), sunzi::matrix::MatrixError>(())
/// ```
impl<E: From<T>, T, const M: usize, const N: usize> From<[[T; N]; M]> for DenseMatrix<E> {
    fn from(rows: [[T; N]; M]) -> Self {
        let entries = rows.into_iter().flatten().map(E::from);
        Self::with_entries(M, N, entries.collect())
    }
}

impl<E: Clone> DenseMatrix<E> {
    /// Rows for columns.
    pub fn transposed(&self) -> Self {
        Self::from_fn(self.columns, self.rows, |i, j| self[(j, i)].clone())
    }
}

impl<E> Index<(usize, usize)> for DenseMatrix<E> {
    type Output = E;

    fn index(&self, place: (usize, usize)) -> &E {
        &self.entries[self.position(place)]
    }
}

impl<E> IndexMut<(usize, usize)> for DenseMatrix<E> {
    fn index_mut(&mut self, place: (usize, usize)) -> &mut E {
        let position = self.position(place);
        &mut self.entries[position]
    }
}
