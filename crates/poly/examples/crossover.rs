//! Prints the time of each algorithm against the length: where its lines cross is where the
//! thresholds belong.
//!
//! `cargo run --release -p sunzi-poly --example crossover -- [PRIME] [MAX_LENGTH]`

use std::time::Instant;

use sunzi_field::{Fp32, Fp64, expression};
use sunzi_poly::{Algorithm, PolyRing, WordField};

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

fn table<F: WordField>(field: F, max_length: usize) {
    let prime = field.prime_word();
    let ring = PolyRing::new(field);
    print!("length  auto");
    Algorithm::ALL
        .iter()
        .for_each(|algorithm| print!("{algorithm:>12}"));
    println!("   (µs, mod {prime})");
    let lengths = (2..).flat_map(|power| [1usize << power, 3 << (power - 1)]);
    for length in lengths.take_while(|&length| length <= max_length) {
        let element = |index: u64| {
            ring.field()
                .from_u64(index.wrapping_mul(0x9e37_79b9_7f4a_7c15))
        };
        let a: Vec<F::Elem> = (1..=length as u64).map(element).collect();
        let b: Vec<F::Elem> = (1..=length as u64).map(|index| element(!index)).collect();
        let mut out = vec![ring.field().zero(); 2 * length - 1];
        let auto = microseconds(|| ring.mul_slices(&mut out, &a, &b));
        print!("{length:>6} {auto:>10.3}");
        for algorithm in Algorithm::ALL {
            let slow = algorithm == Algorithm::Plain && length > 2048;
            match ring.mul_slices_with(algorithm, &mut out, &a, &b) {
                Ok(()) if !slow => {
                    let time = microseconds(|| {
                        let done = ring.mul_slices_with(algorithm, &mut out, &a, &b);
                        debug_assert!(done.is_ok());
                    });
                    print!("{time:>12.3}");
                }
                _ => print!("{:>12}", "-"),
            }
        }
        println!("   {}", ring.plan(length, length));
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let prime = arguments.next().unwrap_or_else(|| "469762049".into());
    let prime = u64::try_from(expression::parse_bounded(&prime, 64)?)?;
    let max_length = match arguments.next() {
        Some(length) => length.parse()?,
        None => 1024,
    };
    match u32::try_from(prime).map(Fp32::new) {
        Ok(Ok(field)) => table(field, max_length),
        _ => table(Fp64::new(prime)?, max_length),
    }
    Ok(())
}
