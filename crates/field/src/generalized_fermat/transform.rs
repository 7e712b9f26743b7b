//! Products by transforms modulo word-size primes.
//!
//! **Problem.** The product of the digits' polynomials modulo `T^K + 1`, in O(K·log K) operations.
//! **Bounds.** A coefficient u_i is at most `K·r² < 2^136` in absolute value, so the primes' product
//! must exceed 2·K·r²: two primes below 2^62 serve while r is at most about 2^58, three for any r.
//! **Algorithm.** Transforms of K points with a 2K-th root of unity ψ, whose powers are merged into the
//! butterflies: forward from natural to bit-reversed order, inverse back. Factors are known, and
//! multiply by their quotients by p (Shoup); numbers stay below 4p in the forward and 2p in the
//! inverse transform. The coefficients are put together by mixed radix (Garner).
//!
//! Sources: thesis, Algorithm 4; D. Harvey, *Faster arithmetic for number-theoretic transforms* (2014);
//! P. Longa and M. Naehrig, *Speeding up the number theoretic transform* (2016).
//!
//! **Floor.** 3/2·K·log2 K butterflies a prime, three products of words each.

use super::digits::Digits;
use super::wide_sum::{self, WideSum, finish};
use crate::primality::ntt_primes;
use crate::word_modulus::WordModulus;
use std::time::{Duration, Instant};

/// Bits of the primes: four times a prime is a word.
const BITS: u32 = 62;
/// All of them are 1 modulo twice the greatest K, and the least few found are below 2^62 by little.
const TWO_ADICITY: u32 = 20;

/// A factor w < p with ⌊w·2^64/p⌋.
#[derive(Clone, Copy, Debug)]
struct Factor {
    value: u64,
    quotient: u64,
}

impl Factor {
    fn new(value: u64, prime: u64) -> Self {
        let quotient = ((u128::from(value) << 64) / u128::from(prime)) as u64;
        Self { value, quotient }
    }

    /// `x·w` mod p up to a multiple of p, below 2p, for any word x.
    #[inline(always)]
    fn times(self, x: u64, prime: u64) -> u64 {
        let quotient = ((u128::from(x) * u128::from(self.quotient)) >> 64) as u64;
        x.wrapping_mul(self.value)
            .wrapping_sub(quotient.wrapping_mul(prime))
    }
}

/// Transforms modulo one prime.
#[derive(Clone, Debug)]
struct Image {
    ring: WordModulus,
    one: Factor,
    /// ψ^(bit-reversed i), and their inverses.
    forward: Vec<Factor>,
    inverse: Vec<Factor>,
    /// 1/K.
    scale: Factor,
}

impl Image {
    fn new(prime: u64, digits: usize) -> Self {
        let ring = WordModulus::new(prime);
        // Half of all numbers are no squares, and the power of one is a primitive root of unity.
        let root = (2..)
            .map(|a| ring.pow(a, (prime - 1) / (2 * digits as u64)))
            .find(|&root| ring.pow(root, digits as u64) == prime - 1)
            .unwrap_or(1);
        let bits = digits.trailing_zeros();
        let powers = |base: u64| -> Vec<Factor> {
            (0..digits)
                .map(|i| (i.reverse_bits() >> (usize::BITS - bits)) as u64)
                .map(|exponent| Factor::new(ring.pow(base, exponent), prime))
                .collect()
        };
        // ψ^(2K) = 1.
        let inverse_root = ring.pow(root, 2 * digits as u64 - 1);
        let inverse_count = ring.pow(ring.reduce(digits as u64), prime - 2);
        Self {
            ring,
            one: Factor::new(1, prime),
            forward: powers(root),
            inverse: powers(inverse_root),
            scale: Factor::new(inverse_count, prime),
        }
    }

