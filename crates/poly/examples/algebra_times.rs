//! Times of division, greatest common divisors, evaluation and interpolation, one line a size: where the
//! thresholds between algorithms come from.
//!
//! `cargo run --release -p sunzi-poly --example algebra_times [max length]`

use std::hint::black_box;
use std::time::{Duration, Instant};

use sunzi_field::{Fp32, Fp64};
use sunzi_poly::{Poly, PolyRing, SubproductTree, WordField};

fn main() {
    let max_len = std::env::args()
        .nth(1)
        .and_then(|text| text.parse().ok())
        .unwrap_or(100_000);
    for prime in [469_762_049, 2_147_483_647] {
        match Fp32::new(prime) {
            Ok(field) => table(field, max_len),
            Err(error) => eprintln!("{error}"),
        }
    }
    match Fp64::new((1 << 60) - (1 << 18) + 1) {
        Ok(field) => table(field, max_len),
        Err(error) => eprintln!("{error}"),
    }
}

fn table<F: WordField>(field: F, max_len: usize) {
    println!("modulo {}, microseconds", field.prime_word());
    println!(
        "{:>9} {:>12} {:>12} {:>12}",
        "length", "product", "divrem", "gcd"
    );
    let ring = PolyRing::new(field);
    let mut len = 32;
    while len <= max_len {
        let random = |seed: u64, len: usize| {
            // Numbers without a pattern do: nothing depends on how random they are.
            let word = |i: u64| (i + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let coefficients =
                (0..len as u64).map(|i| ring.field().from_u64(word(i) ^ word(i) >> 29));
            Poly::new(coefficients.collect())
        };
        let [long, a, b] = [random(1, 2 * len), random(2, len), random(3, len)];
        let product = time(|| ring.try_mul(&a, &b));
        let divrem = time(|| ring.divrem(&long, &b));
        let gcd = time(|| ring.gcd(&a, &b));
        let points: Vec<F::Elem> = (0..len as u64).map(|i| ring.field().from_u64(i)).collect();
        let tree = || SubproductTree::new(&ring, &points);
        let evaluation = time(|| tree()?.evaluate(&a));
        let interpolation = time(|| tree()?.interpolate(&points));
        println!(
            "{len:>9} {product:>12.2} {divrem:>12.2} {gcd:>12.2} {evaluation:>12.2} {interpolation:>12.2}"
        );
        len *= 2;
    }
}

/// The shortest of several times, in microseconds.
fn time<T>(mut work: impl FnMut() -> T) -> f64 {
    let mut best = Duration::MAX;
    let start = Instant::now();
    while start.elapsed() < Duration::from_millis(200) {
        let start = Instant::now();
        black_box(work());
        best = best.min(start.elapsed());
    }
    best.as_secs_f64() * 1e6
}
