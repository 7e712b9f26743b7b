//! Prints the times of what this crate does beyond products, by length: a jump from one length to the next
//! is a threshold that is not where it belongs.
//!
//! `cargo run --release -p sunzi-poly --example algebra_times -- [PRIME] [MAX_LENGTH]`
//!
//! PRIME is a name (`P8`) or an expression; without one, 469762049, 2^31-1 and 2^60-2^18+1 take their turns.

use std::error::Error;
use std::time::Instant;

use sunzi_field::generalized_fermat::named_prime;
use sunzi_field::{AnyField, expression, with_field};
use sunzi_poly::{CoefficientField, Poly, PolyError, PolyRing, SubproductTree};

/// The shortest of several runs, in microseconds: what else the machine does only ever adds to a time.
fn microseconds<T>(mut work: impl FnMut() -> Result<T, PolyError>) -> Result<f64, PolyError> {
    let start = Instant::now();
    work()?;
    let once = start.elapsed().as_secs_f64();
    let repeats = ((2e-4 / once) as usize).clamp(1, 100_000);
    let rounds = ((0.2 / once) as usize).clamp(3, 25);
    let mut shortest = f64::INFINITY;
    for _ in 0..rounds {
        let start = Instant::now();
        for _ in 0..repeats {
            work()?;
        }
        shortest = shortest.min(start.elapsed().as_secs_f64() / repeats as f64);
    }
    Ok(shortest * 1e6)
}

/// A name and a time for each operation; none where the field has too few elements.
fn times<F: CoefficientField>(
    ring: &PolyRing<F>,
    len: usize,
) -> Result<Vec<(&'static str, Option<f64>)>, PolyError> {
    let field = ring.field();
    let [f, g, long] = [(len, 1), (len, 2), (2 * len, 3)].map(|(len, seed)| ring.random(len, seed));
    let (f, g, long) = (f?, g?, long?);
    // Of an order beyond any length, unless the field is small.
    let (a, q) = (field.from_u64(12345), field.from_u64(3));
    let points: Vec<F::Elem> = (0..len as u64).map(|i| field.from_u64(i)).collect();
    let tree = || SubproductTree::new(ring, &points);
    let values = ring.evaluate_geometric(&f, a, q, len)?;
    let inner = Poly::new(vec![a, q, q]);
    let mut times = vec![
        ("product", Some(microseconds(|| ring.try_mul(&f, &g))?)),
        ("divrem", Some(microseconds(|| ring.divrem(&long, &g))?)),
        ("gcd", Some(microseconds(|| ring.gcd(&f, &g))?)),
        ("evaluate", Some(microseconds(|| tree()?.evaluate(&f))?)),
        (
            "interpolate",
            microseconds(|| tree()?.interpolate(&values)).ok(),
        ),
        (
            "at a point",
            Some(microseconds(|| ring.evaluate_at(&f, a))?),
        ),
        ("shift", Some(microseconds(|| ring.taylor_shift(&f, a))?)),
        ("compose", Some(microseconds(|| ring.compose(&f, &inner))?)),
        (
            "geometric",
            Some(microseconds(|| ring.evaluate_geometric(&f, a, q, len))?),
        ),
        (
            "and back",
            microseconds(|| ring.interpolate_geometric(a, q, &values)).ok(),
        ),
    ];
    if len <= 4096 {
        // Of quadratic time and size.
        let chain = microseconds(|| ring.subresultant_chain(&f, &g))?;
        times.push(("chain", Some(chain)));
    }
    Ok(times)
}

fn table<F: CoefficientField>(field: F, max_length: usize) -> Result<(), PolyError> {
    println!("modulo {}, microseconds", field.modulus());
    let ring = PolyRing::new(field);
    let short = (8..=64).step_by(8);
    let long = (7..).flat_map(|log| [2usize, 3].map(|factor| factor << (log - 1)));
    for (line, len) in short
        .chain(long)
        .take_while(|&len| len <= max_length)
        .enumerate()
    {
        let times = times(&ring, len)?;
        if line == 0 {
            print!("{:>7}", "length");
            times.iter().for_each(|(name, _)| print!(" {name:>12}"));
            println!();
        }
        print!("{len:>7}");
        for (_, time) in times {
            match time {
                Some(time) => print!(" {time:>12.2}"),
                None => print!(" {:>12}", "-"),
            }
        }
        println!();
    }
    Ok(())
}

fn table_modulo(prime: &str, max_length: usize) -> Result<(), Box<dyn Error>> {
    let field = match named_prime(prime) {
        Some(named) => AnyField::generalized_fermat(named.radix, named.digits)?,
        None => AnyField::new(&expression::parse(prime)?)?,
    };
    with_field!(field, field => Ok(table(field, max_length)?))
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let max_length = match arguments.get(1) {
        Some(length) => length.parse()?,
        None => 1024,
    };
    match arguments.first() {
        Some(prime) => table_modulo(prime, max_length),
        None => ["469762049", "2^31-1", "2^60-2^18+1"]
            .into_iter()
            .try_for_each(|prime| table_modulo(prime, max_length)),
    }
}
