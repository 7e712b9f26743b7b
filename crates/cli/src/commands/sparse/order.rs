//! Orders of rows and columns, by the methods that users name.

use crate::args::sparse::{Method, OrderOptions};
use crate::table::grouped;
use std::num::NonZeroU32;
use sunzi::linalg::sparse::gallery::shuffled;
use sunzi::linalg::sparse::reorder::{GrayOrder, gray_order};
use sunzi::linalg::sparse::{CsrMatrix, Permutation};
use sunzi_files::error::Failure;

/// An order of the rows and one of the columns.
pub struct Order {
    pub rows: Permutation,
    pub columns: Permutation,
    /// What chose it, in words: `b = 16`.
    pub parameters: Vec<String>,
}

impl Order {
    /// Orders the rows and columns of a matrix.
    pub fn find<E: Copy + Send + Sync>(
        method: Method,
        matrix: &CsrMatrix<E>,
        options: &OrderOptions,
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
                let report = &found.report;
                let parameters = vec![
                    format!("b = {}, t = {}", report.merge, options.fraction),
                    format!(
                        "lists: {}, steps: {}",
                        grouped(report.lists),
                        report.iterations
                    ),
                ];
                (found.rows, found.columns, parameters)
            }
            Method::Rcm => {
                let (rows, columns) = matrix.reverse_cuthill_mckee();
                (rows, columns, Vec::new())
            }
            Method::Random => {
                let (_, rows, columns) = shuffled(matrix, options.seed);
                (rows, columns, vec![format!("seed {}", options.seed)])
            }
        };
        Ok(Self {
            rows,
            columns,
            parameters,
        })
    }

    /// The matrix in this order.
    pub fn applied<E: Copy + Send + Sync>(
        &self,
        matrix: &CsrMatrix<E>,
        name: &str,
    ) -> Result<CsrMatrix<E>, Failure> {
        let permuted = matrix.permuted(&self.rows, &self.columns);
        permuted.map_err(|error| Failure::Computation(format!("{name}: {error}")))
    }
}
