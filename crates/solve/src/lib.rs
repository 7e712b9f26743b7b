//! Modular methods over Z and Q: greatest common divisors, resultants, square-free factors, real roots, and all solutions
//! of two equations in two unknowns.

mod bivariate;
mod chains;
mod error;
mod images;
mod integer;
mod known;
mod roots;
mod system;

pub use bivariate::{
    BivariateField, BivariatePoly, BivariateRing, ChainOptions, resultant_y, subresultant_y,
};
pub use chains::{
    BivariateGcd, RegularChain, RegularChains, bivariate_gcd, regular_chains, regular_chains_modulo,
};
pub use error::SolveError;
pub use integer::{
    GcdAndCofactors, IntegerGcd, IntegerResultant, Method, SquareFree, discriminant, gcd,
    resultant, square_free,
};
pub use known::Known;
pub use roots::{Dyadic, DyadicInterval, RealRoot, RealRoots, RootSearch};
pub use system::{
    BivariateSystem, ComplexCount, Direction, Solution, Solutions, Steps, SystemPlan,
};
