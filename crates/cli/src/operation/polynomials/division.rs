//! Division with remainder of polynomials modulo a prime.

use super::super::Words;
use super::modular::{Computation, Part, bytes};
use crate::fields::CommandField;
use sunzi::poly::{Poly, PolyError, PolyRing};

/// What a division takes beside operands and results, as a multiple of the operands' bytes: measured at
/// 10^5 to 2·10^6 coefficients over four fields.
const SCRATCH: u64 = 9;

/// Quotient, then remainder.
pub struct Division;

impl<F: CommandField> Computation<F, 2> for Division {
    fn words(&self) -> &Words {
        &Words {
            one: "division",
            many: "divisions",
            doing: "dividing",
            between: "divided by",
        }
    }

    fn compute(
        &self,
        ring: &PolyRing<F>,
        [dividend, divisor]: [&Poly<F::Elem>; 2],
    ) -> Result<Vec<Part<F::Elem>>, PolyError> {
        let (quotient, remainder) = ring.divrem(dividend, divisor)?;
        Ok(vec![
            Part::polynomial("quotient", quotient),
            Part::polynomial("remainder", remainder),
        ])
    }

    fn found(&self, [dividend, _]: [usize; 2]) -> usize {
        dividend
    }

    fn scratch_bytes(&self, _ring: &PolyRing<F>, [dividend, divisor]: [usize; 2]) -> u64 {
        bytes::<F>(dividend + divisor).saturating_mul(SCRATCH)
    }
}
