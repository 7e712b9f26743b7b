//! Division, contents and primitive parts over Z against their definitions in GMP.

use rug::Integer as GmpInteger;
use rug::integer::Order;
use rug::ops::Pow;
use sunzi_integer::Integer;
use sunzi_poly::{IntegerPolyRing, Poly, PolyError};
use sunzi_testkit::{Random, convolution};
use sunzi_testkit::{from_gmp, to_gmp};

fn to_poly(coefficients: &[GmpInteger]) -> Poly<Integer> {
    Poly::new(coefficients.iter().map(from_gmp).collect())
}

fn to_integers(poly: &Poly<Integer>) -> Vec<GmpInteger> {
    poly.coefficients().iter().map(to_gmp).collect()
}

fn poly(coefficients: &[i64]) -> Poly<Integer> {
    Poly::new(coefficients.iter().map(|&c| Integer::from(c)).collect())
}

/// A polynomial with `len` coefficients of up to `bits` bits, many of them extreme, the last not 0.
fn random(random: &mut Random, len: usize, bits: u32) -> Vec<GmpInteger> {
    let limit: GmpInteger = GmpInteger::from(1) << bits;
    let coefficient = |_| {
        let magnitude = match random.below(8) {
            0 | 1 => GmpInteger::new(),
            2 => GmpInteger::from(1),
            3 => GmpInteger::from(&limit - 1u32),
            4 => GmpInteger::from(&limit >> 1u32),
            _ => {
                let words = random.words(bits.div_ceil(64) as usize);
                GmpInteger::from_digits(&words, Order::Lsf) % &limit
            }
        };
        if random.below(2) == 1 {
            -magnitude
        } else {
            magnitude
        }
    };
    let mut coefficients: Vec<GmpInteger> = (0..len).map(coefficient).collect();
    if let Some(last) = coefficients.last_mut()
        && last.is_zero()
    {
        *last = GmpInteger::from(-1);
    }
    coefficients
}

/// l^(deg a − deg b + 1)·a = q·b + r, deg r < deg b.
fn check_pseudo(ring: &IntegerPolyRing, a: &[GmpInteger], b: &[GmpInteger]) {
    let (q, r) = ring.pseudo_divrem(&to_poly(a), &to_poly(b)).unwrap();
    if a.len() < b.len() {
        assert_eq!((q, r), (Poly::zero(), to_poly(a)));
        return;
    }
    assert!(r.len() < b.len());
    let power = b[b.len() - 1].clone().pow((a.len() - b.len() + 1) as u32);
    let expected: Vec<GmpInteger> = a.iter().map(|x| GmpInteger::from(x * &power)).collect();
    let mut sum = convolution(&to_integers(&q), b);
    assert_eq!(sum.len(), a.len());
    for (x, y) in sum.iter_mut().zip(to_integers(&r)) {
        *x += y;
    }
    assert_eq!(sum, expected);
}

fn check_exact(ring: &IntegerPolyRing, q: &[GmpInteger], b: &[GmpInteger]) {
    let product = convolution(q, b);
    let (a, divisor) = (to_poly(&product), to_poly(b));
    assert_eq!(ring.div_exact(&a, &divisor).unwrap(), to_poly(q));
    // Any other polynomial that differs from it by less than a multiple of b is no multiple.
    let inexact = PolyError::Inexact {
        dividend: product.len() - 1,
        divisor: b.len() - 1,
    };
    if b.len() > 1 {
        for power in [0, (b.len() - 1) / 2, b.len() - 2] {
            let mut other = product.clone();
            other[power] += 1;
            let found = ring.div_exact(&to_poly(&other), &divisor);
            assert_eq!(found, Err(inexact.clone()));
        }
    }
    // Of a content that the quotient does not have.
    let multiple: Vec<GmpInteger> = b.iter().map(|x| GmpInteger::from(x * 3u32)).collect();
    let divides = q.iter().all(|x| x.is_divisible_u(3));
    let found = ring.div_exact(&a, &to_poly(&multiple));
    assert_eq!(found.is_ok(), divides);
}

/// The content by its definition, and the identity with the primitive part.
fn check_content(ring: &IntegerPolyRing, a: &[GmpInteger]) {
    let expected = a.iter().fold(GmpInteger::new(), |gcd, x| gcd.gcd(x));
    let found = to_gmp(&ring.content(&to_poly(a)));
    assert_eq!(found, expected);
    let part = to_integers(&ring.primitive_part(&to_poly(a)));
    let product: Vec<GmpInteger> = part
        .iter()
        .map(|x| GmpInteger::from(x * &expected))
        .collect();
    assert_eq!(to_poly(&product), to_poly(a));
    if !expected.is_zero() {
        assert_eq!(part.iter().fold(GmpInteger::new(), |gcd, x| gcd.gcd(x)), 1);
    }
}

#[test]
fn every_width_and_length() {
    let ring = IntegerPolyRing::new();
    let mut words = Random::new(11);
    for (bits_a, bits_b) in [
        (1, 1),
        (2, 31),
        (63, 64),
        (65, 1),
        (1, 65),
        (128, 127),
        (500, 3),
        (3, 500),
        (2000, 2000),
    ] {
        for len_a in [1, 2, 3, 5, 8, 13, 30] {
            for len_b in [1, 2, 3, 4, 8, 12, 29, 31] {
                let a = random(&mut words, len_a, bits_a);
                let b = random(&mut words, len_b, bits_b);
                check_pseudo(&ring, &a, &b);
                check_exact(&ring, &a, &b);
                check_content(&ring, &a);
                let scale = &random(&mut words, 1, bits_b)[0];
                let multiple: Vec<GmpInteger> =
                    a.iter().map(|x| GmpInteger::from(x * scale)).collect();
                check_content(&ring, &multiple);
            }
        }
    }
}

