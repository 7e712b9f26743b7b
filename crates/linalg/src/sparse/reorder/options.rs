use std::num::NonZeroU32;

use thiserror::Error;

/// The parameters of [`gray_order`](super::gray_order): b, t and L.
///
/// ```
/// use sunzi_linalg::sparse::reorder::GrayOrder;
///
/// let options = GrayOrder::default();
/// assert_eq!(options.stop, 0.9);
/// assert_eq!(options.merge, None); // √(nL)/ρ
/// // 10^6 columns, 8 words a line, 10 non-zeros a row.
/// assert_eq!(options.merge_for(1_000_000, 1_000_000, 10_000_000).get(), 283);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GrayOrder {
    /// b: how many lists of columns are merged into one after the rows have been ordered; by default
    /// √(nL)/ρ, at least 1, which Proposition 20 recommends, where ρ is the mean of non-zeros in a row.
    pub merge: Option<NonZeroU32>,
    /// t: the refinement ends as soon as there are more than t·n lists. Between 0 and 1, both
    /// excluded; 0.9 by default, as in the thesis.
    pub stop: f64,
    /// L: the elements of x that a line of cache holds: 8 of `f64` in 64 bytes, the default.
    pub line: NonZeroU32,
}

impl Default for GrayOrder {
    fn default() -> Self {
        Self {
            merge: None,
            stop: 0.9,
            line: NonZeroU32::new(8).expect("8 is not 0"),
        }
    }
}

impl GrayOrder {
    /// The b that will be used for a matrix of so many rows, columns and non-zeros.
    ///
    /// ```
    /// # use sunzi_linalg::sparse::reorder::GrayOrder;
    /// assert_eq!(GrayOrder::default().merge_for(3, 3, 9).get(), 2);
    /// assert_eq!(GrayOrder::default().merge_for(0, 0, 0).get(), 1);
    /// ```
    pub fn merge_for(&self, rows: usize, columns: usize, nonzeros: usize) -> NonZeroU32 {
        self.merge.unwrap_or_else(|| {
            let row_mean = nonzeros as f64 / rows.max(1) as f64;
            let words = (columns as f64 * f64::from(self.line.get())).sqrt();
            // The cast saturates, and takes what is no number for 0.
            NonZeroU32::new((words / row_mean).round() as u32).unwrap_or(NonZeroU32::MIN)
        })
    }

    pub(super) fn check(&self) -> Result<(), ReorderError> {
        if self.stop > 0.0 && self.stop < 1.0 {
            return Ok(());
        }
        Err(ReorderError::Stop { stop: self.stop })
    }
}

/// Why no order can be had.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum ReorderError {
    /// t is not between 0 and 1.
    #[error("t = {stop} does not lie between 0 and 1 (both excluded): 0.9 is usual")]
    Stop {
        /// The value of t.
        stop: f64,
    },
}
