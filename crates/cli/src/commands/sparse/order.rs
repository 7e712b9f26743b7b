//! Orders of rows and columns, by the methods that users name.

use crate::args::sparse::{Method, OrderOptions};
use crate::error::Failure;
use std::num::NonZeroU32;
use sunzi::linalg::sparse::reorder::{GrayOrder, cuthill_mckee, gray_order};
use sunzi::linalg::sparse::{CsrMatrix, Permutation};

/// An order of the rows and one of the columns.
pub struct Order {
    pub rows: Permutation,
    pub columns: Permutation,
    /// What chose it, in words: `b = 16`.
    pub parameters: Vec<String>,
}

impl Order {
    /// Orders the rows and columns of a matrix; `name` is that of its file.
    pub fn find<E: Sync>(
        method: Method,
        matrix: &CsrMatrix<E>,
        options: &OrderOptions,
        name: &str,
    ) -> Result<Self, Failure> {
        let (rows, columns, parameters) = match method {
            Method::Gray => {
                let wanted = GrayOrder {
                    merge: options.block.and_then(NonZeroU32::new),
                    stop: options.fraction,
                    ..GrayOrder::default()
                };
                let found = gray_order(matrix, &wanted)
                    .map_err(|error| Failure::Usage(format!("--fraction: {error}")))?;
                let parameters = vec![
                    format!("b = {}, t = {}", found.report.merge, options.fraction),
                    format!("{} lists after {} steps", found.report.lists, found.report.iterations),
                ];
                (found.rows, found.columns, parameters)
            }
            Method::Rcm => {
                let (rows, columns) = cuthill_mckee(matrix);
                (rows, columns, Vec::new())
            }
            Method::Random => {
                let (rows, columns) = Self::random(matrix, options.seed);
                (rows, columns, vec![format!("seed {}", options.seed)])
            }
        };
        Ok(Self {
            rows,
            columns,
            parameters,
        })
    }

    /// Orders by chance: the second one does not depend on the first.
    pub fn random<E>(matrix: &CsrMatrix<E>, seed: u64) -> (Permutation, Permutation) {
        (
            Permutation::random(matrix.rows(), seed),
            Permutation::random(matrix.columns(), !seed),
        )
    }

    /// The matrix in this order.
    pub fn applied<E: Copy>(
        &self,
        matrix: &CsrMatrix<E>,
        name: &str,
    ) -> Result<CsrMatrix<E>, Failure> {
        let permuted = matrix.permuted(&self.rows, &self.columns);
        permuted.map_err(|error| Failure::Computation(format!("{name}: {error}")))
    }
}
