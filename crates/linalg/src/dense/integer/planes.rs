//! Integers as planes of digits, which are reduced modulo one prime after the other.

use crate::dense::product::add_combination;
use dashu_int::{IBig, Sign};
use std::iter;
use sunzi_field::{Field, Fp32};

/// Bits of a digit: primes above 2^30 take them as residues.
const DIGIT: usize = 30;

/// The digits of integers: the lowest of all, then the next of all; of negative ones those of 2^(30·d) more,
/// for d digits.
#[derive(Clone, Debug)]
pub(in crate::dense) struct Planes {
    len: usize,
    digits: Vec<Vec<u32>>,
    /// Which are negative, unless none is.
    negative: Option<Vec<u32>>,
}

impl Planes {
    pub(in crate::dense) fn new<'a>(values: impl Iterator<Item = &'a IBig> + Clone) -> Self {
        let bits = |value: &IBig| dashu_int::ops::BitTest::bit_len(value);
        let count = values.clone().map(bits).max().unwrap_or(0).div_ceil(DIGIT);
        let len = values.clone().count();
        let mut digits = vec![Vec::with_capacity(len); count];
        let mut negative = Vec::with_capacity(len);
        for value in values {
            let (sign, words) = value.as_sign_words();
            let is_negative = sign == Sign::Negative;
            negative.push(u32::from(is_negative));
            if let [] | [_] = words {
                let magnitude = i128::from(words.first().copied().unwrap_or(0));
                let value = if is_negative { -magnitude } else { magnitude };
                for (t, plane) in digits.iter_mut().enumerate() {
                    let digit = value >> (t * DIGIT).min(127);
                    plane.push(digit as u32 & ((1 << DIGIT) - 1));
                }
                continue;
            }
            for (plane, digit) in digits.iter_mut().zip(digits_of(words, is_negative)) {
                plane.push(digit);
            }
        }
        let any = negative.iter().any(|&sign| sign != 0);
        Self {
            len,
            digits,
            negative: any.then_some(negative),
        }
    }

    /// The residues modulo a prime above 2^30.
    pub(in crate::dense) fn reduce(&self, field: &Fp32) -> Vec<u32> {
        debug_assert!(field.prime() >> DIGIT != 0);
        let step = field.from_u64(1 << DIGIT);
        let weights = iter::successors(Some(1), |&weight| Some(field.mul(weight, step)));
        let (factors, planes): (Vec<u32>, Vec<&Vec<u32>>) =
            weights.clone().zip(&self.digits).unzip();
        let mut sum = vec![0; self.len];
        add_combination(field, &mut sum, &factors, |t| planes[t]);
        if let Some(negative) = &self.negative {
            let weight = weights
                .skip(self.digits.len())
                .map(|weight| field.neg(weight))
                .next();
            add_combination(field, &mut sum, weight.as_slice(), |_| negative);
        }
        sum
    }
}

/// The digits of a number, with zeros behind, or of its complement, with greatest digits behind.
fn digits_of(words: &[u64], complement: bool) -> impl Iterator<Item = u32> + '_ {
    const MASK: u64 = (1 << DIGIT) - 1;
    let mut carry = u64::from(complement);
    (0..).step_by(DIGIT).map(move |bit: usize| {
        let word = |index: usize| words.get(index).copied().unwrap_or(0);
        let (index, shift) = (bit / 64, bit % 64);
        let pair = u128::from(word(index)) | u128::from(word(index + 1)) << 64;
        let digit = (pair >> shift) as u64 & MASK;
        if !complement {
            return digit as u32;
        }
        let sum = (!digit & MASK) + carry;
        carry = sum >> DIGIT;
        (sum & MASK) as u32
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use dashu_int::UBig;

    #[test]
    fn residues_of_either_sign() {
        let mut values = vec![IBig::ZERO];
        for bits in [1, 29, 30, 31, 59, 60, 61, 64, 90, 200] {
            for offset in [-1, 0, 1] {
                let value = IBig::from(UBig::ONE << bits) + IBig::from(offset);
                values.extend([-value.clone(), value]);
            }
        }
        for prime in [1_073_741_827, 2_147_483_647] {
            let field = Fp32::new(prime).unwrap();
            let expected = |values: &[IBig]| -> Vec<u32> {
                values
                    .iter()
                    .map(|value| field.from_integer(value))
                    .collect()
            };
            for end in 0..values.len() {
                let values = &values[..end];
                assert_eq!(Planes::new(values.iter()).reduce(&field), expected(values));
                let positive: Vec<IBig> = values
                    .iter()
                    .filter(|&value| *value >= IBig::ZERO)
                    .cloned()
                    .collect();
                assert_eq!(
                    Planes::new(positive.iter()).reduce(&field),
                    expected(&positive)
                );
            }
        }
    }
}
