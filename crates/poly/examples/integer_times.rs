//! Times of greatest common divisors and resultants over Z of random polynomials, by primes of a word, by one prime r^k + 1, and by values: the
//! processor's and the clock's, the least of several runs, on as many threads as RAYON_NUM_THREADS says.
//!
//!     cargo run --release -p sunzi-poly --example integer_times

use cpu_time::ProcessTime;
use std::time::{Duration, Instant};
use sunzi_integer::Integer;
use sunzi_poly::{IntegerGcd, IntegerPolyRing, IntegerResultant, Method, Poly, PolyError};

/// A polynomial of this degree with pseudo-random coefficients of 64 bits and a sign.
fn random(degree: usize, seed: u64) -> Poly<Integer> {
    random_of(degree, 64, seed)
}

/// The same of up to 64 `bits`.
fn random_of(degree: usize, bits: u32, seed: u64) -> Poly<Integer> {
    let mut state = 2 * seed + 1;
    let mut word = || {
        // xorshift64* (S. Vigna, 2016).
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        state.wrapping_mul(0x2545_f491_4f6c_dd1d)
    };
    let mut coefficient = || {
        let magnitude = Integer::from(word() >> (64 - bits));
        if word() >> 63 == 0 {
            magnitude
        } else {
            -magnitude
        }
    };
    Poly::new((0..=degree).map(|_| coefficient()).collect())
}

fn least<T>(
    runs: usize,
    work: impl Fn() -> Result<T, PolyError>,
) -> Result<([Duration; 2], T), PolyError> {
    let mut best: Option<([Duration; 2], T)> = None;
    for _ in 0..runs {
        let start = (ProcessTime::now(), Instant::now());
        let found = work()?;
        let time = [start.0.elapsed(), start.1.elapsed()];
        if best.as_ref().is_none_or(|(least, _)| time < *least) {
            best = Some((time, found));
        }
    }
    best.ok_or(PolyError::EveryNumber)
}

fn main() -> Result<(), PolyError> {
    let ring = IntegerPolyRing::new();
    let (words, big_prime) = (Method::Words, Method::BigPrime);
    for degree in [10, 20, 40, 100, 200, 400, 1000] {
        let (f, g) = (random(degree, 1), random(degree, 2));
        let compute = |method| IntegerResultant::new().method(method).compute(&f, &g);
        let (time, known) = least(5, || compute(words))?;
        let alone = match least(5, || compute(big_prime)) {
            Ok((alone, _)) => format!("{alone:.2?}"),
            Err(error) => error.to_string(),
        };
        println!(
            "resultant of degree {degree}: {time:.2?}, {} primes; by one prime: {alone}",
            known.primes
        );
    }
    for (whole, common) in [
        (20, 10),
        (100, 50),
        (200, 100),
        (400, 200),
        (600, 200),
        (1000, 500),
    ] {
        let h = random(common, 3);
        let (f, g) = (random(whole - common, 4), random(whole - common, 5));
        let (f, g) = (ring.mul(&f, &h), ring.mul(&g, &h));
        let compute = |method| IntegerGcd::new().method(method).compute(&f, &g);
        let (time, known) = least(10, || compute(words))?;
        let (alone, _) = least(3, || compute(big_prime))?;
        println!(
            "gcd of degree {common} of polynomials of degree {whole}: {time:.2?}, {} primes; by one prime: {alone:.2?}",
            known.primes,
        );
    }
    for bits in [30, 62] {
        for degree in [4, 8, 16, 32, 64, 100, 200, 500, 1000] {
            for common in [degree / 2, 0] {
                let h = random_of(common, bits, 6);
                let [f, g] =
                    [7, 8].map(|seed| ring.mul(&random_of(degree - common, bits, seed), &h));
                let compute = |method| IntegerGcd::new().method(method).compute(&f, &g);
                let (by_words, _) = least(200, || compute(words))?;
                let (by_values, known) = least(200, || compute(Method::Values))?;
                println!(
                    "gcd of degree {common} of polynomials of degree {degree}, {bits} bits: {by_words:.2?}; by values: {by_values:.2?}, {} primes",
                    known.primes,
                );
            }
        }
    }
    Ok(())
}
