//! Sunzi's orders of sparse matrices, and what is counted of anybody's.

use std::sync::Arc;

use sunzi_measure::CACHE_WORDS;
use sunzi_sparse::{
    CsrMatrix, Permutation,
    cache::{CacheShape, Replacement, Spmv, simulate},
};

use crate::contender::{Contender, Count};

/// Words of a line of the caches.
const LINE: usize = 8;
/// Rows and columns.
pub type Orders = (Permutation, Permutation);

/// A matrix, and in words what its products miss as it is.
pub struct Subject {
    pub matrix: CsrMatrix<f64>,
    /// By caches.
    given: Vec<(CacheShape, String)>,
}

/// A cache of so many words.
pub fn cache(words: usize) -> CacheShape {
    CacheShape::new(words, LINE).expect("whole lines")
}

impl Subject {
    /// A matrix whose misses are counted.
    pub fn new(matrix: CsrMatrix<f64>) -> Self {
        let given = CACHE_WORDS.map(|words| {
            let shape = cache(words);
            let (misses, least) = misses(&matrix, shape);
            let what = format!("misses on x in {words} words; {misses} as given, {least} at least");
            (shape, what)
        });
        Self {
            matrix,
            given: given.into(),
        }
    }

    /// The misses in an order, cache by cache.
    pub fn counts(&self, (rows, columns): &Orders) -> Vec<Count> {
        let reordered = self
            .matrix
            .permuted(rows, columns)
            .expect("an order of this matrix");
        let counts = self.given.iter().map(|(shape, what)| Count {
            what: what.clone(),
            value: misses(&reordered, *shape).0,
        });
        counts.collect()
    }
}

/// Misses on x with the best replacement; and what no order avoids, the lines that its used part fills.
fn misses(matrix: &CsrMatrix<f64>, shape: CacheShape) -> (u64, u64) {
    let product = Spmv::new(
        matrix.row_starts(),
        matrix.column_indices(),
        matrix.columns(),
    );
    let product = product.expect("a matrix by rows").x_only();
    let report = simulate(&product, shape, Replacement::Optimal).expect("a small cache");
    let mut used = matrix.column_indices().to_vec();
    used.sort_unstable();
    used.dedup();
    (report.misses(), used.len().div_ceil(LINE) as u64)
}

/// The orderings of rows and columns in one of all nodes, rows first; `None` if it is none.
pub fn of_both_sides(matrix: &CsrMatrix<f64>, nodes: &[u64]) -> Option<Orders> {
    let rows = matrix.rows() as u64;
    let (of_rows, of_columns): (Vec<u64>, Vec<u64>) = nodes.iter().partition(|&&node| node < rows);
    let order = |nodes: Vec<u64>, first: u64, count: usize| {
        let order: Option<Vec<u32>> = nodes
            .into_iter()
            .map(|node| u32::try_from(node - first).ok())
            .collect();
        let order = order.filter(|order| order.len() == count)?;
        Permutation::new(order).ok()
    };
    Some((
        order(of_rows, 0, matrix.rows())?,
        order(of_columns, rows, matrix.columns())?,
    ))
}

/// What finds the orders of a matrix.
pub type Find = fn(&CsrMatrix<f64>) -> Orders;

/// An order of Sunzi's.
pub fn contender(subject: &Arc<Subject>, find: Find) -> Box<dyn Contender> {
    Box::new(Own {
        subject: Arc::clone(subject),
        find,
        found: None,
    })
}

struct Own {
    subject: Arc<Subject>,
    find: Find,
    found: Option<Orders>,
}

impl Contender for Own {
    fn run(&mut self, times: usize) -> Option<f64> {
        for _ in 0..times {
            self.found = Some((self.find)(std::hint::black_box(&self.subject.matrix)));
        }
        None
    }

    fn output(&self) -> Vec<u64> {
        let Some((rows, columns)) = &self.found else {
            return Vec::new();
        };
        let both = rows.order().iter().chain(columns.order());
        both.map(|&line| u64::from(line)).collect()
    }

    fn counts(&self) -> Vec<Count> {
        let found = self.found.as_ref();
        found.map_or(Vec::new(), |orders| self.subject.counts(orders))
    }
}
