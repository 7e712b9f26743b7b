//! Kronecker substitution for signed coefficients: f(2^w) as a row of limbs, and back.

use dashu_int::{IBig, Sign, UBig};
use rayon::prelude::*;

use crate::bits::{BitWriter, WORD, read_bits};

/// Coefficients from which the way back is spread over threads.
const PARALLEL_COEFFICIENTS: usize = 1 << 13;

/// Limbs that a coefficient may have before it needs memory of its own while it is read.
const SHORT_LIMBS: usize = 32;

/// |f(2^width)| in limbs; each |coefficient| must be below 2^(width − 1).
///
/// The sign of f(2^width) is that of the last coefficient, which must not be zero: the value is
/// that of −f if it is negative. A coefficient c with a borrow from below is the digit
/// (c − borrow) mod 2^width, and borrows in turn if c − borrow is negative.
pub(super) fn pack(coefficients: &[IBig], width: usize) -> Vec<u64> {
    let mut limbs = vec![0; (coefficients.len() * width).div_ceil(WORD)];
    let mut writer = BitWriter::new(&mut limbs);
    let flip = sign_of_last(coefficients);
    let mut borrow = false;
    for coefficient in coefficients {
        let (sign, magnitude) = coefficient.as_sign_words();
        let negative = !magnitude.is_empty() && (sign == Sign::Negative) != flip;
        borrow = match (negative, borrow) {
            (false, false) => {
                write_digit(&mut writer, width, 0, magnitude.iter().copied());
                false
            }
            (false, true) if magnitude.is_empty() => {
                write_digit(&mut writer, width, u64::MAX, [].into_iter());
                true
            }
            (false, true) => {
                let mut carry = true;
                let words = magnitude.iter().map(|&word| {
                    let (word, next) = word.overflowing_sub(u64::from(carry));
                    carry = next;
                    word
                });
                write_digit(&mut writer, width, 0, words);
                false
            }
            // −m = ¬m + 1, and −m − 1 = ¬m.
            (true, borrow) => {
                let mut carry = !borrow;
                let words = magnitude.iter().map(|&word| {
                    let (word, next) = (!word).overflowing_add(u64::from(carry));
                    carry = next;
                    word
                });
                write_digit(&mut writer, width, u64::MAX, words);
                true
            }
        };
    }
    writer.finish();
    limbs
}

/// Whether the last coefficient is negative.
pub(super) fn sign_of_last(coefficients: &[IBig]) -> bool {
    coefficients.last().is_some_and(|last| *last < IBig::ZERO)
}

/// Writes `width` bits: the words, then copies of `filler`.
#[inline(always)]
fn write_digit(
    writer: &mut BitWriter<'_>,
    width: usize,
    filler: u64,
    words: impl Iterator<Item = u64>,
) {
    let mut left = width;
    for word in words.chain(std::iter::repeat(filler)) {
        if left < WORD {
            if left > 0 {
                writer.push(word & ((1 << left) - 1), left);
            }
            return;
        }
        writer.push(word, WORD);
        left -= WORD;
    }
}

/// The `len` coefficients c with |c| < 2^(width − 1) of the polynomial whose value at 2^width is
/// ±`limbs`, negated if `negative`.
pub(super) fn unpack(limbs: &[u64], width: usize, len: usize, negative: bool) -> Vec<IBig> {
    let read = |index: usize, digit: &mut Vec<u64>| {
        // The digit below is negative, so that it has borrowed, just if its top bit is set: it
        // cannot be 2^(width − 1) − 1 with a borrow, for that would stand for −2^(width − 1).
        let borrowed = index > 0 && read_bits(limbs, index * width - 1, 1) == 1;
        read_coefficient(limbs, index * width, width, borrowed, negative, digit)
    };
    if len >= PARALLEL_COEFFICIENTS && rayon::current_num_threads() > 1 {
        let new = || Vec::with_capacity(SHORT_LIMBS);
        let indices = (0..len)
            .into_par_iter()
            .with_min_len(PARALLEL_COEFFICIENTS / 4);
        indices
            .map_init(new, |digit, index| read(index, digit))
            .collect()
    } else {
        let mut digit = Vec::with_capacity(width.div_ceil(WORD));
        (0..len).map(|index| read(index, &mut digit)).collect()
    }
}

/// The signed number in the `width` bits from `start` on, plus one if `borrowed`.
#[inline(always)]
fn read_coefficient(
    limbs: &[u64],
    start: usize,
    width: usize,
    borrowed: bool,
    flip: bool,
    digit: &mut Vec<u64>,
) -> IBig {
    let below_zero = read_bits(limbs, start + width - 1, 1) == 1;
    digit.clear();
    let (whole, rest) = (width / WORD, width % WORD);
    // |digit + 1| or |digit|: the complement of a negative one, plus one unless it borrowed.
    let mut carry = below_zero != borrowed;
    let invert = if below_zero { u64::MAX } else { 0 };
    let mut push = |word: u64| {
        let (word, next) = word.overflowing_add(u64::from(carry));
        carry = next;
        digit.push(word);
    };
    for position in 0..whole {
        push(read_bits(limbs, start + position * WORD, WORD) ^ invert);
    }
    if rest > 0 {
        let word = read_bits(limbs, start + whole * WORD, rest);
        push((word ^ invert) & ((1 << rest) - 1));
    }
    let sign = Sign::from(below_zero != flip);
    IBig::from_parts(sign, UBig::from_words(digit))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sunzi_testkit::Random;

    #[test]
    fn coefficients_return_at_every_width() {
        let mut random = Random::new(9);
        for width in [2, 3, 31, 63, 64, 65, 127, 128, 129, 200, 256] {
            let half = IBig::ONE << (width - 1);
            let edges = [
                IBig::ZERO,
                IBig::ONE,
                -IBig::ONE,
                half.clone() - 1,
                IBig::ONE - half.clone(),
                (half.clone() - 1) / 2,
                -(half.clone() / 2),
            ];
            for round in 0..50 {
                let len = 1 + round % 9;
                let mut coefficients: Vec<IBig> = (0..len)
                    .map(|_| edges[random.below(edges.len() as u64) as usize].clone())
                    .collect();
                if coefficients[len - 1] == IBig::ZERO {
                    coefficients[len - 1] = IBig::ONE;
                }
                let limbs = pack(&coefficients, width);
                let negative = sign_of_last(&coefficients);
                assert_eq!(
                    unpack(&limbs, width, len, negative),
                    coefficients,
                    "{width}"
                );
            }
        }
    }

    #[test]
    fn the_value_is_that_of_the_polynomial() {
        let coefficients = [-5, 0, 7, -1].map(IBig::from);
        let limbs = pack(&coefficients, 10);
        let value: i64 = 5 - (7 << 20) + (1 << 30);
        assert_eq!(limbs, [value as u64]);
    }
}
