//! Operators against the functions of rings, powers against repeated products.

use sunzi_field::{Fp32, Fp64};
use sunzi_integer::{Integer, Natural, Rational};
use sunzi_poly::{
    CoefficientField, IntegerPolyRing, NumberCoefficient, Poly, PolyError, PolyRing,
    RationalPolyRing,
};

use crate::common::{random_of_len, short_transforms};

const LENGTHS: [usize; 5] = [0, 1, 2, 7, 40];

fn integers(seed: u64, len: usize) -> Poly<Integer> {
    let value = |i: u64| {
        let word = (seed + i).wrapping_mul(0x9e37_79b9_7f4a_7c15) as i64;
        Integer::from(word).pow(1 + (i % 3) as usize)
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
            let long = Integer::from(integer);
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

/// Operators in all forms, given what they have to give.
fn all_forms<E>([f, g]: [&Poly<E>; 2], [sum, difference, product]: [&Poly<E>; 3])
where
    E: NumberCoefficient
        + std::fmt::Debug
        + for<'f> std::ops::Mul<&'f Poly<E>, Output = Poly<E>>
        + std::ops::Sub<Poly<E>, Output = Poly<E>>,
{
    let owned = || (f.clone(), g.clone());
    for found in [f + g, f + owned().1, owned().0 + g, owned().0 + owned().1] {
        assert_eq!(found, *sum);
    }
    for found in [f - g, f - owned().1, owned().0 - g, owned().0 - owned().1] {
        assert_eq!(found, *difference);
    }
    for found in [f * g, f * owned().1, owned().0 * g, owned().0 * owned().1] {
        assert_eq!(found, *product);
    }
    let mut assigned = f.clone();
    assigned *= g;
    assigned += g.clone();
    assigned -= f;
    assert_eq!(assigned, product + g - f);
    assert_eq!(-(f - g), g - f);
    assert_eq!(
        (f - f.clone(), -f.clone() + f),
        (Poly::zero(), f * E::default())
    );
    for number in [0, 1, -1, 3, i64::MIN, i64::MAX] {
        let constant = Poly::new(vec![E::from(number)]);
        for found in [
            f + number,
            number + f,
            number + f.clone(),
            f + &E::from(number),
            f.clone() + E::from(number),
        ] {
            assert_eq!(found, f + &constant);
        }
        for found in [number * f, f * number, E::from(number) * f] {
            assert_eq!(found, f * &constant);
        }
        assert_eq!(E::from(number) - f.clone(), &constant - f);
        let mut assigned = f.clone();
        assigned -= number;
        assert_eq!(assigned, f - constant);
    }
}

#[test]
fn operators_over_the_integers_and_the_rationals_are_those_of_the_ring() {
    let ring = IntegerPolyRing::new();
    for len_a in LENGTHS {
        for len_b in LENGTHS {
            let (a, b) = (integers(1, len_a), integers(77, len_b));
            let sum: Vec<Integer> = (0..len_a.max(len_b))
                .map(|i| {
                    let of =
                        |f: &Poly<Integer>| f.coefficients().get(i).cloned().unwrap_or_default();
                    of(&a) + of(&b)
                })
                .collect();
            let sum = Poly::new(sum);
            assert_eq!(ring.sub(&sum, &a), b);
            all_forms([&a, &b], [&sum, &ring.sub(&a, &b), &ring.mul(&a, &b)]);
            // The same over Q, by way of halves.
            let half = |f: &Poly<Integer>, by: i64| -> Poly<Rational> {
                let two = Integer::from(by);
                let quotient =
                    |c: &Integer| Rational::from(c.clone()) / Rational::from(two.clone());
                f.coefficients().iter().map(quotient).collect()
            };
            all_forms(
                [&half(&a, 2), &half(&b, 2)],
                [
                    &half(&sum, 2),
                    &half(&ring.sub(&a, &b), 2),
                    &half(&ring.mul(&a, &b), 4),
                ],
            );
        }
    }
    for len in [0, 1, 2, 3, 10] {
        let f = integers(5, len);
        let mut expected = Poly::new(vec![Integer::ONE]);
        for exponent in 0..20 {
            assert_eq!(ring.pow(&f, exponent), expected);
            assert_eq!(f.pow(exponent), expected);
            let thirds = |f: &Poly<Integer>, power: u64| -> Poly<Rational> {
                let three = Natural::from(3u8).pow(power as usize);
                let third = |c: &Integer| Rational::from_parts(c.clone(), three.clone());
                f.coefficients().iter().map(third).collect()
            };
            assert_eq!(thirds(&f, 1).pow(exponent), thirds(&expected, exponent));
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
    for text in ["x/2", "x + 1/2", "1/3", "-2/3"] {
        let refused = RationalPolyRing::new().try_pow(&text.parse().unwrap(), u64::MAX);
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

#[test]
fn rings_and_polynomials_cross_threads_and_unwinding() {
    fn check<T: Send + Sync + std::panic::UnwindSafe + std::panic::RefUnwindSafe>() {}
    check::<PolyRing<Fp32>>();
    check::<PolyRing<Fp64>>();
    check::<IntegerPolyRing>();
    check::<RationalPolyRing>();
    check::<Poly<Rational>>();
    check::<sunzi_poly::AnyPolyRing>();
    check::<sunzi_poly::AnyPoly>();
}
