//! Real roots against Sturm's theorem, exact values, and known answers.

mod decimal;
mod dyadic;
mod dyadic_factors;
mod horner;
mod reference;
mod rows;

use proptest::prelude::*;
use reference::Sturm;
use std::cmp::Ordering;
use sunzi_integer::{Integer, Natural, Rational};
use sunzi_poly::PolyError;
use sunzi_poly::{IntegerPolyRing, Poly};
use sunzi_solve::{Dyadic, RealRoot, RealRoots, RootSearch};
use sunzi_testkit::{Random, on_threads};

fn poly(coefficients: impl IntoIterator<Item = i64>) -> Poly<Integer> {
    Poly::new(coefficients.into_iter().map(Integer::from).collect())
}

fn mul(f: &Poly<Integer>, g: &Poly<Integer>) -> Poly<Integer> {
    IntegerPolyRing::new().mul(f, g)
}

fn product<'a>(factors: impl IntoIterator<Item = &'a Poly<Integer>>) -> Poly<Integer> {
    factors.into_iter().fold(poly([1]), |f, g| mul(&f, g))
}

fn value(f: &Poly<Integer>, x: &Rational) -> Rational {
    let terms = f.coefficients().iter().rev();
    terms.fold(Rational::ZERO, |value, c| {
        value * x + Rational::from(c.clone())
    })
}

fn ratio(numerator: i64, denominator: u64) -> Rational {
    Rational::from_parts(Integer::from(numerator), Natural::from(denominator))
}

/// Checks all that is said of roots, exactly, but for their number.
fn check(f: &Poly<Integer>, roots: &[RealRoot]) {
    for pair in roots.windows(2) {
        assert!(pair[0].upper() < pair[1].lower(), "{pair:?}");
    }
    for root in roots {
        let (lower, upper) = (root.lower().to_rational(), root.upper().to_rational());
        let (at_lower, at_upper) = (value(f, &lower), value(f, &upper));
        if root.is_point() {
            assert!(at_lower.is_zero() && lower == upper);
        } else {
            let signs = [at_lower.signum(), at_upper.signum()];
            assert!(!at_lower.is_zero() && !at_upper.is_zero() && lower < upper);
            assert_eq!(signs[0] == signs[1], root.multiplicity() % 2 == 0);
        }
        let (quotient, rest) = IntegerPolyRing::new()
            .pseudo_divrem(f, root.factor())
            .expect("a divisor");
        assert!(rest.is_zero() && !quotient.is_zero());
    }
}

/// Checks roots against Sturm's theorem, too.
fn check_all(f: &Poly<Integer>) -> RealRoots {
    let roots = RealRoots::of(f).expect("a polynomial that is not zero");
    check(f, &roots);
    let sturm = Sturm::new(f);
    let most = f.coefficients().iter().map(Integer::bit_len).max();
    let bound = Rational::from(Integer::ONE << (most.unwrap_or(0) + 1));
    assert_eq!(sturm.count(&-&bound, &bound), roots.len(), "{f:?}");
    for root in &roots {
        if !root.is_point() {
            let ends = (root.lower().to_rational(), root.upper().to_rational());
            assert_eq!(sturm.count(&ends.0, &ends.1), 1);
        }
    }
    roots
}

fn random(degree: usize, bits: usize, seed: u64) -> Poly<Integer> {
    let mut random = Random::new(seed);
    let mut coefficient = || {
        let words = random.words(bits.div_ceil(64));
        let magnitude = Integer::from(Natural::from(&words[..])) >> (words.len() * 64 - bits);
        if random.below(2) == 0 {
            magnitude
        } else {
            -magnitude
        }
    };
    Poly::new((0..=degree).map(|_| coefficient()).collect())
}

fn chebyshev(degree: usize) -> Poly<Integer> {
    let (mut a, mut b) = (poly([1]), poly([0, 1]));
    for _ in 1..degree {
        let next = mul(&b, &poly([0, 2]));
        let mut next = next.into_coefficients();
        for (c, d) in next.iter_mut().zip(a.coefficients()) {
            *c -= d;
        }
        (a, b) = (b, Poly::new(next));
    }
    b
}

