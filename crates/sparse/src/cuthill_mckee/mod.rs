//! Orders of Cuthill and McKee, which bring entries near the diagonal.
//!
//! **Problem.** Choose an order of the rows and one of the columns in which neighbouring rows use neighbouring
//! columns. Where rows and columns were permuted apart, no order of both alike does.
//!
//! **Algorithm.** A graph is searched breadth first from a node at its rim, neighbours of low degree first, and the
//! order is reversed (Cuthill and McKee, "Reducing the bandwidth of sparse symmetric matrices", 1969; George and Liu,
//! "Computer solution of large sparse positive definite systems", 1981, §4.3 and §4.4). The graph is that of A + Aᵀ,
//! or has rows and columns as its two sides, [[0, A], [Aᵀ, 0]], from which rows and columns with very many entries may
//! be set apart before (`bordered.rs`).
//!
//! **Bound.** O(m + n + τ) time, since a component is searched a bounded number of times; 16τ + O(m + n) bytes.
//!
//! **Floor.** Two passes over the non-zeros with a random access each, the transposition and the first search; after
//! that nodes are renumbered as they were found, and memory is used nearly in sequence.

pub(crate) mod bordered;
mod graph;

use super::matrix::CsrMatrix;
use super::permutation::Permutation;
use super::places::Places;
use graph::Graph;

impl<E: Copy> CsrMatrix<E> {
    /// The order of reverse Cuthill and McKee, of rows and of columns alike: entries come near the diagonal, so that
    /// neighbouring rows use neighbouring elements of x.
    ///
    /// A square matrix is seen as the graph with an edge for each entry of A or Aᵀ, and rows and columns get the
    /// same order, which keeps a symmetric matrix symmetric. Any other one is ordered as by
    /// [`bipartite_cuthill_mckee`](Self::bipartite_cuthill_mckee), which is the better choice for all matrices
    /// that need no symmetry. Every component of the graph is searched from a pseudo-peripheral
    /// node, breadth first, neighbours of low degree first. Takes O(m + n + τ) time; the start is found by a
    /// bounded number of searches of a component.
    ///
    /// ```
    /// use sunzi::sparse::{CsrMatrix, Permutation};
    ///
    /// let path: Vec<_> = (0..9).flat_map(|i| [(i, i + 1, 1), (i + 1, i, 1)]).collect();
    /// let order = Permutation::random(10, 1);
    /// let shuffled = CsrMatrix::from_triplets(10, 10, &path)?.permuted(&order, &order)?;
    /// let (rows, columns) = shuffled.reverse_cuthill_mckee();
    /// assert_eq!(rows, columns);
    /// assert_eq!(shuffled.permuted(&rows, &columns)?.bandwidth(), 1);
    /// # Ok::<(), sunzi::sparse::SparseError>(())
    /// ```
    pub fn reverse_cuthill_mckee(&self) -> (Permutation, Permutation) {
        reverse(Places::of(self))
    }

    /// The order of reverse Cuthill and McKee of rows and columns as the two sides of a graph with an edge for each
    /// entry, [[0, A], [Aᵀ, 0]]: an order of the rows and another of the columns.
    ///
    /// For matrices of any shape, and where rows and columns do not belong together: the band of a matrix whose rows
    /// and columns were permuted apart is found again, which
    /// [`reverse_cuthill_mckee`](Self::reverse_cuthill_mckee) cannot. The product of the permuted matrix wants x in
    /// the columns' order, and gives y in the rows'. Takes O(m + n + τ) time on one thread.
    ///
    /// ```
    /// use sunzi::sparse::CsrMatrix;
    /// use sunzi::sparse::test_matrices::{TestMatrix, shuffled};
    ///
    /// let grid = "grid2d:30,4".parse::<TestMatrix>()?.generate(1)?;
    /// assert_eq!(grid.transposed().bandwidth(), 30);
    /// let (hidden, ..) = shuffled(&grid, 1);
    /// assert!(hidden.bandwidth() > 90);
    /// let (rows, columns) = hidden.bipartite_cuthill_mckee();
    /// let ordered = hidden.permuted(&rows, &columns)?;
    /// assert!(ordered.bandwidth() <= 10);
    ///
    /// let x: Vec<f64> = (0..120).map(f64::from).collect();
    /// let y = ordered.mul_vector(&columns.apply(&x))?;
    /// assert_eq!(y, rows.apply(&hidden.mul_vector(&x)?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bipartite_cuthill_mckee(&self) -> (Permutation, Permutation) {
        bipartite(Places::of(self))
    }

    /// The greatest |i − j| of an entry in row i and column j; 0 without entries.
    ///
    /// ```
    /// # use sunzi::sparse::CsrMatrix;
    /// let matrix = CsrMatrix::from_triplets(4, 4, &[(0, 0, 1), (3, 1, 1)])?;
    /// assert_eq!(matrix.bandwidth(), 2);
    /// # Ok::<(), sunzi::sparse::SparseError>(())
    /// ```
    pub fn bandwidth(&self) -> usize {
        let distances = self.iter().map(|(i, j, _)| i.abs_diff(j) as usize);
        distances.max().unwrap_or(0)
    }
}

/// See [`CsrMatrix::reverse_cuthill_mckee`].
pub(crate) fn reverse(matrix: Places<'_>) -> (Permutation, Permutation) {
    if matrix.rows() != matrix.columns() {
        return bipartite(matrix);
    }
    let [order] = Graph::of_square(matrix).reverse_cuthill_mckee();
    let order = Permutation::known(order);
    (order.clone(), order)
}

/// See [`CsrMatrix::bipartite_cuthill_mckee`].
pub(crate) fn bipartite(matrix: Places<'_>) -> (Permutation, Permutation) {
    let [rows, columns] = Graph::of_sides(matrix.to_matrix()).reverse_cuthill_mckee();
    (Permutation::known(rows), Permutation::known(columns))
}
