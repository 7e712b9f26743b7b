//! Sparse matrices: rows or columns of non-zeros.
//!
//! **Problem.** A matrix of m rows, n columns and τ entries that are stored, the non-zeros; τ is far below m·n. Its
//! main use is the product y = A·x, again and again.
//!
//! **Form.** A [`SparseMatrix`] stores its entries row by row with their column indices ([`CsrMatrix`]), or column by
//! column with their row indices ([`CscMatrix`]), ascending in either. Values may be anything `Copy`: `f64`, residues,
//! or `()` where only the places matter.
//!
//! **Bounds.** Rows and columns number at most 2^32 − 1 each; τ is bounded by the memory. Conversions,
//! transposition and permutation take O(m + n + τ) time (Haque, "Hardware acceleration technologies in computer
//! algebra: challenges and impact", thesis, 2013, §6.3, Lemmas 2 to 5).
//!
//! ```
//! use sunzi::sparse::{CsrMatrix, Permutation};
//!
//! // 1 0 2 / 0 3 0
//! let matrix = CsrMatrix::from_triplets(2, 3, &[(0, 2, 2.0), (1, 1, 3.0), (0, 0, 1.0)])?;
//! assert_eq!(matrix.row_starts(), [0, 2, 3]);
//! assert_eq!(matrix.column_indices(), [0, 2, 1]);
//!
//! let upside_down = matrix.permute_rows(&Permutation::new(vec![1, 0])?)?;
//! assert_eq!(upside_down.row(0), (&[1][..], &[3.0][..]));
//! # Ok::<(), sunzi::sparse::SparseError>(())
//! ```

// What is public for tests alone is documented for readers of its file.
#![cfg_attr(feature = "internals", allow(missing_docs))]

mod any;
pub mod cache;
mod compressed;
mod cuthill_mckee;
mod error;
mod gradients;
mod line_sorter;
mod matrix;
pub mod matrix_market;
mod permutation;
mod picture;
mod places;
mod product;
mod rearrange;
pub mod reorder;
#[cfg(feature = "serde")]
mod serde;
pub mod test_matrices;

pub use any::AnySparseMatrix;
pub use error::{Line, SparseError};
pub use gradients::{
    GradientsOptions, GradientsReport, Stop, conjugate_gradients, conjugate_gradients_with,
};
pub use matrix::{ColumnMajor, CscMatrix, CsrMatrix, Major, RowMajor, SparseMatrix};
pub use permutation::Permutation;
pub use picture::Picture;
pub use product::ModularProduct;

/// What the tests of this crate reach into.
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod internals {
    pub use crate::compressed::Compressed;
    pub use crate::line_sorter::{COUNTED, LineSorter};
    pub use crate::matrix::lines;
    pub use crate::picture::{bound, counts, pixel};
    pub use crate::product::modular::{Modular32, Modular64};
    pub use crate::product::real::{Doubles, dot};
    pub use crate::product::run::{Along, Arithmetic, across_in_parts, along_from};
}
