//! Symmetric positive definite systems by conjugate gradients.

use std::fmt;

use sunzi_machine::threads::Work;

use super::error::SparseError;
use super::matrix::CsrMatrix;
use super::product::dot;

/// When to stop, and what to divide by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GradientsOptions {
    /// Stop when |b − A·x| ≤ `tolerance`·|b|, as the iteration computes the former.
    pub tolerance: f64,
    /// Stop after this number of products with A.
    pub max_iterations: usize,
    /// Stop when the residual has reached no new minimum for this number of iterations.
    pub patience: usize,
    /// Divide residuals by the diagonal (Jacobi's preconditioner).
    pub jacobi: bool,
}

impl Default for GradientsOptions {
    /// A tolerance of 10^−10, 10 000 iterations, a patience of 500, Jacobi's preconditioner.
    fn default() -> Self {
        Self {
            tolerance: 1e-10,
            max_iterations: 10_000,
            patience: 500,
            jacobi: true,
        }
    }
}

/// Why an iteration stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The residual is as small as asked for.
    Converged,
    /// As many iterations as allowed were done.
    IterationLimit,
    /// The residual became no smaller for as long as patience allowed.
    Stagnation,
}

impl fmt::Display for Stop {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Converged => "converged",
            Self::IterationLimit => "stopped at the limit of iterations",
            Self::Stagnation => "stopped since the residual became no smaller",
        })
    }
}

/// What [`conjugate_gradients`] found.
#[derive(Clone, Debug, PartialEq)]
pub struct GradientsReport {
    /// The vector reached.
    pub solution: Vec<f64>,
    /// Why the iteration stopped.
    pub stop: Stop,
    /// |b − A·x| / |b| before the first iteration and after each, as the iteration computes it.
    pub residuals: Vec<f64>,
    /// |b − A·x| / |b| of the solution, computed anew.
    pub true_residual: f64,
}

impl GradientsReport {
    /// How many iterations were done: products with A, but for the one that checks the result.
    pub fn iterations(&self) -> usize {
        self.residuals.len() - 1
    }
}

/// Solves A·x = b for a symmetric positive definite A, beginning with x = 0 (Hestenes and Stiefel, "Methods
/// of conjugate gradients for solving linear systems", 1952; with a preconditioner as in Saad, "Iterative
/// methods for sparse linear systems", 2003, Algorithm 9.1). One product with A an iteration. The result is
/// the same on any number of threads. b is scaled by a power of two first, so that it may be of any size.
///
/// ```
/// use sunzi::sparse::{CsrMatrix, Stop, conjugate_gradients};
///
/// let matrix = CsrMatrix::from_triplets(2, 2, &[(0, 0, 4.0), (0, 1, 1.0), (1, 0, 1.0), (1, 1, 3.0)])?;
/// let report = conjugate_gradients(&matrix, &[1.0, 2.0])?;
/// assert_eq!(report.stop, Stop::Converged);
/// assert!((report.solution[0] - 1.0 / 11.0).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If A isn't square, symmetric in every entry, or is found not to be positive definite; if b doesn't fit, or
/// anything isn't finite. Not converging is no error: [`GradientsReport::stop`] says it.
pub fn conjugate_gradients(
    matrix: &CsrMatrix<f64>,
    right: &[f64],
) -> Result<GradientsReport, SparseError> {
    conjugate_gradients_with(matrix, right, &GradientsOptions::default())
}

