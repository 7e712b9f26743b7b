//! What Sunzi does, in a page: `cargo run --release -p sunzi --example tour`.
//!
//! `main` begins with the code that the README shows.

use std::error::Error;
use sunzi::{
    Integer, Natural,
    field::{Field, Fp32, Fp64},
    integer::Multiplier,
    poly::{IntegerPolyRing, Poly, PolyRing, SubproductTree},
};
use sunzi_field::expression;

fn main() -> Result<(), Box<dyn Error>> {
    // Integers of any size, from text to text.
    let a: Integer = "123456789012345678901234567890".parse()?;
    let b: Integer = "-0x10000000000000000".parse()?;
    println!("{}", &a * &b);

    // Rows of 64-bit limbs; the context keeps tables and memory for the next product.
    let multiplier = Multiplier::new();
    let mut product = vec![0; 10_000];
    multiplier.mul(&mut product, &[u64::MAX; 5000], &[u64::MAX; 5000]);
    println!("{}", multiplier.plan(5000, 5000)); // which algorithm, and why

    // Polynomials modulo a prime: coefficients from the constant term upward.
    let ring = PolyRing::new(Fp32::new(469_762_049)?);
    let (f, g) = (Poly::new(vec![2, 3, 1]), Poly::new(vec![1, 1])); // x² + 3x + 2, x + 1
    let fg = ring.mul(&f, &g);
    let (quotient, remainder) = ring.divrem(&fg, &f)?;
    assert_eq!((&quotient, remainder.is_zero()), (&g, true));
    assert_eq!(ring.gcd(&f, &g)?, g); // xgcd gives cofactors, too

    // A tree over points evaluates and interpolates many polynomials.
    let tree = SubproductTree::new(&ring, &[0, 1, 2, 3])?;
    let values = tree.evaluate(&f)?;
    assert_eq!(values, [2, 6, 12, 20]);
    assert_eq!(tree.interpolate(&values)?, f);

    // What the lines above have to give.
    assert_eq!(
        (a * b).to_string(),
        "-2277375791072698140248390838022561708011411210240"
    );
    // (B^n − 1)² = B^2n − 2·B^n + 1
    assert_eq!((product[0], product[5000]), (1, u64::MAX - 1));
    word_primes()?;
    over_z()
}

/// Any odd prime below 2^64, also as an expression.
fn word_primes() -> Result<(), Box<dyn Error>> {
    let field = Fp64::new(u64::try_from(expression::parse::<Natural>("2^62-57")?)?)?;
    let minus_one = field.neg(field.one());
    let ring = PolyRing::new(field);
    let g = Poly::new(vec![minus_one; 1000]);
    assert_eq!(ring.sqr(&g)[999], 1000);
    println!("{}", ring.plan(1000, 1000));
    Ok(())
}

/// Polynomials with integer coefficients of any size.
fn over_z() -> Result<(), Box<dyn Error>> {
    let ring = IntegerPolyRing::new();
    let f = "100000000000000000000000*x^2 - 1".parse()?;
    let square = ring.sqr(&f);
    assert_eq!(square.degree(), Some(4));
    println!("{}", ring.plan(&f, &f));
    println!("the coefficient of x^2 is {}", square[2]);
    Ok(())
}
