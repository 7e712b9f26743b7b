//! Hadamard's bound.

use crate::dense::matrix::DenseMatrix;
use sunzi_integer::{Integer, Natural};

/// What is known of the size of a determinant before it is computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// |det A| < 2^bits.
    pub bits: f64,
    /// The binary logarithm of the shortest column's length, from below.
    pub shortest_column: f64,
    /// Of the product of all columns' lengths, from above.
    pub columns: f64,
}

impl Bound {
    /// |det A| is at most the product of the lengths of the rows, and that of the columns (Hadamard, 1893).
    /// `None` if a row or a column is 0, and so the determinant.
    pub fn of(matrix: &DenseMatrix<Integer>) -> Option<Self> {
        let n = matrix.rows();
        let mut columns = vec![Natural::ZERO; n];
        let mut rows = Vec::with_capacity(n);
        for i in 0..n {
            let mut row = Natural::ZERO;
            for (entry, column) in matrix.row(i).iter().zip(&mut columns) {
                let square = entry.magnitude().square();
                row += &square;
                *column += square;
            }
            rows.push(row);
        }
        let zero = |squares: &[Natural]| squares.iter().any(Natural::is_zero);
        if zero(&rows) || zero(&columns) {
            return None;
        }
        let product = |squares: &[Natural]| squares.iter().map(log2_above).sum::<f64>() / 2.0;
        let shortest = columns.iter().map(log2_above).fold(f64::INFINITY, f64::min);
        let (rows, columns) = (product(&rows), product(&columns));
        // Rounding in the sums is far below the slack of one bit.
        Some(Self {
            bits: rows.min(columns) + 1.0,
            shortest_column: (shortest - 1e-9).max(0.0) / 2.0,
            columns: columns + 1.0,
        })
    }
}

/// The binary logarithm of a positive integer, from above but for the rounding of the last sum, and by less
/// than 10^−10 too large, relatively.
pub fn log2_above(value: &Natural) -> f64 {
    let shift = value.bit_len().saturating_sub(52);
    let leading = u64::try_from(value >> shift).unwrap_or(u64::MAX);
    // Cut off bits are less than one unit of the leading ones.
    ((leading + u64::from(shift > 0)) as f64).log2() * (1.0 + 1e-14) + shift as f64 + 1e-12
}
