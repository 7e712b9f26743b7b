//! Proofs that p = r^K + 1 is prime: all factors of p − 1 are those of r, a word.
//!
//! Pocklington's theorem (H. Pocklington, 1914): let F, a product of prime powers q^e that divide
//! p − 1 exactly, exceed √p; if for each q there is an a with a^(p−1) = 1 and
//! gcd(a^((p−1)/q) − 1, p) = 1, then p is prime. With F a power of 2 this is Proth's theorem (1878):
//! one a with a^((p−1)/2) = −1.
//!
//! Powers are taken by this field's own products, which need no prime.

use std::fmt;

use dashu_int::UBig;
use dashu_int::ops::{BitTest, Gcd};

use super::digits::Digits;
use super::error::GeneralizedFermatError;
use super::ring::Ring;
use super::unnormalized::minus_one;
use crate::primality::{factor, is_prime};
use crate::word_modulus::WordModulus;

/// Primes up to which p is tried to be divided.
const TRIAL_LIMIT: u64 = 1 << 12;
/// Bases that are tried for one factor q: a prime p has a base that serves among 1 − 1/q of all.
const BASES: u64 = 200;

/// How p was shown to be prime: for each prime q of the theorem, the base a.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrimalityProof {
    /// Pairs (q, a).
    pub witnesses: Vec<(u64, u64)>,
}

impl fmt::Display for PrimalityProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let [(2, base)] = self.witnesses[..] {
            return write!(f, "proved: Proth, {base}^((p-1)/2) = -1");
        }
        write!(f, "proved: Pocklington, with the bases")?;
        for (index, (q, base)) in self.witnesses.iter().enumerate() {
            let separator = if index == 0 { " " } else { ", " };
            write!(f, "{separator}{base} for the factor {q} of p - 1")?;
        }
        Ok(())
    }
}

/// A proof that the ring is a field.
pub(super) fn prove<const K: usize>(
    ring: &Ring<K>,
) -> Result<PrimalityProof, GeneralizedFermatError> {
    let radix = ring.radix();
    let composite = |factor| GeneralizedFermatError::Composite {
        radix,
        digits: K,
        factor,
    };
    if let Some(divisor) = small_divisor(radix, K) {
        return Err(composite(Some(divisor)));
    }
    let mut witnesses = vec![];
    for q in enough_factors(radix) {
        let base = if q == 2 {
            witness_of_two(ring)
        } else {
            witness(ring, q)
        };
        witnesses.push((q, base.ok_or_else(|| composite(None))?));
    }
    Ok(PrimalityProof { witnesses })
}

/// The least odd prime that divides r^k + 1 properly, if it is a small one.
fn small_divisor(radix: u64, digits: usize) -> Option<u64> {
    let small = (3..TRIAL_LIMIT).step_by(2).filter(|&q| is_prime(q));
    small.into_iter().find(|&q| {
        let ring = WordModulus::new(q);
        let power = ring.pow(ring.reduce(radix), digits as u64);
        let itself = UBig::from(radix).pow(digits) + UBig::ONE == UBig::from(q);
        power == q - 1 && !itself
    })
}

/// Primes of r, fewest first by the size of their powers in r, whose powers in p − 1 exceed √p: those
/// in r exceed √(r + 1), as p < (r + 1)^K.
fn enough_factors(radix: u64) -> Vec<u64> {
    let mut factors: Vec<(u64, u64)> = factor(radix)
        .into_iter()
        .map(|(q, exponent)| (q.pow(exponent), q))
        .collect();
    // Two first if it does by itself: its proof is the shortest.
    factors.sort_unstable_by_key(|&(power, q)| {
        let alone = u128::from(power) * u128::from(power) > u128::from(radix) + 1;
        (!(q == 2 && alone), std::cmp::Reverse(power))
    });
    let mut product: u128 = 1;
    let mut chosen = vec![];
    for (power, q) in factors {
        if product * product > u128::from(radix) + 1 {
            break;
        }
        product *= u128::from(power);
        chosen.push(q);
    }
    chosen
}

/// The least quadratic non-residue a, if a^((p−1)/2) = −1 as it is modulo a prime.
fn witness_of_two<const K: usize>(ring: &Ring<K>) -> Option<u64> {
    let base = ring.least_non_residue();
    // (p − 1)/2 = r^(K−1)·(r/2).
    let power = ring.pow(&power_of_radix_power(ring, base), ring.radix() / 2);
    (power == minus_one(ring.radix())).then_some(base)
}

/// A base a with a^(p−1) = 1 and gcd(a^((p−1)/q) − 1, p) = 1.
fn witness<const K: usize>(ring: &Ring<K>, q: u64) -> Option<u64> {
    for base in 2..BASES {
        let root = ring.pow(&power_of_radix_power(ring, base), ring.radix() / q);
        if ring.pow(&root, q) != Ring::one() {
            return None;
        }
        let difference = ring.to_integer(&root) + (ring.modulus() - UBig::ONE);
        let difference = difference % ring.modulus();
        if difference.bit_len() > 0 && difference.gcd(ring.modulus()).is_one() {
            return Some(base);
        }
    }
    None
}

/// `base^(r^(K − 1))`.
fn power_of_radix_power<const K: usize>(ring: &Ring<K>, base: u64) -> Digits<K> {
    ring.pow_of_power(ring.image_of_word(base), ring.radix(), K - 1)
}
