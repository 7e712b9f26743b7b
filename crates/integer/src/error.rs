//! What can be wrong with the operands of a product.

use thiserror::Error;

use crate::plan::Algorithm;

/// Why a product cannot be computed as asked.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MulError {
    /// The output slice does not have exactly as many limbs as both operands together.
    #[error("the product has {expected} limbs, but the output slice has {found}")]
    OutputLength {
        /// The number of limbs of the product: the sum of the operands' lengths.
        expected: usize,
        /// The number of limbs of the slice that was given.
        found: usize,
    },
    /// The two sides of a batch hold different numbers of operands, or a partial one.
    #[error(
        "a batch of operands of {limbs_a} and {limbs_b} limbs cannot be made of {found_a} and {found_b} limbs"
    )]
    BatchLength {
        /// Limbs of one left operand.
        limbs_a: usize,
        /// Limbs of one right operand.
        limbs_b: usize,
        /// Limbs of all left operands together.
        found_a: usize,
        /// Limbs of all right operands together.
        found_b: usize,
    },
    /// The algorithm needs processor instructions that this machine lacks, or does not cover these sizes.
    #[error("{algorithm} is not available here: {reason}")]
    Unavailable {
        /// The algorithm that was asked for.
        algorithm: Algorithm,
        /// What is missing.
        reason: &'static str,
    },
}
