//! A band with a border: rows and columns with very many entries apart, the rest in the order of Cuthill and McKee.
//!
//! **Problem.** A few rows or columns that reach everywhere (rails of a circuit, constraints that link all blocks) make
//! every node of the graph a near neighbour of every other, and a search breadth first finds no band.
//!
//! **Algorithm.** Dense rows go to the end and dense columns to the beginning; the core between them is ordered as a
//! bipartite graph. What dense rows read of x is brought together as Gray codes do (Haque, thesis, 2013, ch. 6): in
//! windows of √(nL) columns, which a cache of that many words holds while the rows of the core pass, columns are sorted
//! by the first dense row that uses them.
//!
//! **Bound.** O(m + n + τ) time.

use sunzi_sort::{Direction, Partition};

use super::{bipartite, graph::Graph};
use crate::{
    compressed::Compressed,
    matrix::{CsrMatrix, SparseMatrix},
    permutation::Permutation,
    places::Places,
};

/// A line is dense if it has more than this many times the mean of entries in a line that is not empty.
const DENSE: u128 = 4;
/// L: elements of x in a line of cache.
const LINE_WORDS: usize = 8;

impl<E: Copy> CsrMatrix<E> {
    /// The order of [`bipartite_cuthill_mckee`](Self::bipartite_cuthill_mckee) with a border: dense columns first, dense
    /// rows last, and the rest in the order that it has without them. A row or column is dense if it has more
    /// than four times the mean of entries in rows or columns that are not empty; without any, the order is that of
    /// [`bipartite_cuthill_mckee`](Self::bipartite_cuthill_mckee).
    ///
    /// For matrices in which a few rows or columns reach everywhere, such as circuits and linear programs. Within
    /// windows of √(8n) columns, those come together that the same dense row uses. Takes O(m + n + τ) time on one thread.
    ///
    /// ```
    /// use sunzi::sparse::CsrMatrix;
    ///
    /// // A diagonal, and a row in the middle that is full.
    /// let places: Vec<_> = (0..99).map(|k| (k, k, 1)).chain((0..99).map(|k| (50, k, 1))).collect();
    /// let matrix = CsrMatrix::from_triplets(99, 99, &places)?;
    /// let (rows, columns) = matrix.bordered_cuthill_mckee();
    /// let bordered = matrix.permuted(&rows, &columns)?;
    /// assert!((0..98).all(|k| bordered.row(k).0 == [k as u32]));
    /// assert_eq!(bordered.row(98).0.len(), 99);
    /// # Ok::<(), sunzi::sparse::SparseError>(())
    /// ```
    pub fn bordered_cuthill_mckee(&self) -> (Permutation, Permutation) {
        let matrix = Places::of(self);
        match Dense::of(matrix) {
            Some(dense) => dense.bordered(matrix),
            None => bipartite(matrix),
        }
    }
}

/// Which rows and columns are dense.
pub(crate) struct Dense {
    rows: Vec<bool>,
    columns: Vec<bool>,
}

fn dense_lines(is_dense: &[bool]) -> impl Iterator<Item = u32> {
    let lines = (0u32..).zip(is_dense);
    lines
        .filter(|(_, is_dense)| **is_dense)
        .map(|(line, _)| line)
}

/// Which of the lines with these numbers of entries are dense.
fn dense_of(counts: &[usize]) -> Vec<bool> {
    let entries: u128 = counts.iter().map(|&count| count as u128).sum();
    let lines = counts.iter().filter(|&&count| count > 0).count() as u128;
    let is_dense = |&count: &usize| count as u128 * lines > DENSE * entries;
    counts.iter().map(is_dense).collect()
}

impl Dense {
    /// Of a matrix, if any are.
    pub(crate) fn of(matrix: Places<'_>) -> Option<Self> {
        let starts = matrix.row_starts().windows(2);
        let rows: Vec<usize> = starts.map(|bounds| bounds[1] - bounds[0]).collect();
        let mut columns = vec![0; matrix.columns()];
        for &column in matrix.column_indices() {
            columns[column as usize] += 1;
        }
        let dense = Self {
            rows: dense_of(&rows),
            columns: dense_of(&columns),
        };
        (dense.rows.contains(&true) || dense.columns.contains(&true)).then_some(dense)
    }

    /// See [`CsrMatrix::bordered_cuthill_mckee`].
    pub(crate) fn bordered(&self, matrix: Places<'_>) -> (Permutation, Permutation) {
        let [mut rows, mut columns] = Graph::of_sides(self.core(matrix)).reverse_cuthill_mckee();
        rows.retain(|&row| !self.rows[row as usize]);
        rows.extend(dense_lines(&self.rows));
        columns.retain(|&column| !self.columns[column as usize]);
        let mut order: Vec<u32> = dense_lines(&self.columns).collect();
        order.extend(self.gathered(matrix, &columns));
        (Permutation::known(rows), Permutation::known(order))
    }

    /// The matrix with dense rows and columns emptied.
    fn core(&self, matrix: Places<'_>) -> CsrMatrix<()> {
        let mut starts = vec![0];
        let mut indices = Vec::with_capacity(matrix.nnz());
        for (row, &is_dense) in self.rows.iter().enumerate() {
            if !is_dense {
                let columns = matrix.row(row).iter().copied();
                indices.extend(columns.filter(|&column| !self.columns[column as usize]));
            }
            starts.push(indices.len());
        }
        let values = vec![(); indices.len()];
        SparseMatrix::of(Compressed::known(matrix.columns(), starts, indices, values))
    }

    /// The columns of the core, window by window sorted by the first dense row that uses them, and those that no row of
    /// the core uses, which come last and are one window.
    fn gathered(&self, matrix: Places<'_>, columns: &[u32]) -> Vec<u32> {
        let none = matrix.rows() as u32;
        let mut first = vec![none; matrix.columns()];
        for row in dense_lines(&self.rows) {
            for &column in matrix.row(row as usize) {
                let first = &mut first[column as usize];
                *first = row.min(*first);
            }
        }
        let mut is_used = vec![false; matrix.columns()];
        for (row, _) in self
            .rows
            .iter()
            .enumerate()
            .filter(|(_, is_dense)| !**is_dense)
        {
            let columns = matrix.row(row).iter();
            columns.for_each(|&column| is_used[column as usize] = true);
        }
        let width = (matrix.columns() * LINE_WORDS).isqrt().max(1) as u32;
        let column = |place: u32| columns[place as usize] as usize;
        let window = |place: u32| match is_used[column(place)] {
            true => place / width,
            false => columns.len() as u32,
        };
        let mut partition = Partition::whole(columns.len() as u32);
        partition.refine_by(window, u32::MAX, Direction::Ascending);
        partition.refine_by(|place| first[column(place)], none, Direction::Ascending);
        let places = partition.into_order().into_iter();
        places.map(|place| columns[place as usize]).collect()
    }
}
