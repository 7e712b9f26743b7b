//! Limbs to decimal digits.
//!
//! Short numbers are divided by 10^19 again and again. A longer number x < B^N, where B = 10^19 and
//! N is the chunks of the tree of [`super::tables`], is turned once into the fraction x / B^N by a
//! product with a precomputed reciprocal; from there on only products run, no division (scaled
//! remainders: Bernstein, *Scaled remainder trees*, 2004, here for the radix conversion).
//!
//! A node of s chunks has a fraction v whose first s digits to base B are wanted; it is
//! known to `w(s)` limbs, where `2^(64·w(s)) ≥ 2^64·B^s`. The upper half of the digits are the
//! first digits of v itself, so that child takes the upper limbs of the same fraction. The lower
//! half are the first digits of `v·B^(s/2) mod 1`, one product. Every step rounds down; why the
//! digits are right all the same is said at [`undo_rounding`].

use super::chunk::{self, BASE, DIGITS};
use super::tables::{DecimalTables, Level, Shape, limbs_of};
use crate::division::OneLimb;
use crate::multiplier::Multiplier;
use std::io::{self, Write};
use std::sync::Arc;
use sunzi_machine::threads::Threads;
use sunzi_rns::limbs;

/// Limbs up to which repeated division is used.
const QUADRATIC_LIMBS: usize = 20;

/// As many digits as they have at most, and those of a whole chunk.
pub(crate) const SHORT_DIGITS: usize = 21 * DIGITS;
const _: () = assert!(SHORT_DIGITS * 332 / 100 >= 64 * QUADRATIC_LIMBS);

/// Chunks from which the two halves of a node are converted in parallel.
const PARALLEL_CHUNKS: usize = 512;

/// 10^19, whose top bit is set.
const DIVISOR: OneLimb = OneLimb::new(BASE);

/// Chunks turned into text at a time.
const CHUNKS_PER_WRITE: usize = 4096;

/// Writes the digits of the number with limbs `value` (no zero limb at the top), `0` for none.
pub(super) fn write_digits(
    multiplier: &Multiplier,
    tables: &DecimalTables,
    value: &[u64],
    out: &mut impl Write,
) -> io::Result<()> {
    match short_digits(value, &mut [0; SHORT_DIGITS]) {
        Some(digits) => out.write_all(digits.as_bytes()),
        None => write_chunks(&chunks_by_fractions(multiplier, tables, value), out),
    }
}

/// The digits of a number of few limbs, in the end of the buffer: divided by 10^19 until nothing is left. Quadratic.
pub(crate) fn short_digits<'b>(
    value: &[u64],
    buffer: &'b mut [u8; SHORT_DIGITS],
) -> Option<&'b str> {
    let mut rest = [0; QUADRATIC_LIMBS];
    rest.get_mut(..value.len())?.copy_from_slice(value);
    let mut len = value.len();
    let mut start = SHORT_DIGITS;
    while len > 0 || start == SHORT_DIGITS {
        let chunk = DIVISOR.divide_limbs(&mut rest[..len], 0);
        len = limbs::trim(&rest[..len]).len();
        start -= DIGITS;
        let digits = buffer[start..].first_chunk_mut().expect("there is room");
        chunk::write(digits, chunk);
    }
    let digits = &buffer[start..];
    let zeros = digits[..DIGITS - 1]
        .iter()
        .take_while(|&&digit| digit == b'0')
        .count();
    Some(str::from_utf8(&digits[zeros..]).expect("digits are ASCII"))
}

/// Writes chunks, the most significant first, without leading zeros.
fn write_chunks(chunks: &[u64], out: &mut impl Write) -> io::Result<()> {
    let start = chunks.iter().position(|&chunk| chunk != 0);
    let Some((&first, rest)) = start.and_then(|start| chunks[start..].split_first()) else {
        return out.write_all(b"0");
    };
    write!(out, "{first}")?;
    let mut text = vec![0; DIGITS * rest.len().min(CHUNKS_PER_WRITE)];
    for group in rest.chunks(CHUNKS_PER_WRITE) {
        let text = &mut text[..DIGITS * group.len()];
        for (digits, &chunk) in text.as_chunks_mut::<DIGITS>().0.iter_mut().zip(group) {
            chunk::write(digits, chunk);
        }
        out.write_all(text)?;
    }
    Ok(())
}

/// w(s): limbs of a fraction whose first s chunks are wanted, with a limb to spare.
fn fraction_limbs(chunks: usize) -> usize {
    limbs_of(chunks) + 1
}

/// Chunks, most significant first and possibly with zeros in front, by the tree of fractions.
pub fn chunks_by_fractions(
    multiplier: &Multiplier,
    tables: &DecimalTables,
    value: &[u64],
) -> Vec<u64> {
    // A chunk holds 63.1168 bits: this many hold the value.
    let needed = (value.len() as u128 * 64_000).div_ceil(63_116) as usize;
    let shape = Shape::of(needed);
    let mut levels = tables.levels(multiplier, shape.leaf, shape.depth);
    let fraction = root_fraction(multiplier, &levels[shape.depth], value);
    levels.truncate(shape.depth);
    let mut chunks = vec![0; shape.leaf << shape.depth];
    let mut remainders = vec![false; 1 << shape.depth];
    node(multiplier, &levels, &fraction, &mut chunks, &mut remainders);
    undo_rounding(&mut chunks, &remainders, shape.leaf);
    chunks
}

