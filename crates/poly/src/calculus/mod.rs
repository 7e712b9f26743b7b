//! Linear operations, derivatives, shifts of the variable, composition, values at geometric progressions
//! and random polynomials: what is done to one polynomial, or to two coefficient by coefficient.

mod compose;
mod geometric;
mod linear;
mod random;
mod shift;

use rayon::prelude::*;
use sunzi_field::{Field, memory};

use crate::coefficient_field::CoefficientField;
use crate::{PolyError, PolyRing};

/// Elements that a thread takes at a time, an even number.
const CHUNK: usize = 1 << 11;

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

/// start^i · ratio^C(i,2) for i = 0 … len − 1: the powers of `start` where the ratio is 1, a chirp else.
fn chirp<F: Field>(field: &F, start: F::Elem, ratio: F::Elem, len: usize) -> Vec<F::Elem> {
    let mut entries = vec![field.zero(); len];
    let fill = |(index, entries): (usize, &mut [F::Elem])| {
        let first = (index * CHUNK) as u64;
        // C(first, 2) in two factors, as the product may be longer than a word; chunks start at even i.
        let half = field.pow(ratio, first / 2);
        let mut entry = field.pow(half, first.saturating_sub(1));
        entry = field.mul(entry, field.pow(start, first));
        let mut step = field.mul(start, field.pow(ratio, first));
        for place in entries {
            *place = entry;
            // C(i + 1, 2) = C(i, 2) + i.
            entry = field.mul(entry, step);
            step = field.mul(step, ratio);
        }
    };
    match len <= CHUNK {
        true => fill((0, &mut entries)),
        false => entries.par_chunks_mut(CHUNK).enumerate().for_each(fill),
    }
    entries
}
