//! Many integers modulo one prime after the other.
//!
//! **Algorithm.** Integers are cut into digits below every prime, and lie in planes: the lowest digits of all, then the next of
//! all. Residues are sums of planes times powers of two, in vectors: a product of words for each digit.

use crate::limbs::bits;
use crate::vectors::{Combination, prepared};
use std::iter;
use sunzi_field::LongInteger;
use sunzi_field::lanes::LanesField;
use sunzi_field::{Field, Fp32};
use sunzi_machine::InstructionSet;

/// Bits of a digit: primes above 2^30 take them as residues.
const DIGIT: usize = 30;

/// The digits of integers; of negative ones those of 2^(30·d) more, for d digits.
///
/// ```
/// use sunzi::Integer;
/// use sunzi::field::Fp32;
/// use sunzi_rns::Planes;
///
/// let planes = Planes::new([Integer::from(-1), Integer::ONE << 31].iter());
/// assert_eq!(planes.reduce(&Fp32::new((1 << 31) - 1)?), [(1 << 31) - 2, 1]);
/// # Ok::<(), sunzi::field::FieldError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Planes {
    len: usize,
    planes: Vec<Vec<u32>>,
    /// Whether the last plane says which are negative.
    signed: bool,
}

impl Planes {
    /// The digits of these integers.
    pub fn new<'a, N: LongInteger + 'a>(values: impl Iterator<Item = &'a N> + Clone) -> Self {
        let longest = values.clone().map(bit_len).max().unwrap_or(0);
        let len = values.clone().count();
        let mut planes = vec![Vec::with_capacity(len); longest.div_ceil(DIGIT)];
        let mut negative = Vec::with_capacity(len);
        for value in values {
            let (is_negative, words) = value.sign_and_limbs();
            negative.push(u32::from(is_negative));
            if let [] | [_] = words {
                let magnitude = i128::from(words.first().copied().unwrap_or(0));
                let value = if is_negative { -magnitude } else { magnitude };
                for (t, plane) in planes.iter_mut().enumerate() {
                    let digit = value >> (t * DIGIT).min(127);
                    plane.push(digit as u32 & ((1 << DIGIT) - 1));
                }
                continue;
            }
            for (plane, digit) in planes.iter_mut().zip(digits_of(words, is_negative)) {
                plane.push(digit);
            }
        }
        let signed = negative.iter().any(|&sign| sign != 0);
        planes.extend(signed.then_some(negative));
        Self {
            len,
            planes,
            signed,
        }
    }

    /// The residues modulo a prime above 2^30.
    pub fn reduce(&self, field: &Fp32) -> Vec<u32> {
        debug_assert!(field.prime() >> DIGIT != 0);
        let kernel = InstructionSet::detect();
        let mut powers = powers_of_two(field, DIGIT, self.planes.len());
        if self.signed
            && let Some(last) = powers.last_mut()
        {
            *last = field.neg(*last);
        }
        let factors = prepared(field, kernel, &powers);
        let mut out = vec![0; self.len];
        let task = Combination {
            out: &mut out,
            rows: &self.planes,
            factors: &factors,
        };
        field.dispatch(kernel, task);
        out
    }
}

/// Bits of the absolute value.
fn bit_len(value: &impl LongInteger) -> usize {
    let (_, words) = value.sign_and_limbs();
    words
        .last()
        .map_or(0, |top| 64 * words.len() - top.leading_zeros() as usize)
}

/// 1, 2^`bits`, 2^(2·`bits`), …
pub fn powers_of_two<F: Field>(field: &F, bits: usize, count: usize) -> Vec<F::Elem> {
    let step = field.from_u64(1 << bits);
    let powers = iter::successors(Some(field.one()), |&power| Some(field.mul(power, step)));
    powers.take(count).collect()
}

/// The digits of a number, with zeros behind, or of its complement, with greatest digits behind.
fn digits_of(words: &[u64], complement: bool) -> impl Iterator<Item = u32> + '_ {
    const MASK: u64 = (1 << DIGIT) - 1;
    let mut carry = u64::from(complement);
    (0..).step_by(DIGIT).map(move |bit: usize| {
        let digit = bits(words, bit, DIGIT);
        if !complement {
            return digit as u32;
        }
        let sum = (!digit & MASK) + carry;
        carry = sum >> DIGIT;
        (sum & MASK) as u32
    })
}