    /// In place, from any words to words below 4p.
    fn transform(&self, x: &mut [u64]) {
        let p = self.ring.get();
        for x in x.iter_mut() {
            *x = self.one.times(*x, p);
        }
        let mut half = x.len() / 2;
        let mut factors = &self.forward[1..];
        while half > 0 {
            let blocks = x.len() / (2 * half);
            for (block, &factor) in x.chunks_exact_mut(2 * half).zip(factors) {
                let (low, high) = block.split_at_mut(half);
                for (a, b) in low.iter_mut().zip(high) {
                    let sum = (*a).min(a.wrapping_sub(2 * p));
                    let product = factor.times(*b, p);
                    *a = sum + product;
                    *b = sum + 2 * p - product;
                }
            }
            factors = &factors[blocks..];
            half /= 2;
        }
    }

    /// The other way, from words below 2p to residues below p.
    fn transform_back(&self, x: &mut [u64]) {
        let p = self.ring.get();
        let mut half = 1;
        while half < x.len() {
            let factors = &self.inverse[x.len() / (2 * half)..];
            for (block, &factor) in x.chunks_exact_mut(2 * half).zip(factors) {
                let (low, high) = block.split_at_mut(half);
                for (a, b) in low.iter_mut().zip(high) {
                    let sum = *a + *b;
                    let difference = *a + 2 * p - *b;
                    *a = sum.min(sum.wrapping_sub(2 * p));
                    *b = factor.times(difference, p);
                }
            }
            half *= 2;
        }
        for x in x {
            let scaled = self.scale.times(*x, p);
            *x = scaled.min(scaled.wrapping_sub(p));
        }
    }

    /// The coefficients of `x·y` modulo `T^K + 1` and the prime.
    fn product<const K: usize>(&self, x: &[u64; K], y: &[u64; K]) -> [u64; K] {
        let p = self.ring.get();
        let (mut x, mut y) = (*x, *y);
        self.transform(&mut x);
        self.transform(&mut y);
        for (x, &y) in x.iter_mut().zip(&y) {
            // Both below 2p, so that their product is below p·2^64.
            let (a, b) = (
                (*x).min(x.wrapping_sub(2 * p)),
                y.min(y.wrapping_sub(2 * p)),
            );
            *x = self.ring.reduce_wide(u128::from(a) * u128::from(b));
        }
        self.transform_back(&mut x);
        x
    }
}

/// What is known beforehand for one radix.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    images: Vec<Image>,
    /// 1/p0 mod p1, and mod p2; 1/p1 mod p2.
    inverses: [Factor; 3],
    /// The primes' product, and its half.
    modulus: WideSum,
    half: WideSum,
}

impl Plan {
    pub(super) fn new(radix: u64, digits: usize) -> Self {
        let primes: Vec<u64> = ntt_primes(BITS, TWO_ADICITY).take(3).collect();
        let [p0, p1, p2] = [primes[0], primes[1], primes[2]];
        // 2·K·r² < p0·p1.
        let bound = u128::from(radix).checked_mul(u128::from(radix));
        let bound = bound.and_then(|square| square.checked_mul(2 * digits as u128));
        let pair = u128::from(p0) * u128::from(p1);
        let two = bound.is_some_and(|bound| bound < pair);
        let modulus = if two {
            WideSum::new(0, pair)
        } else {
            WideSum::of_product(pair, p2)
        };
        let inverse = |a: u64, p: u64| {
            let ring = WordModulus::new(p);
            Factor::new(ring.pow(ring.reduce(a), p - 2), p)
        };
        Self {
            images: primes[..if two { 2 } else { 3 }]
                .iter()
                .map(|&prime| Image::new(prime, digits))
                .collect(),
            inverses: [inverse(p0, p1), inverse(p0, p2), inverse(p1, p2)],
            half: modulus.halved(),
            modulus,
        }
    }

