//! Resultants and subresultants against minors of Sylvester matrices over Z.

use super::common::{first_primes, minor, poly, product, random, sylvester};
use sunzi_integer::Integer;
use sunzi_poly::{
    IntegerResultant, IntegerSubresultants, Method, Poly, PolyError, discriminant, resultant,
    subresultants,
};
use sunzi_rns::PRIMES_50;
use sunzi_testkit::{on_every_thread_count, on_threads};

#[test]
fn determinants_of_sylvester_matrices() {
    for (m, n, bits) in [
        (1, 1, 64),
        (2, 1, 64),
        (1, 3, 10),
        (5, 5, 64),
        (7, 4, 200),
        (3, 8, 30),
        (12, 12, 64),
        (20, 17, 3),
        (9, 2, 1000),
    ] {
        for seed in 0..3 {
            let (f, g) = (random(m, bits, seed), random(n, bits, seed + 100));
            let expected = sylvester(&f, &g);
            let known = IntegerResultant::new().compute(&f, &g).unwrap();
            assert!(known.proved);
            assert_eq!(known.value, expected, "degrees {m} and {n}, {bits} bits");
            let early = IntegerResultant::new().early(2).compute(&f, &g).unwrap();
            assert_eq!(early.value, expected);
        }
    }
}

#[test]
fn degrees_that_drop_by_more_than_one() {
    let sparse = [
        poly(&[1, 0, 0, 0, 1]),
        poly(&[3, 0, 1]),
        poly(&[-1, 0, 0, 0, 0, 0, 0, 2]),
        poly(&[5, 0, 0, 7]),
        poly(&[0, 0, 0, 0, 0, 1]),
        poly(&[2, 1]),
        poly(&[4, 4, 0, 0, 0, 0, -6]),
        poly(&[-3, 0, 0, 0, -9]),
    ];
    for f in &sparse {
        for g in &sparse {
            assert_eq!(resultant(f, g).unwrap(), sylvester(f, g), "{f:?} {g:?}");
        }
    }
}

#[test]
fn long_quotients() {
    // Around the number of terms from which the leading coefficient is inverted; then once more in the middle.
    for (m, n) in [(25, 2), (26, 2), (27, 3), (28, 2), (40, 7), (27, 0)] {
        let (f, g) = (random(m, 64, 1), random(n, 64, 2));
        assert_eq!(resultant(&f, &g).unwrap(), sylvester(&f, &g), "{m} {n}");
        assert_eq!(resultant(&g, &f).unwrap(), sylvester(&g, &f), "{n} {m}");
        let h = random(3, 30, 3);
        let (fh, gh) = (product(&f, &h), product(&g, &h));
        super::gcd::check(&fh, &gh);
        super::gcd::check(&gh, &fh);
    }
    // x^31·(2x + 1) + x² + 3 and x^31 − 5: the remainder has degree 2.
    let mut f = vec![0; 33];
    (f[0], f[2], f[31], f[32]) = (3, 1, 1, 2);
    let mut g = vec![0; 32];
    (g[0], g[31]) = (-5, 1);
    let (f, g) = (poly(&f), poly(&g));
    assert_eq!(resultant(&f, &g).unwrap(), sylvester(&f, &g));
    assert_eq!(resultant(&g, &f).unwrap(), sylvester(&g, &f));
    super::gcd::check(&f, &g);
}

#[test]
fn unlucky_primes() {
    let all = first_primes(10)
        .iter()
        .fold(Integer::ONE, |product, &p| product * Integer::from(p));
    let with_leading = |degree: usize, seed| {
        let mut f = random(degree - 1, 64, seed).into_coefficients();
        f.push(all.clone());
        Poly::new(f)
    };
    // One leading coefficient is divisible by the first ten primes: they stay. Both are: they go.
    for (f, g, dropped) in [
        (with_leading(5, 1), random(4, 64, 2), 0),
        (random(5, 64, 3), with_leading(6, 4), 0),
        (with_leading(4, 5), random(7, 64, 6), 0),
        (with_leading(5, 7), with_leading(4, 8), 10),
        // By all of them but one lane's prime, too.
        (with_leading(3, 9), with_leading(3, 10), 10),
    ] {
        let known = IntegerResultant::new().compute(&f, &g).unwrap();
        assert_eq!(known.value, sylvester(&f, &g));
        assert_eq!(known.dropped, dropped);
        check_chain(&f, &g);
    }
    // Equal modulo the first ten primes, but coprime: the images are 0, and right.
    let f = random(6, 64, 11);
    let shifted = f.coefficients().iter().map(|x| x + &all);
    let g = Poly::new(shifted.collect());
    let known = IntegerResultant::new().compute(&f, &g).unwrap();
    assert_eq!((&known.value, known.dropped), (&sylvester(&f, &g), 0));
    assert!(!known.value.is_zero());
    // Some of the first primes divide what no other does: lanes fall out.
    let some = Integer::from(first_primes(10)[3]);
    let g = Poly::new(vec![
        &some * Integer::from(3),
        Integer::from(5),
        some.clone(),
        Integer::ONE,
    ]);
    let f = Poly::new(vec![
        Integer::from(7),
        some.clone(),
        Integer::from(2),
        some.clone(),
        Integer::ONE,
    ]);
    assert_eq!(resultant(&f, &g).unwrap(), sylvester(&f, &g));
}

