//! The Gray order: Algorithm 7 of the thesis, and its parameters.

use std::num::NonZeroU32;

use crate::error::SparseError;

use crate::{matrix::CsrMatrix, permutation::Permutation, places::Places};

use super::refine::Columns;
use super::rows::order_rows;

/// The parameters of [`gray_ordering`]: b, t and L.
///
/// ```
/// use sunzi::sparse::reorder::GrayOrdering;
///
/// let options = GrayOrdering::default();
/// assert_eq!(options.stop, 0.9);
/// assert_eq!(options.merge, None); // √(nL)/ρ
/// // 10^6 columns, 8 words a line, 10 non-zeros a row.
/// assert_eq!(options.merge_for(1_000_000, 1_000_000, 10_000_000).get(), 283);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GrayOrdering {
    /// b: how many lists of columns are merged into one after the rows have been ordered; by default
    /// √(nL)/ρ, at least 1, which Proposition 20 recommends, where ρ is the mean of non-zeros in a row.
    pub merge: Option<NonZeroU32>,
    /// t: the refinement ends as soon as there are more than t·n lists. Between 0 and 1, both
    /// excluded; 0.9 by default, as in the thesis.
    pub stop: f64,
    /// L: the elements of x that a line of cache holds: 8 of `f64` in 64 bytes, the default.
    pub line: NonZeroU32,
}

impl Default for GrayOrdering {
    fn default() -> Self {
        Self {
            merge: None,
            stop: 0.9,
            line: NonZeroU32::new(8).expect("8 is not 0"),
        }
    }
}

impl GrayOrdering {
    /// The default parameters for lines of so many elements, at least 1.
    pub(super) fn for_line(elements: usize) -> Self {
        let line = u32::try_from(elements).unwrap_or(u32::MAX);
        Self {
            line: NonZeroU32::new(line).unwrap_or(NonZeroU32::MIN),
            ..Self::default()
        }
    }

    /// The b that will be used for a matrix of these numbers of rows, columns and non-zeros.
    ///
    /// ```
    /// # use sunzi::sparse::reorder::GrayOrdering;
    /// assert_eq!(GrayOrdering::default().merge_for(3, 3, 9).get(), 2);
    /// assert_eq!(GrayOrdering::default().merge_for(0, 0, 0).get(), 1);
    /// assert_eq!(GrayOrdering::default().merge_for(3, 3, 0).get(), 3);
    /// ```
    pub fn merge_for(&self, rows: usize, columns: usize, nonzeros: usize) -> NonZeroU32 {
        self.merge.unwrap_or_else(|| {
            let row_mean = nonzeros as f64 / rows.max(1) as f64;
            let words = (columns as f64 * f64::from(self.line.get())).sqrt();
            // There are no more lists than columns. The cast takes what is no number for 0.
            let lists = (words / row_mean).round().min(columns as f64);
            NonZeroU32::new(lists as u32).unwrap_or(NonZeroU32::MIN)
        })
    }

    fn check(&self) -> Result<(), SparseError> {
        if self.stop > 0.0 && self.stop < 1.0 {
            return Ok(());
        }
        Err(SparseError::Stop { stop: self.stop })
    }
}

/// Orders of the rows and of the columns, and how they came about.
///
/// ```
/// use sunzi::sparse::CsrMatrix;
/// use sunzi::sparse::reorder::{GrayOrdering, gray_ordering};
///
/// let matrix = CsrMatrix::from_triplets(2, 2, &[(0, 1, 3.0), (1, 0, 4.0)])?;
/// let reordering = gray_ordering(&matrix, &GrayOrdering::default())?;
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
/// use sunzi::sparse::{CsrMatrix, Permutation};
/// use sunzi::sparse::reorder::{GrayOrdering, gray_ordering};
///
/// let diagonal: Vec<_> = (0..100).map(|i| (i, i, ())).collect();
/// let matrix = CsrMatrix::from_triplets_with(100, 100, &diagonal, |_, _| ())?;
/// let hidden = matrix.permuted(&Permutation::random(100, 1), &Permutation::random(100, 2))?;
/// let found = gray_ordering(&hidden, &GrayOrdering::default())?;
/// assert_eq!(hidden.permuted(&found.rows, &found.columns)?, matrix);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// What it saves:
///
/// ```
/// use sunzi::sparse::CsrMatrix;
/// use sunzi::sparse::cache::{CacheError, CacheShape, Replacement, Spmv, simulate};
/// use sunzi::sparse::reorder::{GrayOrdering, gray_ordering};
/// use sunzi::sparse::test_matrices::{TestMatrix, shuffled};
///
/// let (matrix, ..) = shuffled(&"grid2d:100,100".parse::<TestMatrix>()?.generate(1)?, 1);
/// let found = gray_ordering(&matrix, &GrayOrdering::default())?;
/// let reordered = matrix.permuted(&found.rows, &found.columns)?;
///
/// // The product of the reordered matrix with x in the columns' order is y in the rows' order.
/// let x = vec![1.0; matrix.columns()];
/// let y = reordered.mul_vector(&found.columns.apply(&x))?;
/// assert_eq!(y, found.rows.apply(&matrix.mul_vector(&x)?));
///
/// // 128 lines of 8 doubles.
/// let cache = CacheShape::new(1024, 8)?;
/// let misses = |of: &CsrMatrix<f64>| {
///     let product = Spmv::new(of.row_starts(), of.column_indices(), of.columns())?;
///     Ok::<_, CacheError>(simulate(&product.x_only(), cache, Replacement::Optimal)?.misses())
/// };
/// assert!(2 * misses(&reordered)? < misses(&matrix)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`SparseError::Stop`] if t is not between 0 and 1.
pub fn gray_ordering<E>(
    matrix: &CsrMatrix<E>,
    options: &GrayOrdering,
) -> Result<Reordering, SparseError> {
    ordered(Places::of(matrix), options)
}

/// See [`gray_ordering`].
pub(super) fn ordered(
    matrix: Places<'_>,
    options: &GrayOrdering,
) -> Result<Reordering, SparseError> {
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