/// value / B^N, rounded down to w(N) limbs, for N the chunks of `top`.
fn root_fraction(multiplier: &Multiplier, top: &Level, value: &[u64]) -> Vec<u64> {
    let precision = fraction_limbs(top.chunks);
    let inverse = top.reciprocal(multiplier, precision);
    let mut product = vec![0; value.len() + inverse.len()];
    multiplier.mul(&mut product, value, inverse);
    // With P the m limbs of `power` and z its leading zero bits, I ≈ 2^(64(m+w)) / (P·2^z), so
    // value / (P·2^(64·shift)) = value·I·2^z / 2^(64(m+w+shift)), here in units of 2^(−64w).
    let zeros = top.power.last().map_or(0, |limb| limb.leading_zeros()) as usize;
    let mut fraction = vec![0; precision];
    limbs::extract_bits(
        &mut fraction,
        &product,
        64 * (top.power.len() + top.shift) - zeros,
    );
    fraction
}

/// Fills `chunks` with the first digits of `fraction` to base B (up to the rounding that
/// [`undo_rounding`] undoes) and `remainders` with whether each leaf's remainder is at least ½.
fn node(
    multiplier: &Multiplier,
    levels: &[Arc<Level>],
    fraction: &[u64],
    chunks: &mut [u64],
    remainders: &mut [bool],
) {
    let Some((level, below)) = levels.split_last() else {
        remainders[0] = leaf(fraction, chunks);
        return;
    };
    let (upper_chunks, lower_chunks) = chunks.split_at_mut(level.chunks);
    let (upper_remainders, lower_remainders) = remainders.split_at_mut(remainders.len() / 2);
    let precision = fraction_limbs(level.chunks);
    let upper = || {
        node(
            multiplier,
            below,
            &fraction[fraction.len() - precision..],
            upper_chunks,
            upper_remainders,
        )
    };
    let lower = || {
        // Times 2^(64·shift) modulo 1 drops the first limbs; what stays is multiplied by the rest of the power.
        let shifted = &fraction[..fraction.len() - level.shift];
        let mut product = vec![0; shifted.len() + level.power.len()];
        multiplier.mul(&mut product, shifted, &level.power);
        let fraction = &product[shifted.len() - precision..shifted.len()];
        node(multiplier, below, fraction, lower_chunks, lower_remainders);
    };
    Threads::when(level.chunks >= PARALLEL_CHUNKS).join(upper, lower);
}

/// One chunk after the other: `fraction := fraction·B mod 1`, dropping limbs no longer needed.
fn leaf(fraction: &[u64], chunks: &mut [u64]) -> bool {
    let mut rest = fraction.to_vec();
    let count = chunks.len();
    for (done, chunk) in chunks.iter_mut().enumerate() {
        let needed = fraction_limbs(count - done);
        let start = rest.len().saturating_sub(needed);
        *chunk = limbs::mul_add_word(&mut rest[start..], BASE, 0);
    }
    rest.last().is_some_and(|&top| top >> 63 == 1)
}

/// Adds 1 to every leaf that rounding left one too small.
///
/// A node holds v − e (modulo 1) with e ≥ 0. Let ε = e·B^s.
/// - At the root, the reciprocal is too small by less than 2 units and the product is cut:
///   e < 3·2^(−64·w), so ε < 3·2^(−64).
/// - The upper child cuts limbs: ε' ≤ (e + 2^(−64·w(s/2)))·B^(s/2) ≤ ε + 2^(−64).
/// - The lower child multiplies e by B^(s/2) and cuts:
///   ε' ≤ (e·B^(s/2) + 2^(−64·w(s/2)))·B^(s/2) ≤ ε + 2^(−64).
/// - A leaf takes one chunk after the other, each like a lower child.
///
/// With at most 60 levels and 64 chunks in a leaf, e·B^s < 2^(−56) at the end of a leaf, when its
/// digits D and the fraction c that is left satisfy `D + c = B^L·v − ε (mod B^L)`. So D is the wanted d,
/// or d − 1 when rounding crossed an integer. Which of the two is decided exactly: the true
/// rest t is `0.(chunks of the next leaf)…`, and c = t − ε modulo 1 with ε < ¼. D = d − 1 just
/// when t < ε, that is, when t < ½ ≤ c. From the last leaf (t = 0, as x is an integer)
/// backward, each leaf's true first chunk tells whether t < ½ for the leaf before it.
fn undo_rounding(chunks: &mut [u64], remainders: &[bool], leaf: usize) {
    let mut next_is_below_half = true;
    for (chunks, &rest) in chunks.chunks_exact_mut(leaf).zip(remainders).rev() {
        if rest && next_is_below_half {
            for chunk in chunks.iter_mut().rev() {
                *chunk += 1;
                if *chunk < BASE {
                    break;
                }
                *chunk = 0;
            }
        }
        next_is_below_half = chunks[0] < BASE / 2;
    }
}
