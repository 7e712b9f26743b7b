//! The times of what polynomials do beyond products, by length: a jump from one length to the next is a
//! threshold that is not where it belongs.
//!
//! PRIME is a name (`P8`) or an expression; without one, 469762049, 2^31-1 and 2^60-2^18+1 take their turns.

use sunzi_field::with_field;
use sunzi_integer::Natural;
use sunzi_poly::{CoefficientField, Poly, PolyError, PolyRing, SubproductTree};

use crate::common::{Failure, argument, field_modulo, shortest_microseconds as microseconds};

pub fn run(arguments: &[String]) -> Result<(), Failure> {
    let max_length = argument(arguments, 1, "a length")?.unwrap_or(1024);
    match arguments.first() {
        Some(prime) => table_modulo(prime, max_length),
        None => ["469762049", "2^31-1", "2^60-2^18+1"]
            .into_iter()
            .try_for_each(|prime| table_modulo(prime, max_length)),
    }
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
    println!("modulo {}, microseconds", field.modulus::<Natural>());
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

fn table_modulo(prime: &str, max_length: usize) -> Result<(), Failure> {
    with_field!(&field_modulo(prime)?, field => Ok(table(field.clone(), max_length)?))
}
