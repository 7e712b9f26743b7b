//! Resultants of polynomials modulo a prime.

use super::super::Words;
use super::gcd::SCRATCH;
use super::modular::{Computation, Part, Value, bytes};
use crate::fields::CommandField;
use sunzi::poly::{Poly, PolyError, PolyRing};

/// Resultants.
pub struct Resultants;

impl<F: CommandField> Computation<F, 2> for Resultants {
    fn words(&self) -> &Words {
        &Words {
            one: "resultant",
            many: "resultants",
            doing: "dividing",
            between: "and",
        }
    }

    fn compute(
        &self,
        ring: &PolyRing<F>,
        [left, right]: [&Poly<F::Elem>; 2],
    ) -> Result<Vec<Part<F::Elem>>, PolyError> {
        Ok(vec![Part {
            name: "resultant",
            value: Value::Residue(ring.resultant(left, right)?),
        }])
    }

    fn found(&self, _lengths: [usize; 2]) -> usize {
        1
    }

    fn scratch_bytes(&self, _ring: &PolyRing<F>, [left, right]: [usize; 2]) -> u64 {
        bytes::<F>(left + right).saturating_mul(SCRATCH)
    }
}
