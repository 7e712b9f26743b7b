//! The time of each algorithm over a field modulo r^k + 1 against the length: where its lines cross is where
//! the thresholds belong.
//!
//! PRIME is a name (`P8`) or an expression. With OTHER_LENGTH, the right operand has that length.

use sunzi_field::{Digits, Field, GeneralizedFermat, with_field};
use sunzi_poly::{Algorithm, PolyError, PolyRing};

use crate::common::{Failure, argument, field_modulo, shortest_microseconds};

pub fn run(arguments: &[String]) -> Result<(), Failure> {
    let prime = arguments.first().map_or("P8", String::as_str);
    let table = Table {
        max_length: argument(arguments, 1, "a length")?.unwrap_or(512),
        other_length: argument(arguments, 2, "a length")?,
    };
    with_field!(
        &field_modulo(prime)?,
        field: GeneralizedFermat => Ok(table.print(field)?),
        _ => Err("no number r^k + 1 of more than 63 bits".into())
    )
}

struct Table {
    max_length: usize,
    other_length: Option<usize>,
}

impl Table {
    fn print<const K: usize>(&self, field: &GeneralizedFermat<K>) -> Result<(), PolyError> {
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
            let auto = shortest_microseconds(|| {
                ring.mul_slices(&mut out, &a, &b);
                Ok::<_, PolyError>(())
            })?;
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
                        let time = shortest_microseconds(|| {
                            ring.mul_slices_with(algorithm, &mut out, &a, &b)
                        })?;
                        print!(" {time:>10.2}");
                    }
                    _ => print!(" {:>10}", "-"),
                }
            }
            println!("   {}", ring.plan(length, other));
        }
        Ok(())
    }
}
