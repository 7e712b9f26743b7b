//! Resultants of polynomials modulo a prime.

use super::super::Words;
use super::gcd::SCRATCH;
use super::modular::{Computation, Part, Polynomials, Value};
use sunzi::engine::{Batch, EngineError};
use sunzi::poly::AnyPoly;

/// Resultants.
pub struct Resultants;

impl Computation<2> for Resultants {
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
        over: &Polynomials,
        rows: &[[&AnyPoly; 2]],
    ) -> Result<Batch<Vec<Part>>, EngineError> {
        Ok(Batch::on_processor(rows, |[left, right]| {
            Ok(vec![Part {
                name: "resultant",
                value: Value::Residue(over.ring().resultant(left, right)?),
            }])
        }))
    }

    fn found(&self, _lengths: [usize; 2]) -> usize {
        1
    }

    fn scratch_bytes(&self, over: &Polynomials, [left, right]: [usize; 2]) -> u64 {
        over.bytes(left + right).saturating_mul(SCRATCH)
    }
}
