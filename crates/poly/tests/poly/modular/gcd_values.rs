//! Greatest common divisors by those of values, at powers of two that tests choose.

use super::common::{poly, product, random};
use super::gcd::{check, euclid_over_q};
use sunzi_integer::Integer;
use sunzi_poly::internals::{Values, widest};
use sunzi_poly::{GcdAndCofactors, IntegerGcd, IntegerPolyRing, Method, Poly};
use sunzi_testkit::Random;

/// What a value at one power of two proves.
fn at(f: &Poly<Integer>, g: &Poly<Integer>, width: usize) -> Option<GcdAndCofactors> {
    tried(f, g, width, 1)
}

fn tried(
    f: &Poly<Integer>,
    g: &Poly<Integer>,
    width: usize,
    tries: usize,
) -> Option<GcdAndCofactors> {
    let operands = [f, g];
    let values = Values {
        operands,
        width,
        tries,
    };
    let found = values.divisor()?.with_cofactors();
    let alone = values.divisor().map(|found| found.gcd());
    assert_eq!(alone.as_ref(), Some(&found.gcd));
    Some(found)
}

/// The least width of coefficients of these.
fn least_width(f: &Poly<Integer>, g: &Poly<Integer>) -> usize {
    widest(f.coefficients()).max(widest(g.coefficients())) + 1
}

/// Whatever is found at these widths above the least one is right; how often something is.
fn proved(f: &Poly<Integer>, g: &Poly<Integer>, above: impl Iterator<Item = usize>) -> usize {
    let expected = euclid_over_q(f, g);
    let least = least_width(f, g);
    let mut proved = 0;
    for width in above.map(|above| least + above) {
        if let Some(found) = at(f, g, width) {
            assert_eq!(found.gcd, expected, "{width}: {f:?} and {g:?}");
            assert_eq!(product(&found.gcd, &found.first), *f, "{width}");
            assert_eq!(product(&found.gcd, &found.second), *g, "{width}");
            proved += 1;
        }
    }
    proved
}

#[test]
fn tiny_polynomials_at_all_narrow_widths() {
    // All pairs of degree 2 at most with coefficients −1, 0, 1, 2.
    let mut all = Vec::new();
    for code in 0..64 {
        let digits = [code % 4, code / 4 % 4, code / 16];
        let f = poly(&digits.map(|digit| digit - 1));
        if !f.is_zero() {
            all.push(f);
        }
    }
    let mut found = 0;
    for f in &all {
        for g in &all {
            found += proved(f, g, [0, 1, 2, 7].into_iter());
        }
    }
    assert!(found > 3 * all.len() * all.len());
}

#[test]
fn digits_at_the_seams() {
    let mut choice = Random::new(3);
    for width in [8, 31, 32, 33, 63, 64, 65, 127, 128, 129, 192] {
        let half: Integer = Integer::ONE << (width - 1);
        let edges = [
            Integer::ZERO,
            Integer::ONE,
            -Integer::ONE,
            &half - Integer::ONE,
            Integer::ONE - &half,
            &half >> 1,
            -(&half >> 1),
        ];
        let mut any = |len: usize| -> Poly<Integer> {
            let mut coefficients: Vec<Integer> = (0..len)
                .map(|_| edges[choice.below(edges.len() as u64) as usize].clone())
                .collect();
            coefficients.push(&half - Integer::ONE);
            Poly::new(coefficients)
        };
        for len in 0..6 {
            let (f, g) = (any(len), any(5));
            // f and g, f twice, and one that divides the other, at the least width.
            proved(&f, &g, [0, 1, width].into_iter());
            assert_eq!(proved(&f, &f, [0, 1].into_iter()), 2);
            assert!(proved(&f, &product(&f, &g), [0, 4, width].into_iter()) > 0);
            // Cofactors with such digits, and runs of the largest ones.
            let h = random(3, width, len as u64);
            let wide = [width / 2, width, 2 * width];
            assert!(proved(&product(&h, &f), &product(&h, &g), wide.into_iter()) > 0);
        }
        for sign in [1, -1].map(Integer::from) {
            let run = Poly::new(vec![(&half - Integer::ONE) * sign; 9]);
            assert_eq!(proved(&run, &run, 0..3), 3);
            assert!(proved(&run, &poly(&[1, 1, 1]), 0..70) > 0);
        }
    }
}

#[test]
fn products_with_a_known_divisor() {
    let mut choice = Random::new(11);
    for round in 0..200 {
        let mut any = |degrees: u64, bits: u64| {
            let degree = choice.below(degrees) as usize;
            random(degree, 1 + choice.below(bits) as usize, round * 7 + bits)
        };
        let (h, a, b) = (any(9, 140), any(9, 70), any(5, 200));
        let (f, g) = (product(&h, &a), product(&h, &b));
        let expected = euclid_over_q(&f, &g);
        let known = IntegerGcd::new()
            .method(Method::Values)
            .with_cofactors(&f, &g)
            .unwrap();
        assert_eq!((&known.value.gcd, known.primes), (&expected, 0));
        assert_eq!(product(&expected, &known.value.first), f);
        assert_eq!(product(&expected, &known.value.second), g);
        proved(&f, &g, [0, 3, 60].into_iter());
    }
}

