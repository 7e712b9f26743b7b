//! Kronecker substitution for signed coefficients: f(2^w) as a row of limbs, and back.
//!
//! A coefficient c with a borrow from below is the digit (c − borrow) mod 2^w, and borrows in turn
//! if c − borrow is negative; on the way back a digit with its top bit set is negative.

use super::flat::{FlatPoly, for_rows, sign_fill};
use crate::bits::{BitWriter, WORD, read_bits};

/// |f(2^bits)| in limbs; each |coefficient| must be below 2^(bits − 1).
///
/// The sign of f(2^bits) is that of the last coefficient that is not zero: the value is that of
/// −f if [`is_negative`] says so.
pub fn pack(poly: &FlatPoly, bits: usize) -> Vec<u64> {
    let mut limbs = vec![0; (poly.len() * bits).div_ceil(WORD)];
    let mut writer = BitWriter::new(&mut limbs);
    let flip = is_negative(poly);
    let invert = if flip { u64::MAX } else { 0 };
    let (whole, rest) = (bits / WORD, bits % WORD);
    let mut borrow = false;
    for row in poly.limbs().chunks(poly.width()) {
        // c − borrow, or −c − borrow = ¬c + 1 − borrow: what is added is −1, 0 or 1.
        let mut carry = i128::from(flip) - i128::from(borrow);
        let fill = sign_fill(row) ^ invert;
        let mut next = |limb: u64| {
            let sum = i128::from(limb) + carry;
            carry = sum >> WORD;
            sum as u64
        };
        let stored = row.len().min(whole);
        for limb in &row[..stored] {
            writer.push(next(limb ^ invert), WORD);
        }
        for _ in stored..whole {
            writer.push(next(fill), WORD);
        }
        let top = next(row.get(whole).map_or(fill, |limb| limb ^ invert));
        if rest > 0 {
            writer.push(top & ((1 << rest) - 1), rest);
        }
        borrow = top >> (WORD - 1) == 1;
    }
    writer.finish();
    limbs
}

/// Whether the last coefficient that is not zero is negative.
pub fn is_negative(poly: &FlatPoly) -> bool {
    let mut rows = poly.limbs().rchunks(poly.width());
    rows.find(|row| row.iter().any(|&limb| limb != 0))
        .is_some_and(|row| sign_fill(row) != 0)
}

/// Writes the coefficients c with |c| < 2^(bits − 1) of the polynomial whose value at 2^bits is
/// ±`limbs`, negated if `flip`, into the rows of `width` limbs of `out`.
pub fn unpack(out: &mut [u64], width: usize, limbs: &[u64], bits: usize, flip: bool) {
    let read = |index: usize, row: &mut [u64]| {
        // The digit below is negative, so that it has borrowed, just if its top bit is set: it
        // cannot be 2^(bits − 1) − 1 with a borrow, for that would stand for −2^(bits − 1).
        let borrowed = index > 0 && read_bits(limbs, index * bits - 1, 1) == 1;
        read_coefficient(row, limbs, index * bits, bits, borrowed, flip);
    };
    let (threads, rows) = for_rows(out.len() / width, width);
    let pieces = out.chunks_mut(rows * width).enumerate();
    threads.each(pieces, |(piece, out)| {
        for (index, row) in out.chunks_mut(width).enumerate() {
            read(piece * rows + index, row);
        }
    });
}

/// The signed number in the `bits` bits from `start` on, plus one if `borrowed`, negated if `flip`.
#[inline(always)]
fn read_coefficient(
    row: &mut [u64],
    limbs: &[u64],
    start: usize,
    bits: usize,
    borrowed: bool,
    flip: bool,
) {
    let below_zero = read_bits(limbs, start + bits - 1, 1) == 1;
    let invert = if flip { u64::MAX } else { 0 };
    let fill = if below_zero { u64::MAX } else { 0 };
    // s + borrow, or −(s + borrow) = ¬s + 1 − borrow.
    let mut carry = borrowed != flip;
    for (position, slot) in row.iter_mut().enumerate() {
        let limb = match bits.saturating_sub(position * WORD) {
            0 => fill,
            left @ 1..WORD => read_bits(limbs, start + position * WORD, left) | fill << left,
            _ => read_bits(limbs, start + position * WORD, WORD),
        };
        (*slot, carry) = (limb ^ invert).overflowing_add(u64::from(carry));
    }
}
