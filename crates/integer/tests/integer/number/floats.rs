//! Doubles: the nearest one, and the exact value of one.

use super::{integer, numbers, random_number};
use rug::{Integer as Gmp, Rational as GmpRational};
use std::cmp::Ordering;
use sunzi_integer::{Integer, Rational};
use sunzi_testkit::Random;

/// No double is nearer, and of two as near the even one is taken.
fn is_nearest(value: &Rational, found: f64) {
    if found.is_infinite() {
        // 2^1024 less half a unit of the last place below it.
        let least = (Integer::ONE << 1024) - (Integer::ONE << 970);
        assert!(value.abs() >= least, "{value}");
        return;
    }
    let exact = |double| Rational::from_f64(double).expect("finite");
    let error = (value - exact(found)).abs();
    for beside in [found.next_up(), found.next_down()] {
        if beside.is_finite() {
            let other = (value - exact(beside)).abs();
            match error.cmp(&other) {
                Ordering::Less => {}
                Ordering::Equal => assert_eq!(found.to_bits() & 1, 0, "{value}"),
                Ordering::Greater => panic!("{value}: {beside} is nearer than {found}"),
            }
        }
    }
    assert!(found == 0.0 || (found < 0.0) == (value.signum() < 0));
}

#[test]
fn integers_to_the_nearest_double() {
    let mut values = numbers();
    for shift in [0u32, 1, 10, 11, 12, 63, 64, 65, 900, 970, 971] {
        for base in [
            (1u64 << 53) - 1,
            1 << 53,
            (1 << 53) + 1,
            (1 << 54) + 2,
            (1 << 54) - 1,
            (1 << 55) - 2,
        ] {
            for d in [-1, 0, 1] {
                values.push((Gmp::from(base) << shift) + d);
            }
        }
    }
    for a in &values {
        let x = integer(a);
        let found = x.to_f64();
        is_nearest(&Rational::from(&x), found);
        if found.is_finite() {
            let back = Integer::from_f64(found).expect("finite");
            assert_eq!(back.to_f64().to_bits(), found.to_bits());
        }
    }
    assert_eq!(
        Integer::from_f64(1e300),
        "1e300"
            .parse::<Rational>()
            .ok()
            .map(|_| integer(&Gmp::from_f64(1e300).expect("finite")))
    );
    assert_eq!(Integer::from_f64(-0.9), Some(Integer::ZERO));
    assert_eq!(Integer::from_f64(f64::NEG_INFINITY), None);
}

#[test]
fn fractions_to_the_nearest_double() {
    let mut random = Random::new(15);
    for _ in 0..2000 {
        let (a, b) = (random_number(&mut random, 4), random_number(&mut random, 4));
        if b != 0 {
            let value = Rational::new(integer(&a), integer(&b)).expect("not 0");
            is_nearest(&value, value.to_f64());
        }
    }
    // Subnormal numbers, ties between them, and what rounds to zero.
    for units in [
        0,
        1,
        2,
        3,
        4,
        5,
        6,
        7,
        8,
        9,
        (1u64 << 53) - 1,
        1 << 53,
        (1 << 53) + 1,
        (1 << 55) + 2,
        u64::MAX,
    ] {
        for exponent in [1073, 1074, 1075, 1076, 1077, 1100, 1137, 1138, 1200] {
            for d in [-1i64, 0, 1] {
                let value = Rational::from(units)
                    + Rational::new(d.into(), Integer::ONE << 300).expect("not 0");
                let value = value / (Integer::ONE << exponent);
                is_nearest(&value, value.to_f64());
                is_nearest(&-&value, (-&value).to_f64());
            }
        }
    }
}

#[test]
fn doubles_are_exact_fractions() {
    let mut doubles = vec![
        0.0,
        1.5,
        -0.1,
        f64::MIN_POSITIVE,
        f64::MAX,
        f64::MIN,
        5e-324,
        -2.5e-310,
    ];
    let mut random = Random::new(16);
    doubles.extend(
        random
            .words(1000)
            .into_iter()
            .map(f64::from_bits)
            .filter(|x| x.is_finite()),
    );
    for double in doubles {
        let value = Rational::from_f64(double).expect("finite");
        assert!(rug::Rational::from(&value) == GmpRational::from_f64(double).expect("finite"));
        assert_eq!(value.to_f64(), double);
    }
    assert_eq!(Rational::from_f64(f64::NAN), None);
}
