//! Inputs, and answers by definition, for the tests of division, greatest common divisors, trees and calculus.

use sunzi_field::{Field, GeneralizedFermat};
use sunzi_poly::Poly;
use sunzi_testkit::{Random, convolution_over, value_at};

/// The generalized Fermat prime of 8 digits next to 2^475, transforms of which are long.
pub fn long_transforms() -> GeneralizedFermat<8> {
    GeneralizedFermat::new((1 << 59) + (1 << 57) + (1 << 39)).unwrap()
}

/// A field whose transforms have at most 16 points.
pub fn short_transforms() -> GeneralizedFermat<4> {
    GeneralizedFermat::new((1 << 60) - 2).unwrap()
}

/// A random polynomial of exactly this degree.
pub fn random_poly<F: Field>(field: &F, seed: u64, degree: usize) -> Poly<F::Elem> {
    let mut coefficients = Random::new(seed).elements(field, degree + 1);
    if coefficients[degree] == field.zero() {
        coefficients[degree] = field.one();
    }
    Poly::new(coefficients)
}

/// A random polynomial of `len` coefficients, the last of which is not 0; the zero polynomial for none.
pub fn random_of_len<F: Field>(field: &F, seed: u64, len: usize) -> Poly<F::Elem> {
    match len.checked_sub(1) {
        Some(degree) => random_poly(field, seed, degree),
        None => Poly::zero(),
    }
}

/// Distinct elements in no order, 0 among them, if the field has as many.
pub fn distinct<F: Field>(field: &F, len: usize) -> Vec<F::Elem> {
    let mut points: Vec<F::Elem> = (0..len as u64).map(|i| field.from_u64(i)).collect();
    let keys = Random::new(len as u64).residues(len, u64::MAX);
    for (i, key) in keys.into_iter().enumerate().skip(1) {
        points.swap(i, key as usize % (i + 1));
    }
    points
}

/// The product of all x − u.
pub fn product_of_points<F: Field>(field: &F, points: &[F::Elem]) -> Vec<F::Elem> {
    let factors = points.iter().map(|&u| [field.neg(u), field.one()]);
    factors.fold(vec![field.one()], |sum, factor| {
        convolution_over(field, &sum, &factor)
    })
}

/// The remainder by long division.
pub fn remainder<F: Field>(field: &F, a: &[F::Elem], b: &[F::Elem]) -> Poly<F::Elem> {
    let (&leading, below) = b.split_last().expect("a divisor that is not 0");
    let inverse = field.inv(leading).expect("a leading coefficient");
    let mut rest = a.to_vec();
    while rest.len() > below.len() {
        let quotient = rest.pop().map(|last| field.mul(last, inverse));
        let quotient = quotient.expect("a coefficient");
        let start = rest.len() - below.len();
        for (x, &y) in rest[start..].iter_mut().zip(below) {
            *x = field.sub(*x, field.mul(quotient, y));
        }
    }
    Poly::new(rest)
}

/// Checks one value in 997 of those at many points.
pub fn check_some_values<F: Field>(
    field: &F,
    f: &Poly<F::Elem>,
    points: &[F::Elem],
    values: &[F::Elem],
) where
    F::Elem: std::fmt::Debug,
{
    assert_eq!(values.len(), points.len());
    for i in (0..points.len()).step_by(997) {
        assert_eq!(values[i], value_at(field, f.coefficients(), points[i]));
    }
}