#[test]
fn huge_beside_tiny_coefficients() {
    let ring = IntegerPolyRing::new();
    let huge: GmpInteger = (GmpInteger::from(1) << 100_000u32) - 1u32;
    let a = [
        GmpInteger::from(-3),
        huge.clone(),
        GmpInteger::new(),
        GmpInteger::from(-&huge),
        GmpInteger::from(1),
    ];
    let b = [huge.clone(), GmpInteger::from(2), GmpInteger::from(-1)];
    let c = [
        GmpInteger::from(1),
        GmpInteger::new(),
        GmpInteger::from(-&huge),
    ];
    for (a, b) in [(&a[..], &b[..]), (&a, &c), (&b, &c), (&c, &b), (&c, &a)] {
        check_pseudo(&ring, a, b);
        check_exact(&ring, a, b);
        check_content(&ring, a);
    }
    let pair = [
        GmpInteger::from(&huge * 6u32),
        GmpInteger::from(&huge * -4i32),
    ];
    check_content(&ring, &pair);
}

#[test]
fn long_and_sparse_operands() {
    let ring = IntegerPolyRing::new();
    let mut words = Random::new(12);
    for (len_a, len_b) in [(200, 100), (150, 149), (300, 2), (130, 1)] {
        let a = random(&mut words, len_a, 40);
        let b = random(&mut words, len_b, 20);
        check_pseudo(&ring, &a, &b);
        check_exact(&ring, &a, &b);
    }
    // (x^n − 1)/(x^m − 1)
    let ones = |n: usize, m: usize| {
        let minus_one = |n: usize| {
            let mut coefficients = vec![0; n + 1];
            (coefficients[0], coefficients[n]) = (-1, 1);
            poly(&coefficients)
        };
        ring.div_exact(&minus_one(n), &minus_one(m))
    };
    let quotient = ones(600, 200).unwrap();
    assert_eq!(quotient.degree(), Some(400));
    assert_eq!(quotient[200], Integer::ONE);
    assert!(ones(600, 201).is_err());
}

#[test]
fn zero_and_constants() {
    let ring = IntegerPolyRing::new();
    let (zero, two, linear) = (Poly::zero(), poly(&[2]), poly(&[4, -6]));
    for a in [&zero, &two, &linear] {
        let by_zero = Err(PolyError::DivisionByZero);
        assert_eq!(ring.pseudo_divrem(a, &zero), by_zero);
        assert_eq!(ring.div_exact(a, &zero), Err(PolyError::DivisionByZero));
        if !a.is_zero() {
            assert_eq!(
                ring.pseudo_divrem(&zero, a).unwrap(),
                (Poly::zero(), Poly::zero())
            );
            assert_eq!(ring.div_exact(&zero, a).unwrap(), zero);
        }
    }
    // 2²·(4 − 6x) = (8 − 12x)·2
    let expected = (poly(&[8, -12]), Poly::zero());
    assert_eq!(ring.pseudo_divrem(&linear, &two).unwrap(), expected);
    assert_eq!(ring.div_exact(&linear, &two).unwrap(), poly(&[2, -3]));
    let inexact = |dividend, divisor| Err(PolyError::Inexact { dividend, divisor });
    assert_eq!(ring.div_exact(&two, &linear), inexact(0, 1));
    assert_eq!(ring.div_exact(&two, &poly(&[4])), inexact(0, 0));
    assert_eq!(ring.content(&zero), Integer::ZERO);
    assert_eq!(ring.primitive_part(&zero), zero);
    assert_eq!(ring.content(&poly(&[-5])), Integer::from(5));
    assert_eq!(ring.primitive_part(&poly(&[-5])), poly(&[-1]));
    assert_eq!(ring.content(&linear), Integer::from(2));
    assert_eq!(ring.primitive_part(&linear), poly(&[2, -3]));
}

#[test]
fn quotients_that_grow_without_end_are_refused_early() {
    let ring = IntegerPolyRing::new();
    let mut power = vec![Integer::ZERO; 100_001];
    power[100_000] = Integer::ONE;
    let power = Poly::new(power);
    // x^100000 by x − 2^1000: all coefficients of the quotient would have 5·10^10 bits together.
    let far = Poly::new(vec![-(Integer::ONE << 1000), Integer::ONE]);
    let (dividend, divisor) = (100_000, 1);
    let inexact = PolyError::Inexact { dividend, divisor };
    assert_eq!(ring.div_exact(&power, &far), Err(inexact));
    // By x − 1 none grows.
    let near = poly(&[-1, 1]);
    let (quotient, remainder) = ring.pseudo_divrem(&power, &near).unwrap();
    assert_eq!((quotient.len(), remainder), (100_000, poly(&[1])));
}

#[test]
fn longest_factors_divide() {
    let ring = IntegerPolyRing::new();
    // (x + 1)^200 has coefficients near its bound 2^200; its product with (x − 1)^200 has shorter ones.
    let power = |c: i64| (0..200).fold(poly(&[1]), |product, _| ring.mul(&product, &poly(&[c, 1])));
    let (plus, minus) = (power(1), power(-1));
    assert_eq!(
        ring.div_exact(&ring.mul(&plus, &minus), &minus).unwrap(),
        plus
    );
}
