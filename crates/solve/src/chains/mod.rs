//! Common factors and regular chains of two polynomials in two variables.

mod chain;
mod integer_gcd;
mod modular;
mod modular_gcd;
mod rational;
mod split;
#[cfg(test)]
mod tests;

pub use chain::{RegularChain, RegularChains};
pub use integer_gcd::bivariate_gcd;
pub use modular::regular_chains_modulo;
pub use modular_gcd::BivariateGcd;
pub use rational::regular_chains;
