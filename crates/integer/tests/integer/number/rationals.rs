//! Fractions: operators, rounding, text.

use super::{integer, random_number};
use rug::ops::Pow;
use rug::{Integer as Gmp, Rational as GmpRational};
use sunzi_integer::{DivisionByZero, Integer, Natural, Rational};
use sunzi_testkit::Random;

#[track_caller]
fn same(found: &Rational, expected: &GmpRational) {
    // GMP's fractions are reduced: parts are compared, too.
    assert!(
        rug::Integer::from(found.numerator()) == *expected.numer(),
        "{found} is not {expected}"
    );
    assert!(
        rug::Integer::from(found.denominator()) == *expected.denom(),
        "{found} is not {expected}"
    );
}

fn values() -> Vec<GmpRational> {
    let mut random = Random::new(17);
    let mut values = vec![GmpRational::new()];
    for (n, d) in [
        (1, 1),
        (-1, 1),
        (1, 2),
        (-3, 4),
        (5, 6),
        (7, 12),
        (-7, 18),
        (4, 2),
    ] {
        values.push(GmpRational::from((n, d)));
    }
    while values.len() < 60 {
        let (n, d) = (random_number(&mut random, 4), random_number(&mut random, 4));
        if d != 0 {
            values.push(GmpRational::from((n, d)));
        }
    }
    values
}

#[test]
fn operators_in_all_forms() {
    let values = values();
    for a in &values {
        let x = Rational::from(a);
        same(&x, a);
        same(&-&x, &GmpRational::from(-a));
        same(&x.abs(), &a.clone().abs());
        for b in &values {
            let y = Rational::from(b);
            macro_rules! forms {
                ($op:tt, $assign:tt) => {{
                    let expected = GmpRational::from(a $op b);
                    same(&(&x $op &y), &expected);
                    same(&(x.clone() $op &y), &expected);
                    same(&(&x $op y.clone()), &expected);
                    let mut z = x.clone();
                    z $assign &y;
                    same(&z, &expected);
                    let n = y.numerator();
                    let with_integer = GmpRational::from(a $op GmpRational::from(b.numer()));
                    same(&(&x $op n), &with_integer);
                    same(&(x.clone() $op n.clone()), &with_integer);
                    let denominator = GmpRational::from(b.denom());
                    same(&(y.denominator() $op &x), &GmpRational::from(&denominator $op a));
                }};
            }
            forms!(+, +=);
            forms!(-, -=);
            forms!(*, *=);
            if *b != 0 && *a != 0 {
                forms!(/, /=);
            }
            assert_eq!(x.cmp(&y), a.cmp(b));
            assert_eq!(x == y, a == b);
            assert_eq!(x.partial_cmp(y.numerator()), a.partial_cmp(b.numer()));
            assert_eq!(y.denominator().partial_cmp(&x), b.denom().partial_cmp(a));
        }
        same(&(3 - &x), &(GmpRational::from(3) - a));
        same(&(&x * 7u8), &(GmpRational::from(7) * a));
        assert_eq!(x < 1, *a < 1);
        assert_eq!(x.checked_div(&Rational::ZERO), Err(DivisionByZero));
    }
    let sum: GmpRational = values.iter().sum();
    same(&values.iter().map(Rational::from).sum(), &sum);
    let product: GmpRational = values[1..].iter().product();
    let ours: Vec<Rational> = values[1..].iter().map(Rational::from).collect();
    same(&ours.iter().product(), &product);
    assert!(std::panic::catch_unwind(|| Rational::ONE / 0).is_err());
    assert_eq!(
        Rational::new(Integer::ONE, Integer::ZERO),
        Err(DivisionByZero)
    );
}

#[test]
fn rounding_and_powers() {
    for a in values() {
        let x = Rational::from(&a);
        let whole = |value: &Gmp| integer(value);
        assert_eq!(x.floor(), whole(a.clone().floor().numer()));
        assert_eq!(x.ceil(), whole(a.clone().ceil().numer()));
        assert_eq!(x.trunc(), whole(a.clone().trunc().numer()));
        assert_eq!(x.round(), whole(a.clone().round().numer()));
        for exponent in [-3, -1, 0, 1, 2, 5] {
            if a == 0 && exponent < 0 {
                assert_eq!(x.pow(exponent), None);
            } else {
                let power = a.clone().pow(exponent as i32);
                same(&x.pow(exponent).expect("a power"), &power);
            }
        }
    }
    for (value, rounded) in [
        ("1/2", 1),
        ("-1/2", -1),
        ("3/2", 2),
        ("-5/2", -3),
        ("2/5", 0),
    ] {
        let value: Rational = value.parse().expect("a number");
        assert_eq!(value.round(), rounded);
    }
}

#[test]
fn text_of_fractions_and_decimals() {
    for a in values() {
        let x = Rational::from(&a);
        assert_eq!(x.to_string(), a.to_string());
        assert_eq!(x.to_string().parse(), Ok(x));
    }
    for (text, expected) in [
        ("1.25", "5/4"),
        ("-1.25", "-5/4"),
        ("+.5", "1/2"),
        ("5.", "5"),
        ("2e-3", "1/500"),
        ("-2.5E+3", "-2500"),
        ("0.000", "0"),
        ("6/4", "3/2"),
        ("-0/7", "0"),
        ("0x10/0x8", "2"),
        ("0x1e", "30"),
        ("1e20", "100000000000000000000"),
    ] {
        let value: Rational = text
            .parse()
            .unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(value.to_string(), expected, "{text}");
    }
    for (format, expected) in [
        (format!("{:.3}", rational("2/3")), "0.667"),
        (format!("{:.0}", rational("-5/2")), "-3"),
        (format!("{:.2}", rational("-1/1000")), "-0.00"),
        (format!("{:+.1}", rational("1/20")), "+0.1"),
        (
            format!("{:8}|{:<8}|", rational("1/2"), rational("-1/2")),
            "     1/2|-1/2    |",
        ),
        (format!("{:.4}", rational("1000000/7")), "142857.1429"),
    ] {
        assert_eq!(format, expected);
    }
}

fn rational(text: &str) -> Rational {
    text.parse().expect("a number")
}

#[test]
fn parts_come_back() {
    let (numerator, denominator) = rational("-10/4").into_parts();
    assert_eq!(
        (numerator, denominator),
        (Integer::from(-5), Natural::from(2u32))
    );
    assert_eq!(Rational::from(Natural::from(5u32)), rational("5"));
    assert!(Rational::default().is_zero() && rational("4/2").is_integer());
}
