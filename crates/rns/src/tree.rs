//! Sums of digits times products of primes, on a tree.
//!
//! **Algorithm.** Primes are taken in groups: within a group a sum is a dot product with precomputed places, quadratic in the
//! group's length alone. Groups are put together in pairs, by two products of long integers, or one in mixed radix.

use crate::limbs;
use dashu_int::UBig;
use sunzi_machine::threads::Threads;

/// How long natural numbers are multiplied, limbs by limbs: what multiplies the longest best stands on this crate, so that the caller
/// tells.
pub type Product = fn(&[u64], &[u64]) -> Vec<u64>;

/// Primes of a group: fewer than this many are one.
pub const GROUP: usize = 48;
/// Primes of a subtree from which both halves are done by threads of their own.
pub(crate) const PARALLEL_PRIMES: usize = 2048;

/// What the digit of a prime counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// The product of all other primes (J.-L. Lagrange).
    Cofactor,
    /// The product of the primes before it (mixed radix).
    Radix,
}

/// Some primes in a row.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    modulus: UBig,
    place: Place,
    product: Product,
    parts: Parts,
}

#[derive(Clone, Debug)]
enum Parts {
    /// The places of the primes, one after the other, and where each ends.
    Group { places: Vec<u64>, ends: Vec<usize> },
    /// The first primes of these are of the first node.
    Halves(usize, Box<[Node; 2]>),
}

impl Node {
    pub(crate) fn new(primes: &[u64], place: Place, product: Product) -> Self {
        if primes.len() < GROUP {
            return Self::group(primes, place, product);
        }
        let middle = primes.len() / 2;
        let threads = Threads::when(primes.len() >= PARALLEL_PRIMES);
        let (left, right) = primes.split_at(middle);
        let (left, right) = threads.join(
            || Self::new(left, place, product),
            || Self::new(right, place, product),
        );
        Self {
            modulus: UBig::from_words(&product(left.modulus.as_words(), right.modulus.as_words())),
            place,
            product,
            parts: Parts::Halves(middle, Box::new([left, right])),
        }
    }

    fn group(primes: &[u64], place: Place, product: Product) -> Self {
        let modulus: UBig = primes.iter().map(|&prime| UBig::from(prime)).product();
        let (mut places, mut ends) = (Vec::new(), Vec::with_capacity(primes.len()));
        let mut before = UBig::ONE;
        for &prime in primes {
            match place {
                Place::Cofactor => places.extend_from_slice((&modulus / prime).as_words()),
                Place::Radix => {
                    places.extend_from_slice(before.as_words());
                    before *= prime;
                }
            }
            ends.push(places.len());
        }
        Self {
            modulus,
            place,
            product,
            parts: Parts::Group { places, ends },
        }
    }

    /// The product of the primes.
    pub(crate) fn modulus(&self) -> &UBig {
        &self.modulus
    }

    /// Σ digit·place, in limbs, instead of what `sum` was before. A digit is below its prime.
    pub(crate) fn sum(&self, digits: &[u64], sum: &mut Vec<u64>) {
        sum.clear();
        match &self.parts {
            Parts::Group { places, ends } => {
                // Below the modulus times the number of digits: one limb more holds it.
                sum.resize(self.modulus.as_words().len() + 1, 0);
                let mut start = 0;
                for (&digit, &end) in digits.iter().zip(ends) {
                    let (low, high) = sum.split_at_mut(end - start);
                    let carry = limbs::addmul_1(low, &places[start..end], digit);
                    limbs::add_1(high, carry);
                    start = end;
                }
            }
            Parts::Halves(middle, halves) => {
                let threads = Threads::when(digits.len() >= PARALLEL_PRIMES);
                let [left, right] = &**halves;
                let (a, b) = digits.split_at(*middle);
                let half = |node: &Self, digits: &[u64]| {
                    let mut sum = Vec::new();
                    node.sum(digits, &mut sum);
                    limbs::truncate_zeros(&mut sum);
                    sum
                };
                let (a, b) = threads.join(
                    || match self.place {
                        Place::Cofactor => (self.product)(&half(left, a), right.modulus.as_words()),
                        Place::Radix => half(left, a),
                    },
                    || (self.product)(&half(right, b), left.modulus.as_words()),
                );
                *sum = limbs::sum(&a, &b);
            }
        }
    }
}
