//! Division with remainder of polynomials modulo a prime.

use super::super::Words;
use super::modular::{Computation, Part, Polynomials};
use std::sync::OnceLock;
use sunzi::engine::{Batch, EngineError};
use sunzi::poly::{AnyDivisor, AnyPoly, PolyError};

/// What a division takes beside operands and results, as a multiple of the operands' bytes: measured at
/// 10^5 to 2·10^6 coefficients over four fields.
const SCRATCH: u64 = 9;

/// Quotient, then remainder.
pub struct Division {
    /// The divisor of every line, if it is the same.
    prepared: OnceLock<AnyDivisor>,
}

impl Division {
    pub fn new() -> Self {
        Self {
            prepared: OnceLock::new(),
        }
    }
}

impl Computation<2> for Division {
    fn words(&self) -> &Words {
        &Words {
            one: "division",
            many: "divisions",
            doing: "dividing",
            between: "divided by",
        }
    }

    fn preparation_bytes(&self, over: &Polynomials, [_, divisor]: [Option<usize>; 2]) -> u64 {
        over.bytes(divisor.unwrap_or(0)).saturating_mul(2 * SCRATCH)
    }

    fn prepare(
        &self,
        over: &Polynomials,
        [_, divisor]: [Option<&AnyPoly>; 2],
    ) -> Result<(), PolyError> {
        if let Some(divisor) = divisor {
            let divisor = over.ring().divisor(divisor)?;
            self.prepared.get_or_init(|| divisor);
        }
        Ok(())
    }

    fn compute(
        &self,
        over: &Polynomials,
        rows: &[[&AnyPoly; 2]],
    ) -> Result<Batch<Vec<Part>>, EngineError> {
        Ok(Batch::on_processor(rows, |[dividend, divisor]| {
            let [quotient, remainder] = match self.prepared.get() {
                Some(prepared) => prepared.divrem(dividend)?,
                None => over.ring().divrem(dividend, divisor)?,
            };
            Ok(vec![
                Part::polynomial("quotient", quotient),
                Part::polynomial("remainder", remainder),
            ])
        }))
    }

    fn found(&self, [dividend, _]: [usize; 2]) -> usize {
        dividend
    }

    fn scratch_bytes(&self, over: &Polynomials, [dividend, divisor]: [usize; 2]) -> u64 {
        over.bytes(dividend + divisor).saturating_mul(SCRATCH)
    }
}
