//! Greatest common divisors of polynomials modulo a prime.

use super::super::Words;
use super::modular::{Computation, Part, bytes};
use crate::fields::CommandField;
use sunzi::poly::{Poly, PolyError, PolyRing};

/// How sentences and figures speak of greatest common divisors.
const GCDS: Words = Words {
    one: "gcd",
    many: "gcds",
    doing: "dividing",
    between: "and",
};

/// What the half-GCD takes beside operands and results, without and with cofactors, as a multiple of the
/// operands' bytes: measured at 10^5 to 2·10^6 coefficients over four fields, on two threads.
pub(super) const SCRATCH: u64 = 14;
const EXTENDED_SCRATCH: u64 = 26;

/// Monic greatest common divisors.
pub struct Gcds;

/// The same with their cofactors: g, then s and t with g = s·a + t·b.
pub struct ExtendedGcds;

impl<F: CommandField> Computation<F, 2> for Gcds {
    fn words(&self) -> &Words {
        &GCDS
    }

    fn compute(
        &self,
        ring: &PolyRing<F>,
        [left, right]: [&Poly<F::Elem>; 2],
    ) -> Result<Vec<Part<F::Elem>>, PolyError> {
        Ok(vec![Part::polynomial("gcd", ring.gcd(left, right)?)])
    }

    fn found(&self, [left, right]: [usize; 2]) -> usize {
        left.max(right)
    }

    fn scratch_bytes(&self, _ring: &PolyRing<F>, [left, right]: [usize; 2]) -> u64 {
        bytes::<F>(left + right).saturating_mul(SCRATCH)
    }
}

impl<F: CommandField> Computation<F, 2> for ExtendedGcds {
    fn words(&self) -> &Words {
        &GCDS
    }

    fn compute(
        &self,
        ring: &PolyRing<F>,
        [left, right]: [&Poly<F::Elem>; 2],
    ) -> Result<Vec<Part<F::Elem>>, PolyError> {
        let found = ring.xgcd(left, right)?;
        Ok(vec![
            Part::polynomial("gcd", found.gcd),
            Part::polynomial("s", found.s),
            Part::polynomial("t", found.t),
        ])
    }

    fn found(&self, [left, right]: [usize; 2]) -> usize {
        left + right + left.max(right)
    }

    fn scratch_bytes(&self, _ring: &PolyRing<F>, [left, right]: [usize; 2]) -> u64 {
        bytes::<F>(left + right).saturating_mul(EXTENDED_SCRATCH)
    }
}
