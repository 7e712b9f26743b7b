//! Greatest common divisors in two variables.

use super::oracle::{product, random_over_z, small};
use sunzi_integer::Integer;
use sunzi_poly::{BivariatePoly, Poly, bivariate_gcd};
use sunzi_rns::WordPrimes;
use sunzi_testkit::{Random, on_threads};

/// Of h·a and h·b, where a and b have no common divisor and h has a positive leading coefficient.
fn finds(h: &BivariatePoly<Integer>, a: &BivariatePoly<Integer>, b: &BivariatePoly<Integer>) {
    let known = bivariate_gcd(&product(h, a), &product(h, b)).unwrap();
    assert!(known.proved);
    assert_eq!(known.value.gcd, *h);
    assert_eq!((&known.value.first, &known.value.second), (a, b));
    let exchanged = bivariate_gcd(&product(h, b), &product(h, a)).unwrap().value;
    assert_eq!(
        (&exchanged.gcd, &exchanged.first, &exchanged.second),
        (h, b, a)
    );
    // In the other order of the variables the sign may be another.
    let swapped = bivariate_gcd(&product(h, a).swapped(), &product(h, b).swapped())
        .unwrap()
        .value;
    let gcd = swapped.gcd.swapped();
    assert!(gcd == *h || gcd.map(|c| -c) == *h);
}

#[test]
fn what_is_put_in_is_found() {
    // 1, y, x, y − x, 2y + x, contents in x and in y, and both.
    let factors = [
        small(&[&[1]]),
        small(&[&[], &[1]]),
        small(&[&[0, 1]]),
        small(&[&[0, -1], &[1]]),
        small(&[&[0, 1], &[2]]),
        small(&[&[-2, 0, 3]]),
        small(&[&[1], &[], &[5]]),
        small(&[&[12]]),
        small(&[&[1, 0, 1], &[0, 1, 0, 7], &[-3, 1]]),
    ];
    let coprime = [
        (small(&[&[1]]), small(&[&[1]])),
        (small(&[&[1]]), small(&[&[3, 1], &[1, -1]])),
        (small(&[&[1, 1]]), small(&[&[5, -1]])),
        (small(&[&[1, 1], &[2]]), small(&[&[5, -1], &[0, 0, 1]])),
        (small(&[&[0, 1]]), small(&[&[], &[1]])),
        (
            small(&[&[-1], &[], &[1]]),
            small(&[&[1, 2], &[4, 0, -3], &[6]]),
        ),
    ];
    for h in &factors {
        for square in [&factors[0], &factors[3], &factors[5]] {
            let h = product(h, &product(square, square));
            for (a, b) in &coprime {
                finds(&h, a, b);
            }
        }
    }
}

#[test]
fn long_coefficients_and_high_degrees() {
    let mut random = Random::new(23);
    for (rows, columns, bits) in [
        (2, 5, 1),
        (4, 3, 30),
        (3, 3, 1000),
        (1, 6, 70),
        (6, 1, 70),
        (7, 6, 64),
    ] {
        let mut polynomial = |extra: usize| {
            let f = random_over_z(&mut random, rows + extra, columns + extra, bits);
            product(&f, &small(&[&[1 + extra as i64]]))
        };
        let (h, a, b) = (polynomial(1), polynomial(0), polynomial(2));
        let negative = h.leading() < Integer::ZERO;
        let h = if negative { h.map(|c| -c) } else { h };
        let known = bivariate_gcd(&product(&h, &a), &product(&h, &b))
            .unwrap()
            .value;
        // What a and b are multiplied by have no divisor in common.
        assert_eq!(
            (&known.gcd, &known.first, &known.second),
            (&h, &a, &b),
            "{rows} {columns} {bits}"
        );
    }
}

#[test]
fn zero_constants_and_multiples() {
    let zero = BivariatePoly::zero();
    let f = small(&[&[2, -4], &[0, 6, -8]]);
    let minus = small(&[&[-1]]);
    let positive = small(&[&[-2, 4], &[0, -6, 8]]);
    let found = bivariate_gcd(&zero, &zero).unwrap().value;
    assert!(
        found.gcd.is_zero() && found.first.is_zero() && found.second.is_zero() && found.is_curve()
    );
    for (a, b, first, second) in [
        (&f, &zero, &minus, &zero),
        (&zero, &f, &zero, &minus),
        (&f, &f, &minus, &minus),
    ] {
        let found = bivariate_gcd(a, b).unwrap().value;
        assert_eq!(
            (&found.gcd, &found.first, &found.second),
            (&positive, first, second)
        );
    }
    let found = bivariate_gcd(&f, &small(&[&[-6, 12], &[0, -18, 24]]))
        .unwrap()
        .value;
    assert_eq!(
        (found.gcd, found.first, found.second),
        (positive, minus, small(&[&[3]]))
    );
    let found = bivariate_gcd(&f, &small(&[&[-4]])).unwrap();
    assert_eq!(found.value.gcd, small(&[&[2]]));
    assert!(!found.value.is_curve());
}

#[test]
fn unlucky_primes_are_dropped() {
    let primes: Vec<u64> = WordPrimes::new().take(10).collect();
    let unlucky = primes
        .iter()
        .fold(Integer::ONE, |all, &prime| all * Integer::from(prime));
    // b ≡ a modulo ten primes.
    let h = small(&[&[1, 2], &[3, -5, 4], &[7]]);
    let a = small(&[&[3, 1], &[1, 0, 2]]);
    let mut rows = a.clone().into_rows();
    rows[0] = Poly::new(vec![Integer::from(3), &unlucky + Integer::ONE]);
    let b = BivariatePoly::new(rows);
    finds(&h, &a, &b);
    let known = bivariate_gcd(&product(&h, &a), &product(&h, &b)).unwrap();
    assert_eq!(known.dropped, 10);
    // They have nothing in common, and ten images say that they have.
    let known = bivariate_gcd(&a, &b).unwrap();
    assert_eq!(
        (known.value.is_curve(), known.primes, known.dropped),
        (false, 1, 10)
    );
    // Leading coefficients that vanish.
    let scaled = h.map(|c| c + &unlucky * Integer::from(5));
    finds(&scaled, &a, &small(&[&[1], &[2, -1]]));
    let mut rows = h.clone().into_rows();
    rows[2] = Poly::new(vec![unlucky.clone()]);
    let leading = BivariatePoly::new(rows);
    finds(&leading, &a, &small(&[&[1], &[2, -1]]));
    let known = bivariate_gcd(&product(&leading, &a), &leading).unwrap();
    assert_eq!(known.dropped, 10);
}

#[test]
fn threads_do_not_matter() {
    let mut random = Random::new(5);
    let [h, a, b] = [9, 8, 10].map(|n| random_over_z(&mut random, n, n, 200));
    let (f, g) = (product(&h, &a), product(&h, &b));
    let expected = bivariate_gcd(&f, &g).unwrap();
    assert!(expected.value.is_curve());
    for threads in [1, 2, 3, 7] {
        assert_eq!(
            on_threads(threads, || bivariate_gcd(&f, &g).unwrap()),
            expected
        );
    }
}
