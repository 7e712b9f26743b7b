//! Algorithm 7.

use std::num::NonZeroU32;

use super::super::{CsrMatrix, Permutation};
use super::options::{GrayOrder, ReorderError};
use super::refine::Columns;
use super::rows::order_rows;

/// Orders of the rows and of the columns, and how they came about.
///
/// ```
/// use sunzi_linalg::sparse::CsrMatrix;
/// use sunzi_linalg::sparse::reorder::{GrayOrder, gray_order};
///
/// let matrix = CsrMatrix::from_triplets(2, 2, &[(0, 1, 3.0), (1, 0, 4.0)])?;
/// let reordering = gray_order(&matrix, &GrayOrder::default())?;
/// // The column that begins in the first row comes first.
/// assert_eq!(reordering.columns.order(), [1, 0]);
/// let reordered = matrix.permuted(&reordering.rows, &reordering.columns)?;
/// assert_eq!(reordered.get(0, 0), Some(&3.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Reordering {
    /// The order of the rows.
    pub rows: Permutation,
    /// The order of the columns.
    pub columns: Permutation,
    /// How they came about.
    pub report: GrayReport,
}

/// What the algorithm met: the figures of Table 6.3.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GrayReport {
    /// b, as it was used.
    pub merge: NonZeroU32,
    /// The rows in which some column has its first non-zero; they come first.
    pub beginning_rows: usize,
    /// The other rows, 𝓡 of Algorithm 8; |𝓡|/m is in Table 6.3.
    pub won_rows: usize,
    /// The lists of A^1 after merging.
    pub merged_lists: usize,
    /// The lists in the end.
    pub lists: usize,
    /// The columns in lists that further steps might have cut.
    pub open_columns: usize,
    /// Steps of the refinement after merging.
    pub iterations: usize,
}

/// The row and column order of Algorithm 7, the BRGC ordering of the 2013 thesis.
///
/// Only the places of non-zeros matter. Time O(m + n + τ), and O(columns not yet told apart) for each
/// step of the refinement; memory 4τ + O(m + n) bytes. The result does not depend on the number of
/// threads.
///
/// ```
/// use sunzi_linalg::sparse::{CsrMatrix, Permutation};
/// use sunzi_linalg::sparse::reorder::{GrayOrder, gray_order};
///
/// let diagonal: Vec<_> = (0..100).map(|i| (i, i, ())).collect();
/// let matrix = CsrMatrix::from_triplets_with(100, 100, &diagonal, |_, _| ())?;
/// let hidden = matrix.permuted(&Permutation::random(100, 1), &Permutation::random(100, 2))?;
/// let found = gray_order(&hidden, &GrayOrder::default())?;
/// assert_eq!(hidden.permuted(&found.rows, &found.columns)?, matrix);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// t outside of 0 … 1.
pub fn gray_order<E: Sync>(
    matrix: &CsrMatrix<E>,
    options: &GrayOrder,
) -> Result<Reordering, ReorderError> {
    options.check()?;
    let merge = options.merge_for(matrix.rows(), matrix.columns(), matrix.nnz());
    let initial = Columns::initial(matrix);
    let rows = order_rows(matrix, &initial);
    let refined = initial.refine(matrix, &rows.order, merge.get(), options.stop);
    let report = GrayReport {
        merge,
        beginning_rows: rows.beginning,
        won_rows: matrix.rows() - rows.beginning,
        merged_lists: refined.merged_lists,
        lists: refined.lists,
        open_columns: refined.open_columns,
        iterations: refined.iterations,
    };
    Ok(Reordering {
        rows: Permutation::known(rows.order),
        columns: Permutation::known(refined.order),
        report,
    })
}
