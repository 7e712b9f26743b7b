//! The kinds of non-zeros after a Gray order (§6.4.3).

use super::gray::GrayReport;
use super::rows::Owners;
use crate::error::{Line, SparseError};
use crate::matrix::CsrMatrix;
use crate::places::Places;

/// What a non-zero is to the analysis of a Gray order (§6.4.3 of the thesis).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NonZeroKind {
    /// α: within the rows in which the columns of its merged list begin.
    Alpha,
    /// β: the first of its column after these rows.
    Beta,
    /// Both β and δ.
    BetaDelta,
    /// γ: after the β of its column, before its first δ.
    Gamma,
    /// δ: in a row that was won by the list of its column.
    Delta,
    /// λ: any other.
    Lambda,
}

impl NonZeroKind {
    /// Whether Proposition 20 covers it: it is α, β or δ.
    ///
    /// ```
    /// use sunzi::sparse::reorder::NonZeroKind;
    /// assert!(NonZeroKind::Alpha.is_covered() && !NonZeroKind::Gamma.is_covered());
    /// ```
    pub fn is_covered(self) -> bool {
        !matches!(self, Self::Gamma | Self::Lambda)
    }
}

/// The kinds of all non-zeros: the figures of Table 6.1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NonZeroKinds {
    /// The kind of each non-zero of the reordered matrix, row by row.
    pub kinds: Vec<NonZeroKind>,
    /// How many are α.
    pub alpha: usize,
    /// How many are β, among them those that are also δ.
    pub beta: usize,
    /// How many are γ.
    pub gamma: usize,
    /// How many are δ, among them those that are also β.
    pub delta: usize,
    /// How many are λ.
    pub lambda: usize,
}

/// The kinds of the non-zeros of a matrix in the order that [`gray_ordering`](super::gray_ordering) found.
///
/// The list that owns a non-zero, and wins rows, is one of A^1 before merging (Definition 4). Time
/// O(m + n + τ).
///
/// ```
/// use sunzi::sparse::CsrMatrix;
/// use sunzi::sparse::reorder::{GrayOrdering, classify, gray_ordering};
///
/// let matrix = CsrMatrix::from_triplets(3, 2, &[(0, 0, 1), (1, 1, 1), (2, 0, 1), (2, 1, 1)])?;
/// let options = GrayOrdering { merge: std::num::NonZeroU32::new(1), ..GrayOrdering::default() };
/// let found = gray_ordering(&matrix, &options)?;
/// let reordered = matrix.permuted(&found.rows, &found.columns)?;
/// let kinds = classify(&reordered, &found.report)?;
/// assert_eq!((kinds.alpha, kinds.beta, kinds.delta), (2, 2, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`SparseError::Length`] if the report tells of another number of rows.
pub fn classify<E>(
    reordered: &CsrMatrix<E>,
    report: &GrayReport,
) -> Result<NonZeroKinds, SparseError> {
    classified(Places::of(reordered), report)
}

fn classified(reordered: Places<'_>, report: &GrayReport) -> Result<NonZeroKinds, SparseError> {
    let (m, n) = (reordered.rows() as u32, reordered.columns());
    let told = report.beginning_rows.saturating_add(report.won_rows);
    SparseError::check_length("the order of a report", Line::Row, m as usize, told)?;
    let lists = first_rows(reordered);
    let alpha_ends: Vec<u64> = lists
        .iter()
        .map(|&list| (u64::from(list / report.merge) + 1) * u64::from(report.merge.get()))
        .collect();
    let mut has_beta = vec![false; n];
    let mut has_delta = vec![false; n];
    let mut owners = Owners::new(m as usize);
    let mut kinds = Vec::with_capacity(reordered.nnz());
    for row in 0..m {
        let indices = reordered.row(row as usize);
        let is_won = row as usize >= report.beginning_rows;
        let owner = |&column: &u32| lists[column as usize];
        let winner = is_won
            .then(|| owners.winner(indices.iter().map(owner)))
            .flatten();
        for &column in indices {
            let column = column as usize;
            let is_delta = winner == Some(lists[column]);
            let is_beta = !has_beta[column] && u64::from(row) >= alpha_ends[column];
            kinds.push(match (is_beta, is_delta) {
                _ if u64::from(row) < alpha_ends[column] => NonZeroKind::Alpha,
                (true, true) => NonZeroKind::BetaDelta,
                (true, false) => NonZeroKind::Beta,
                (false, true) => NonZeroKind::Delta,
                (false, false) if has_delta[column] => NonZeroKind::Lambda,
                (false, false) => NonZeroKind::Gamma,
            });
            has_beta[column] |= is_beta;
            has_delta[column] |= is_delta;
        }
    }
    let count = |which: &[NonZeroKind]| kinds.iter().filter(|kind| which.contains(kind)).count();
    Ok(NonZeroKinds {
        alpha: count(&[NonZeroKind::Alpha]),
        beta: count(&[NonZeroKind::Beta, NonZeroKind::BetaDelta]),
        gamma: count(&[NonZeroKind::Gamma]),
        delta: count(&[NonZeroKind::Delta, NonZeroKind::BetaDelta]),
        lambda: count(&[NonZeroKind::Lambda]),
        kinds,
    })
}

/// The first row of each column; m where there is none.
fn first_rows(matrix: Places<'_>) -> Vec<u32> {
    let mut first = vec![matrix.rows() as u32; matrix.columns()];
    for row in (0..matrix.rows() as u32).rev() {
        matrix
            .row(row as usize)
            .iter()
            .for_each(|&column| first[column as usize] = row);
    }
    first
}
