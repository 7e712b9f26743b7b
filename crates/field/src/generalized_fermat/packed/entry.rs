//! The kernels as plain functions of words: the number of digits is told at run time here, so that they
//! are compiled in this crate, once, and not wherever a field is used.

use super::blocks::{Pack, Unpack};
use super::operations::{EachBlock, MultiplyElements, Operation};
use super::{Constants, Line};
use crate::Digits;
use crate::simd::InstructionSet;

/// `$work`, with the constant `$k` for the number `$digits`.
macro_rules! with_digits {
    ($digits:expr, $k:ident => $work:expr) => {
        with_digits!($digits, $k => $work; 2 4 8 16 32 64 128 256)
    };
    ($digits:expr, $k:ident => $work:expr; $($number:literal)*) => {
        match $digits {
            $($number => {
                const $k: usize = $number;
                $work
            })*
            _ => unreachable!("fields have 2, 4, … or 256 digits"),
        }
    };
}

/// `x[i] ← operation(x[i], y[i])` for normalized elements in blocks.
pub(super) fn each_block(
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
    }));
}

/// `x[i] = x[i]·y[i]` for canonical elements of K words each, as many as whole blocks hold.
pub(in super::super) fn multiply_elements(
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
    }));
}

/// Canonical elements of K words each into blocks; the places after the last stay as they are.
pub(super) fn pack(
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
    }));
}

/// Blocks into canonical elements of K words each.
pub(super) fn unpack(
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
    }));
}
