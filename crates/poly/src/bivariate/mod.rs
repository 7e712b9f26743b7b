//! Polynomials in two variables.

pub(crate) mod bound;
mod chains;
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

use crate::{CoefficientField, PolyError};
use chains::Chains;
use sunzi_field::{Fp32, Fp64, Fp64Full, GeneralizedFermat};

/// A field over which there is a [`BivariateRing`]. Those of word size compute several points at a time; others, one after the
/// other.
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
pub trait BivariateField: CoefficientField {
    /// Subresultants at points, coefficient by coefficient.
    #[doc(hidden)]
    fn chains(chains: &Chains<'_, Self>) -> Result<Vec<Self::Elem>, PolyError> {
        chains.one_by_one()
    }
}

impl<const K: usize> BivariateField for GeneralizedFermat<K> {}

/// Fields that have lanes.
macro_rules! in_lanes {
    ($($field:ty),*) => {
        $(impl BivariateField for $field {
            fn chains(chains: &Chains<'_, Self>) -> Result<Vec<Self::Elem>, PolyError> {
                chains.in_lanes()
            }
        })*
    };
}

in_lanes!(Fp32, Fp64, Fp64Full);

/// How many elements a field has; 2^64 − 1 if there are more.
fn elements<F: BivariateField>(field: &F) -> u64 {
    match field.modulus_limbs()[..] {
        [prime] => prime,
        _ => u64::MAX,
    }
}

/// About how many products of words one of elements takes.
const fn product_words<F: BivariateField>() -> usize {
    size_of::<F::Elem>().div_ceil(size_of::<u64>()).pow(2)
}
