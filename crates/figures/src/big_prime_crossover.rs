//! Prints the time of each algorithm over a field modulo r^k + 1 against the length: where its lines
//! cross is where the thresholds belong.
//!
//! `cargo run --release -p sunzi-poly --example big_prime_crossover -- [PRIME] [MAX_LENGTH] [OTHER_LENGTH]`
//!
//! PRIME is a name (`P8`) or an expression. With OTHER_LENGTH, the right operand has that length.

use std::time::Instant;

use sunzi_field::generalized_fermat::named_prime;
use sunzi_field::{AnyField, Digits, Field, GeneralizedFermat, expression, with_field};
use sunzi_poly::{Algorithm, PolyRing};

/// The fastest of several runs, each long enough to time, in microseconds: what else the machine
/// does only ever adds to a time.
fn microseconds(mut work: impl FnMut()) -> f64 {
    let start = Instant::now();
    work();
    let once = start.elapsed().as_secs_f64();
    let repeats = ((2e-4 / once) as usize).clamp(1, 100_000);
    let rounds = ((0.2 / once) as usize).clamp(3, 25);
    let times = (0..rounds).map(|_| {
        let start = Instant::now();
        (0..repeats).for_each(|_| work());
        start.elapsed().as_secs_f64() / repeats as f64
    });
    times.fold(f64::INFINITY, f64::min) * 1e6
}

struct Table {
    max_length: usize,
    other_length: Option<usize>,
}

impl Table {
    fn print<const K: usize>(&self, field: &GeneralizedFermat<K>) {
        let ring = PolyRing::new(field.clone());
        println!("µs, modulo {}^{K}+1", field.radix());
        println!("length       auto      plain  karatsuba        ntt  kronecker");
        let lengths = (2..).flat_map(|power| [2usize, 3].map(|factor| factor << (power - 1)));
        let element = |index: u64| {
            let digit = |d| (index + d as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) % field.radix();
            Digits(std::array::from_fn(digit))
        };
        for length in lengths.take_while(|&length| length <= self.max_length) {
            let other = self.other_length.unwrap_or(length);
            let a: Vec<_> = (1..=length as u64).map(element).collect();
            let b: Vec<_> = (0..other as u64).map(|i| element(i << 32)).collect();
            let mut out = vec![field.zero(); length + other - 1];
            let auto = microseconds(|| ring.mul_slices(&mut out, &a, &b));
            print!("{length:>6} {auto:>10.2}");
            for algorithm in [
                Algorithm::Schoolbook,
                Algorithm::Karatsuba,
                Algorithm::Ntt,
                Algorithm::Kronecker,
            ] {
                let slow = algorithm == Algorithm::Schoolbook && length.min(other) > 256;
                match ring.mul_slices_with(algorithm, &mut out[..], &a, &b) {
                    Ok(()) if !slow => {
                        let time = microseconds(|| {
                            let done = ring.mul_slices_with(algorithm, &mut out, &a, &b);
                            debug_assert!(done.is_ok());
                        });
                        print!(" {time:>10.2}");
                    }
                    _ => print!(" {:>10}", "-"),
                }
            }
            println!("   {}", ring.plan(length, other));
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let prime = arguments.next().unwrap_or_else(|| "P8".into());
    let field = match named_prime(&prime) {
        Some(named) => AnyField::generalized_fermat(named.radix, named.digits)?,
        None => AnyField::new(&expression::parse(&prime)?)?,
    };
    let length = |argument: Option<String>| argument.map(|length| length.parse()).transpose();
    let max_length = length(arguments.next())?.unwrap_or(512);
    let other_length = length(arguments.next())?;
    let table = Table {
        max_length,
        other_length,
    };
    with_field!(
        &field,
        field: GeneralizedFermat => {
            table.print(field);
            Ok(())
        },
        _ => Err("no number r^k + 1 of more than 63 bits".into())
    )
}
