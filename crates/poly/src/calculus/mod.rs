//! Linear operations, derivatives, shifts of the variable, composition, values at geometric progressions
//! and random polynomials: what is done to one polynomial, or to two coefficient by coefficient.

mod compose;
mod geometric;
mod linear;
mod random;
mod shift;
mod value;

use sunzi_field::memory;

use crate::coefficient_field::CoefficientField;
use crate::{PolyError, PolyRing};

impl<F: CoefficientField> PolyRing<F> {
    /// Whether the machine has the memory for so many vectors of `len` elements.
    fn require_vectors(&self, vectors: u64, len: usize) -> Result<(), PolyError> {
        let bytes = vectors.saturating_mul(size_of::<F::Elem>() as u64);
        memory::require(bytes.saturating_mul(len as u64))?;
        Ok(())
    }

    /// Whether the scalar with this index is an element of the field.
    fn require_element(&self, index: usize, scalar: F::Elem) -> Result<(), PolyError> {
        match self.field().is_canonical(scalar) {
            true => Ok(()),
            false => Err(PolyError::PointOutside { index }),
        }
    }
}
