//! Sunzi's side of the section `poly`: division, GCD, resultant, evaluation and interpolation.
//!
//! As in [`crate::sunzi_side`], everything is made from the plain words that the peers get, and `None` says
//! that Sunzi has no such operation.

use sunzi_field::{Fp32, Fp64};
use sunzi_poly::{CoefficientField, Poly, PolyRing, SubproductTree};

use crate::contender::{Contender, contender};
use crate::sunzi_side::{elements, words};

/// Fields whose elements are residues in a word.
trait WordField: CoefficientField<Elem: TryFrom<u64> + Into<u64>> {}

impl<F: CoefficientField<Elem: TryFrom<u64> + Into<u64>>> WordField for F {}

/// Calls a function with the field modulo `p` before its arguments.
macro_rules! over_field {
    ($function:ident($p:expr, $($argument:expr),+)) => {
        match u32::try_from($p) {
            Ok(p) => $function(Fp32::new(p).ok()?, $($argument),+),
            Err(_) => $function(Fp64::new($p).ok()?, $($argument),+),
        }
    };
}

/// The polynomial with these residues, from the constant term upward.
fn poly<F: WordField>(residues: &[u64]) -> Option<Poly<F::Elem>> {
    elements::<F>(residues).map(Poly::new)
}

/// `a` by `b`: the quotient's residues, then the remainder's.
pub fn division(p: u64, a: &[u64], b: &[u64]) -> Option<Box<dyn Contender>> {
    over_field!(division_over(p, a, b))
}

fn division_over<F: WordField>(field: F, a: &[u64], b: &[u64]) -> Option<Box<dyn Contender>> {
    let (a, b) = (poly::<F>(a)?, poly::<F>(b)?);
    let ring = PolyRing::new(field);
    let out = (Poly::zero(), Poly::zero());
    Some(contender(
        (a, b, out),
        move |(a, b, out)| *out = ring.divrem(a, b).expect("the divisor is not zero"),
        |(_, _, (quotient, remainder))| {
            [quotient, remainder]
                .map(|part| words(part.coefficients()))
                .concat()
        },
    ))
}

/// The monic greatest common divisor.
pub fn gcd(p: u64, a: &[u64], b: &[u64]) -> Option<Box<dyn Contender>> {
    over_field!(gcd_over(p, a, b))
}

fn gcd_over<F: WordField>(field: F, a: &[u64], b: &[u64]) -> Option<Box<dyn Contender>> {
    let ring = PolyRing::new(field);
    Some(contender(
        (poly::<F>(a)?, poly::<F>(b)?, Poly::zero()),
        move |(a, b, out)| *out = ring.gcd(a, b).expect("the memory is there"),
        |(_, _, out)| words(out.coefficients()),
    ))
}

/// The resultant.
pub fn resultant(p: u64, a: &[u64], b: &[u64]) -> Option<Box<dyn Contender>> {
    over_field!(resultant_over(p, a, b))
}

fn resultant_over<F: WordField>(field: F, a: &[u64], b: &[u64]) -> Option<Box<dyn Contender>> {
    let (a, b, zero) = (poly::<F>(a)?, poly::<F>(b)?, field.zero());
    let ring = PolyRing::new(field);
    Some(contender(
        (a, b, zero),
        move |(a, b, out)| *out = ring.resultant(a, b).expect("the memory is there"),
        |(_, _, out)| vec![(*out).into()],
    ))
}

/// The values of a polynomial at distinct points: the tree is built, used and dropped.
pub fn evaluation(p: u64, points: &[u64], coefficients: &[u64]) -> Option<Box<dyn Contender>> {
    over_field!(evaluation_over(p, points, coefficients))
}

fn evaluation_over<F: WordField>(
    field: F,
    points: &[u64],
    coefficients: &[u64],
) -> Option<Box<dyn Contender>> {
    let (points, poly) = (elements::<F>(points)?, poly::<F>(coefficients)?);
    let ring = PolyRing::new(field);
    Some(contender(
        (points, poly, Vec::new()),
        move |(points, poly, values)| {
            let tree = SubproductTree::new(&ring, points).expect("the memory is there");
            *values = tree.evaluate(poly).expect("the memory is there");
        },
        |(_, _, values)| words(values),
    ))
}

/// The values of a polynomial at points whose tree was built before.
pub fn prepared_evaluation(
    p: u64,
    points: &[u64],
    coefficients: &[u64],
) -> Option<Box<dyn Contender>> {
    over_field!(prepared_evaluation_over(p, points, coefficients))
}

fn prepared_evaluation_over<F: WordField>(
    field: F,
    points: &[u64],
    coefficients: &[u64],
) -> Option<Box<dyn Contender>> {
    let (points, poly) = (elements::<F>(points)?, poly::<F>(coefficients)?);
    let tree = SubproductTree::new(&PolyRing::new(field), &points).ok()?;
    Some(contender(
        (tree, poly, Vec::new()),
        |(tree, poly, values)| *values = tree.evaluate(poly).expect("the memory is there"),
        |(_, _, values)| words(values),
    ))
}

/// The polynomial of least degree with these values at distinct points.
pub fn interpolation(p: u64, points: &[u64], values: &[u64]) -> Option<Box<dyn Contender>> {
    over_field!(interpolation_over(p, points, values))
}

fn interpolation_over<F: WordField>(
    field: F,
    points: &[u64],
    values: &[u64],
) -> Option<Box<dyn Contender>> {
    let (points, values) = (elements::<F>(points)?, elements::<F>(values)?);
    let ring = PolyRing::new(field);
    Some(contender(
        (points, values, Poly::zero()),
        move |(points, values, poly)| {
            let tree = SubproductTree::new(&ring, points).expect("the memory is there");
            *poly = tree.interpolate(values).expect("the points are distinct");
        },
        |(_, _, poly)| words(poly.coefficients()),
    ))
}