/// x^n − 2(2^b x − 1)².
fn mignotte(degree: usize, bits: usize) -> Poly<Integer> {
    let a = Integer::ONE << bits;
    let mut coefficients = vec![Integer::ZERO; degree + 1];
    coefficients[0] = Integer::from(-2);
    coefficients[1] = &a * Integer::from(4);
    coefficients[2] = &a * &a * Integer::from(-2);
    coefficients[degree] += Integer::ONE;
    Poly::new(coefficients)
}

#[test]
fn constants_have_no_roots() {
    assert_eq!(
        RealRoots::of(&Poly::zero()).err(),
        Some(PolyError::EveryNumber)
    );
    assert!(RealRoots::of(&poly([7])).expect("a constant").is_empty());
    assert!(RealRoots::of(&poly([1, 0, 1])).expect("x² + 1").is_empty());
}

#[test]
fn roots_of_small_polynomials() {
    for code in 0..7i64.pow(5) {
        let digit = |at: u32| code / 7i64.pow(at) % 7 - 3;
        let f = poly((0..5).map(digit));
        if !f.is_zero() && code % 5 == 0 {
            check_all(&f);
        }
    }
}

#[test]
fn products_of_rational_factors() {
    let factors = [
        poly([-1, 3]),
        poly([1, 2]),
        poly([0, 1]),
        poly([-5, 7]),
        poly([-8, 1]),
        poly([3, 8]),
    ];
    let f = product(factors.iter().chain(&factors[2..]).chain(&factors[4..]));
    let roots = check_all(&f);
    let expected = [
        (-1, 2, 1),
        (-3, 8, 3),
        (0, 1, 2),
        (1, 3, 1),
        (5, 7, 2),
        (8, 1, 3),
    ];
    let expected = expected.map(|(p, q, multiplicity)| (Some(ratio(p, q)), multiplicity));
    let found: Vec<_> = roots
        .iter()
        .map(|root| (root.rational(), root.multiplicity()))
        .collect();
    assert_eq!(found, expected);
    assert_eq!(roots.count_with_multiplicity(), 12);
}

#[test]
fn wilkinson_has_integers() {
    let factors: Vec<_> = (1..=40).map(|k| poly([-k, 1])).collect();
    let roots = RealRoots::of(&product(&factors)).expect("roots");
    let points: Vec<_> = roots
        .iter()
        .map(|root| (root.is_point(), root.lower().clone()))
        .collect();
    assert_eq!(
        points,
        (1..=40)
            .map(|k| (true, Dyadic::from(k)))
            .collect::<Vec<_>>()
    );
    // Inverses of integers are none but powers of two; those that are not are searched for on both sides of one.
    let factors: Vec<_> = (1..=20)
        .filter(|k: &i64| k.count_ones() > 1)
        .map(|k| poly([-1, k]))
        .collect();
    let roots = check_all(&product(&factors));
    assert_eq!(roots.len(), 15);
    let factors: Vec<_> = (1..=20).map(|k| poly([-1, k])).collect();
    let roots = check_all(&product(&factors));
    let found: Vec<_> = roots.iter().rev().map(RealRoot::rational).collect();
    assert_eq!(
        found,
        (1..=20).map(|k| Some(ratio(1, k))).collect::<Vec<_>>()
    );
}

#[test]
fn inverses_of_points_leave_other_roots_out() {
    // The inverse of the least of the greater roots is a dyadic number.
    let known: [(&[i64], usize); 4] = [
        (&[64, 248, 436, 484, 292, 84, 9], 4),
        (&[800, -8040, 28380, -43420, 32140, -11540, 1680], 4),
        (&[8064, -25680, 31056, -20652, 7932, -1548, 108], 4),
        (&[87360, -135692, 92115, -36069, 8247, -994, 48], 4),
    ];
    for (coefficients, count) in known {
        let roots = check_all(&poly(coefficients.iter().copied()));
        assert_eq!(roots.count_with_multiplicity(), count, "{coefficients:?}");
    }
}

/// The interval of one is wide while that of the other is as narrow as the power of two that divides its coefficient.
#[test]
fn neighbours_of_other_multiplicity_are_told_apart() {
    let far = Poly::new(vec![Integer::ONE << 56, Integer::from(37)]);
    for distance in [1, 90, 1000] {
        let shifted = (Integer::ONE << (56 + distance)) + Integer::from(37);
        let neighbour = Poly::new(vec![shifted, Integer::from(37) << distance]);
        for f in [
            mul(&mul(&far, &far), &neighbour),
            mul(&mul(&neighbour, &neighbour), &far),
        ] {
            assert_eq!(check_all(&f).len(), 2, "{distance}");
        }
    }
}