#[test]
fn no_primes_in_a_fixed_order_deceive_early_termination() {
    // The resultant with x is the constant term, which the first primes of plans divide.
    for count in [8, 20, 100] {
        let all = first_primes(count).into_iter().map(Integer::from);
        let value = all.fold(Integer::from(12), |product, p| product * p);
        let multiple = Poly::new(vec![value.clone(), Integer::ONE, Integer::ONE]);
        for seed in 0..20 {
            let known = IntegerResultant::new().early(seed);
            let known = known.compute(&multiple, &poly(&[0, 1])).unwrap();
            assert_eq!(known.value, value, "{count} primes, seed {seed}");
        }
    }
    // The same in disguise: 0 modulo each of the first eight.
    let number = |text: &str| text.parse::<Integer>().unwrap();
    let slope = number("-2251799813685021");
    let f = Poly::new(vec![number("-2251799813684925"), slope.clone()]);
    let constant = "20657999024648664825370478822120964082918205137152624682640708827408474279199203325109717801425251987799539229133797544427";
    let g = Poly::new(vec![number(constant), slope]);
    let expected = sylvester(&f, &g);
    assert_eq!(expected.to_string().trim_start_matches('-').len(), 137);
    for seed in 0..50 {
        let known = IntegerResultant::new().early(seed).compute(&f, &g).unwrap();
        assert_eq!(known.value, expected, "seed {seed}");
    }
}

#[test]
fn primes_of_a_known_seed_deceive_it_alone() {
    let seed = 1 << 100 | 77;
    let drawn = PRIMES_50.draw(seed).take(40).map(Integer::from);
    let value = drawn.fold(Integer::ONE, |product, p| product * p);
    let multiple = Poly::new(vec![value.clone(), Integer::ONE, Integer::ONE]);
    let known = |seed| {
        let how = IntegerResultant::new().early(seed);
        how.compute(&multiple, &poly(&[0, 1])).unwrap()
    };
    let deceived = known(seed);
    assert_eq!((deceived.value, deceived.proved), (Integer::ZERO, false));
    for other in [0, seed ^ 1, 77, u128::MAX] {
        assert_eq!(known(other).value, value);
    }
}

#[test]
fn early_ends_tell_few_primes() {
    // A short resultant whose bound is long: f and f + 1.
    let f = random(20, 300, 1);
    let mut g = f.clone().into_coefficients();
    g[0] += Integer::ONE;
    let g = Poly::new(g);
    let proved = IntegerResultant::new().compute(&f, &g).unwrap();
    let known = IntegerResultant::new().early(5).compute(&f, &g).unwrap();
    assert_eq!((&known.value, known.proved), (&proved.value, false));
    assert!(
        known.primes <= 140 && known.primes < proved.primes,
        "{known:?}"
    );
}

#[test]
fn one_large_prime() {
    for (m, n, bits) in [(1, 1, 64), (5, 3, 20), (4, 6, 64), (9, 9, 200)] {
        let (f, g) = (random(m, bits, 1), random(n, bits, 2));
        let known = IntegerResultant::new()
            .method(Method::BigPrime)
            .compute(&f, &g)
            .unwrap();
        assert_eq!(
            (known.value, known.primes, known.proved),
            (sylvester(&f, &g), 1, true)
        );
    }
    let long = random(40, 600, 3);
    let refused = IntegerResultant::new()
        .method(Method::BigPrime)
        .compute(&long, &long);
    assert!(matches!(refused, Err(PolyError::NoNamedPrime { .. })));
}

#[test]
fn values_next_to_the_bound() {
    // The resultant with x is the constant term: as large as 10 primes allow, and larger by a bit, of either sign.
    let all = first_primes(10)
        .iter()
        .fold(Integer::ONE, |product, &p| product * Integer::from(p));
    let half = &all / Integer::from(2);
    for value in [
        &half - Integer::ONE,
        half.clone(),
        &half + Integer::ONE,
        all.clone(),
        &all * Integer::from(2),
    ] {
        for value in [value.clone(), -value] {
            let f = Poly::new(vec![value.clone(), Integer::ONE]);
            let x = poly(&[0, 1]);
            let by_primes = IntegerResultant::new().method(Method::Words);
            let by_primes = |f, g| by_primes.compute(f, g).unwrap().value;
            assert_eq!(by_primes(&f, &x), -value.clone());
            assert_eq!(by_primes(&x, &f), value);
            let early = IntegerResultant::new().early(1).compute(&f, &x).unwrap();
            assert_eq!(early.value, -value);
        }
    }
}

