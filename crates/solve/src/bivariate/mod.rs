//! Polynomials in two unknowns.

mod degrees;
mod formal;
mod lockstep;
mod modular;
mod points;
mod polynomial;

pub use modular::BivariateRing;
pub use polynomial::BivariatePoly;

use sunzi_field::lanes::LanesField;
use sunzi_poly::CoefficientField;

/// A field of word size: [`Fp32`](sunzi_field::Fp32) or [`Fp64`](sunzi_field::Fp64).
pub trait BivariateField: CoefficientField + LanesField {}

impl<F: CoefficientField + LanesField> BivariateField for F {}
