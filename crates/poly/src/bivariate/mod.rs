//! Polynomials in two variables.

pub(crate) mod bound;
pub(crate) mod degrees;
mod formal;
pub(crate) mod images;
mod integer_gcd;
pub(crate) mod integer_subresultants;
mod lockstep;
mod modular_gcd;
mod modular_subresultants;
pub(crate) mod points;
mod polynomial;
mod subresultant_images;

pub use bound::subresultant_bits;
pub use integer_gcd::bivariate_gcd;
pub use integer_subresultants::{ChainOptions, resultant_y, subresultant_y};
pub use modular_gcd::BivariateGcd;
pub use modular_subresultants::BivariateRing;
pub use polynomial::BivariatePoly;
pub use subresultant_images::{ResultantYImages, SubresultantYImages};

use crate::CoefficientField;
use sunzi_field::lanes::LanesField;

/// A field of word size, over which there are a [`BivariateRing`] and vectors: [`Fp32`](sunzi_field::Fp32),
/// [`Fp64`](sunzi_field::Fp64) or [`Fp64Full`](sunzi_field::Fp64Full).
///
/// ```
/// use sunzi::field::Fp64;
/// use sunzi::solve::{BivariateField, BivariatePoly, BivariateRing};
///
/// fn is_coprime<F: BivariateField>(
///     ring: &BivariateRing<F>,
///     f: &BivariatePoly<F::Elem>,
///     g: &BivariatePoly<F::Elem>,
/// ) -> Result<bool, sunzi::poly::PolyError> {
///     Ok(!ring.resultant_y(f, g)?.is_zero())
/// }
///
/// let ring = BivariateRing::new(Fp64::new((1 << 61) - 1)?);
/// let line = BivariatePoly::new(vec![sunzi::poly::Poly::new(vec![0, 1]), sunzi::poly::Poly::new(vec![1])]);
/// assert!(!is_coprime(&ring, &line, &line)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait BivariateField: CoefficientField + LanesField {}

impl<F: CoefficientField + LanesField> BivariateField for F {}
