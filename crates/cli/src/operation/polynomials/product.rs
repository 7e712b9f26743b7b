//! Products of polynomials modulo a prime.

use super::super::{PRODUCTS, Words};
use super::modular::{Computation, Part, Polynomials};
use sunzi::engine::Engine;
use sunzi::poly::{Algorithm, AnyPoly, Plan, PolyError};

/// Products, by this algorithm or by the one that fits the sizes, where the engine says.
pub struct Product<'a> {
    pub algorithm: Option<Algorithm>,
    pub engine: &'a Engine,
}

impl Product<'_> {
    fn plan(&self, over: &Polynomials, [left, right]: [usize; 2]) -> Result<Plan, PolyError> {
        match self.algorithm {
            Some(algorithm) => over.ring().plan_with(algorithm, left, right),
            None => Ok(over.ring().plan(left, right)),
        }
    }
}

impl Computation<2> for Product<'_> {
    fn words(&self) -> &Words {
        &PRODUCTS
    }

    fn compute(
        &self,
        over: &Polynomials,
        [left, right]: [&AnyPoly; 2],
    ) -> Result<Vec<Part>, PolyError> {
        let product = match self.algorithm {
            Some(algorithm) => over.ring().mul_with(algorithm, left, right),
            None => over.ring().mul(left, right),
        };
        Ok(vec![Part::polynomial("product", product?)])
    }

    fn compute_on_device(
        &self,
        over: &Polynomials,
        rows: &[[&AnyPoly; 2]],
    ) -> Result<Option<Vec<Vec<Part>>>, String> {
        let products = self.engine.residues_on_device(over.ring(), rows);
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

    fn scratch_bytes(&self, over: &Polynomials, lengths: [usize; 2]) -> u64 {
        self.plan(over, lengths)
            .map_or(0, |plan| plan.scratch_bytes)
    }

    fn algorithm(&self, over: &Polynomials, [left, right]: [usize; 2]) -> Option<&'static str> {
        let algorithm = self
            .algorithm
            .unwrap_or_else(|| over.ring().plan(left, right).algorithm);
        Some(algorithm.name())
    }

    fn explain(&self, over: &Polynomials, lengths: [usize; 2]) -> String {
        self.plan(over, lengths)
            .map_or_else(|error| error.to_string(), |plan| plan.to_string())
    }
}
