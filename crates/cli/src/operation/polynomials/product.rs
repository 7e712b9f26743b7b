//! Products of polynomials modulo a prime.

use super::super::{PRODUCTS, Words};
use super::modular::{Computation, Part, Polynomials};
use sunzi::engine::{Batch, Engine, EngineError};
use sunzi::poly::{Algorithm, AnyPoly, Plan};

/// Products, by this algorithm or by the one that fits the sizes, where the engine says.
pub struct Product<'a> {
    pub algorithm: Option<Algorithm>,
    pub engine: &'a Engine,
}

impl Product<'_> {
    fn plan(&self, over: &Polynomials, lengths: [usize; 2]) -> Result<Plan, EngineError> {
        self.engine
            .plan_residues(over.ring(), lengths, self.algorithm)
    }
}

impl Computation<2> for Product<'_> {
    fn words(&self) -> &Words {
        &PRODUCTS
    }

    fn compute(
        &self,
        over: &Polynomials,
        rows: &[[&AnyPoly; 2]],
    ) -> Result<Batch<Vec<Part>>, EngineError> {
        let products = self
            .engine
            .multiply_residues(over.ring(), rows, self.algorithm)?;
        Ok(products.map(|product| vec![Part::polynomial("product", product)]))
    }

    fn found(&self, [left, right]: [usize; 2]) -> usize {
        left + right
    }

    fn scratch_bytes(&self, over: &Polynomials, lengths: [usize; 2]) -> u64 {
        self.plan(over, lengths)
            .map_or(0, |plan| plan.scratch_bytes)
    }

    fn algorithm(&self, over: &Polynomials, lengths: [usize; 2]) -> Option<&'static str> {
        Some(self.plan(over, lengths).ok()?.algorithm.name())
    }

    fn explain(&self, over: &Polynomials, lengths: [usize; 2]) -> String {
        self.plan(over, lengths)
            .map_or_else(|error| error.to_string(), |plan| plan.to_string())
    }
}
