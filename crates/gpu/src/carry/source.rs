//! The program's text.

use super::CarryShape;
use crate::Source;

const LIMBS: &str = include_str!("../kernels/limbs.cl");
const CARRY: &str = include_str!("../kernels/carry.cl");

/// The program for coefficients of so many words in a shape.
pub(super) fn source(planes: usize, shape: CarryShape) -> Source<'static> {
    Source::new("carry", shape.threads)
        .define("PLANES", planes)
        .define("EACH", shape.words)
        .define("BLOCK_WORDS", shape.block())
        .define("RUN", CarryShape::RUN)
        .part(LIMBS)
        .part(CARRY)
}

/// Programs of every kind: to see whether they compile for a device that is not at hand.
pub fn sources() -> Vec<Source<'static>> {
    (1..=4)
        .map(|planes| source(planes, CarryShape::default()))
        .collect()
}
