//! The kernels as functions of words, those of whole elements: the number of digits is told at run time.

use super::blocks::{Pack, Unpack};
use super::number::run;
use super::operations::{EachBlock, MultiplyElements, Operation};
use super::{Constants, Line};
use sunzi_machine::simd::InstructionSet;

/// `x[i] ← operation(x[i], y[i])` for normalized elements in blocks.
pub fn each_block(
    set: InstructionSet,
    digits: usize,
    constants: &Constants,
    operation: Operation<'_>,
    x: &mut [Line],
    y: &[Line],
) {
    let task = EachBlock {
        constants,
        operation,
        x,
        y,
    };
    run(set, digits, task);
}

/// `x[i] = x[i]·y[i]` for canonical elements of K words each, as many as whole blocks hold.
pub fn multiply_elements(
    set: InstructionSet,
    digits: usize,
    constants: &Constants,
    x: &mut [u64],
    y: &[u64],
) {
    run(set, digits, MultiplyElements { constants, x, y });
}

/// Canonical elements of K words each into blocks; the places after the last stay as they are.
pub fn pack(
    set: InstructionSet,
    digits: usize,
    constants: &Constants,
    elements: &[u64],
    lines: &mut [Line],
) {
    let task = Pack {
        constants,
        elements,
        lines,
    };
    run(set, digits, task);
}

/// Blocks into canonical elements of K words each.
pub fn unpack(
    set: InstructionSet,
    digits: usize,
    constants: &Constants,
    lines: &[Line],
    elements: &mut [u64],
) {
    let task = Unpack {
        constants,
        lines,
        elements,
    };
    run(set, digits, task);
}
