//! Greatest common divisors and square-free factors against Euclid's algorithm over Q and known factors.

use super::common::{first_primes, poly, product, random};
use sunzi_integer::{Integer, Rational};
use sunzi_poly::{IntegerGcd, IntegerPolyRing, IntegerResultant, Method, Poly, gcd, square_free};
use sunzi_testkit::on_every_thread_count;

const METHODS: [Method; 4] = [
    Method::Automatic,
    Method::Words,
    Method::BigPrime,
    Method::Values,
];

/// By Euclid's algorithm over Q, then primitive, times the greatest common divisor of the contents.
pub fn euclid_over_q(f: &Poly<Integer>, g: &Poly<Integer>) -> Poly<Integer> {
    let rational = |f: &Poly<Integer>| -> Vec<Rational> {
        f.coefficients()
            .iter()
            .map(|x| Rational::from(x.clone()))
            .collect()
    };
    let (mut a, mut b) = (rational(f), rational(g));
    while let Some(leading) = b.last().cloned() {
        while a.len() >= b.len() {
            let shift = a.len() - b.len();
            let quotient = a.last().cloned().unwrap() / &leading;
            for (x, y) in a[shift..].iter_mut().zip(&b) {
                *x = &*x - y * &quotient;
            }
            while a.last().is_some_and(|x| x.is_zero()) {
                a.pop();
            }
        }
        std::mem::swap(&mut a, &mut b);
    }
    let common = a.iter().fold(Integer::ONE, |common, x| {
        let denominator = Integer::from(x.denominator().clone());
        let shared = Integer::from(common.gcd(&denominator));
        common * denominator / shared
    });
    let integral = a
        .iter()
        .map(|x| (x * Rational::from(common.clone())).numerator().clone());
    let ring = IntegerPolyRing::new();
    let primitive = ring.primitive_part(&Poly::new(integral.collect()));
    let mut content = Integer::from(ring.content(f).gcd(&ring.content(g)));
    if primitive
        .coefficients()
        .last()
        .is_some_and(|x| *x < Integer::ZERO)
    {
        content = -content;
    }
    Poly::new(
        primitive
            .coefficients()
            .iter()
            .map(|x| x * &content)
            .collect(),
    )
}

pub fn check(f: &Poly<Integer>, g: &Poly<Integer>) {
    let expected = euclid_over_q(f, g);
    for method in METHODS {
        let known = IntegerGcd::new()
            .method(method)
            .with_cofactors(f, g)
            .unwrap();
        assert!(known.proved);
        let found = known.value;
        assert_eq!(found.gcd, expected, "{method}: {f:?} and {g:?}");
        assert_eq!(product(&found.gcd, &found.first), *f, "{method}");
        assert_eq!(product(&found.gcd, &found.second), *g, "{method}");
    }
}

#[test]
fn random_ones_with_common_factors() {
    for (common, first, second, bits) in [
        (0, 3, 4, 64),
        (1, 1, 1, 64),
        (2, 5, 3, 10),
        (5, 5, 5, 64),
        (4, 0, 7, 64),
        (3, 6, 0, 200),
        (7, 1, 9, 700),
        (12, 10, 13, 64),
    ] {
        for seed in 0..3 {
            let h = random(common, bits, seed);
            let f = product(&h, &random(first, bits, seed + 10));
            let g = product(&h, &random(second, bits, seed + 20));
            check(&f, &g);
        }
    }
}

#[test]
fn edges() {
    let polys = [
        poly(&[]),
        poly(&[1]),
        poly(&[-6]),
        poly(&[0, 1]),
        poly(&[0, 0, -4]),
        poly(&[-2, 0, 2]),
        poly(&[4, 8, 4]),
        poly(&[-4, -8, -4]),
        poly(&[1, 0, 0, 0, 0, 0, -1]),
        poly(&[1, 0, 0, 1]),
        poly(&[3, 0, 0, 0, 6]),
    ];
    for f in &polys {
        for g in &polys {
            if f.is_zero() && g.is_zero() {
                assert!(gcd(f, g).unwrap().is_zero());
                continue;
            }
            check(f, g);
        }
    }
}

#[test]
fn short_factors_of_long_ones() {
    // Long cofactors: found by a division.
    let h = random(4, 20, 1);
    let f = product(&h, &random(5, 1400, 2));
    let g = product(&h, &random(4, 1400, 3));
    check(&f, &g);
    // A short one in a long one.
    check(&f, &h);
    // Long ones by a short one: a proof by cofactors alone.
    let h = random(4, 1400, 4);
    check(
        &product(&h, &random(2, 20, 5)),
        &product(&h, &random(3, 20, 6)),
    );
}

