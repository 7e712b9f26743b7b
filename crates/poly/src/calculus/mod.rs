//! Linear operations, derivatives, shifts of the variable, composition, values at geometric progressions
//! and random polynomials: what is done to one polynomial, or to two coefficient by coefficient.

mod compose;
mod geometric;
mod linear;
mod random;
pub(crate) mod shift;
mod value;

use crate::error::PolyError;
use crate::multiplier::CoefficientField;
use crate::ring::PolyRing;

impl<F: CoefficientField> PolyRing<F> {
    /// Whether the scalar with this index is an element of the field.
    fn require_element(&self, index: usize, scalar: F::Elem) -> Result<(), PolyError> {
        match self.field().is_canonical(scalar) {
            true => Ok(()),
            false => Err(PolyError::PointOutside { index }),
        }
    }
}
