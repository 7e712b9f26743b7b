//! Polynomials in two unknowns.

mod bound;
mod degrees;
mod formal;
mod images;
mod integer;
mod lockstep;
mod modular;
mod points;
mod polynomial;

pub use integer::{ChainOptions, resultant_y, subresultant_y};
pub use modular::BivariateRing;
pub use polynomial::BivariatePoly;

#[cfg(test)]
mod tests;

use sunzi_field::lanes::LanesField;
use sunzi_poly::CoefficientField;

/// A field of word size: [`Fp32`](sunzi_field::Fp32) or [`Fp64`](sunzi_field::Fp64).
pub trait BivariateField: CoefficientField + LanesField {}

impl<F: CoefficientField + LanesField> BivariateField for F {}
