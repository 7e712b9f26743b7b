//! Operators against the functions of rings, powers against repeated products.

use dashu_int::IBig;
use sunzi_field::{Fp32, Fp64};
use sunzi_poly::{CoefficientField, IntegerPolyRing, Poly, PolyError, PolyRing};

use crate::common::{random_of_len, short_transforms};

const LENGTHS: [usize; 5] = [0, 1, 2, 7, 40];

fn integers(seed: u64, len: usize) -> Poly<IBig> {
    let value = |i: u64| {
        let word = (seed + i).wrapping_mul(0x9e37_79b9_7f4a_7c15) as i64;
        IBig::from(word).pow(1 + (i % 3) as usize)
    };
    Poly::new((0..len as u64).map(value).collect())
}

fn over_a_field<F: CoefficientField>(field: F) {
    let ring = PolyRing::new(field.clone());
    for len_a in LENGTHS {
        for len_b in LENGTHS {
            let (a, b) = (
                random_of_len(&field, 1, len_a),
                random_of_len(&field, 2, len_b),
            );
            let (f, g) = (ring.bind(a.clone()), ring.bind(b.clone()));
            for sum in [
                &f + &g,
                f.clone() + &g,
                &f + g.clone(),
                f.clone() + g.clone(),
            ] {
                assert_eq!(sum, ring.add(&a, &b));
            }
            for difference in [
                &f - &g,
                f.clone() - &g,
                &f - g.clone(),
                f.clone() - g.clone(),
            ] {
                assert_eq!(difference, ring.sub(&a, &b));
            }
            for product in [
                &f * &g,
                f.clone() * &g,
                &f * g.clone(),
                f.clone() * g.clone(),
            ] {
                assert_eq!(product, ring.mul(&a, &b));
            }
            let mut assigned = f.clone();
            assigned *= &g;
            assigned += g.clone();
            assigned -= &f;
            assert_eq!(assigned, &f * &g + &g - &f);
        }
        let a = random_of_len(&field, 1, len_a);
        let f = ring.bind(a.clone());
        assert_eq!(-&f, ring.neg(&a));
        assert_eq!(-f.clone(), ring.neg(&a));
        for integer in [0, 1, -1, 3, i64::MIN, i64::MAX] {
            let constant = Poly::new(vec![field.from_i64(integer)]);
            let long = IBig::from(integer);
            for sum in [
                &f + integer,
                integer + f.clone(),
                f.clone() + &long,
                long.clone() + &f,
            ] {
                assert_eq!(sum, ring.add(&a, &constant));
            }
            for difference in [
                f.clone() - integer,
                &f - &long,
                -(&long - f.clone()),
                -(integer - &f),
            ] {
                assert_eq!(difference, ring.sub(&a, &constant));
            }
            for product in [
                &f * integer,
                integer * f.clone(),
                f.clone() * long.clone(),
                &long * &f,
            ] {
                assert_eq!(product, ring.scale(&a, field.from_i64(integer)));
            }
            let mut assigned = f.clone();
            assigned += integer;
            assigned *= integer;
            assert_eq!(assigned, (&f + integer) * integer);
        }
    }
    for len in [0, 1, 2, 3, 10] {
        let f = random_of_len(&field, 5, len);
        let mut expected = Poly::new(vec![field.one()]);
        for exponent in 0..20 {
            assert_eq!(ring.pow(&f, exponent), expected);
            assert_eq!(ring.bind(f.clone()).pow(exponent), expected);
            expected = ring.mul(&expected, &f);
        }
    }
    // Fermat: the power p of a constant is the constant, whatever the length of the exponent.
    let two = Poly::new(vec![field.from_u64(2)]);
    let power = field.pow(field.from_u64(2), u64::MAX);
    assert_eq!(ring.pow(&two, u64::MAX), Poly::new(vec![power]));
    let x = ring.parse("x + 1").unwrap();
    assert!(matches!(
        ring.try_pow(&x, u64::MAX),
        Err(PolyError::OutOfMemory(_))
    ));
}

#[test]
fn operators_are_those_of_the_ring() {
    over_a_field(Fp32::new(101).unwrap());
    over_a_field(Fp64::new((1 << 61) - 1).unwrap());
    over_a_field(short_transforms());
}

#[test]
fn operators_over_the_integers_are_those_of_the_ring() {
    let ring = IntegerPolyRing::new();
    let zero = Poly::zero();
    for len_a in LENGTHS {
        for len_b in LENGTHS {
            let (a, b) = (integers(1, len_a), integers(77, len_b));
            let sum: Vec<IBig> = (0..len_a.max(len_b))
                .map(|i| {
                    let of = |f: &Poly<IBig>| f.coefficients().get(i).cloned().unwrap_or_default();
                    of(&a) + of(&b)
                })
                .collect();
            let sum = Poly::new(sum);
            let (f, g) = (ring.bind(a.clone()), ring.bind(b.clone()));
            assert_eq!(&f + &g, sum);
            assert_eq!(ring.sub(&sum, &a), b);
            assert_eq!(ring.bind(sum) - &g, f);
            assert_eq!(&f * &g, ring.mul(&a, &b));
            assert_eq!(-(f.clone() - &g), g - &f);
            assert_eq!(
                (&f - &f, -f.clone() + &f),
                (ring.bind(zero.clone()), &f * IBig::ZERO)
            );
            assert_eq!(2 * &f - 1, &f + &f + (-1));
        }
    }
    for len in [0, 1, 2, 3, 10] {
        let f = integers(5, len);
        let mut expected = Poly::new(vec![IBig::ONE]);
        for exponent in 0..20 {
            assert_eq!(ring.pow(&f, exponent), expected);
            expected = ring.mul(&expected, &f);
        }
    }
}

#[test]
fn powers_that_no_machine_holds_are_refused_at_once() {
    let ring = IntegerPolyRing::new();
    for text in ["x", "x + 1", "3", "-2", "2*x"] {
        let refused = ring.try_pow(&text.parse().unwrap(), u64::MAX);
        assert!(matches!(refused, Err(PolyError::OutOfMemory(_))), "{text}");
    }
    for (text, power) in [("0", "0"), ("1", "1"), ("-1", "-1")] {
        let found = ring.try_pow(&text.parse().unwrap(), u64::MAX).unwrap();
        assert_eq!(found.to_string(), power);
    }
}

#[test]
fn polynomials_over_different_fields_are_different() {
    let [a, b] = [5, 7].map(|p| PolyRing::new(Fp32::new(p).unwrap()));
    let again = PolyRing::new(Fp32::new(5).unwrap());
    let f = Poly::new(vec![1, 2]);
    assert_eq!(a.bind(f.clone()), again.bind(f.clone()));
    assert_ne!(a.bind(f.clone()), b.bind(f.clone()));
    assert_eq!(
        a.bind(f.clone()) + again.bind(f.clone()),
        Poly::new(vec![2, 4])
    );
}

#[test]
#[should_panic(expected = "different fields")]
fn polynomials_over_different_fields_have_no_sum() {
    let [a, b] = [5, 7].map(|p| PolyRing::new(Fp32::new(p).unwrap()));
    let _ = a.bind(Poly::zero()) + b.bind(Poly::zero());
}
