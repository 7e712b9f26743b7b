//! Prints the time of each algorithm over Z against the length, for one width of coefficients.
//!
//! `cargo run --release -p sunzi-poly --example integer_crossover -- [BITS] [MAX_LENGTH]`

use std::time::Instant;

use dashu_int::{IBig, Sign, UBig};
use sunzi_poly::{Algorithm, FlatPoly, IntegerPolyRing, Poly};

/// The fastest of several runs, each long enough to time, in microseconds: what else the machine
/// does only ever adds to a time.
fn microseconds(mut work: impl FnMut()) -> f64 {
    let start = Instant::now();
    work();
    let once = start.elapsed().as_secs_f64();
    let repeats = ((2e-4 / once) as usize).clamp(1, 100_000);
    let times = (0..25).map(|_| {
        let start = Instant::now();
        (0..repeats).for_each(|_| work());
        start.elapsed().as_secs_f64() / repeats as f64
    });
    times.fold(f64::INFINITY, f64::min) * 1e6
}

/// Coefficients of `bits` pseudo-random bits and either sign.
fn polynomial(length: usize, bits: usize, seed: u64) -> Poly<IBig> {
    let mut state = seed;
    let mut next = || {
        state = state
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        state ^ state >> 29
    };
    let coefficients = (0..length).map(|_| {
        let mut words: Vec<u64> = (0..bits.div_ceil(64)).map(|_| next()).collect();
        if let Some(top) = words.last_mut() {
            *top |= 1 << 63;
            *top >>= (64 - bits % 64) % 64;
        }
        IBig::from_parts(Sign::from(next() >> 63 == 1), UBig::from_words(&words))
    });
    Poly::new(coefficients.collect())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut number = |default: usize| arguments.next().map_or(Ok(default), |text| text.parse());
    let bits = number(64)?;
    let max_length = number(1024)?;
    let ring = IntegerPolyRing::new();
    let algorithms = [Algorithm::Plain, Algorithm::CrtNtt, Algorithm::Kronecker];
    print!("length       auto        flat");
    algorithms
        .iter()
        .for_each(|algorithm| print!("{algorithm:>12}"));
    println!("   (µs, {bits} bits)");
    let lengths = (2..).flat_map(|power| [1usize << power, 3 << (power - 1)]);
    for length in lengths.take_while(|&length| length <= max_length) {
        let (a, b) = (polynomial(length, bits, 1), polynomial(length, bits, 2));
        print!(
            "{length:>6} {:>10.3}",
            microseconds(|| drop(ring.mul(&a, &b)))
        );
        let (flat_a, flat_b) = (FlatPoly::from_poly(&a), FlatPoly::from_poly(&b));
        let mut flat_out = FlatPoly::default();
        let flat = microseconds(|| {
            let done = ring.mul_flat(&mut flat_out, &flat_a, &flat_b);
            debug_assert!(done.is_ok());
        });
        print!("{flat:>12.3}");
        for algorithm in algorithms {
            let slow = algorithm == Algorithm::Plain && length > 2048;
            if slow || ring.plan_with(algorithm, &a, &b).is_err() {
                print!("{:>12}", "-");
            } else {
                let time = microseconds(|| drop(ring.mul_with(algorithm, &a, &b)));
                print!("{time:>12.3}");
            }
        }
        println!("   {}", ring.plan(&a, &b));
    }
    Ok(())
}
