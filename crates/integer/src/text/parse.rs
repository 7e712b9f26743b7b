//! Decimal digits to limbs.
//!
//! Short texts take one chunk of 19 digits after the other (`x := x·10^19 + chunk`). Longer ones
//! are cut as the balanced tree of [`super::tables`] says: `value = upper·10^(19·s) + lower`, both
//! parts converted on their own, which costs O(log n) products of the whole length.

use super::chunk::{self, BASE, DIGITS};
use super::tables::{DecimalTables, Level, Shape, limbs_of};
use crate::multiplier::Multiplier;
use std::sync::Arc;
use sunzi_machine::threads::Threads;
use sunzi_rns::limbs;

/// Chunks from which the two parts of a text are converted in parallel (some 60 µs of work).
const PARALLEL_CHUNKS: usize = 512;

/// Limbs of the number whose ASCII digits (checked by the caller) are `digits`; no zero limb at the top.
pub(super) fn limbs_from_digits(
    multiplier: &Multiplier,
    tables: &DecimalTables,
    digits: &[u8],
) -> Vec<u64> {
    let shape = Shape::of(digits.len().div_ceil(DIGITS));
    if shape.depth == 0 {
        return leaf(digits);
    }
    let levels = tables.levels(multiplier, shape.leaf, shape.depth - 1);
    node(multiplier, &levels, digits)
}

/// A text of at most a leaf, chunk by chunk.
fn leaf(digits: &[u8]) -> Vec<u64> {
    let chunks = digits.len().div_ceil(DIGITS);
    let mut value = Vec::with_capacity(limbs_of(chunks));
    // The first chunk takes what does not fill a chunk, so that all others are full.
    let (first, full) = digits.split_at(digits.len() - digits.len() / DIGITS * DIGITS);
    if !first.is_empty() {
        value.push(chunk::value(first));
    }
    for digits in full.chunks_exact(DIGITS) {
        let carry = limbs::mul_add_word(&mut value, BASE, chunk::value(digits));
        if carry != 0 {
            value.push(carry);
        }
    }
    limbs::truncate_zeros(&mut value);
    value
}

/// A text of at most twice the chunks that the last of `levels` spans.
fn node(multiplier: &Multiplier, levels: &[Arc<Level>], digits: &[u8]) -> Vec<u64> {
    let Some((level, below)) = levels.split_last() else {
        return leaf(digits);
    };
    let lower_digits = level.chunks * DIGITS;
    if digits.len() <= lower_digits {
        return node(multiplier, below, digits);
    }
    let (upper, lower) = digits.split_at(digits.len() - lower_digits);
    let convert = |digits| node(multiplier, below, digits);
    let threads = Threads::when(level.chunks >= PARALLEL_CHUNKS);
    let (upper, lower) = threads.join(|| convert(upper), || convert(lower));
    if upper.is_empty() {
        return lower;
    }
    // The lower part is below 10^(19·chunks) ≤ power·2^(64·shift): the sum fits.
    let mut value = vec![0; level.shift + level.power.len() + upper.len()];
    multiplier.mul(&mut value[level.shift..], &upper, &level.power);
    let carry = limbs::add_assign(&mut value, &lower);
    debug_assert_eq!(carry, 0);
    limbs::truncate_zeros(&mut value);
    value
}