#[test]
fn edges_of_contents_signs_and_powers() {
    let long = Integer::from(3).pow(1000);
    let h = random(4, 30, 1);
    let power = |f: &Poly<Integer>, k: usize| {
        let mut shifted = vec![Integer::ZERO; k];
        shifted.extend_from_slice(f.coefficients());
        Poly::new(shifted)
    };
    let times = |f: &Poly<Integer>, factor: &Integer| {
        Poly::new(f.coefficients().iter().map(|x| x * factor).collect())
    };
    let operands = [
        poly(&[7]),
        poly(&[-6]),
        Poly::new(vec![long.clone()]),
        power(&poly(&[-1]), 9),
        h.clone(),
        times(&h, &Integer::from(-12)),
        times(&h, &long),
        times(&power(&h, 3), &(-long.clone() * Integer::from(18))),
        power(&product(&h, &random(3, 30, 2)), 70),
        product(&h, &h),
    ];
    for f in &operands {
        for g in &operands {
            check(f, g);
            assert!(proved(f, g, [0, 8, 40].into_iter()) > 0);
        }
    }
}

/// (x + 1)(x + 3), and a coprime polynomial whose values are multiples of 2^20 + 1 at 2^20, and of 2^30 + 3 at 2^30, as
/// those of the former are.
fn misleading() -> [Poly<Integer>; 2] {
    let [first, second] = [20, 30].map(|width| 1i64 << width);
    // Digits of the basis −3: the value at −3 is 2^30 + 3.
    let (mut digits, mut rest) = (Vec::new(), second + 3);
    while rest != 0 {
        let digit = rest.rem_euclid(3);
        digits.push(digit);
        rest = (rest - digit) / -3;
    }
    // The value at −1 becomes a multiple of 2^20 + 1 by that of (x + 3)·c, which is 0 at −3.
    let at_one: i64 = (0..).zip(&digits).map(|(i, digit)| digit * sign(i)).sum();
    let mut missing = first + 1 - at_one;
    if missing % 2 != 0 {
        missing += first + 1;
    }
    let terms = 64;
    let c: Vec<i64> = (0..terms)
        .map(|i| (missing / 2 / terms + i64::from(i < missing / 2 % terms)) * sign(i))
        .collect();
    digits.resize(terms as usize + 1, 0);
    for (i, c) in c.iter().enumerate() {
        digits[i] += 3 * c;
        digits[i + 1] += c;
    }
    [poly(&[3, 4, 1]), poly(&digits)]
}

fn sign(i: i64) -> i64 {
    1 - 2 * (i % 2)
}

#[test]
fn values_with_a_long_common_factor_prove_nothing() {
    let [f, g] = misleading();
    assert!(widest(g.coefficients()) <= 15);
    assert_eq!(euclid_over_q(&f, &g), poly(&[1]));
    for width in [20, 30] {
        // x + 1 or x + 3 looks like a divisor.
        assert!(at(&f, &g, width).is_none(), "{width}");
    }
    for width in [19, 21, 29, 31, 45] {
        assert_eq!(at(&f, &g, width).unwrap().gcd, poly(&[1]), "{width}");
    }
    // The second power, and the third one.
    assert_eq!(tried(&f, &g, 20, 2), None);
    assert_eq!(tried(&f, &g, 20, 3).unwrap().gcd, poly(&[1]));
    // The widths are those of the method: it goes on with primes.
    for method in [Method::Automatic, Method::Values] {
        let method = IntegerGcd::new().method(method);
        assert_eq!(method.plan(&f, &g).unwrap().method, Method::Values);
        let known = method.compute(&f, &g).unwrap();
        assert!(known.proved && known.primes > 0);
        assert_eq!(known.value, poly(&[1]));
    }
    check(&f, &g);
    check(&g, &f);
}

#[test]
fn divisors_longer_than_their_multiples() {
    // Coprime products of 1 − x^p have (1 − x)^20 in common, whose coefficients are longer.
    let of = |primes: &[usize]| {
        primes.iter().fold(poly(&[1]), |f, &p| {
            let mut factor = vec![0; p + 1];
            (factor[0], factor[p]) = (1, -1);
            IntegerPolyRing::new().mul(&f, &poly(&factor))
        })
    };
    let f = of(&[2, 5, 11, 17, 23, 31, 41, 47, 59, 67, 73, 83]);
    let g = of(&[3, 7, 13, 19, 29, 37, 43, 53, 61, 71, 79, 89]);
    let expected = (0..12).fold(poly(&[1]), |h, _| product(&h, &poly(&[-1, 1])));
    let least = least_width(&f, &g);
    assert!(widest(expected.coefficients()) >= least);
    assert_eq!(at(&f, &g, least), None);
    let found = tried(&f, &g, least, 8).unwrap();
    assert_eq!(found.gcd, expected);
    for method in [Method::Automatic, Method::Values, Method::Words] {
        let method = IntegerGcd::new().method(method);
        assert_eq!(method.compute(&f, &g).unwrap().value, expected);
    }
}

#[test]
fn plans_tell_what_runs() {
    let plan = |method: Method, f: &Poly<Integer>, g: &Poly<Integer>| {
        let method = IntegerGcd::new().method(method);
        let (plan, known) = (method.plan(f, g).unwrap(), method.compute(f, g).unwrap());
        assert_eq!(plan.method == Method::Values, known.primes == 0);
        assert_eq!(plan.primes == 0, plan.method == Method::Values);
        assert!(plan.bytes(f.len() + g.len()) > plan.bits / 8);
        plan.method
    };
    let (short, long) = (random(60, 40, 1), random(60, 300, 2));
    assert_eq!(plan(Method::Automatic, &short, &short), Method::Values);
    assert_eq!(plan(Method::Automatic, &short, &long), Method::Words);
    assert_eq!(plan(Method::Values, &short, &long), Method::Values);
    assert_eq!(plan(Method::Words, &short, &short), Method::Words);
    // What is long by its content is short without it.
    let content = Integer::from(7).pow(400);
    let scaled = Poly::new(short.coefficients().iter().map(|x| x * &content).collect());
    assert_eq!(plan(Method::Automatic, &short, &scaled), Method::Values);
}
