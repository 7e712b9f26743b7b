//! Products in doubles.

use std::ops::Mul;
use sunzi_machine::threads::Threads;

use super::run::{self, Arithmetic};
use crate::{
    compressed::Compressed,
    error::{Line, SparseError},
    matrix::{Major, SparseMatrix},
};

/// Sums that a line has, so that additions need not wait for each other.
const SUMS: usize = 8;

/// The 8 sums of a line as one.
#[inline(always)]
fn total(sums: [f64; SUMS]) -> f64 {
    let halves: [f64; 4] = std::array::from_fn(|i| sums[i] + sums[i + 4]);
    (halves[0] + halves[2]) + (halves[1] + halves[3])
}

/// The arithmetic of doubles.
pub struct Doubles;

impl Arithmetic<f64> for Doubles {
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

/// The lines of a matrix times x; compiled in this crate.
fn along(lines: &Compressed<f64>, x: &[f64], y: &mut [f64]) {
    run::along(&Doubles, lines, x, y);
}

/// The sum of the lines of a matrix times elements of x; compiled in this crate.
fn across(lines: &Compressed<f64>, x: &[f64], y: &mut [f64]) {
    run::across(&Doubles, lines, x, y);
}

impl<M: Major> SparseMatrix<f64, M> {
    /// y = A·x; by a [`CsrMatrix`](crate::CsrMatrix) on all threads. The result is the same on any number of
    /// them and on any machine. Where many such products are wanted, those of a matrix by rows are faster.
    ///
    /// ```
    /// # use sunzi::sparse::CsrMatrix;
    /// let matrix = CsrMatrix::from_triplets(2, 2, &[(0, 0, 2.0), (0, 1, 3.0), (1, 0, 5.0)])?;
    /// assert_eq!(matrix.mul_vector(&[1.0, 10.0])?, [32.0, 5.0]);
    /// assert_eq!(matrix.to_csc().mul_vector(&[1.0, 10.0])?, [32.0, 5.0]);
    /// # Ok::<(), sunzi::sparse::SparseError>(())
    /// ```
    ///
    /// # Errors
    /// [`SparseError::Length`] if x doesn't have an element for each column.
    pub fn mul_vector(&self, x: &[f64]) -> Result<Vec<f64>, SparseError> {
        let mut y = vec![0.0; self.rows()];
        self.mul_vector_into(x, &mut y)?;
        Ok(y)
    }

    /// As [`SparseMatrix::mul_vector`], into a vector that is there already.
    ///
    /// ```
    /// # use sunzi_sparse::*;
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
        SparseError::check_length("the vector", Line::Column, self.columns(), x.len())?;
        SparseError::check_length("the result", Line::Row, self.rows(), y.len())?;
        match M::LINE {
            Line::Row => along(&self.lines, x, y),
            Line::Column => across(&self.lines, x, y),
        }
        Ok(())
    }

    /// y = Aᵀ·x; by a [`CscMatrix`](crate::CscMatrix) on all threads. Where many such products are wanted,
    /// those of a matrix by columns are faster.
    ///
    /// ```
    /// # use sunzi::sparse::CsrMatrix;
    /// let matrix = CsrMatrix::from_triplets(2, 2, &[(0, 0, 2.0), (0, 1, 3.0), (1, 0, 5.0)])?;
    /// assert_eq!(matrix.transposed_mul_vector(&[1.0, 10.0])?, [52.0, 3.0]);
    /// assert_eq!(matrix.to_csc().transposed_mul_vector(&[1.0, 10.0])?, [52.0, 3.0]);
    /// # Ok::<(), sunzi::sparse::SparseError>(())
    /// ```
    ///
    /// # Errors
    /// [`SparseError::Length`] if x doesn't have an element for each row.
    pub fn transposed_mul_vector(&self, x: &[f64]) -> Result<Vec<f64>, SparseError> {
        SparseError::check_length("the vector", Line::Row, self.rows(), x.len())?;
        let mut y = vec![0.0; self.columns()];
        match M::LINE {
            Line::Row => across(&self.lines, x, &mut y),
            Line::Column => along(&self.lines, x, &mut y),
        }
        Ok(y)
    }
}

/// A·x, as [`SparseMatrix::mul_vector`].
///
/// ```
/// # use sunzi::sparse::CsrMatrix;
/// let matrix = CsrMatrix::from_triplets(2, 2, &[(0, 0, 2.0), (0, 1, 3.0), (1, 0, 5.0)])?;
/// let x = vec![1.0, 10.0];
/// assert_eq!(&matrix * &x, [32.0, 5.0]);
/// assert_eq!(&matrix * &x[..], &matrix * &x);
/// # Ok::<(), sunzi::sparse::SparseError>(())
/// ```
///
/// # Panics
/// If x doesn't have an element for each column.
impl<M: Major> Mul<&[f64]> for &SparseMatrix<f64, M> {
    type Output = Vec<f64>;

    fn mul(self, x: &[f64]) -> Vec<f64> {
        match self.mul_vector(x) {
            Ok(product) => product,
            Err(error) => panic!("{error}"),
        }
    }
}

impl<M: Major> Mul<&Vec<f64>> for &SparseMatrix<f64, M> {
    type Output = Vec<f64>;

    fn mul(self, x: &Vec<f64>) -> Vec<f64> {
        self * &x[..]
    }
}

/// Elements that are summed by one thread.
const BLOCK: usize = 1 << 13;

/// `Σ a[i]·b[i]`: blocks of 2^13 are summed as lines of matrices are, then their sums in order.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len(), "vectors of equal length");
    let blocks = a.chunks(BLOCK).zip(b.chunks(BLOCK));
    let sums = Threads::all().map(blocks, |(a, b)| block(a, b));
    sums.into_iter().sum()
}

fn block(a: &[f64], b: &[f64]) -> f64 {
    let (a_blocks, a_last) = a.as_chunks::<SUMS>();
    let (b_blocks, b_last) = b.as_chunks::<SUMS>();
    let mut sums = [0.0; SUMS];
    for (a, b) in a_blocks.iter().zip(b_blocks) {
        for k in 0..SUMS {
            sums[k] += a[k] * b[k];
        }
    }
    let last = a_last.iter().zip(b_last);
    last.fold(total(sums), |sum, (a, b)| sum + a * b)
}
