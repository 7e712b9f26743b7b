//! Orders of rows and columns, by the methods that users name.

use crate::table::grouped;
use clap::{Args, ValueEnum};
use std::num::NonZeroU32;
use sunzi::linalg::sparse::gallery::shuffled;
use sunzi::linalg::sparse::reorder::{GrayOrder, gray_order};
use sunzi::linalg::sparse::{CsrMatrix, Permutation};
use sunzi_files::error::Failure;

/// How the orders are found.
#[derive(Debug, Args)]
pub struct OrderOptions {
    /// This many lists of columns are merged into one, for --method gray [default: sqrt(8 n)/rho, for n columns
    /// and rho non-zeros in a row]
    #[arg(long, value_name = "B", value_parser = clap::value_parser!(u32).range(1..))]
    pub block: Option<u32>,
    /// Columns are refined until there are more lists than this share of them, for --method gray
    #[arg(long, value_name = "T", default_value_t = 0.9)]
    pub fraction: f64,
    /// Which of all random orders
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
}

/// An order of rows and columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Method {
    /// By Gray codes
    Gray,
    /// Reverse Cuthill-McKee
    Rcm,
    /// By chance
    Random,
}

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
