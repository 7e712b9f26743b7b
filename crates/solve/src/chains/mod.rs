//! Regular chains of two polynomials in two variables.

mod chain;
mod modular;
mod rational;
mod split;

pub use chain::{RegularChain, RegularChains};
pub use modular::{regular_chains_modulo, regular_chains_over};
pub use rational::regular_chains;
