//! Where the entries of a matrix stand: all that orders look at, so that they are compiled once for entries of all kinds.

use crate::compressed::Compressed;
use crate::matrix::{CsrMatrix, SparseMatrix};

/// The places of the entries of a matrix by rows.
#[derive(Clone, Copy)]
pub(crate) struct Places<'a> {
    columns: usize,
    starts: &'a [usize],
    indices: &'a [u32],
}

impl<'a> Places<'a> {
    pub(crate) fn of<E>(matrix: &'a CsrMatrix<E>) -> Self {
        Self {
            columns: matrix.columns(),
            starts: matrix.row_starts(),
            indices: matrix.column_indices(),
        }
    }

    pub(crate) fn rows(self) -> usize {
        self.starts.len() - 1
    }

    pub(crate) fn columns(self) -> usize {
        self.columns
    }

    pub(crate) fn nnz(self) -> usize {
        self.indices.len()
    }

    /// Where each row's entries start among all, and where the last row's end.
    pub(crate) fn row_starts(self) -> &'a [usize] {
        self.starts
    }

    /// The columns of all entries, row by row.
    pub(crate) fn column_indices(self) -> &'a [u32] {
        self.indices
    }

    /// The columns of a row's entries.
    #[inline]
    pub(crate) fn row(self, row: usize) -> &'a [u32] {
        &self.indices[self.starts[row]..self.starts[row + 1]]
    }

    /// A matrix with entries at these places.
    pub(crate) fn to_matrix(self) -> CsrMatrix<()> {
        let values = vec![(); self.nnz()];
        let (starts, indices) = (self.starts.to_vec(), self.indices.to_vec());
        SparseMatrix::of(Compressed::known(self.columns, starts, indices, values))
    }
}
