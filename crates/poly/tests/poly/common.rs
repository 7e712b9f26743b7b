//! Inputs, and answers by definition, for the tests of division, greatest common divisors, trees and calculus.

use sunzi_field::{Field, GeneralizedFermat};
use sunzi_poly::Poly;
use sunzi_testkit::Random;

/// The generalized Fermat prime of 8 digits next to 2^475, transforms of which are long.
pub fn long_transforms() -> GeneralizedFermat<8> {
    GeneralizedFermat::new((1 << 59) + (1 << 57) + (1 << 39)).unwrap()
}

/// A field whose transforms have at most 16 points.
pub fn short_transforms() -> GeneralizedFermat<4> {
    GeneralizedFermat::new((1 << 60) - 2).unwrap()
}

/// Random elements of which one in eight is an edge: 0, 1, −1, −2.
pub fn random<F: Field>(field: &F, seed: u64, len: usize) -> Vec<F::Elem> {
    let mut random = Random::new(seed);
    let mut element = || {
        let word = random.word();
        match word % 32 {
            small @ 0..2 => field.from_u64(small),
            small @ 2..4 => field.from_i64(1 - small as i64),
            // All digits of long residues are used: a power of a word.
            _ => field.pow(field.from_u64(word), 9),
        }
    };
    (0..len).map(|_| element()).collect()
}

/// A random polynomial of exactly this degree.
pub fn random_poly<F: Field>(field: &F, seed: u64, degree: usize) -> Poly<F::Elem> {
    let mut coefficients = random(field, seed, degree + 1);
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

/// The value at a point.
pub fn horner<F: Field>(field: &F, f: &[F::Elem], point: F::Elem) -> F::Elem {
    let steps = f.iter().rev();
    steps.fold(field.zero(), |value, &c| {
        field.add(field.mul(value, point), c)
    })
}

/// The product by definition; nothing if a factor has no coefficients.
pub fn product<F: Field>(field: &F, a: &[F::Elem], b: &[F::Elem]) -> Vec<F::Elem> {
    let mut product = vec![field.zero(); (a.len() + b.len()).saturating_sub(1)];
    for (i, &x) in a.iter().enumerate() {
        for (j, &y) in b.iter().enumerate() {
            product[i + j] = field.add(product[i + j], field.mul(x, y));
        }
    }
    product
}

/// The product of all x − u.
pub fn product_of_points<F: Field>(field: &F, points: &[F::Elem]) -> Vec<F::Elem> {
    let factors = points.iter().map(|&u| [field.neg(u), field.one()]);
    factors.fold(vec![field.one()], |sum, factor| {
        product(field, &sum, &factor)
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
        assert_eq!(values[i], horner(field, f.coefficients(), points[i]));
    }
}
