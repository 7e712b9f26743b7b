//! Operations as a program calls them that depends on Sunzi, on numbers from files: `sunzi-program NAME FILE…`.
//!
//! `scripts/instructions` counts the instructions of each, and compares them with those of the program `sunzi`.

use std::error::Error;
use std::hint::black_box;

use sunzi::{
    field::{Field, Fp32, Fp64, GeneralizedFermat, named_prime},
    matrix::{Decomposition, DenseMatrix},
    poly::{CoefficientField, Poly, PolyRing, SubproductTree},
};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().ok_or("usage: sunzi-program NAME FILE…")?;
    let files: Vec<Vec<u64>> = arguments
        .map(|file| numbers(&file))
        .collect::<Result<_, _>>()?;
    let word = Fp64::new((1 << 60) - (1 << 18) + 1)?;
    let half = Fp32::new(469_762_049)?;
    match (&name[..], &files[..]) {
        ("gcd", [a, b]) => {
            let ring = PolyRing::new(word);
            black_box(ring.gcd(&poly(&ring, a), &poly(&ring, b))?);
        }
        ("divrem", [a, b]) => {
            let ring = PolyRing::new(half);
            black_box(ring.divrem(&poly(&ring, a), &poly(&ring, b))?);
        }
        ("eval", [f, points]) => {
            let ring = PolyRing::new(half);
            let points: Vec<u32> = points.iter().map(|&x| ring.field().from_u64(x)).collect();
            let tree = SubproductTree::new(&ring, &points)?;
            tree.prepare_evaluation()?;
            black_box(tree.evaluate(&poly(&ring, f))?);
        }
        ("xgcd", [a, b]) => {
            let prime = named_prime("P8").ok_or("there is P8")?;
            let ring = PolyRing::new(GeneralizedFermat::<8>::new(prime.radix)?);
            black_box(ring.xgcd(&poly(&ring, a), &poly(&ring, b))?);
        }
        ("det", [entries]) => {
            let order = entries.len().isqrt();
            let entries = entries.iter().map(|&x| word.from_u64(x)).collect();
            let matrix = DenseMatrix::new(order, order, entries)?;
            black_box(Decomposition::new(&word, matrix).determinant()?);
        }
        _ => return Err(format!("there is no operation {name} on {} files", files.len()).into()),
    }
    Ok(())
}

fn numbers(file: &str) -> Result<Vec<u64>, Box<dyn Error>> {
    let text = std::fs::read_to_string(file)?;
    Ok(text
        .split_whitespace()
        .map(str::parse)
        .collect::<Result<_, _>>()?)
}

fn poly<F: CoefficientField>(ring: &PolyRing<F>, coefficients: &[u64]) -> Poly<F::Elem> {
    Poly::new(
        coefficients
            .iter()
            .map(|&x| ring.field().from_u64(x))
            .collect(),
    )
}
