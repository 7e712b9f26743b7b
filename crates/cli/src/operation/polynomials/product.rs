//! Products of polynomials modulo a prime.

use super::super::{PRODUCTS, Words};
use super::modular::{Computation, Part};
use crate::fields::CommandField;
use sunzi::poly::{Algorithm, Plan, Poly, PolyError, PolyRing};

/// Products, by this algorithm or by the one that fits the sizes.
pub struct Product(pub Option<Algorithm>);

impl Product {
    fn plan<F: CommandField>(
        &self,
        ring: &PolyRing<F>,
        [left, right]: [usize; 2],
    ) -> Result<Plan, PolyError> {
        match self.0 {
            Some(algorithm) => ring.plan_with(algorithm, left, right),
            None => Ok(ring.plan(left, right)),
        }
    }
}

impl<F: CommandField> Computation<F, 2> for Product {
    fn words(&self) -> &Words {
        &PRODUCTS
    }

    fn compute(
        &self,
        ring: &PolyRing<F>,
        [left, right]: [&Poly<F::Elem>; 2],
    ) -> Result<Vec<Part<F::Elem>>, PolyError> {
        let product = match self.0 {
            Some(algorithm) => ring.mul_with(algorithm, left, right),
            None => ring.try_mul(left, right),
        };
        Ok(vec![Part::polynomial("product", product?)])
    }

    fn found(&self, [left, right]: [usize; 2]) -> usize {
        left + right
    }

    fn scratch_bytes(&self, ring: &PolyRing<F>, lengths: [usize; 2]) -> u64 {
        self.plan(ring, lengths)
            .map_or(0, |plan| plan.scratch_bytes)
    }

    fn algorithm(&self, ring: &PolyRing<F>, [left, right]: [usize; 2]) -> Option<&'static str> {
        let algorithm = self.0.unwrap_or_else(|| ring.plan(left, right).algorithm);
        Some(algorithm.name())
    }

    fn explain(&self, ring: &PolyRing<F>, lengths: [usize; 2]) -> String {
        self.plan(ring, lengths)
            .map_or_else(|error| error.to_string(), |plan| plan.to_string())
    }
}