#[test]
fn chebyshev_polynomials_have_cosines() {
    for degree in [1, 2, 3, 16, 31, 64] {
        let roots = RealRoots::of(&chebyshev(degree)).expect("roots");
        check(&chebyshev(degree), &roots);
        assert_eq!(roots.len(), degree);
        for (k, root) in roots.iter().rev().enumerate() {
            let cosine = ((2 * k + 1) as f64 * std::f64::consts::PI / (2 * degree) as f64).cos();
            let mut narrow = root.clone();
            narrow.refine(60);
            assert!((narrow.lower().to_f64() - cosine).abs() < 1e-14);
        }
    }
}

#[test]
fn one_change_of_sign_is_one_root() {
    for power in [2, 3, 7, 40] {
        for constant in [1_i64, 2, 3, 5_000_000_000] {
            for size in [0_u32, 70] {
                let mut coefficients = vec![Integer::ZERO; power + 1];
                coefficients[0] = Integer::from(-constant);
                coefficients[1] = Integer::from(-1);
                coefficients[power] = Integer::from(7) << size as usize;
                let f = Poly::new(coefficients.clone());
                check_all(&f);
                coefficients.reverse();
                check_all(&Poly::new(coefficients));
            }
        }
    }
    // Of high degree, without an expansion in as many terms.
    for (degree, constant, count) in [(3001, 2, 1), (3000, 2, 2), (2000, 1, 2), (9, -3, 1)] {
        let mut coefficients = vec![0; degree + 1];
        (coefficients[0], coefficients[degree]) = (-constant, 1);
        let roots = RootSearch::new().bits(64).of(&poly(coefficients)).unwrap();
        assert_eq!(roots.len(), count, "x^{degree} = {constant}");
    }
    let mut coefficients = vec![0; 2001];
    (coefficients[1], coefficients[2000]) = (-1, 1);
    let roots = RealRoots::of(&poly(coefficients)).unwrap();
    let found: Vec<_> = roots.iter().map(RealRoot::lower).collect();
    assert_eq!(found, [&Dyadic::zero(), &Dyadic::from(1)]);
}

#[test]
fn clusters() {
    for (degree, bits) in [(3, 2), (5, 14), (20, 14)] {
        check_all(&mignotte(degree, bits));
    }
    // Around 1/3 and −1/3, and amid others.
    let third = |sign: i64| {
        let base = poly([-sign, 3]);
        let power = product(std::iter::repeat_n(&base, 4));
        let power = mul(&power, &poly([1 << 40]));
        let mut coefficients = mul(&power, &power).into_coefficients();
        coefficients[2] -= Integer::ONE;
        Poly::new(coefficients)
    };
    check_all(&third(1));
    check_all(&product(&[
        third(1),
        third(-1),
        poly([-2, 0, 1]),
        poly([-1, -1, 1]),
    ]));
    // Two roots of different factors, 2^−200 apart.
    let a = Integer::ONE << 200;
    let close = Poly::new(vec![
        -(&a * Integer::from(7)) - Integer::ONE,
        a.clone() * Integer::from(5),
    ]);
    let roots = check_all(&product(&[close.clone(), poly([-7, 5]), poly([-7, 5])]));
    assert_eq!(roots.len(), 2);
    assert_eq!((roots[0].multiplicity(), roots[1].multiplicity()), (2, 1));
}

#[test]
fn long_clusters_are_not_bisected() {
    // The two roots are about 2^−2100 apart.
    let f = mignotte(300, 14);
    let roots = RealRoots::of(&f).expect("roots");
    assert_eq!(roots.len(), 4);
    for (root, count) in roots.iter().zip([1, 1, 1, 1]) {
        assert_eq!(root.multiplicity(), count);
    }
    let close: Vec<_> = roots
        .iter()
        .filter(|root| {
            root.cmp_rational(&ratio(1, 1)) == Ordering::Less
                && root.cmp_rational(&ratio(0, 1)) == Ordering::Greater
        })
        .collect();
    let distance = close[1].upper() - close[0].lower();
    assert!(distance.magnitude() < Some(-2000));
}

