//! How large results over the integers can be.
//!
//! All bounds are numbers of bits β, for |x| < 2^β, from logarithms that are too large by a sixteenth at most.
//!
//! - *Resultant*: the Sylvester matrix has n rows of the coefficients of f, of degree m, and m of those of g, of degree n. By
//!   Hadamard's inequality its determinant is at most ‖f‖₂^n·‖g‖₂^m. The matrix of S_j has n − j and m − j rows; each of its
//!   coefficients is a minor of as many of those, so that ‖f‖₂^(n − j)·‖g‖₂^(m − j) bounds it.
//! - *Divisor*: h of degree d divides f. With M(f) the product of |lc(f)| and of all roots' absolute values above 1, the i-th
//!   coefficient of h is at most C(d, i)·M(h) ≤ C(d, ⌊d/2⌋)·M(f), and M(f) ≤ ‖f‖₂ (M. Mignotte, *An inequality about factors of
//!   polynomials*, 1974; E. Landau, 1905). C(d, ⌊d/2⌋) ≤ 2^d. For γ/lc(h)·h, as |lc(h)| ≥ 1, γ times that.

use sunzi_integer::{Integer, Natural};

/// Steps of a bit in which logarithms are counted.
const STEPS: u64 = 16;

/// ⌈16·log₂‖f‖₂²⌉ or one more.
fn norm_steps(f: &[Integer]) -> u64 {
    let squares: Natural = f.iter().map(|x| x.magnitude().square()).sum();
    squares.pow(STEPS as usize).bit_len() as u64
}

/// The bits of ‖f‖₂^`power_f`·‖g‖₂^`power_g`.
pub fn norms(f: &[Integer], power_f: usize, g: &[Integer], power_g: usize) -> u64 {
    let of = |f: &[Integer], power: usize| norm_steps(f).saturating_mul(power as u64);
    let steps = of(f, power_f).saturating_add(of(g, power_g));
    steps.div_ceil(2 * STEPS)
}

/// The bits of γ/lc(h)·h for the greatest common divisor h of `f` and `g`, not 0, and γ that of their leading coefficients.
pub(super) fn multiple_of_divisor(f: &[Integer], g: &[Integer], common: &Integer) -> u64 {
    let degree = f.len().min(g.len()) as u64 - 1;
    let norm = norms(f, 1, &[Integer::ONE], 0).min(norms(g, 1, &[Integer::ONE], 0));
    degree + norm + common.bit_len() as u64
}
