//! Orders of rows and columns in which a product A·x finds more of x in the cache.
//!
//! **Problem.** In y = A·x the elements of x are asked for in the order of the column indices, row after
//! row. Where these jump about, each costs a line of cache. Choose an order of the rows and one of the
//! columns, in time proportional to the non-zeros, so that they jump less.
//!
//! **Algorithm.** [`GrayOrder`]: columns are read as binary reflected Gray codes, the first row the most
//! significant bit, and sorted by rank as far as that tells them apart; rows in which no column begins
//! follow the columns that most of their non-zeros share (Haque, thesis, 2013, ch. 6, Algorithms 7, 8
//! and 9). [`classify`] tells which non-zeros the analysis of such orders covers.
//!
//! **Bound.** O(m + n + τ) for each step of the refinement that there is, few in practice; of the
//! non-zeros α, β and δ, x costs 3n/L + O(√(n/L)) + 1 lines when the cache holds 2√(nL) words
//! (Proposition 20).
//!
//! **Floor.** Three passes over the non-zeros with one random access each (the first rows of columns, the
//! lists that win rows, the columns' new lists), each about the cost of one product with the matrix as
//! it was given.
//!
//! ```
//! use sunzi_linalg::sparse::gallery::{Gallery, shuffled};
//! use sunzi_linalg::sparse::reorder::{GrayOrder, gray_order};
//! use sunzi_model::{CacheShape, Replacement, Spmv, simulate};
//!
//! let (matrix, ..) = shuffled(&"grid2d:100,100".parse::<Gallery>()?.generate(1)?, 1);
//! let found = gray_order(&matrix, &GrayOrder::default())?;
//! let reordered = matrix.permuted(&found.rows, &found.columns)?;
//!
//! // The product of the reordered matrix with x in the columns' order is y in the rows' order.
//! let x = vec![1.0; matrix.columns()];
//! let y = reordered.mul_vector(&found.columns.apply(&x))?;
//! assert_eq!(y, found.rows.apply(&matrix.mul_vector(&x)?));
//!
//! // Lines of 8 doubles, 128 of them.
//! let cache = CacheShape::new(1024, 8)?;
//! let misses = |of: &sunzi_linalg::sparse::CsrMatrix<f64>| {
//!     let product = Spmv::new(of.row_starts(), of.column_indices(), of.columns())?;
//!     Ok::<_, sunzi_model::CacheError>(simulate(&product.x_only(), cache, Replacement::Optimal)?.misses())
//! };
//! assert!(2 * misses(&reordered)? < misses(&matrix)?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod classify;
mod gray;
mod options;
mod refine;
mod rows;

pub use classify::{NonZeroKind, NonZeroKinds, classify};
pub use gray::{GrayReport, Reordering, gray_order};
pub use options::{GrayOrder, ReorderError};
