//! Polynomials over Q against the definitions of what they compute, in fractions.

use sunzi_integer::{Integer, Rational};
use sunzi_poly::{Poly, PolyError, RationalPolyRing};
use sunzi_testkit::Random;

fn fraction(numerator: i64, denominator: u64) -> Rational {
    Rational::from_parts(numerator.into(), denominator.into())
}

/// A polynomial of this many coefficients, the last one not 0: zeros, integers, quotients, numbers of several words.
fn random(random: &mut Random, len: usize) -> Poly<Rational> {
    let mut coefficients: Vec<Rational> = (0..len).map(|_| number(random)).collect();
    if let Some(last) = coefficients.last_mut()
        && last.is_zero()
    {
        *last = fraction(-2, 3);
    }
    Poly::new(coefficients)
}

fn number(random: &mut Random) -> Rational {
    let small = random.below(41) as i64 - 20;
    match random.below(6) {
        0 => Rational::ZERO,
        1 | 2 => Rational::from(small),
        3 => Rational::from_parts(Integer::from(small) << 150, 7u8.into()),
        _ => fraction(small, 1 + random.below(12)),
    }
}

fn product(a: &Poly<Rational>, b: &Poly<Rational>) -> Poly<Rational> {
    let mut product = vec![Rational::ZERO; (a.len() + b.len()).saturating_sub(1)];
    for (i, x) in a.coefficients().iter().enumerate() {
        for (j, y) in b.coefficients().iter().enumerate() {
            product[i + j] += x * y;
        }
    }
    Poly::new(product)
}

fn sum(a: &Poly<Rational>, b: &Poly<Rational>) -> Poly<Rational> {
    let at = |f: &Poly<Rational>, i: usize| f.coefficients().get(i).cloned().unwrap_or_default();
    Poly::new(
        (0..a.len().max(b.len()))
            .map(|i| at(a, i) + at(b, i))
            .collect(),
    )
}

fn negative(a: &Poly<Rational>) -> Poly<Rational> {
    Poly::new(a.coefficients().iter().map(|x| -x).collect())
}

fn value(f: &Poly<Rational>, point: &Rational) -> Rational {
    let coefficients = f.coefficients().iter().rev();
    coefficients.fold(Rational::ZERO, |value, coefficient| {
        value * point + coefficient
    })
}

fn poly(text: &str) -> Poly<Rational> {
    text.parse().unwrap()
}

/// The monic greatest common divisor by Euclid's algorithm in fractions.
fn gcd(a: &Poly<Rational>, b: &Poly<Rational>) -> Poly<Rational> {
    let (mut a, mut b) = (a.clone(), b.clone());
    while let Some(leading) = b.coefficients().last() {
        let mut rest = a.into_coefficients();
        while rest.len() >= b.len() {
            let factor = rest.pop().unwrap() / leading;
            let start = rest.len() + 1 - b.len();
            for (x, y) in rest[start..].iter_mut().zip(b.coefficients()) {
                *x -= &factor * y;
            }
        }
        (a, b) = (b.clone(), Poly::new(rest));
    }
    match a.coefficients().last() {
        None => a,
        Some(leading) => Poly::new(a.coefficients().iter().map(|x| x / leading).collect()),
    }
}

const LENGTHS: [usize; 8] = [0, 1, 2, 3, 4, 7, 12, 25];

#[test]
fn quotients_and_remainders_give_the_dividend_back() {
    let (ring, mut numbers) = (RationalPolyRing::new(), Random::new(1));
    for len_a in LENGTHS {
        for len_b in LENGTHS {
            let (a, b) = (random(&mut numbers, len_a), random(&mut numbers, len_b));
            if b.is_zero() {
                assert_eq!(ring.divrem(&a, &b), Err(PolyError::DivisionByZero));
                continue;
            }
            let (quotient, remainder) = ring.divrem(&a, &b).unwrap();
            assert!(remainder.len() < b.len());
            assert_eq!(sum(&product(&quotient, &b), &remainder), a);
            // What divides leaves nothing.
            let (quotient, remainder) = ring.divrem(&product(&a, &b), &b).unwrap();
            assert_eq!((quotient, remainder), (a.clone(), Poly::zero()));
            assert!(ring.divrem_bytes(&a, &b).unwrap() < 1 << 20);
        }
    }
}

