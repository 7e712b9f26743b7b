//! Products of polynomials modulo a prime.

use super::super::{PRODUCTS, Words};
use super::modular::{Computation, Part};
use crate::fields::CommandField;
use sunzi::engine::Engine;
use sunzi::poly::{Algorithm, Plan, Poly, PolyError, PolyRing};

/// Products, by this algorithm or by the one that fits the sizes, where the engine says.
pub struct Product<'a> {
    pub algorithm: Option<Algorithm>,
    pub engine: &'a Engine,
}

impl Product<'_> {
    fn plan<F: CommandField>(
        &self,
        ring: &PolyRing<F>,
        [left, right]: [usize; 2],
    ) -> Result<Plan, PolyError> {
        match self.algorithm {
            Some(algorithm) => ring.plan_with(algorithm, left, right),
            None => Ok(ring.plan(left, right)),
        }
    }
}

impl<F: CommandField> Computation<F, 2> for Product<'_> {
    fn words(&self) -> &Words {
        &PRODUCTS
    }

    fn compute(
        &self,
        ring: &PolyRing<F>,
        [left, right]: [&Poly<F::Elem>; 2],
    ) -> Result<Vec<Part<F::Elem>>, PolyError> {
        let product = match self.algorithm {
            Some(algorithm) => ring.mul_with(algorithm, left, right),
            None => ring.try_mul(left, right),
        };
        Ok(vec![Part::polynomial("product", product?)])
    }

    fn compute_on_device(
        &self,
        ring: &PolyRing<F>,
        rows: &[[&Poly<F::Elem>; 2]],
    ) -> Result<Option<Vec<Vec<Part<F::Elem>>>>, String> {
        let products = self.engine.residues_on_device(ring, rows);
        let products = products.map_err(|error| error.to_string())?;
        let part = |product| vec![Part::polynomial("product", product)];
        Ok(products.map(|products| products.into_iter().map(part).collect()))
    }

    fn engine(&self) -> Option<&Engine> {
        Some(self.engine)
    }

    fn found(&self, [left, right]: [usize; 2]) -> usize {
        left + right
    }

    fn scratch_bytes(&self, ring: &PolyRing<F>, lengths: [usize; 2]) -> u64 {
        self.plan(ring, lengths)
            .map_or(0, |plan| plan.scratch_bytes)
    }

    fn algorithm(&self, ring: &PolyRing<F>, [left, right]: [usize; 2]) -> Option<&'static str> {
        let algorithm = self
            .algorithm
            .unwrap_or_else(|| ring.plan(left, right).algorithm);
        Some(algorithm.name())
    }

    fn explain(&self, ring: &PolyRing<F>, lengths: [usize; 2]) -> String {
        self.plan(ring, lengths)
            .map_or_else(|error| error.to_string(), |plan| plan.to_string())
    }
}
