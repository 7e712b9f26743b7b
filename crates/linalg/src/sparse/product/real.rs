//! Products with doubles.

use super::kernel::Kernel;
use super::run;
use crate::sparse::{CscMatrix, CsrMatrix, SparseError};

/// Sums that a line has, so that additions need not wait for each other.
pub(super) const SUMS: usize = 8;

/// The 8 sums of a line as one.
#[inline(always)]
pub(super) fn total(sums: [f64; SUMS]) -> f64 {
    let halves: [f64; 4] = std::array::from_fn(|i| sums[i] + sums[i + 4]);
    (halves[0] + halves[2]) + (halves[1] + halves[3])
}

/// Doubles.
pub(in crate::sparse) struct Doubles;

impl Kernel<f64> for Doubles {
    #[inline(always)]
    fn zero(&self) -> f64 {
        0.0
    }

    #[inline(always)]
    unsafe fn dot(&self, indices: &[u32], values: &[f64], x: &[f64]) -> f64 {
        let (index_blocks, last_indices) = indices.as_chunks::<SUMS>();
        let (value_blocks, last_values) = values.as_chunks::<SUMS>();
        let mut sum = 0.0;
        if !index_blocks.is_empty() {
            let mut sums = [0.0; SUMS];
            for (indices, values) in index_blocks.iter().zip(value_blocks) {
                for k in 0..SUMS {
                    // SAFETY: indices are below `x.len()`, as this function asks.
                    sums[k] += values[k] * unsafe { *x.get_unchecked(indices[k] as usize) };
                }
            }
            sum = total(sums);
        }
        for (&index, &value) in last_indices.iter().zip(last_values) {
            // SAFETY: likewise, the last of these indices.
            sum += value * unsafe { *x.get_unchecked(index as usize) };
        }
        sum
    }

    #[inline(always)]
    fn mul_add(&self, sum: f64, a: f64, b: f64) -> f64 {
        sum + a * b
    }

    #[inline(always)]
    fn add(&self, sum: &mut [f64], x: &[f64]) {
        for (sum, x) in sum.iter_mut().zip(x) {
            *sum += x;
        }
    }
}

impl CsrMatrix<f64> {
    /// y = A·x, on all threads. The result is the same on any number of them and on any machine.
    ///
    /// ```
    /// # use sunzi_linalg::sparse::CsrMatrix;
    /// let matrix = CsrMatrix::from_triplets(2, 2, &[(0, 0, 2.0), (0, 1, 3.0), (1, 0, 5.0)])?;
    /// assert_eq!(matrix.mul_vector(&[1.0, 10.0])?, [32.0, 5.0]);
    /// # Ok::<(), sunzi_linalg::sparse::SparseError>(())
    /// ```
    ///
    /// # Errors
    /// [`SparseError::Length`] if x doesn't have an element for each column.
    pub fn mul_vector(&self, x: &[f64]) -> Result<Vec<f64>, SparseError> {
        let mut y = vec![0.0; self.rows()];
        self.mul_vector_into(x, &mut y)?;
        Ok(y)
    }

    /// As [`CsrMatrix::mul_vector`], into a vector that is there already.
    ///
    /// ```
    /// # use sunzi_linalg::sparse::*;
    /// let matrix = CsrMatrix::from_triplets(1, 2, &[(0, 1, 4.0)])?;
    /// let mut y = [0.0];
    /// matrix.mul_vector_into(&[1.0, 2.0], &mut y)?;
    /// assert_eq!(y, [8.0]);
    /// # Ok::<(), SparseError>(())
    /// ```
    ///
    /// # Errors
    /// [`SparseError::Length`] if x doesn't have an element for each column, or y for each row.
    pub fn mul_vector_into(&self, x: &[f64], y: &mut [f64]) -> Result<(), SparseError> {
        run::check_lengths((self.rows(), self.columns()), x.len(), y.len())?;
        run::along(&Doubles, &self.lines, x, y);
        Ok(())
    }

    /// y = Aᵀ·x. Where many such products are wanted, those of [`CsrMatrix::to_csc`] are faster.
    ///
    /// ```
    /// # use sunzi_linalg::sparse::CsrMatrix;
    /// let matrix = CsrMatrix::from_triplets(2, 2, &[(0, 0, 2.0), (0, 1, 3.0), (1, 0, 5.0)])?;
    /// assert_eq!(matrix.transposed_mul_vector(&[1.0, 10.0])?, [52.0, 3.0]);
    /// # Ok::<(), sunzi_linalg::sparse::SparseError>(())
    /// ```
    ///
    /// # Errors
    /// [`SparseError::Length`] if x doesn't have an element for each row.
    pub fn transposed_mul_vector(&self, x: &[f64]) -> Result<Vec<f64>, SparseError> {
        run::check_rows(self.rows(), x.len())?;
        let mut y = vec![0.0; self.columns()];
        run::across(&Doubles, &self.lines, x, &mut y);
        Ok(y)
    }
}

impl CscMatrix<f64> {
    /// y = A·x. Where many products are wanted, those of [`CscMatrix::to_csr`] are faster.
    ///
    /// ```
    /// # use sunzi_linalg::sparse::*;
    /// let matrix = CscMatrix::from_triplets(1, 2, &[(0, 1, 4.0)])?;
    /// assert_eq!(matrix.mul_vector(&[1.0, 2.0])?, [8.0]);
    /// # Ok::<(), SparseError>(())
    /// ```
    ///
    /// # Errors
    /// [`SparseError::Length`] if x doesn't have an element for each column.
    pub fn mul_vector(&self, x: &[f64]) -> Result<Vec<f64>, SparseError> {
        let mut y = vec![0.0; self.rows()];
        run::check_lengths((self.rows(), self.columns()), x.len(), y.len())?;
        run::across(&Doubles, &self.lines, x, &mut y);
        Ok(y)
    }

    /// y = Aᵀ·x, on all threads, as [`CsrMatrix::mul_vector`].
    ///
    /// ```
    /// # use sunzi_linalg::sparse::*;
    /// let matrix = CscMatrix::from_triplets(1, 2, &[(0, 1, 4.0)])?;
    /// assert_eq!(matrix.transposed_mul_vector(&[2.0])?, [0.0, 8.0]);
    /// # Ok::<(), SparseError>(())
    /// ```
    ///
    /// # Errors
    /// [`SparseError::Length`] if x doesn't have an element for each row.
    pub fn transposed_mul_vector(&self, x: &[f64]) -> Result<Vec<f64>, SparseError> {
        run::check_rows(self.rows(), x.len())?;
        let mut y = vec![0.0; self.columns()];
        run::along(&Doubles, &self.lines, x, &mut y);
        Ok(y)
    }
}