    /// The number of at most half the modulus that has these residues: whether it is negative, and
    /// its magnitude.
    #[inline(always)]
    fn number(&self, residue: impl Fn(usize) -> u64) -> (bool, WideSum) {
        let [inverse01, inverse02, inverse12] = self.inverses;
        let difference = |image: usize, a: u64, b: u64| {
            // Primes differ by little, so b is below 2p.
            let p = self.images[image].ring.get();
            let b = b.min(b.wrapping_sub(p));
            let difference = a.wrapping_sub(b);
            difference.min(difference.wrapping_add(p))
        };
        let times = |image: usize, factor: Factor, x: u64| {
            let p = self.images[image].ring.get();
            let product = factor.times(x, p);
            product.min(product.wrapping_sub(p))
        };
        let [p0, p1] = [0, 1].map(|image| self.images[image].ring.get());
        let v0 = residue(0);
        let v1 = times(1, inverse01, difference(1, residue(1), v0));
        let mut number = WideSum::new(0, u128::from(p0) * u128::from(v1) + u128::from(v0));
        if self.images.len() == 3 {
            let rest = times(2, inverse02, difference(2, residue(2), v0));
            let v2 = times(2, inverse12, difference(2, rest, v1));
            let pair = u128::from(p0) * u128::from(p1);
            number = number.plus(WideSum::of_product(pair, v2));
        }
        if number > self.half {
            (true, self.modulus.minus(number))
        } else {
            (false, number)
        }
    }
}

/// The coefficients of a product modulo each prime; of the last one none where two are enough.
type Residues<const K: usize> = [[u64; K]; 3];

impl Plan {
    fn residues<const K: usize>(
        &self,
        Digits(x): &Digits<K>,
        Digits(y): &Digits<K>,
    ) -> Residues<K> {
        let mut residues = [[0; K]; 3];
        for (residues, image) in residues.iter_mut().zip(&self.images) {
            *residues = image.product(x, y);
        }
        residues
    }
}

/// `x·y`.
pub(super) fn multiply<const K: usize>(
    plan: &Plan,
    radix: &WordModulus,
    x: &Digits<K>,
    y: &Digits<K>,
) -> Digits<K> {
    let residues = plan.residues(x, y);
    finish(radix, K as i128, |i| {
        plan.number(|image| residues[image][i])
    })
}

/// What the steps of some products took.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProductTimes {
    /// Transforms, products of values, transforms back.
    pub convolutions: Duration,
    /// Coefficients from their residues.
    pub remainders: Duration,
    /// Quotients and rests by r.
    pub division: Duration,
    /// Carries.
    pub normalization: Duration,
}

/// Products that are made step by step together: many, so that a clock tells what a step takes, and few, so that they stay in a cache.
const TOGETHER: usize = 64;

/// `x·y` for each pair, with what the steps took.
pub(super) fn multiply_timed<const K: usize>(
    plan: &Plan,
    radix: &WordModulus,
    pairs: &[[Digits<K>; 2]],
) -> (Vec<Digits<K>>, ProductTimes) {
    let mut times = ProductTimes::default();
    let mut products = Vec::with_capacity(pairs.len());
    for pairs in pairs.chunks(TOGETHER) {
        let start = Instant::now();
        let residues: Vec<_> = pairs.iter().map(|[x, y]| plan.residues(x, y)).collect();
        let convolved = Instant::now();
        let number = |residues: &Residues<K>| {
            std::array::from_fn::<_, K, _>(|i| plan.number(|image| residues[image][i]))
        };
        let numbers: Vec<_> = residues.iter().map(number).collect();
        let combined = Instant::now();
        let divided = numbers
            .iter()
            .map(|numbers| wide_sum::divided(radix, |i| numbers[i]));
        let divided: Vec<_> = divided.collect();
        let ended = Instant::now();
        let normalized = divided
            .into_iter()
            .map(|sum| sum.normalize(K as i128 + 2, radix));
        products.extend(normalized);
        times.convolutions += convolved - start;
        times.remainders += combined - convolved;
        times.division += ended - combined;
        times.normalization += ended.elapsed();
    }
    (products, times)
}
