//! How often primes are unlucky for greatest common divisors over Z, and what those that are cost, in Markdown.
//!
//! A prime p is unlucky for coprime f and g if these have a divisor modulo p: if it divides their resultant. **How often.** f and g with
//! n roots each, random integers a_i and b_j: p is unlucky if it divides one of the n² differences a_i − b_j, so n²/p of all primes about p are; of
//! pairs of polynomials drawn at random hardly 1/p, as their resultant is one number. **What it costs.** Cofactors x − a and x − a − q beside
//! a common divisor of degree 100, q a product of the primes that are taken first: each of these sees a divisor of degree 101, and is dropped. Beside it, q + 2.

use std::collections::HashSet;

use sunzi_field::primality::is_prime;
use sunzi_field::{AnyField, generalized_fermat::NAMED};
use sunzi_integer::{Integer, Natural};
use sunzi_poly::{IntegerGcd, IntegerPolyRing, Method, Poly};
use sunzi_rns::WordPrimes;

use crate::common::{Failure, Random, head, median_seconds, on_one_thread};

/// Roots of each of two polynomials.
const ROOTS: usize = 512;
/// Primes of a word that are tried.
const TRIED: usize = 100_000;
/// Limbs of the roots, which are longer than any of the primes.
const LIMBS: usize = 16;
const DEGREE: usize = 100;

pub fn run(_: &[String]) -> Result<(), Failure> {
    on_one_thread(|| {
        how_often()?;
        println!();
        what_it_costs()
    })
}

fn number(random: &mut Random, limbs: usize) -> Integer {
    Integer::from(Natural::from_limbs(
        (0..limbs).map(|_| random.word()).collect(),
    ))
}

/// Whether two polynomials with these roots have one in common modulo the prime of the field.
fn is_unlucky(field: &AnyField, roots: &[Vec<Integer>; 2]) -> bool {
    let [of_f, of_g] = roots.each_ref().map(|roots| {
        let image = |root: &Integer| {
            let mut row = Vec::with_capacity(field.width());
            field.push_integer(root, &mut row);
            row
        };
        roots.iter().map(image).collect::<HashSet<_>>()
    });
    !of_f.is_disjoint(&of_g)
}

fn how_often() -> Result<(), Failure> {
    let mut random = Random::new();
    let mut roots = |limbs| {
        [(); 2].map(|()| {
            (0..ROOTS)
                .map(|_| number(&mut random, limbs))
                .collect::<Vec<_>>()
        })
    };
    let (short, long) = (roots(2), roots(LIMBS));
    head(&["primes", "tried", "unlucky", "expected"], "--:");
    let expected = |tried: usize, bits: f64| {
        let logarithm = ((tried * ROOTS * ROOTS) as f64).log10() - bits * 2f64.log10();
        match logarithm > -2.0 {
            true => format!("{:.2}", 10f64.powf(logarithm)),
            false => format!("10^{logarithm:.0}"),
        }
    };
    let mut random = Random::new();
    for bits in [31, 62] {
        let mut unlucky = 0;
        for _ in 0..TRIED {
            // Half of them from above the middle on.
            let candidate = (1 << (bits - 1)) | (random.word() >> (65 - bits)) | 1;
            let prime = (candidate..).step_by(2).find(|&p| is_prime(p)).unwrap_or(3);
            unlucky += usize::from(is_unlucky(&AnyField::modulo_word(prime)?, &short));
        }
        // 2^(bits − 1)/ln 2 is the harmonic mean of the primes.
        let mean = f64::from(bits as u32) - 1.0 - std::f64::consts::LN_2.log2();
        println!(
            "| {bits} bits | {TRIED} | {unlucky} | {} |",
            expected(TRIED, mean)
        );
    }
    for digits in [8, 16] {
        let primes = NAMED.iter().filter(|prime| prime.digits == digits);
        let (mut tried, mut unlucky, mut bits) = (0, 0, u64::MAX);
        for prime in primes {
            let field = AnyField::generalized_fermat(prime.radix, prime.digits)?;
            unlucky += usize::from(is_unlucky(&field, &long));
            tried += 1;
            bits = bits.min(prime.bit_len());
        }
        println!(
            "| {bits} bits and more, r^{digits} + 1 | {tried} | {unlucky} | {} |",
            expected(tried, bits as f64 - 1.0)
        );
    }
    Ok(())
}

fn what_it_costs() -> Result<(), Failure> {
    head(
        &[
            "primes",
            "taken",
            "dropped",
            "ms",
            "ms with q + 2",
            "times as long",
        ],
        "--:",
    );
    let ring = IntegerPolyRing::new();
    let mut random = Random::new();
    let mut common: Vec<Integer> = (0..=DEGREE).map(|_| number(&mut random, 1)).collect();
    common[DEGREE] = Integer::ONE;
    let common = Poly::new(common);
    // The primes r^k + 1 that are chosen depend on the length of a: for each k one of half the prime.
    let a = number(&mut random, 128);
    // Both polynomials, whose cofactors are equal modulo all divisors of q.
    let pair = |q: &Integer, limbs: usize| {
        let a = &a % (Integer::ONE << (64 * limbs));
        let line = |root: &Integer| Poly::new(vec![-root.clone(), Integer::ONE]);
        [line(&a), line(&(&a + q))].map(|line| ring.mul(&common, &line))
    };
    let words = |count: usize| {
        let primes = WordPrimes::new().take(count);
        primes.fold(Integer::ONE, |product, prime| {
            product * Integer::from(prime)
        })
    };
    let mut cases = vec![
        ("50 bits", Method::Words, words(1), 1),
        ("50 bits", Method::Words, words(10), 1),
        ("50 bits", Method::Words, words(100), 1),
    ];
    for prime in NAMED.iter().filter(|prime| !prime.name.ends_with('F')) {
        let q = Integer::from(Natural::from(prime.radix).pow(prime.digits) + Natural::ONE);
        let limbs = match prime.digits {
            4 => 1,
            digits => digits / 2,
        };
        let [f, g] = pair(&q, limbs);
        let plan = IntegerGcd::new().method(Method::BigPrime).plan(&f, &g)?;
        if plan.big_prime.is_some_and(|(name, _)| name == prime.name) && prime.digits < 128 {
            cases.push((prime.name, Method::BigPrime, q, limbs));
        }
    }
    for (primes, method, q, limbs) in cases {
        let by = IntegerGcd::new().method(method);
        let [unlucky, lucky] = [q.clone(), q + Integer::from(2)].map(|q| pair(&q, limbs));
        let known = [&unlucky, &lucky].map(|[f, g]| by.compute(f, g));
        let [Ok(known), Ok(beside)] = &known else {
            println!(
                "| {primes} | | | {:?} | | |",
                known.map(|known| known.err())
            );
            continue;
        };
        if known.value != common || beside.value != common || beside.dropped > 0 {
            return Err("not the greatest common divisor".into());
        }
        let milliseconds = [&unlucky, &lucky].map(|[f, g]| {
            median_seconds(|| {
                std::hint::black_box(by.compute(f, g)).ok();
            }) * 1e3
        });
        let [slow, fast] = milliseconds;
        println!(
            "| {primes} | {} | {} | {slow:.3} | {fast:.3} | {:.2} |",
            known.primes,
            known.dropped,
            slow / fast
        );
    }
    Ok(())
}
