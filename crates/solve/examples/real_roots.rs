//! Times of real roots to 128 bits: `cargo run --release -p sunzi-solve --example real_roots [-- TEXT]`, for the cases whose
//! names hold the text.

use std::time::{Duration, Instant};
use sunzi_integer::{Integer, Natural};
use sunzi_poly::{IntegerPolyRing, Poly};
use sunzi_solve::{RealRoots, RootSearch};

/// SplitMix64.
struct Random(u64);

impl Random {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn polynomial(&mut self, degree: usize, bits: usize) -> Poly<Integer> {
        let words = bits.div_ceil(64);
        let mut coefficient = || {
            let words: Vec<u64> = (0..words).map(|_| self.word()).collect();
            let magnitude = Integer::from(Natural::from(&words[..])) >> (words.len() * 64 - bits);
            if self.word().is_multiple_of(2) {
                magnitude
            } else {
                -magnitude
            }
        };
        Poly::new((0..=degree).map(|_| coefficient()).collect())
    }
}

fn chebyshev(degree: usize) -> Poly<Integer> {
    let (mut a, mut b) = (vec![Integer::ONE], vec![Integer::ZERO, Integer::ONE]);
    for _ in 1..degree {
        let mut next = vec![Integer::ZERO];
        next.extend(b.iter().map(|c| c * Integer::from(2)));
        for (c, d) in next.iter_mut().zip(&a) {
            *c -= d;
        }
        (a, b) = (b, next);
    }
    Poly::new(b)
}

fn wilkinson(degree: i64) -> Poly<Integer> {
    let ring = IntegerPolyRing::new();
    let factor = |k: i64| Poly::new(vec![Integer::from(-k), Integer::ONE]);
    (1..=degree).fold(Poly::new(vec![Integer::ONE]), |f, k| {
        ring.mul(&f, &factor(k))
    })
}

/// x^n − 2(2^b x − 1)².
fn mignotte(degree: usize, bits: usize) -> Poly<Integer> {
    let a = Integer::ONE << bits;
    let mut coefficients = vec![Integer::ZERO; degree + 1];
    coefficients[0] = Integer::from(-2);
    coefficients[1] = &a * Integer::from(4);
    coefficients[2] = &a * &a * Integer::from(-2);
    coefficients[degree] += Integer::ONE;
    Poly::new(coefficients)
}

fn timed<R>(mut work: impl FnMut() -> R) -> (f64, R) {
    let mut best = f64::INFINITY;
    let begin = Instant::now();
    loop {
        let start = Instant::now();
        let found = work();
        best = best.min(start.elapsed().as_secs_f64());
        if begin.elapsed() > Duration::from_millis(500) {
            return (best * 1e3, found);
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    let mut random = Random(1);
    let mut cases = Vec::new();
    for (degree, bits) in [
        (50, 64),
        (200, 64),
        (500, 64),
        (1000, 64),
        (64, 500),
        (300, 2000),
        (900, 5000),
    ] {
        cases.push((
            format!("random {degree} of {bits} bits"),
            random.polynomial(degree, bits),
        ));
    }
    for degree in [50, 200, 500] {
        cases.push((format!("chebyshev {degree}"), chebyshev(degree)));
    }
    for degree in [50, 100, 200] {
        cases.push((format!("wilkinson {degree}"), wilkinson(degree)));
    }
    for (degree, bits) in [(100, 14), (300, 14), (500, 60)] {
        cases.push((
            format!("mignotte {degree}, 2^{bits}"),
            mignotte(degree, bits),
        ));
    }
    println!(
        "{:28} {:>5} {:>12} {:>12}",
        "polynomial", "roots", "isolated, ms", "128 bits, ms"
    );
    for (name, f) in cases {
        if !name.contains(&wanted) {
            continue;
        }
        let (isolated, roots) = timed(|| RealRoots::of(&f));
        let roots = roots?.len();
        let (refined, _) = timed(|| RootSearch::new().bits(128).of(&f));
        println!("{name:28} {roots:5} {isolated:12.3} {refined:12.3}");
    }
    Ok(())
}
