//! Polynomials in two unknowns.

mod polynomial;

pub use polynomial::BivariatePoly;
