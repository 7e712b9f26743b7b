//! How large coefficients of subresultants over Z can be.
//!
//! **Bound.** Let F_i be the 1-norm of the coefficient of y^i in f, a polynomial in x, ‖f‖² = Σ F_i², and the same for g. A
//! coefficient of S_j of y^k is the determinant of a matrix of m + n − 2j rows, n − j of f and m − j of g, in each of which every
//! coefficient of f (of g) stands at most once: the last column has that of y^k in the place of the polynomial. For |x| = 1 an
//! entry is at most F_i (G_i) in absolute value, so that by Hadamard's inequality the determinant is at most
//! ‖f‖^(n−j)·‖g‖^(m−j), and Cauchy's formula bounds its coefficients of powers of x by the same (A. Goldstein, R. Graham, *A
//! Hadamard-type bound on the coefficients of a determinant of polynomials*, 1974).

use super::BivariatePoly;
use sunzi_integer::{Integer, Natural};

/// Relative errors of logarithms and of their sums are below this.
const ROUNDING: f64 = 1e-12;

/// Bits: coefficients of S_`j`, `j` below both degrees in y, are at most 2^bits in absolute value.
pub fn subresultant_bits(f: &BivariatePoly<Integer>, g: &BivariatePoly<Integer>, j: usize) -> f64 {
    let [m, n] = [f, g].map(|f| f.rows().len().saturating_sub(1));
    let [of_f, of_g] = [n, m].map(|degree| degree.saturating_sub(j) as f64);
    let bits = of_f * norm_bits(f) + of_g * norm_bits(g);
    bits * (1.0 + 4.0 * ROUNDING)
}

/// A bound for log₂ ‖f‖, f not 0.
fn norm_bits(f: &BivariatePoly<Integer>) -> f64 {
    let square = |norm: Natural| &norm * &norm;
    let sum: Natural = f.norms().into_iter().map(square).sum();
    logarithm_above(&sum) / 2.0
}

/// A bound for log₂ n, n > 0; hardly above it.
pub fn logarithm_above(n: &Natural) -> f64 {
    let excess = n.bit_len().saturating_sub(64);
    let leading = u64::try_from(n >> excess).unwrap_or(u64::MAX);
    let logarithm = (leading as f64).log2() + excess as f64;
    // What was cut off, and rounding.
    logarithm + 1e-15 + logarithm * ROUNDING
}

impl BivariatePoly<Integer> {
    /// The 1-norms of the coefficients of y⁰, y¹, …: sums of absolute values.
    pub(crate) fn norms(&self) -> Vec<Natural> {
        let norm =
            |row: &crate::Poly<Integer>| row.coefficients().iter().map(Integer::magnitude).sum();
        self.rows().iter().map(norm).collect()
    }
}
