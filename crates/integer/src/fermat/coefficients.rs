//! Coefficients: from bits of an integer to digits in radix r, and back.

use crate::division::word::OneLimb;
use sunzi_field::Digits;
use sunzi_machine::threads::Threads;
use sunzi_rns::limbs::{add_1, add_assign, extract_bits, mul_add_word, trim};

/// Coefficients from which threads share them.
const PARALLEL: usize = 1 << 10;

/// Words that coefficients have at most: K of the field with most digits, and one for a carry.
const MOST_WORDS: usize = 257;

/// The radix as a divisor: shifted until its top bit is set.
#[derive(Clone, Copy)]
struct Radix {
    divisor: OneLimb,
    zeros: u32,
}

impl Radix {
    fn new(radix: u64) -> Self {
        let zeros = radix.leading_zeros();
        Self {
            divisor: OneLimb::new(radix << zeros),
            zeros,
        }
    }

    /// `value` becomes its quotient by r; the remainder is returned.
    fn divide(self, value: &mut [u64]) -> u64 {
        let mut remainder = 0;
        // The quotient by r is that of both shifted, limb by limb from the top, with the bits that leave the next one below.
        for i in (0..value.len()).rev() {
            let shifted = u128::from(value[i]) << self.zeros;
            remainder |= (shifted >> 64) as u64;
            let below = shifted as u64;
            (value[i], remainder) = self.divisor.divide(remainder, below);
        }
        remainder >> self.zeros
    }
}

/// The coefficients of `bits` bits of an integer, in digits of radix r.
pub(super) fn cut<const K: usize>(x: &[u64], bits: usize, radix: u64) -> Vec<Digits<K>> {
    let count = (64 * x.len()).div_ceil(bits);
    let radix = Radix::new(radix);
    let words = bits.div_ceil(64);
    let top = u64::MAX >> (64 * words - bits);
    let mut out = vec![Digits::default(); count];
    let threads = Threads::when(count >= PARALLEL);
    let piece = threads.piece(count, PARALLEL / 4);
    threads.each(out.chunks_mut(piece).enumerate(), |(index, out)| {
        let mut value = [0; MOST_WORDS];
        let value = &mut value[..words];
        for (i, digits) in out.iter_mut().enumerate() {
            extract_bits(value, x, (index * piece + i) * bits);
            value[words - 1] &= top;
            let mut rest = trim(value).len();
            for digit in &mut digits.0 {
                if rest == 0 {
                    break;
                }
                *digit = radix.divide(&mut value[..rest]);
                rest = trim(&value[..rest]).len();
            }
        }
    });
    out
}

/// `out = Σ c_i·2^(bits·i)`, which fits.
pub(super) fn join<const K: usize>(
    out: &mut [u64],
    coefficients: &[Digits<K>],
    bits: usize,
    radix: u64,
) {
    // Pieces of 64 coefficients begin at whole limbs.
    let threads = Threads::when(coefficients.len() >= PARALLEL);
    let piece = threads
        .piece(coefficients.len(), PARALLEL / 4)
        .next_multiple_of(64);
    let limbs = piece / 64 * bits;
    let pieces = coefficients.len().div_ceil(piece);
    let mut above = vec![Vec::new(); pieces];
    let parts = out
        .chunks_mut(limbs)
        .zip(coefficients.chunks(piece))
        .zip(&mut above);
    threads.each(parts, |((out, coefficients), above)| {
        let mut sum = vec![0; limbs + K + 2];
        for (i, digits) in coefficients.iter().enumerate() {
            add_coefficient(&mut sum, digits, i * bits, radix);
        }
        let (own, rest) = sum.split_at(limbs);
        let len = out.len();
        out.copy_from_slice(&own[..len]);
        // The last piece may be shorter, and has nothing above it.
        *above = rest.to_vec();
    });
    let len = out.len();
    out[(pieces * limbs).min(len)..].fill(0);
    for (index, above) in above.iter().enumerate() {
        let behind = &mut out[((index + 1) * limbs).min(len)..];
        // The product fits `out`: what lies beyond its end is zero.
        let fitting = above.len().min(behind.len());
        add_assign(behind, &above[..fitting]);
    }
}

/// `sum += c·2^offset`.
fn add_coefficient<const K: usize>(sum: &mut [u64], digits: &Digits<K>, offset: usize, radix: u64) {
    let (skip, shift) = (offset / 64, offset % 64);
    let mut value = [0; MOST_WORDS];
    let mut len = 0;
    for &digit in digits.0.iter().rev() {
        let carry = mul_add_word(&mut value[..len], radix, digit);
        if carry > 0 {
            value[len] = carry;
            len += 1;
        }
    }
    let mut carry = 0u64;
    let mut below = 0u64;
    // Behind the value come the bits that its top limb is shifted beyond, and the carry.
    for (limb, &word) in sum[skip..].iter_mut().zip(value[..len].iter().chain([&0])) {
        let shifted = (u128::from(word) << 64 | u128::from(below)) << shift >> 64;
        below = word;
        let total = u128::from(*limb) + u128::from(shifted as u64) + u128::from(carry);
        *limb = total as u64;
        carry = (total >> 64) as u64;
    }
    let behind = (skip + len + 1).min(sum.len());
    add_1(&mut sum[behind..], carry);
}
