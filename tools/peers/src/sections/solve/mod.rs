//! Modular methods over Z: GCDs, resultants and real roots in one variable against FLINT, PARI and CGAL; resultants and systems
//! in two variables against FLINT, PARI, msolve and CGAL.

mod curves;
mod one;
mod roots;
mod two;

use sunzi_integer::{Integer, Natural};
use sunzi_poly::Poly;

use crate::contender::Case;
use crate::flint::{FmpzPoly, Signed};
use crate::options::Options;
use crate::sample::Sample;

pub fn cases(options: &Options) -> Vec<Case> {
    let mut cases = one::cases(options);
    cases.extend(roots::cases(options));
    cases.extend(two::cases(options));
    cases
}

/// A polynomial with random coefficients of either sign, of `bits` bits.
fn random(sample: &mut Sample, degree: usize, bits: usize) -> Poly<Integer> {
    Poly::new((0..=degree).map(|_| coefficient(sample, bits)).collect())
}

/// A random integer of either sign and of exactly `bits` bits.
fn coefficient(sample: &mut Sample, bits: usize) -> Integer {
    let magnitude = Natural::from_limbs(sample.limbs(bits.div_ceil(64)));
    let magnitude = magnitude >> (bits.next_multiple_of(64) - bits);
    Integer::from_sign_magnitude(sample.word() & 1 == 1, magnitude)
}

/// An integer as FLINT's side of the cases takes it.
fn signed(value: &Integer) -> Signed {
    (value.is_negative(), value.magnitude().as_limbs().to_vec())
}

fn to_flint(poly: &Poly<Integer>) -> FmpzPoly {
    let coefficients: Vec<Signed> = poly.coefficients().iter().map(signed).collect();
    FmpzPoly::new(&coefficients)
}

/// Integers as words that mean the same for every contender: their number; the sign, the length and the limbs of each.
fn words<'a>(integers: impl IntoIterator<Item = &'a Integer>) -> Vec<u64> {
    let mut words = vec![0];
    for integer in integers {
        let (negative, limbs) = signed(integer);
        words[0] += 1;
        words.extend([u64::from(negative), limbs.len() as u64]);
        words.extend(limbs);
    }
    words
}

/// Rows of a sign and limbs, as FLINT's side of the cases gives them.
fn words_of_signed(coefficients: &[Signed]) -> Vec<u64> {
    let integer = |(negative, limbs): &Signed| {
        Integer::from_sign_magnitude(*negative, Natural::from(&limbs[..]))
    };
    words(&coefficients.iter().map(integer).collect::<Vec<_>>())
}

fn words_of_flint(poly: &FmpzPoly) -> Vec<u64> {
    let width = poly.width();
    let rows = poly.words(width);
    let rows = rows.chunks_exact(width + 1);
    let rows: Vec<Signed> = rows.map(|row| (row[0] == 1, row[1..].to_vec())).collect();
    words_of_signed(&rows)
}

/// Integers that PARI prints as a vector, or alone.
fn words_of_pari(text: &str) -> Option<Vec<u64>> {
    let inner = text.trim().trim_start_matches('[').trim_end_matches(']');
    let integers: Option<Vec<Integer>> = inner
        .split(',')
        .map(|number| number.trim().parse().ok())
        .collect();
    Some(words(&integers?))
}

/// A polynomial in x as PARI reads it.
fn pari_text(poly: &Poly<Integer>) -> String {
    let numbers: Vec<String> = poly.coefficients().iter().map(Integer::to_string).collect();
    format!("Polrev([{}])", numbers.join(","))
}
