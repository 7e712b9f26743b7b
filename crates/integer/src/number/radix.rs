//! Digits in any base from 2 to 36.
//!
//! **Algorithm.** Of a power of two, digit by digit from the bits: linear time. Of another base b, chunks of k digits, b^k being the highest
//! power in a limb: short numbers chunk by chunk, longer ones are divided by b^(k·2^j) into halves, or put together of them: O(M(n)·log n)
//! for digits to a number, times another log n the other way (D. Knuth, *The Art of Computer Programming 2*, §4.4).

use super::Natural;
use crate::division::divide_by_word;
use crate::text::{TextError, TextErrorKind, split_sign};
use std::iter::repeat_n;
use sunzi_rns::limbs::{bits, mul_add_word, truncate_zeros};

/// Limbs of the longest numbers that are converted chunk by chunk: about where both ways are as fast.
const QUADRATIC_LIMBS: usize = 24;

fn check(radix: u32) {
    assert!(
        (2..=36).contains(&radix),
        "a base is from 2 to 36, not {radix}"
    );
}

/// How many digits of a base are sure to fit a limb, and the base to that power.
fn chunk(radix: u32) -> (usize, u64) {
    let mut power = u64::from(radix);
    let mut digits = 1;
    while let Some(next) = power.checked_mul(radix.into()) {
        power = next;
        digits += 1;
    }
    (digits, power)
}

/// The powers by which numbers of so many chunks are cut into halves, the base of chunks first.
fn powers(base: u64, chunks: usize) -> Vec<Natural> {
    let mut powers = vec![Natural::from(base)];
    while chunks >> powers.len() > 1 {
        let top = &powers[powers.len() - 1];
        powers.push(top.square());
    }
    powers
}

/// The digits of a number, `0` for none.
pub(super) fn to_text(value: &Natural, radix: u32, upper: bool) -> String {
    check(radix);
    let digits = match radix.is_power_of_two() {
        true => from_bits(value, radix.trailing_zeros() as usize),
        false => {
            let (size, base) = chunk(radix);
            let mut digits = Vec::new();
            // A limb holds less than two chunks of any base.
            let powers = powers(base, 2 * value.as_limbs().len());
            by_halves(value.clone(), &powers, radix, size, 0, &mut digits);
            digits
        }
    };
    let letter = if upper { b'A' } else { b'a' };
    let text = digits.into_iter().map(|digit| match digit {
        0..10 => char::from(b'0' + digit),
        _ => char::from(letter + digit - 10),
    });
    text.collect()
}

/// Digits of some bits each, the highest first.
fn from_bits(value: &Natural, width: usize) -> Vec<u8> {
    let count = value.bit_len().div_ceil(width).max(1);
    let digit = |i: usize| bits(value.as_limbs(), i * width, width) as u8;
    (0..count).rev().map(digit).collect()
}

/// Writes the digits of a number, the highest first, with zeros before them up to `least` digits.
fn by_halves(
    value: Natural,
    powers: &[Natural],
    radix: u32,
    chunk: usize,
    least: usize,
    digits: &mut Vec<u8>,
) {
    match powers.split_last() {
        Some((power, below)) if value.as_limbs().len() > QUADRATIC_LIMBS => {
            if value < *power {
                return by_halves(value, below, radix, chunk, least, digits);
            }
            let (high, low) = value.div_rem(power);
            let low_digits = chunk << below.len();
            let least = least.saturating_sub(low_digits).max(1);
            by_halves(high, powers, radix, chunk, least, digits);
            by_halves(low, below, radix, chunk, low_digits, digits);
        }
        _ => {
            let start = digits.len();
            let mut limbs = value.into_limbs();
            let base = u64::from(radix).pow(chunk as u32);
            while !limbs.is_empty() {
                let mut rest = divide_by_word(&mut limbs, base);
                truncate_zeros(&mut limbs);
                for _ in 0..chunk {
                    digits.push((rest % u64::from(radix)) as u8);
                    rest /= u64::from(radix);
                }
            }
            while digits.len() > start && digits.last() == Some(&0) {
                digits.pop();
            }
            let missing = least.max(1).saturating_sub(digits.len() - start);
            digits.extend(repeat_n(0, missing));
            digits[start..].reverse();
        }
    }
}

/// Whether a text has a `-`, and the limbs of its digits.
pub(super) fn from_text(text: &[u8], radix: u32) -> Result<(bool, Vec<u64>), TextError> {
    check(radix);
    let (negative, digits) = split_sign(text)?;
    let offset = text.len() - digits.len();
    let values: Result<Vec<u8>, TextError> = digits
        .iter()
        .enumerate()
        .map(|(i, &byte)| {
            let digit = char::from(byte).to_digit(radix).map(|digit| digit as u8);
            digit.ok_or(TextError {
                offset: offset + i,
                kind: TextErrorKind::NotADigit { byte, radix },
            })
        })
        .collect();
    let values = values?;
    let limbs = match radix.is_power_of_two() {
        true => to_bits(&values, radix.trailing_zeros() as usize),
        false => {
            let (size, base) = chunk(radix);
            let powers = powers(base, values.len().div_ceil(size));
            of_halves(&values, &powers, radix, size).into_limbs()
        }
    };
    Ok((negative, limbs))
}

/// The number with digits of some bits each.
fn to_bits(digits: &[u8], width: usize) -> Vec<u64> {
    let mut limbs = vec![0; (digits.len() * width).div_ceil(64) + 1];
    for (i, &digit) in digits.iter().rev().enumerate() {
        let at = i * width;
        let shifted = u128::from(digit) << (at % 64);
        limbs[at / 64] |= shifted as u64;
        limbs[at / 64 + 1] |= (shifted >> 64) as u64;
    }
    limbs
}

fn of_halves(digits: &[u8], powers: &[Natural], radix: u32, chunk: usize) -> Natural {
    match powers.split_last() {
        Some((power, below)) if digits.len() > chunk * QUADRATIC_LIMBS => {
            let low_digits = chunk << below.len();
            if digits.len() <= low_digits {
                return of_halves(digits, below, radix, chunk);
            }
            let (high, low) = digits.split_at(digits.len() - low_digits);
            let high = of_halves(high, powers, radix, chunk);
            high * power + of_halves(low, below, radix, chunk)
        }
        _ => {
            let mut limbs = Vec::new();
            let push = |limbs: &mut Vec<u64>, digits: &[u8]| {
                let value = |value, &digit| value * u64::from(radix) + u64::from(digit);
                let value = digits.iter().fold(0, value);
                let power = u64::from(radix).pow(digits.len() as u32);
                let carry = mul_add_word(limbs, power, value);
                if carry != 0 {
                    limbs.push(carry);
                }
            };
            for digits in digits.chunks(chunk) {
                push(&mut limbs, digits);
            }
            Natural::from_limbs(limbs)
        }
    }
}