#[test]
fn greatest_common_divisors_have_their_cofactors() {
    let (ring, mut numbers) = (RationalPolyRing::new(), Random::new(2));
    for len_common in [0, 1, 2, 4] {
        for len_a in LENGTHS {
            for len_b in LENGTHS {
                let common = random(&mut numbers, len_common);
                let [a, b] = [len_a, len_b].map(|len| product(&common, &random(&mut numbers, len)));
                let found = ring.xgcd(&a, &b).unwrap();
                assert_eq!(found.gcd, gcd(&a, &b));
                let both = sum(&product(&found.s, &a), &product(&found.t, &b));
                assert_eq!(both, found.gcd);
                let degree = |f: &Poly<Rational>| f.degree().map_or(-1, |degree| degree as i64);
                let own = degree(&found.gcd);
                if own < degree(&a) && own < degree(&b) {
                    assert!(degree(&found.s) < degree(&b) - own);
                    assert!(degree(&found.t) < degree(&a) - own);
                } else if own == degree(&b) {
                    assert!((degree(&found.s), degree(&found.t)) <= (0, 0));
                } else {
                    assert!(found.t.is_zero() && degree(&found.s) == 0);
                }
                assert!(ring.xgcd_bytes(&a, &b).unwrap() < 1 << 24);
            }
        }
    }
}

#[test]
fn cofactors_where_an_operand_is_zero_constant_or_a_divisor() {
    let ring = RationalPolyRing::new();
    for (a, b, gcd, s, t) in [
        ("0", "0", "0", "1", "0"),
        ("0", "-2*x + 1", "x - 1/2", "0", "-1/2"),
        ("-2*x + 1", "0", "x - 1/2", "-1/2", "0"),
        ("5", "x^3", "1", "1/5", "0"),
        ("x^3", "2/3", "1", "0", "3/2"),
        ("3", "4", "1", "0", "1/4"),
        ("x^2 - 1", "3*x - 3", "x - 1", "0", "1/3"),
        ("3*x - 3", "x^2 - 1", "x - 1", "1/3", "0"),
        ("x^2 + 1", "x", "1", "1", "-x"),
    ] {
        let found = ring.xgcd(&poly(a), &poly(b)).unwrap();
        let found = [found.gcd, found.s, found.t].map(|f| f.to_string());
        assert_eq!(found, [gcd, s, t], "{a}, {b}");
    }
}

#[test]
fn values_are_those_of_horner() {
    let (ring, mut numbers) = (RationalPolyRing::new(), Random::new(3));
    for len in LENGTHS {
        let f = random(&mut numbers, len);
        let points: Vec<Rational> = (0..len).map(|_| number(&mut numbers)).collect();
        let expected: Vec<Rational> = points.iter().map(|point| value(&f, point)).collect();
        assert_eq!(ring.evaluate(&f, &points).unwrap(), expected);
    }
}

#[test]
fn the_polynomial_through_points_is_the_only_one() {
    let (ring, mut numbers) = (RationalPolyRing::new(), Random::new(4));
    for len in LENGTHS {
        let mut points: Vec<Rational> = (0..2 * len).map(|_| number(&mut numbers)).collect();
        points.sort();
        points.dedup();
        points.truncate(len);
        points.reverse();
        let f = random(&mut numbers, points.len());
        let values = ring.evaluate(&f, &points).unwrap();
        assert_eq!(ring.interpolate(&points, &values).unwrap(), f);
    }
    // 0! … 6! at 0 … 6 need denominators.
    let points: Vec<Rational> = (0..7).map(Rational::from).collect();
    let values = [1, 1, 2, 6, 24, 120, 720].map(Rational::from);
    let found = ring.interpolate(&points, &values).unwrap();
    assert_eq!(found.degree(), Some(6));
    assert_eq!(ring.evaluate(&found, &points).unwrap(), values);
    assert_eq!(negative(&found).coefficients()[6], fraction(-53, 144));
}

#[test]
fn points_that_come_twice_are_told() {
    let ring = RationalPolyRing::new();
    let points = [4, 5, 7, 4, 5].map(Rational::from);
    let repeated = PolyError::RepeatedPoint {
        first: 0,
        second: 3,
    };
    assert_eq!(ring.interpolate(&points, &points), Err(repeated));
    assert!(matches!(
        ring.interpolate(&points, &points[1..]),
        Err(PolyError::ValueCount { .. })
    ));
}
