//! A field of two words by long integers: all that a field has to say, and nothing that makes it fast.

use std::borrow::Cow;

use dashu_int::UBig;
use sunzi_field::{Field, Rows, ScalarKernels, TwoAdicField, WordRows, WordRowsMut, euclid};

/// The integers modulo 2^127 − 1; an element is its residue in two words, the lower one first.
///
/// ```
/// use sunzi_field::Field;
/// use sunzi_testkit::WidePrime;
///
/// assert_eq!(WidePrime.mul([0, 1], [0, 1]), [2, 0]); // 2^128
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct WidePrime;

fn prime() -> UBig {
    (UBig::ONE << 127) - UBig::ONE
}

fn integer(element: [u64; 2]) -> UBig {
    UBig::from_words(&element)
}

fn element(integer: UBig) -> [u64; 2] {
    let residue = u128::try_from(integer % prime()).expect("127 bits");
    [residue as u64, (residue >> 64) as u64]
}

impl Field for WidePrime {
    type Elem = [u64; 2];
    type Kernels = ScalarKernels;

    fn zero(&self) -> [u64; 2] {
        [0, 0]
    }

    fn one(&self) -> [u64; 2] {
        [1, 0]
    }

    fn add(&self, a: [u64; 2], b: [u64; 2]) -> [u64; 2] {
        element(integer(a) + integer(b))
    }

    fn sub(&self, a: [u64; 2], b: [u64; 2]) -> [u64; 2] {
        self.add(a, self.neg(b))
    }

    fn neg(&self, a: [u64; 2]) -> [u64; 2] {
        element(prime() - integer(a))
    }

    fn mul(&self, a: [u64; 2], b: [u64; 2]) -> [u64; 2] {
        element(integer(a) * integer(b))
    }

    fn inv(&self, a: [u64; 2]) -> Option<[u64; 2]> {
        euclid::inverse(&integer(a), &prime()).map(element)
    }

    fn from_u64(&self, value: u64) -> [u64; 2] {
        [value, 0]
    }

    fn from_limbs(&self, negative: bool, limbs: &[u64]) -> [u64; 2] {
        let residue = element(UBig::from_words(limbs));
        match negative {
            false => residue,
            true => self.neg(residue),
        }
    }

    fn to_limbs(&self, a: [u64; 2]) -> Vec<u64> {
        a.to_vec()
    }

    fn modulus_limbs(&self) -> Vec<u64> {
        prime().as_words().to_vec()
    }

    fn is_canonical(&self, a: [u64; 2]) -> bool {
        integer(a) < prime()
    }
}

impl TwoAdicField for WidePrime {
    fn two_adicity(&self) -> u32 {
        1
    }

    fn root_of_unity(&self, log_n: u32) -> Option<[u64; 2]> {
        match log_n {
            0 => Some(self.one()),
            1 => Some(self.neg(self.one())),
            _ => None,
        }
    }

    fn least_non_residue(&self) -> u64 {
        3
    }

    fn order_factors(&self) -> Vec<(u64, u32)> {
        let once = [19, 43, 73, 127, 337, 5_419, 92_737, 649_657, 77_158_673_929];
        let mut factors = vec![(2, 1), (3, 3), (7, 2)];
        factors.extend(once.map(|prime| (prime, 1)));
        factors
    }
}

impl Rows for WidePrime {
    const WIDTH: usize = 2;

    fn rows(elements: &[[u64; 2]]) -> Cow<'_, [u64]> {
        elements.as_flattened().into()
    }

    fn from_rows(rows: Vec<u64>) -> Vec<[u64; 2]> {
        rows.as_chunks().0.to_vec()
    }

    fn into_rows(elements: Vec<[u64; 2]>) -> Vec<u64> {
        elements.into_flattened()
    }

    fn from_row(row: &[u64]) -> [u64; 2] {
        row.first_chunk().copied().unwrap_or_default()
    }

    fn words(elements: &[[u64; 2]]) -> WordRows<'_> {
        WordRows::Words64(elements.as_flattened())
    }

    fn of_words(words: WordRows<'_>) -> Option<&[[u64; 2]]> {
        match words {
            WordRows::Words64(words) if words.len().is_multiple_of(2) => Some(words.as_chunks().0),
            _ => None,
        }
    }

    fn in_words(words: WordRowsMut<'_>) -> Option<&mut [[u64; 2]]> {
        match words {
            WordRowsMut::Words64(words) if words.len().is_multiple_of(2) => {
                Some(words.as_chunks_mut().0)
            }
            _ => None,
        }
    }

    fn copy_rows(&self, rows: WordRows<'_>, elements: &mut [[u64; 2]]) -> Result<(), usize> {
        for (index, element) in elements.iter_mut().enumerate() {
            let word = |at| match rows {
                WordRows::Words32(words) => u64::from(words[at]),
                WordRows::Words64(words) => words[at],
            };
            *element = [word(2 * index), word(2 * index + 1)];
            if !self.is_canonical(*element) {
                return Err(index);
            }
        }
        Ok(())
    }

    fn description(&self) -> String {
        "WidePrime: two words, 2^127 - 1".to_owned()
    }
}
