//! Values of polynomials modulo a prime at many points.

use super::super::Words;
use super::modular::{Computation, Part, Value, bytes};
use crate::fields::CommandField;
use sunzi::poly::{Poly, PolyError, PolyRing, SubproductTree};

/// What an evaluation takes beside the tree, as multiples of the bytes of the points and of those of the
/// polynomial, which is divided by the root where it is longer: measured at 10^5 to 2·10^6 coefficients
/// over four fields.
const SCRATCH_OF_POINTS: u64 = 16;
const SCRATCH_OF_COEFFICIENTS: u64 = 9;

/// About how many bytes an evaluation at so many points takes beside the tree.
pub fn scratch_of_points<F: CommandField>(points: usize) -> u64 {
    bytes::<F>(points).saturating_mul(SCRATCH_OF_POINTS)
}

/// Values at the points of a tree, in their order.
pub struct Evaluation<F: CommandField> {
    tree: SubproductTree<F>,
    /// About how many the tree takes.
    bytes: u64,
}

impl<F: CommandField> Evaluation<F> {
    /// At the points of a tree over this ring.
    pub fn new(ring: &PolyRing<F>, tree: SubproductTree<F>) -> Self {
        Self {
            bytes: SubproductTree::bytes(ring, tree.len()),
            tree,
        }
    }
}

impl<F: CommandField> Computation<F, 1> for Evaluation<F> {
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
        _ring: &PolyRing<F>,
        [polynomial]: [&Poly<F::Elem>; 1],
    ) -> Result<Vec<Part<F::Elem>>, PolyError> {
        Ok(vec![Part {
            name: "values",
            value: Value::Residues(self.tree.evaluate(polynomial)?),
        }])
    }

    fn found(&self, _lengths: [usize; 1]) -> usize {
        self.tree.len()
    }

    fn scratch_bytes(&self, _ring: &PolyRing<F>, [length]: [usize; 1]) -> u64 {
        let points = scratch_of_points::<F>(self.tree.len());
        let coefficients = bytes::<F>(length).saturating_mul(SCRATCH_OF_COEFFICIENTS);
        points.saturating_add(coefficients)
    }

    fn explain(&self, _ring: &PolyRing<F>, [length]: [usize; 1]) -> String {
        format!("{length} coefficients at {} points", self.tree.len())
    }
}