/// The same, stopped and preconditioned as the options say.
///
/// # Errors
/// As [`conjugate_gradients`].
pub fn conjugate_gradients_with(
    matrix: &CsrMatrix<f64>,
    right: &[f64],
    options: &GradientsOptions,
) -> Result<GradientsReport, SparseError> {
    check(matrix, right, options)?;
    let inverse_diagonal = options
        .jacobi
        .then(|| inverse_diagonal(matrix))
        .transpose()?;
    let precondition = |residual: &[f64], out: &mut Vec<f64>| {
        out.clear();
        match &inverse_diagonal {
            None => out.extend_from_slice(residual),
            Some(factors) => out.extend(residual.iter().zip(factors).map(|(r, factor)| r * factor)),
        }
    };

    let mut solution = vec![0.0; right.len()];
    let largest = right.iter().fold(0.0, |most: f64, b| most.max(b.abs()));
    if largest == 0.0 {
        return Ok(GradientsReport {
            solution,
            stop: Stop::Converged,
            residuals: vec![0.0],
            true_residual: 0.0,
        });
    }
    // A power of two brings the largest element between 1 and 2, so that no square is lost or too large.
    let exponent = binary_exponent(largest);
    let mut right = right.to_vec();
    scale(&mut right, -exponent);
    let norm = dot(&right, &right).sqrt();
    let mut residual = right.clone();
    let mut preconditioned = Vec::with_capacity(right.len());
    precondition(&residual, &mut preconditioned);
    let mut direction = preconditioned.clone();
    let mut image = vec![0.0; right.len()];
    let mut weight = dot(&residual, &preconditioned);
    let mut residuals = vec![1.0];
    let (mut best, mut best_at) = (1.0, 0);
    let work = Work::at_most(options.max_iterations as u64, "iterations");
    let stop = loop {
        let done = residuals.len() - 1;
        if residuals[done] <= options.tolerance {
            break Stop::Converged;
        }
        if done == options.max_iterations {
            break Stop::IterationLimit;
        }
        if done - best_at >= options.patience {
            break Stop::Stagnation;
        }
        let iteration = done + 1;
        matrix.mul_vector_into(&direction, &mut image)?;
        let curvature = dot(&direction, &image);
        if !curvature.is_finite() || !weight.is_finite() {
            return Err(SparseError::Overflow { iteration });
        }
        if curvature <= 0.0 {
            // A residual so small that its squares vanish says nothing of the matrix.
            if weight < f64::MIN_POSITIVE {
                break Stop::Stagnation;
            }
            let product = curvature;
            return Err(SparseError::NotPositive { iteration, product });
        }
        let step = weight / curvature;
        add_scaled(&mut solution, step, &direction);
        add_scaled(&mut residual, -step, &image);
        precondition(&residual, &mut preconditioned);
        let next = dot(&residual, &preconditioned);
        let ratio = next / weight;
        weight = next;
        for (p, z) in direction.iter_mut().zip(&preconditioned) {
            *p = z + ratio * *p;
        }
        let size = dot(&residual, &residual).sqrt() / norm;
        if !size.is_finite() {
            return Err(SparseError::Overflow { iteration });
        }
        residuals.push(size);
        if size < best {
            (best, best_at) = (size, iteration);
        }
        work.done(1);
    };
    matrix.mul_vector_into(&solution, &mut image)?;
    for (image, b) in image.iter_mut().zip(&right) {
        *image = b - *image;
    }
    let true_residual = dot(&image, &image).sqrt() / norm;
    scale(&mut solution, exponent);
    if solution.iter().any(|x| !x.is_finite()) {
        let iteration = residuals.len() - 1;
        return Err(SparseError::Overflow { iteration });
    }
    Ok(GradientsReport {
        solution,
        stop,
        residuals,
        true_residual,
    })
}

/// The e with 2^e ≤ x < 2^(e + 1), of a positive x.
fn binary_exponent(x: f64) -> i32 {
    if x < f64::MIN_POSITIVE {
        return binary_exponent(x * power_of_two(54)) - 54;
    }
    (x.to_bits() >> 52) as i32 - 1023
}

/// 2^e for −1022 ≤ e ≤ 1023.
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// `x *= 2^exponent` for −2000 ≤ e ≤ 2000: in two steps, since 2^exponent alone may be no double.
fn scale(x: &mut [f64], exponent: i32) {
    let half = exponent / 2;
    let (first, second) = (power_of_two(half), power_of_two(exponent - half));
    x.iter_mut().for_each(|x| *x = *x * first * second);
}

/// `x += factor·y`.
fn add_scaled(x: &mut [f64], factor: f64, y: &[f64]) {
    for (x, y) in x.iter_mut().zip(y) {
        *x += factor * y;
    }
}

fn check(
    matrix: &CsrMatrix<f64>,
    right: &[f64],
    options: &GradientsOptions,
) -> Result<(), SparseError> {
    let (rows, columns) = (matrix.rows(), matrix.columns());
    if rows != columns {
        return Err(SparseError::NotSquare { rows, columns });
    }
    if right.len() != rows {
        return Err(SparseError::Length {
            what: "the right side",
            line: super::Line::Row,
            expected: rows,
            found: right.len(),
        });
    }
    if options.tolerance.is_nan() || options.tolerance < 0.0 {
        return Err(SparseError::Tolerance(options.tolerance));
    }
    for (what, numbers) in [("entry", matrix.values()), ("element", right)] {
        if let Some(index) = numbers.iter().position(|number| !number.is_finite()) {
            return Err(SparseError::NotFinite { what, index });
        }
    }
    let mirrored = matrix.transposed();
    if mirrored != *matrix {
        let differs = |&(row, column, value): &(u32, u32, f64)| {
            mirrored.get(row as usize, column as usize) != Some(&value)
        };
        if let Some((row, column, _)) = matrix.iter().find(differs) {
            return Err(SparseError::NotSymmetric { row, column });
        }
    }
    Ok(())
}

fn inverse_diagonal(matrix: &CsrMatrix<f64>) -> Result<Vec<f64>, SparseError> {
    let inverse = |row| match matrix.get(row, row) {
        Some(&entry) if entry > 0.0 => Ok(1.0 / entry),
        _ => Err(SparseError::Diagonal { row }),
    };
    (0..matrix.rows()).map(inverse).collect()
}
