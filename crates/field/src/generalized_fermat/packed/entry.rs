//! The kernels as functions of words: the number of digits is told at run time here, so that they are
//! compiled in this crate, once, and not wherever a field is used.

use super::blocks::{Pack, Unpack};
use super::operations::{EachBlock, MultiplyElements, Operation};
use super::{Constants, Line};
use crate::generalized_fermat::digits::Digits;
use crate::generalized_fermat::dispatch::with_digits;
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
    with_digits!(digits, K => set.run_or_portable(EachBlock::<K> {
        constants,
        operation,
        x,
        y,
    }), _ => refuse(digits));
}

/// `x[i] = x[i]·y[i]` for canonical elements of K words each, as many as whole blocks hold.
pub fn multiply_elements(
    set: InstructionSet,
    digits: usize,
    constants: &Constants,
    x: &mut [u64],
    y: &[u64],
) {
    with_digits!(digits, K => set.run_or_portable(MultiplyElements::<K> {
        constants,
        x: Digits::from_words_mut(x),
        y: Digits::from_words(y),
    }), _ => refuse(digits));
}

/// Canonical elements of K words each into blocks; the places after the last stay as they are.
pub fn pack(
    set: InstructionSet,
    digits: usize,
    constants: &Constants,
    elements: &[u64],
    lines: &mut [Line],
) {
    with_digits!(digits, K => set.run_or_portable(Pack::<K> {
        constants,
        elements: Digits::from_words(elements),
        lines,
    }), _ => refuse(digits));
}

/// Blocks into canonical elements of K words each.
pub fn unpack(
    set: InstructionSet,
    digits: usize,
    constants: &Constants,
    lines: &[Line],
    elements: &mut [u64],
) {
    with_digits!(digits, K => set.run_or_portable(Unpack::<K> {
        constants,
        lines,
        elements: Digits::from_words_mut(elements),
    }), _ => refuse(digits));
}

fn refuse(digits: usize) -> ! {
    unreachable!("no field has elements of {digits} digits")
}
