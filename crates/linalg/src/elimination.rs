//! How much work eliminations are, in multiplications by the usual algorithm, for those who wait for them.

use std::cell::Cell;
use sunzi_machine::threads::Work;

/// What is counted.
pub const MULTIPLICATIONS: &str = "multiplications";

/// Those of an elimination of so many rows and columns, Σ (rows − t)·(columns − t), unless some are dependent.
pub fn multiplications(rows: usize, columns: usize) -> u64 {
    let [m, n, r] = [rows, columns, rows.min(columns)].map(|count| count as u128);
    // The sums of all t and of all t² below r.
    let sum = r * r.saturating_sub(1) / 2;
    let squares = sum * (2 * r).saturating_sub(1) / 3;
    u64::try_from(r * m * n + squares - sum * (m + n)).unwrap_or(u64::MAX)
}

/// An elimination of a square matrix, row by row.
pub(crate) struct RowByRow {
    work: Work,
    left: Cell<u64>,
}

impl RowByRow {
    pub(crate) fn of(order: usize) -> Self {
        let all = multiplications(order, order);
        Self {
            work: Work::new(all, MULTIPLICATIONS),
            left: Cell::new(all),
        }
    }

    /// Only so many rows and columns are left.
    pub(crate) fn left(&self, order: usize) {
        let left = multiplications(order, order);
        self.work.done(self.left.replace(left) - left);
    }
}
