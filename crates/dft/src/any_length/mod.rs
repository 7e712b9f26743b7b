//! Transforms of any length that a prime field has.
//!
//! **Problem.** `X_j = Σ x_i·ω^{ij}` for N points, ω of order N, where N divides p − 1 but need not be a
//! power of two. **Algorithm.** Bluestein's chirp transform ([`chirp`]): one product of polynomials with N
//! coefficients each, whatever N is; what multiplies them is a parameter, as it takes more than transforms over
//! the field itself where p − 1 has too few factors 2. Powers of two are left to the field's own transforms.
//! **Root.** One for every N, such that all of them agree with each other and with the field's ([`root`]).
//!
//! **Bound.** A product of N by N coefficients, so three transforms of 2N points where p − 1 has the
//! factors 2; N products before it, N after it, and 4N once for the tables.

pub(crate) mod chirp;
pub(crate) mod problem;
pub(crate) mod root;
pub(crate) mod transform;
