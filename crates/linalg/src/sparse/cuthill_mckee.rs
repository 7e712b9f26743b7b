//! The order of reverse Cuthill and McKee, which brings entries near the diagonal.

use super::matrix::CsrMatrix;
use super::permutation::Permutation;

impl<E: Copy> CsrMatrix<E> {
    /// The order of reverse Cuthill and McKee, of rows and of columns: entries come near the diagonal, so that
    /// neighbouring rows use neighbouring elements of x (Cuthill and McKee, "Reducing the bandwidth of sparse
    /// symmetric matrices", 1969; George and Liu, "Computer solution of large sparse positive definite
    /// systems", 1981, §4.3 and §4.4).
    ///
    /// A square matrix is seen as the graph with an edge for each entry of A or Aᵀ, and rows and columns get the
    /// same order. Of any other one, rows and columns are the two sides of a graph with an edge for each
    /// entry, and each gets its own order. Every component of the graph is searched from a pseudo-peripheral
    /// node, breadth first, neighbours of low degree first. Takes O(m + n + τ) time; the start is found by a
    /// bounded number of searches of a component.
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

/// Most searches for a better start.
const MOST_SEARCHES: usize = 8;

/// An undirected graph: for each node its neighbours, those of low degree first. A neighbour by two
/// entries comes twice.
struct Graph {
    starts: Vec<usize>,
    neighbours: Vec<usize>,
    /// All nodes, those of low degree first.
    by_degree: Vec<usize>,
}

impl Graph {
    /// An edge for each entry of a square matrix or its transpose that is not on the diagonal.
    fn of_square<E: Copy>(matrix: &CsrMatrix<E>) -> Self {
        let entries = matrix.triplets().filter(|(i, j, _)| i != j);
        Self::new(
            matrix.rows(),
            entries.map(|(i, j, _)| (i as usize, j as usize)),
        )
    }

    /// Rows and then columns as nodes, an edge for each entry.
    fn of_sides<E: Copy>(matrix: &CsrMatrix<E>) -> Self {
        let rows = matrix.rows();
        let edges = matrix
            .triplets()
            .map(|(i, j, _)| (i as usize, rows + j as usize));
        Self::new(rows + matrix.columns(), edges)
    }

    fn new(nodes: usize, edges: impl Iterator<Item = (usize, usize)> + Clone) -> Self {
        let mut starts = vec![0; nodes + 1];
        for (a, b) in edges.clone() {
            starts[a] += 1;
            starts[b] += 1;
        }
        // While a list is filled from its end, its start goes down to where it belongs.
        let mut total = 0;
        for start in &mut starts {
            total += *start;
            *start = total;
        }
        let mut neighbours = vec![0; total];
        for (a, b) in edges {
            for (a, b) in [(a, b), (b, a)] {
                starts[a] -= 1;
                neighbours[starts[a]] = b;
            }
        }
        let mut graph = Self {
            starts,
            neighbours,
            by_degree: Vec::new(),
        };
        graph.sort_by_degree();
        graph
    }

    /// Sorts all nodes by degree, then hands each node in this order to its neighbours: so all lists get
    /// sorted in linear time.
    fn sort_by_degree(&mut self) {
        let nodes = self.starts.len() - 1;
        let degree = |node: usize| self.starts[node + 1] - self.starts[node];
        let most = (0..nodes).map(degree).max().unwrap_or(0);
        let mut places = vec![0; most + 2];
        for node in 0..nodes {
            places[degree(node) + 1] += 1;
        }
        for d in 1..places.len() {
            places[d] += places[d - 1];
        }
        self.by_degree = vec![0; nodes];
        for node in 0..nodes {
            let place = &mut places[degree(node)];
            self.by_degree[*place] = node;
            *place += 1;
        }
        let mut ends = self.starts.clone();
        let mut sorted = vec![0; self.neighbours.len()];
        for &node in &self.by_degree {
            for &neighbour in self.neighbours(node) {
                sorted[ends[neighbour]] = node;
                ends[neighbour] += 1;
            }
        }
        self.neighbours = sorted;
    }

    fn neighbours(&self, node: usize) -> &[usize] {
        &self.neighbours[self.starts[node]..self.starts[node + 1]]
    }

    /// All nodes, component by component, each breadth first from a pseudo-peripheral node.
    fn cuthill_mckee(&self) -> Vec<usize> {
        let nodes = self.starts.len() - 1;
        let mut search = Search {
            graph: self,
            seen: vec![0; nodes],
            pass: 0,
        };
        let mut done = vec![false; nodes];
        let mut order = Vec::with_capacity(nodes);
        let mut component = Vec::new();
        for &node in &self.by_degree {
            if !done[node] {
                search.search_from_pseudo_peripheral(node, &mut component);
                for &node in &component {
                    done[node] = true;
                }
                order.extend_from_slice(&component);
            }
        }
        order
    }
}

/// Breadth-first searches of components.
struct Search<'a> {
    graph: &'a Graph,
    /// The pass that saw each node last.
    seen: Vec<usize>,
    pass: usize,
}

impl Search<'_> {
    /// The component of `start`, breadth first. Returns how many steps away the farthest nodes are, and where in
    /// `component` they begin.
    fn breadth_first(&mut self, start: usize, component: &mut Vec<usize>) -> (usize, usize) {
        self.pass += 1;
        component.clear();
        component.push(start);
        self.seen[start] = self.pass;
        let (mut level, mut depth) = (0, 0);
        loop {
            let end = component.len();
            for at in level..end {
                for &neighbour in self.graph.neighbours(component[at]) {
                    if self.seen[neighbour] != self.pass {
                        self.seen[neighbour] = self.pass;
                        component.push(neighbour);
                    }
                }
            }
            if component.len() == end {
                return (depth, level);
            }
            level = end;
            depth += 1;
        }
    }

    /// The component of `start`, breadth first from a pseudo-peripheral node: of the farthest nodes, the one of lowest
    /// degree is the next start, as long as that makes the search deeper.
    fn search_from_pseudo_peripheral(&mut self, start: usize, component: &mut Vec<usize>) {
        let (mut depth, mut last) = self.breadth_first(start, component);
        for _ in 0..MOST_SEARCHES {
            let farthest = component[last..].iter().copied();
            let degree = |&node: &usize| self.graph.neighbours(node).len();
            let Some(next) = farthest.min_by_key(degree) else {
                return;
            };
            if depth == 0 {
                return;
            }
            let deeper = self.breadth_first(next, component);
            if deeper.0 <= depth {
                return;
            }
            (depth, last) = deeper;
        }
    }
}