#[test]
fn coefficients_of_any_size() {
    for (degree, bits) in [(5, 1000), (9, 100), (12, 3)] {
        for seed in 0..2 {
            let f = random(degree, bits, seed);
            check_all(&f);
            // x^2: even; x·f: a root at zero; roots far from 1.
            let mut even = Vec::new();
            for c in f.coefficients() {
                even.extend([c.clone(), Integer::ZERO]);
            }
            check_all(&Poly::new(even.clone()));
            even.insert(0, Integer::ZERO);
            check_all(&Poly::new(even));
            let scaled = f.coefficients().iter().enumerate();
            let scaled: Vec<Integer> = scaled.map(|(k, c)| c << (k * 100)).collect();
            check_all(&Poly::new(scaled.clone()));
            check_all(&Poly::new(scaled.into_iter().rev().collect()));
        }
    }
}

#[test]
fn roots_within_an_interval() {
    let f = product(&[poly([-1, 1]), poly([-2, 0, 1]), poly([-3, 1]), poly([1, 3])]);
    let count =
        |a: Rational, b: Rational| RootSearch::new().within(a, b).of(&f).expect("roots").len();
    assert_eq!(count(ratio(1, 1), ratio(3, 1)), 3);
    assert_eq!(count(ratio(-1, 3), ratio(-1, 3)), 1);
    assert_eq!(count(ratio(-1, 3), ratio(1, 1)), 2);
    assert_eq!(count(ratio(-1, 4), ratio(9, 10)), 0);
    assert_eq!(count(ratio(2, 1), ratio(1, 1)), 0);
    assert_eq!(count(ratio(14142, 10000), ratio(14143, 10000)), 1);
}

#[test]
fn digits_are_right() {
    let of = |f: &Poly<Integer>, digits| -> Vec<String> {
        let roots = RealRoots::of(f).expect("roots");
        roots.iter().map(|root| root.to_decimal(digits)).collect()
    };
    let two = "1.4142135623730950488016887242096980785696718753769480731766797379907324784621070388503875343276415727";
    assert_eq!(of(&poly([-2, 0, 1]), 101)[1], two);
    assert_eq!(of(&poly([-2, 0, 1]), 1), ["-1", "1"]);
    // 0.15 and 0.25: halves to the even digit; 1/3 and 2/3.
    let f = product(&[poly([-3, 20]), poly([-1, 4]), poly([-1, 3]), poly([-2, 3])]);
    assert_eq!(of(&f, 1), ["0.2", "0.2", "0.3", "0.7"]);
    assert_eq!(of(&f, 3), ["0.150", "0.25", "0.333", "0.667"]);
    assert_eq!(
        of(&poly([-1, 0, 1 << 60]), 5),
        ["-9.3132e-10", "9.3132e-10"]
    );
}

#[test]
fn signs_of_other_polynomials() {
    let roots = RealRoots::of(&poly([-2, 0, 1])).expect("roots");
    let mut root = roots[1].clone();
    root.refine(40);
    assert_eq!(root.sign_of(&poly([-141, 100])), Some(Ordering::Greater));
    assert_eq!(root.sign_of(&poly([-142, 100])), Some(Ordering::Less));
    assert_eq!(root.sign_of(&poly([-2, 0, 1])), None);
    assert_eq!(root.sign_of(&Poly::zero()), Some(Ordering::Equal));
    assert_eq!(
        root.refined_sign_of(&poly([6, 0, -5, 0, 1])),
        Ok(Ordering::Equal)
    );
    let near = poly([-1_414_213_562_373_095_049, 1_000_000_000_000_000_000]);
    assert_eq!(root.sign_of(&near), None);
    assert_eq!(root.refined_sign_of(&near), Ok(Ordering::Less));
    assert_eq!(root.cmp_rational(&ratio(99, 70)), Ordering::Less);
}

