//! Values of polynomials modulo a prime at many points.

use super::super::Words;
use super::modular::{Computation, Part, Polynomials, Value};
use sunzi::engine::{Batch, EngineError};
use sunzi::poly::{AnyPoly, AnySubproductTree};

/// What an evaluation takes beside the tree, as multiples of the bytes of the points and of those of the
/// polynomial, which is divided by the root where it is longer: measured at 10^5 to 2·10^6 coefficients
/// over four fields.
const SCRATCH_OF_POINTS: u64 = 16;
const SCRATCH_OF_COEFFICIENTS: u64 = 9;

/// About how many bytes an evaluation at so many points takes beside the tree.
pub fn scratch_of_points(over: &Polynomials, points: usize) -> u64 {
    over.bytes(points).saturating_mul(SCRATCH_OF_POINTS)
}

/// Values at the points of a tree, in their order.
pub struct Evaluation {
    tree: AnySubproductTree,
    /// About how many the tree takes.
    bytes: u64,
}

impl Evaluation {
    /// At the points of a tree over this ring.
    pub fn new(over: &Polynomials, tree: AnySubproductTree) -> Self {
        Self {
            bytes: over.ring().tree_bytes(tree.len()),
            tree,
        }
    }
}

impl Computation<1> for Evaluation {
    fn words(&self) -> &Words {
        &Words {
            one: "evaluation",
            many: "evaluations",
            doing: "evaluating",
            between: "",
        }
    }

    fn held_bytes(&self) -> u64 {
        self.bytes
    }

    fn compute(
        &self,
        _over: &Polynomials,
        rows: &[[&AnyPoly; 1]],
    ) -> Result<Batch<Vec<Part>>, EngineError> {
        Ok(Batch::on_processor(rows, |[polynomial]| {
            Ok(vec![Part {
                name: "values",
                value: Value::Residues(self.tree.evaluate(polynomial)?),
            }])
        }))
    }

    fn found(&self, _lengths: [usize; 1]) -> usize {
        self.tree.len()
    }

    fn scratch_bytes(&self, over: &Polynomials, [length]: [usize; 1]) -> u64 {
        let points = scratch_of_points(over, self.tree.len());
        let coefficients = over.bytes(length).saturating_mul(SCRATCH_OF_COEFFICIENTS);
        points.saturating_add(coefficients)
    }

    fn explain(&self, _over: &Polynomials, [length]: [usize; 1]) -> String {
        format!("{length} coefficients at {} points", self.tree.len())
    }
}
