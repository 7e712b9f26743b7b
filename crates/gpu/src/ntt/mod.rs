//! Number theoretic transforms and convolutions on a device.
//!
//! X_j = Σ x_i ω^(ij) modulo a prime of one word for N = 2^n ≤ 2^28 points, its inverse, cyclic and negacyclic
//! convolutions; any number of them, in place.
//!
//! The forward transform divides x^N − 1 into linear factors: level s has 2^s blocks, and takes each residue modulo
//! x^M − c modulo x^(M/2) ∓ √c. The factor of a butterfly depends on the number of its block alone, so that one table
//! serves all levels (Bernstein, "Fast multiplication and its applications", 2008, §§ 2–3; Seiler, "Faster AVX2
//! optimized NTT multiplication", 2018). Residues come out in bit-reversed order, and the inverse takes them in it.
//!
//! A *pass* brings tiles of 2^t points into local memory, does as many levels there as they allow, and writes them back
//! (Bailey, "FFTs in external or hierarchical memory", 1990); a thread does r levels at a time in registers. A
//! convolution multiplies in the first pass back.
//!
//! N n/2 butterflies; with P passes 2PN words of memory traffic, and (6P + 1)N for a convolution.

mod context;
pub(crate) mod plan;
pub(crate) mod programs;
mod twiddles;

pub use context::NttContext;
pub use plan::{MAX_LOG_POINTS, NttParameters, NttPlan, Pass};
