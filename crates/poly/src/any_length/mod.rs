//! Transforms of any length that a prime field has.
//!
//! **Problem.** `X_j = Σ x_i·ω^{ij}` for N points, ω of order N, where N divides p − 1 but need not be a
//! power of two. **Algorithm.** Bluestein's chirp transform (`chirp`): one product of polynomials with N
//! coefficients each, whatever N is; the polynomial rings know how to multiply them over every field.
//! Powers of two are left to the field's own transforms. **Root.** One for every N, such that all of
//! them agree with each other and with the field's (`root`).
//!
//! **Floor.** A product of N by N coefficients, so three transforms of 2N points where p − 1 has the
//! factors 2; N products before it, N after it, and 4N once for the tables.

mod chirp;
mod divisors;
mod error;
mod root;
mod transform;

pub use error::AnyLengthError;
pub use transform::AnyLengthDft;
