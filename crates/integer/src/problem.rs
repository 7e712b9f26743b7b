//! What can be wrong with the operands of a product.

use crate::plan::Algorithm;
use sunzi_machine::{InstructionSet, memory::OutOfMemory};
use thiserror::Error;

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
        "operands of {limbs_a} and {limbs_b} limbs do not make up one batch of {found_a} and {found_b} limbs"
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
    /// The operands are not as long as those that were planned for.
    #[error(
        "the product is planned for {} and {} coefficients, but the operands have {} and {}: plan for their lengths", expected[0], expected[1], found[0], found[1]
    )]
    PlanLength {
        /// Coefficients of the operands that were planned for.
        expected: [usize; 2],
        /// Coefficients of the operands.
        found: [usize; 2],
    },
    /// The memory that the product takes cannot be had.
    #[error(transparent)]
    OutOfMemory(#[from] OutOfMemory),
    /// The algorithm cannot run here.
    #[error("the algorithm {algorithm} is not available: {reason}")]
    Unavailable {
        /// The algorithm that was asked for.
        algorithm: Algorithm,
        /// What is missing.
        reason: &'static str,
    },
    /// The processor lacks an instruction set, or what kernels of integers need beside it.
    #[error("this processor does not run the {set} kernels")]
    Unsupported {
        /// The instruction set that was asked for.
        set: InstructionSet,
    },
}

/// An error unless the output has room for exactly the product.
#[inline]
pub(crate) fn check_output(found: usize, expected: usize) -> Result<(), MulError> {
    if found == expected {
        Ok(())
    } else {
        Err(MulError::OutputLength { expected, found })
    }
}

/// An error unless `a` and `b` limbs are the same number of whole operands of `limbs_a` and `limbs_b`, and the
/// output has as many as both.
pub(crate) fn check_batch(
    out: usize,
    [a, b]: [usize; 2],
    [limbs_a, limbs_b]: [usize; 2],
) -> Result<(), MulError> {
    // None of length zero but no operands at all.
    let whole = |total: usize, limbs: usize| match limbs {
        0 => total == 0,
        _ => total.is_multiple_of(limbs),
    };
    if a as u128 * limbs_b as u128 != b as u128 * limbs_a as u128
        || !whole(a, limbs_a)
        || !whole(b, limbs_b)
    {
        return Err(MulError::BatchLength {
            limbs_a,
            limbs_b,
            found_a: a,
            found_b: b,
        });
    }
    check_output(out, a + b)
}
