//! Modular methods over Z and Q: greatest common divisors, resultants, square-free factors, real roots, and all solutions
//! of two equations in two unknowns.

mod bivariate;
mod error;
mod known;
mod roots;

pub use bivariate::BivariatePoly;
pub use error::SolveError;
pub use known::Known;
pub use roots::{Dyadic, DyadicInterval, RealRoot, RealRoots, RootSearch};
