//! Division with remainder of polynomials modulo a prime.

use super::super::Words;
use super::modular::{Computation, Part, bytes};
use crate::fields::CommandField;
use std::sync::OnceLock;
use sunzi::poly::{Divisor, Poly, PolyError, PolyRing};

/// What a division takes beside operands and results, as a multiple of the operands' bytes: measured at
/// 10^5 to 2·10^6 coefficients over four fields.
const SCRATCH: u64 = 9;

/// Quotient, then remainder.
pub struct Division<F: CommandField> {
    /// The divisor of every line, if it is the same.
    prepared: OnceLock<Divisor<F>>,
}

impl<F: CommandField> Division<F> {
    pub fn new() -> Self {
        Self {
            prepared: OnceLock::new(),
        }
    }
}

impl<F: CommandField> Computation<F, 2> for Division<F> {
    fn words(&self) -> &Words {
        &Words {
            one: "division",
            many: "divisions",
            doing: "dividing",
            between: "divided by",
        }
    }

    fn preparation_bytes(&self, [_, divisor]: [Option<usize>; 2]) -> u64 {
        bytes::<F>(divisor.unwrap_or(0)).saturating_mul(2 * SCRATCH)
    }

    fn prepare(
        &self,
        ring: &PolyRing<F>,
        [_, divisor]: [Option<&Poly<F::Elem>>; 2],
    ) -> Result<(), PolyError> {
        if let Some(divisor) = divisor {
            let divisor = Divisor::new(ring, divisor)?;
            self.prepared.get_or_init(|| divisor);
        }
        Ok(())
    }

    fn compute(
        &self,
        ring: &PolyRing<F>,
        [dividend, divisor]: [&Poly<F::Elem>; 2],
    ) -> Result<Vec<Part<F::Elem>>, PolyError> {
        let (quotient, remainder) = match self.prepared.get() {
            Some(prepared) => prepared.divrem(dividend)?,
            None => ring.divrem(dividend, divisor)?,
        };
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