#[test]
fn threads_change_nothing() {
    let polynomials = [random(150, 64, 5), chebyshev(80), mignotte(60, 14)];
    for f in &polynomials {
        let intervals = || {
            let roots = RootSearch::new().bits(100).of(f).expect("roots");
            roots
                .iter()
                .map(|root| root.interval().clone())
                .collect::<Vec<_>>()
        };
        let expected = on_threads(1, intervals);
        for threads in [2, 3, 7] {
            assert_eq!(on_threads(threads, intervals), expected);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn random_polynomials(coefficients in proptest::collection::vec(-9i64..10, 2..12)) {
        let f = poly(coefficients);
        if !f.is_zero() {
            check_all(&f);
        }
    }

    #[test]
    fn products_with_powers(
        roots in proptest::collection::vec((-40i64..40, 1i64..20, 1usize..4), 1..5),
        other in proptest::collection::vec(-9i64..10, 3..6),
    ) {
        let mut f = poly(other);
        prop_assume!(!f.is_zero());
        for (p, q, power) in &roots {
            for _ in 0..*power {
                f = mul(&f, &poly([-p, *q]));
            }
        }
        let found = check_all(&f);
        for (p, q, _) in roots {
            let x = ratio(p, q as u64);
            prop_assert!(found.iter().any(|root| root.rational() == Some(x.clone())));
        }
    }

    #[test]
    fn many_rational_roots(
        roots in proptest::collection::btree_set((-60i64..60, 1u64..40), 1..25),
        scale in -70isize..70,
    ) {
        let scaled = |(p, q)| match scale >= 0 {
            true => Rational::from_parts(Integer::from(p) << scale as usize, Natural::from(q)),
            false => Rational::from_parts(Integer::from(p), Natural::from(q) << scale.unsigned_abs()),
        };
        let mut expected: Vec<Rational> = roots.into_iter().map(scaled).collect();
        expected.sort();
        expected.dedup();
        let linear = |x: &Rational| Poly::new(vec![-x.numerator(), Integer::from(x.denominator().clone())]);
        let f = product(&expected.iter().map(linear).collect::<Vec<_>>());
        let found = RealRoots::of(&f).expect("roots");
        check(&f, &found);
        let rational: Vec<_> = found.iter().filter_map(RealRoot::rational).collect();
        prop_assert_eq!(rational, expected);
    }

    #[test]
    fn refinement_keeps_the_root(coefficients in proptest::collection::vec(any::<i64>(), 2..20), bits in 1i64..600) {
        let f = poly(coefficients);
        prop_assume!(!f.is_zero());
        let roots = RootSearch::new().bits(bits).of(&f).expect("roots");
        check(&f, &roots);
        for root in &roots {
            prop_assert!(!root.interval().width_exceeds(bits));
        }
        prop_assert_eq!(roots.len(), RealRoots::of(&f).expect("roots").len());
    }
}

#[test]
fn floating_point_numbers_are_the_nearest_ones() {
    let roots = |text: &str| RealRoots::of(&text.parse().unwrap()).unwrap();
    assert_eq!(roots("x^2 - 2")[0].to_f64(), -2f64.sqrt());
    assert_eq!(roots("x^3 - 10^600")[0].to_f64(), 1e200);
    assert_eq!(roots("3*x - 1")[0].to_f64(), 1.0 / 3.0);
    assert_eq!(roots("x")[0].to_f64(), 0.0);
    assert_eq!(roots("10^400*x - 1")[0].to_f64(), 0.0);
    assert_eq!(roots("x + 10^400")[0].to_f64(), f64::NEG_INFINITY);
    // Halfway between two numbers, as an irreducible factor's root and as one of a product with an irrational one.
    for factor in ["1", "(x^2 - 2)"] {
        for (half, nearest) in [
            ("2^53 + 1", (1u64 << 53) as f64),
            ("2^53 + 3", ((1u64 << 53) + 4) as f64),
        ] {
            let found = roots(&format!("(x - ({half}))*{factor}"));
            assert_eq!(found.last().unwrap().to_f64(), nearest);
        }
    }
    // The least that is infinite, and a little less.
    assert_eq!(roots("x - (2^1024 - 2^970)")[0].to_f64(), f64::INFINITY);
    assert_eq!(roots("2*x - (2^1025 - 2^971 - 1)")[0].to_f64(), f64::MAX);
    assert_eq!(
        roots("3*x - (3*2^1024 - 3*2^970 + 1)")[0].to_f64(),
        f64::INFINITY
    );
}

#[test]
fn roots_are_displayed_a_line_each() {
    let roots = RealRoots::of(
        &"(x^2 - 2)*(x - 3)^2*(10^12*x - 3*10^12 - 1)"
            .parse()
            .unwrap(),
    )
    .unwrap();
    let lines = ["-1.414", "1.414", "3 (multiplicity 2)", "3.000000000001000"];
    assert_eq!(format!("{roots:.4}"), lines.join("\n"));
    assert_eq!(roots[1].to_string(), "1.414213562");
    assert_eq!(format!("{:.0}", roots[1]), "1");
}
