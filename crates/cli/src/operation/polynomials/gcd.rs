//! Greatest common divisors of polynomials modulo a prime.

use super::super::Words;
use super::modular::{Computation, Part, Polynomials};
use sunzi::engine::{Batch, EngineError};
use sunzi::poly::AnyPoly;

/// What the half-GCD takes beside operands and results, without and with cofactors, as a multiple of the
/// operands' bytes: measured at 10^5 to 2·10^6 coefficients over four fields, on two threads.
pub(super) const SCRATCH: u64 = 14;
const EXTENDED_SCRATCH: u64 = 26;

/// Monic greatest common divisors.
pub struct Gcds {
    /// Whether s and t with g = s·a + t·b follow g.
    pub cofactors: bool,
}

impl Computation<2> for Gcds {
    fn words(&self) -> &Words {
        &Words {
            one: "gcd",
            many: "gcds",
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
            if !self.cofactors {
                return Ok(vec![Part::polynomial("gcd", over.ring().gcd(left, right)?)]);
            }
            let [gcd, s, t] = over.ring().xgcd(left, right)?;
            Ok(vec![
                Part::polynomial("gcd", gcd),
                Part::polynomial("s", s),
                Part::polynomial("t", t),
            ])
        }))
    }

    fn found(&self, [left, right]: [usize; 2]) -> usize {
        match self.cofactors {
            true => left + right + left.max(right),
            false => left.max(right),
        }
    }

    fn scratch_bytes(&self, over: &Polynomials, [left, right]: [usize; 2]) -> u64 {
        let factor = match self.cofactors {
            true => EXTENDED_SCRATCH,
            false => SCRATCH,
        };
        over.bytes(left + right).saturating_mul(factor)
    }
}
