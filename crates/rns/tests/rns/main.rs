//! Tests of residues, and of integers made of them; files are named as those that they test.

mod early;
mod fraction;
mod gather;
mod images;
mod lanes;
mod limbs;
mod mixed_radix;
mod planes;
mod primes;
mod reconstruction;

use dashu_int::{IBig, UBig};

/// The product of natural numbers by their limbs, as trees take it.
fn product(a: &[u64], b: &[u64]) -> Vec<u64> {
    (UBig::from_words(a) * UBig::from_words(b))
        .as_words()
        .to_vec()
}

/// The natural number of these limbs.
fn integer(limbs: &[u64]) -> IBig {
    UBig::from_words(limbs).into()
}
