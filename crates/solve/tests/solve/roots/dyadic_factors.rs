//! Dyadic roots, split off.

use sunzi_integer::Integer;
use sunzi_poly::{IntegerPolyRing, Poly};
use sunzi_solve::Dyadic;
use sunzi_solve::internals::{Evaluator, linear, split};

fn evaluator(coefficients: &[i64]) -> Evaluator {
    Evaluator::new(Poly::new(
        coefficients.iter().map(|&c| Integer::from(c)).collect(),
    ))
}

fn product(factors: &[Poly<Integer>]) -> Poly<Integer> {
    let ring = IntegerPolyRing::new();
    let one = Poly::new(vec![Integer::ONE]);
    factors.iter().fold(one, |product, f| ring.mul(&product, f))
}

#[test]
fn all_roots_split_off() {
    let roots: Vec<Dyadic> = [(-7, 0), (-5, -3), (0, 0), (1, -3), (1, 0), (3, 10)]
        .map(|(mantissa, exponent)| Dyadic::new(Integer::from(mantissa), exponent))
        .to_vec();
    let factors: Vec<Poly<Integer>> = roots.iter().map(linear).collect();
    let (found, rest) = split(Evaluator::new(product(&factors)));
    assert_eq!(found, roots);
    assert_eq!(rest.polynomial(), &Poly::new(vec![Integer::ONE]));
}

#[test]
fn other_factors_stay() {
    let rest = evaluator(&[-7, 3, 0, -2, 5]);
    let point = linear(&Dyadic::from(77));
    let f = product(&[rest.polynomial().clone(), point]);
    let (found, left) = split(Evaluator::new(f));
    assert_eq!(found, [Dyadic::from(77)]);
    assert_eq!(left.polynomial(), rest.polynomial());
    let (found, left) = split(rest);
    assert!(found.is_empty());
    assert_eq!(
        left.polynomial(),
        evaluator(&[-7, 3, 0, -2, 5]).polynomial()
    );
}

#[test]
fn roots_that_meet_modulo_the_prime_are_left() {
    // 67 is the prime: 68 and 135 are one root modulo it, and 2 is simple.
    let roots = [68, 2, 135].map(|root| linear(&Dyadic::from(root)));
    let (found, rest) = split(Evaluator::new(product(&roots)));
    assert_eq!(found, [Dyadic::from(2)]);
    assert_eq!(
        rest.polynomial(),
        &product(&[roots[0].clone(), roots[2].clone()])
    );
}

#[test]
fn a_leading_coefficient_may_vanish_modulo_primes() {
    let (found, _) = split(evaluator(&[-67 * 71 * 5, 67 * 71, 0, 0]));
    assert_eq!(found, [Dyadic::from(5)]);
}

#[test]
fn long_roots_and_constants_are_left_alone() {
    let long = Poly::new(vec![-(Integer::ONE << 70), Integer::ONE]);
    assert!(split(Evaluator::new(long)).0.is_empty());
    assert!(split(evaluator(&[3])).0.is_empty());
    let near = |root: i64| split(Evaluator::new(linear(&Dyadic::from(root)))).0;
    for bits in [20, 40, 53] {
        let root = (1 << bits) - 1;
        assert_eq!(near(root), [Dyadic::from(root)], "{bits}");
        assert_eq!(near(-root), [Dyadic::from(-root)], "{bits}");
    }
}