#[test]
fn a_linear_one_needs_no_primes() {
    for degree in [1, 2, 3, 4, 7, 8, 9, 30] {
        for linear in [poly(&[3, 1]), poly(&[0, -7]), random(1, 100, 4)] {
            let f = random(degree, 64, 3);
            for (f, g) in [(&f, &linear), (&linear, &f)] {
                let known = IntegerResultant::new().compute(f, g).unwrap();
                assert_eq!(known.value, sylvester(f, g), "{f:?} {g:?}");
                assert_eq!((known.proved, known.primes), (true, 0));
            }
        }
    }
    // Of 20,000 digits, in no time.
    let f = Poly::new(
        [
            vec![Integer::ONE; 1],
            vec![Integer::ZERO; 999],
            vec![Integer::ONE],
        ]
        .concat(),
    );
    let g = Poly::new(vec![-Integer::from(10).pow(20), Integer::ONE]);
    let expected = Integer::from(10).pow(20_000) + Integer::ONE;
    assert_eq!(resultant(&f, &g).unwrap(), expected);
}

#[test]
fn edges() {
    let polys = [
        poly(&[]),
        poly(&[1]),
        poly(&[-3]),
        poly(&[0, 0, 5]),
        poly(&[-6, 0, 12]),
    ];
    for f in &polys {
        for g in &polys {
            let expected = match f.is_zero() || g.is_zero() {
                true => Integer::ZERO,
                false => sylvester(f, g),
            };
            assert_eq!(resultant(f, g).unwrap(), expected, "{f:?} {g:?}");
        }
    }
    let f = random(6, 64, 1);
    assert_eq!(resultant(&f, &f).unwrap(), Integer::ZERO);
    let tripled = Poly::new(
        f.coefficients()
            .iter()
            .map(|x| x * Integer::from(-3))
            .collect(),
    );
    assert_eq!(resultant(&f, &tripled).unwrap(), Integer::ZERO);
    assert!(subresultants(&poly(&[]), &f).unwrap().is_empty());
    assert!(IntegerSubresultants::new().one(&f, &f, 7).is_err());
}

#[test]
fn discriminants_are_known() {
    // x² + bx + c; x³ + px + q; n^n for x^n − 1, up to its sign.
    assert_eq!(
        discriminant(&poly(&[7, 5, 1])).unwrap(),
        Integer::from(25 - 28)
    );
    assert_eq!(
        discriminant(&poly(&[3, -4, 0, 1])).unwrap(),
        Integer::from(4 * 64 - 27 * 9)
    );
    for (n, sign) in [(1, 1), (2, 1), (3, -1), (4, -1), (5, 1), (6, 1), (7, -1)] {
        let mut coefficients = vec![0; n + 1];
        (coefficients[0], coefficients[n]) = (-1, 1);
        let expected = Integer::from(n).pow(n) * Integer::from(sign);
        assert_eq!(discriminant(&poly(&coefficients)).unwrap(), expected, "{n}");
    }
    assert_eq!(discriminant(&poly(&[1, 2, 1])).unwrap(), Integer::ZERO);
    assert_eq!(discriminant(&poly(&[5])).unwrap(), Integer::ZERO);
}

/// The chain against minors of the Sylvester matrix.
fn check_chain(f: &Poly<Integer>, g: &Poly<Integer>) {
    let chain = subresultants(f, g).unwrap();
    let (m, n) = (f.len() - 1, g.len() - 1);
    assert_eq!(chain.len(), m.min(n) + 1);
    for (j, found) in chain.iter().enumerate() {
        // The last one of equal degrees is a convention.
        if j == m && m == n && m > 0 {
            assert_eq!(found, g);
        } else {
            let expected = Poly::new((0..=j).map(|i| minor(f, g, j, i)).collect());
            assert_eq!(*found, expected, "S_{j} of degrees {m} and {n}");
        }
        let alone = IntegerSubresultants::new().one(f, g, j).unwrap();
        assert!(alone.proved);
        assert_eq!(alone.value, *found);
        assert_eq!(
            IntegerSubresultants::new()
                .early(2)
                .one(f, g, j)
                .unwrap()
                .value,
            *found
        );
    }
}

#[test]
fn subresultants_are_minors() {
    for (m, n, bits) in [
        (1, 1, 64),
        (3, 3, 64),
        (5, 3, 10),
        (2, 6, 64),
        (7, 6, 300),
        (4, 1, 64),
        (0, 3, 64),
    ] {
        check_chain(&random(m, bits, 1), &random(n, bits, 2));
    }
    // Common factors and degrees that drop.
    let h = random(2, 20, 3);
    check_chain(
        &product(&h, &random(3, 20, 4)),
        &product(&h, &random(2, 20, 5)),
    );
    check_chain(&poly(&[1, 0, 0, 0, 0, 3]), &poly(&[2, 0, 7]));
}

#[test]
fn threads_change_nothing() {
    let (f, g) = (random(30, 200, 1), random(25, 200, 2));
    let all = || {
        (
            IntegerResultant::new().compute(&f, &g).unwrap(),
            IntegerSubresultants::new().early(2).chain(&f, &g).unwrap(),
        )
    };
    let expected = on_threads(1, all);
    assert_eq!(expected.0.value, expected.1.value[0][0]);
    on_every_thread_count(|threads| assert_eq!(all(), expected, "{threads} threads"));
}