#[test]
fn unlucky_primes() {
    let primes = first_primes(10);
    let all = primes
        .iter()
        .fold(Integer::ONE, |product, &p| product * Integer::from(p));
    // Coprime, but equal modulo the first ten primes.
    let f = random(7, 64, 1);
    let g = Poly::new(
        f.coefficients()
            .iter()
            .zip(random(7, 64, 2).coefficients())
            .map(|(x, y)| x + &all * y)
            .collect(),
    );
    let known = IntegerGcd::new()
        .method(Method::Words)
        .compute(&f, &g)
        .unwrap();
    assert_eq!(known.value, poly(&[1]));
    assert_eq!(known.dropped, 10);
    // The same with a common factor, which the first primes make greater.
    let h = random(4, 64, 3);
    check(&product(&f, &h), &product(&g, &h));
    // One leading coefficient is divisible by them; both are.
    let with_leading = |seed| {
        let mut f = random(6, 64, seed).into_coefficients();
        f.push(all.clone());
        Poly::new(f)
    };
    check(
        &product(&with_leading(4), &h),
        &product(&random(5, 64, 5), &h),
    );
    let (f, g) = (product(&with_leading(6), &h), product(&with_leading(7), &h));
    check(&f, &g);
    let known = IntegerGcd::new()
        .method(Method::Words)
        .compute(&f, &g)
        .unwrap();
    assert_eq!(known.dropped, 10);
    // The common factor itself has such a leading coefficient.
    let h = with_leading(8);
    check(
        &product(&random(3, 64, 9), &h),
        &product(&random(4, 64, 10), &h),
    );
}

#[test]
fn a_prime_far_above_the_bound_is_unlucky() {
    // Coprime, but x − r² divides x² + 1 modulo P4 = r^4 + 1, which is their resultant.
    let r = Integer::from((1u64 << 59) + (1 << 58) + (1 << 11));
    let f = poly(&[1, 0, 1]);
    let g = Poly::new(vec![-r.pow(2), Integer::ONE]);
    check(&f, &g);
    let by_one_prime = IntegerGcd::new().method(Method::BigPrime);
    let known = by_one_prime.compute(&f, &g).unwrap();
    assert_eq!((known.value, known.dropped), (poly(&[1]), 1));
    for method in METHODS {
        let known = IntegerResultant::new().method(method).compute(&f, &g);
        assert_eq!(known.unwrap().value, r.pow(4) + Integer::ONE, "{method}");
    }
    // The same beside a common factor, whose degree proves nothing.
    let h = random(4, 20, 9);
    let known = by_one_prime.compute(&product(&f, &h), &product(&g, &h));
    assert!(known.is_ok_and(|known| known.proved && known.value.degree() == Some(4)));
}

#[test]
fn square_free_factors() {
    let parts = [
        poly(&[-3, 1]),
        poly(&[1, 0, 1]),
        poly(&[7, 3]),
        poly(&[0, 1]),
        random(5, 64, 1),
    ];
    // What is multiplied, with multiplicities.
    for chosen in [
        vec![(0, 1)],
        vec![(0, 2), (1, 1)],
        vec![(0, 5), (1, 3), (2, 3), (3, 1)],
        vec![(4, 2), (0, 7)],
        vec![(4, 4)],
    ] {
        for factor in [1, -12, 5] {
            let mut f = poly(&[factor]);
            for &(index, multiplicity) in &chosen {
                for _ in 0..multiplicity {
                    f = product(&f, &parts[index]);
                }
            }
            let found = square_free(&f).unwrap();
            let mut again = Poly::new(vec![found.content.clone()]);
            for (part, multiplicity) in &found.factors {
                assert!(*part.coefficients().last().unwrap() > Integer::ZERO);
                for _ in 0..*multiplicity {
                    again = product(&again, part);
                }
            }
            assert_eq!(again, f);
            let mut expected: Vec<usize> = chosen.iter().map(|&(_, m)| m).collect();
            expected.sort_unstable();
            expected.dedup();
            let multiplicities: Vec<usize> = found.factors.iter().map(|&(_, m)| m).collect();
            assert_eq!(multiplicities, expected);
            for (index, (part, multiplicity)) in found.factors.iter().enumerate() {
                let degree: usize = chosen
                    .iter()
                    .filter(|&&(_, m)| m == *multiplicity)
                    .map(|&(part, _)| parts[part].len() - 1)
                    .sum();
                assert_eq!(part.degree(), Some(degree));
                for (other, _) in &found.factors[..index] {
                    assert_eq!(euclid_over_q(part, other), poly(&[1]));
                }
            }
        }
    }
    assert_eq!(
        square_free(&poly(&[-6])).unwrap().content,
        Integer::from(-6)
    );
    assert!(square_free(&poly(&[])).is_err());
}

#[test]
fn threads_change_nothing() {
    let h = random(20, 300, 1);
    let (f, g) = (
        product(&h, &random(25, 500, 2)),
        product(&h, &random(22, 500, 3)),
    );
    let words = IntegerGcd::new().method(Method::Words);
    let expected = words.with_cofactors(&f, &g).unwrap();
    assert_eq!(expected.value.gcd.degree(), Some(20));
    assert_eq!(product(&expected.value.gcd, &expected.value.first), f);
    on_every_thread_count(|_| assert_eq!(words.with_cofactors(&f, &g).unwrap(), expected));
}
