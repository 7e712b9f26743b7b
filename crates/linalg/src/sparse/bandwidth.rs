//! Orders that bring entries near the diagonal.

use super::graph::Graph;
use super::{CsrMatrix, Permutation};

impl<E: Copy> CsrMatrix<E> {
    /// The order of reverse Cuthill and McKee, of rows and of columns: entries come near the diagonal, so that
    /// neighbouring rows use neighbouring elements of x (Cuthill and McKee, "Reducing the bandwidth of sparse
    /// symmetric matrices", 1969; George and Liu, "Computer solution of large sparse positive definite
    /// systems", 1981, §4.3 and §4.4).
    ///
    /// A square matrix is seen as the graph with an edge for each entry of A or Aᵀ, and rows and columns get the
    /// same order. Of any other one, rows and columns are the two sides of a graph with an edge for each
    /// entry, and each gets its own order. Every component of the graph is gone through from a node at its
    /// rim, by breadth, neighbours of few neighbours first. Takes O(m + n + τ) time; the search for a start goes
    /// through a component a bounded number of times.
    ///
    /// ```
    /// use sunzi_linalg::sparse::{CsrMatrix, Permutation};
    ///
    /// let path: Vec<_> = (0..9).map(|i| (i, i + 1, 1)).collect();
    /// let shuffled = CsrMatrix::from_triplets(10, 10, &path)?.permuted(
    ///     &Permutation::random(10, 1),
    ///     &Permutation::random(10, 1),
    /// )?;
    /// let (rows, columns) = shuffled.reverse_cuthill_mckee();
    /// assert_eq!(shuffled.permuted(&rows, &columns)?.bandwidth(), 1);
    /// # Ok::<(), sunzi_linalg::sparse::SparseError>(())
    /// ```
    pub fn reverse_cuthill_mckee(&self) -> (Permutation, Permutation) {
        let rows = self.rows();
        if rows == self.columns() {
            let order = Graph::of_square(self).cuthill_mckee();
            let reversed = order.iter().rev().map(|&node| node as u32);
            let order = Permutation::known(reversed.collect());
            return (order.clone(), order);
        }
        let order = Graph::of_sides(self).cuthill_mckee();
        let nodes = order.into_iter().rev();
        let (row_order, column_order) = nodes.partition::<Vec<usize>, _>(|&node| node < rows);
        let row_order = row_order.iter().map(|&node| node as u32).collect();
        let column_order = column_order
            .iter()
            .map(|&node| (node - rows) as u32)
            .collect();
        (
            Permutation::known(row_order),
            Permutation::known(column_order),
        )
    }

    /// The greatest |i − j| of an entry in row i and column j; 0 without entries.
    ///
    /// ```
    /// # use sunzi_linalg::sparse::CsrMatrix;
    /// let matrix = CsrMatrix::from_triplets(4, 4, &[(0, 0, 1), (3, 1, 1)])?;
    /// assert_eq!(matrix.bandwidth(), 2);
    /// # Ok::<(), sunzi_linalg::sparse::SparseError>(())
    /// ```
    pub fn bandwidth(&self) -> usize {
        let distances = self.triplets().map(|(i, j, _)| i.abs_diff(j) as usize);
        distances.max().unwrap_or(0)
    }
}
