//! Modular methods over Z and Q: greatest common divisors, resultants, square-free factors, real roots, and all solutions
//! of two equations in two unknowns.

mod bivariate;
mod error;
mod images;
mod integer;
mod known;

pub use bivariate::BivariatePoly;
pub use error::SolveError;
pub use integer::{
    GcdAndCofactors, IntegerGcd, IntegerResultant, Method, SquareFree, discriminant, gcd,
    resultant, square_free,
};
pub use known::Known;
