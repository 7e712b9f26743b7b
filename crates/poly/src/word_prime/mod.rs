//! Products of polynomials over word-size prime fields.
//!
//! **Problem.** Dense polynomials modulo p < 2^63, in any two lengths. **Algorithms.** Plain products in
//! vectors (`plain`); transforms over the field where p − 1 has enough factors 2; else Karatsuba's
//! method, and transforms over several primes; one product of long integers when asked for
//! (`kronecker`).
//!
//! **Floor.** A product of length L takes three transforms of L points (two for a square) and L products
//! in the field.

mod field;
mod kronecker;
mod plain;
mod products;

pub use field::{Thresholds, WordField};
pub use products::WordPrimeProducts;
