//! What is done with polynomials, one a line.

mod division;
mod evaluation;
mod gcd;
pub mod modular;
pub mod over_integers;
mod product;
mod resultant;

pub use division::Division;
pub use evaluation::{Evaluation, scratch_of_points};
pub use gcd::Gcds;
pub use product::Product;
pub use resultant::Resultants;

use super::named;
use sunzi::poly::Algorithm;
use sunzi_files::error::Failure;
use sunzi_files::input::{algebraic, coefficients};

/// What a line holds, in sentences.
pub const NOUN: &str = "polynomial";

/// The algorithm of products that a user named.
pub fn named_algorithm(name: &str) -> Result<Algorithm, Failure> {
    named(name, &Algorithm::ALL, Algorithm::name)
}

/// About how many bytes a polynomial with coefficients of so many bytes takes, from a glance at its line.
fn weight(content: &[u8], coefficient: usize) -> usize {
    if coefficients::is_algebraic(content) {
        algebraic::weight(content, coefficient)
    } else {
        content.len()
    }
}
