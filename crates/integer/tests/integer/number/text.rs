//! Text in all bases, and what is wrong with malformed text.

use super::{integer, magnitudes, natural, numbers, same, same_natural};
use proptest::prelude::*;
use rug::Integer as Gmp;
use sunzi_integer::text::{TextError, TextErrorKind};
use sunzi_integer::{Integer, Natural, Rational};
use sunzi_testkit::Random;

#[test]
fn decimal_text() {
    let mut random = Random::new(13);
    let mut numbers = numbers();
    for digits in [18, 19, 20, 38, 39, 400, 401, 3000, 20_000] {
        let text = random.decimal(digits);
        numbers.push(text.parse().expect("digits"));
        numbers.push(Gmp::from(Gmp::u_pow_u(10, digits as u32)));
        numbers.push(Gmp::from(Gmp::u_pow_u(10, digits as u32)) - 1);
    }
    for a in &numbers {
        let text = a.to_string();
        assert_eq!(integer(a).to_string(), text);
        assert_eq!(format!("{:?}", integer(a)), text);
        same(&text.parse().expect("a number"), a);
        if *a >= 0 {
            assert_eq!(natural(a).to_string(), text);
            same_natural(&format!("+00{text}").parse().expect("a number"), a);
        }
    }
}

/// Width, fill, alignment, sign and prefix, as machine integers have them.
#[test]
fn formats_are_those_of_machine_integers() {
    macro_rules! each {
        ($($format:literal)*) => {$(
            for value in [0i64, 1, 255, 1 << 40, i64::MAX] {
                assert_eq!(format!($format, Integer::from(value)), format!($format, value));
                assert_eq!(format!($format, Natural::from(value as u64)), format!($format, value));
            }
        )*};
    }
    each!("{}" "{:+}" "{:5}" "{:<30}" "{:^31}" "{:*>32}" "{:040}" "{:+040}" "{:x}" "{:#x}" "{:X}" "{:#X}" "{:#034x}"
        "{:o}" "{:#o}" "{:b}" "{:#b}" "{:#080b}" "{:?}");
    assert_eq!(
        format!("{:#x} {:07}", Integer::from(-255), Integer::from(-42)),
        "-0xff -000042"
    );
}

#[test]
fn other_bases() {
    let mut numbers = numbers();
    let mut random = Random::new(14);
    for limbs in [23, 24, 25, 26, 47, 48, 49, 100] {
        numbers.push(Gmp::from_digits(
            &random.words(limbs),
            rug::integer::Order::Lsf,
        ));
    }
    for radix in 2..=36 {
        for a in &numbers {
            let text = a.to_string_radix(radix);
            assert_eq!(integer(a).to_str_radix(radix as u32), text);
            let found = Integer::from_str_radix(&text, radix as u32);
            same(&found.expect("a number"), a);
            let upper = Integer::from_str_radix(&text.to_uppercase(), radix as u32);
            same(&upper.expect("a number"), a);
        }
        for exponent in [23u32, 24, 47, 48, 49, 200] {
            for d in [-1, 0, 1] {
                let beside: Gmp = Gmp::from(Gmp::u_pow_u(radix as u32, 13 * exponent)) + d;
                let text = beside.to_string_radix(radix);
                assert_eq!(natural(&beside).to_str_radix(radix as u32), text);
                let found = Natural::from_str_radix(&text, radix as u32);
                same_natural(&found.expect("a number"), &beside);
            }
        }
    }
    for a in &magnitudes() {
        assert_eq!(
            format!("{:x} {:X}", natural(a), natural(a)),
            format!("{a:x} {a:X}")
        );
        assert_eq!(
            format!("{:o} {:b}", natural(a), natural(a)),
            format!("{a:o} {a:b}")
        );
        same_natural(&format!("0x{a:x}").parse().expect("a number"), a);
    }
}

#[test]
fn malformed_text() {
    let error = |offset, kind| Some(TextError { offset, kind });
    use TextErrorKind as Kind;
    for (text, expected) in [
        ("", error(0, Kind::Empty)),
        ("-", error(1, Kind::LoneSign)),
        ("+-1", error(1, Kind::NotADecimalDigit(b'-'))),
        ("0x", error(2, Kind::LonePrefix)),
        ("-0xg", error(3, Kind::NotAHexDigit(b'g'))),
        (" 1", error(0, Kind::NotADecimalDigit(b' '))),
        ("1_000", error(1, Kind::NotADecimalDigit(b'_'))),
        ("12é", error(2, Kind::NotADecimalDigit(0xc3))),
    ] {
        assert_eq!(text.parse::<Integer>().err(), expected, "{text}");
    }
    let negative = "-1".parse::<Natural>();
    assert_eq!(negative.err(), error(0, Kind::Negative));
    let digit = |byte, radix| Kind::NotADigit { byte, radix };
    assert_eq!(
        Integer::from_str_radix("-102", 2).err(),
        error(3, digit(b'2', 2))
    );
    assert_eq!(Natural::from_str_radix("", 7).err(), error(0, Kind::Empty));
    for (text, expected) in [
        ("", error(0, Kind::Empty)),
        ("1/", error(2, Kind::Empty)),
        ("/2", error(0, Kind::Empty)),
        ("1/0", error(2, Kind::ZeroDenominator)),
        ("1/-2", error(2, Kind::Negative)),
        ("1/2/3", error(3, Kind::NotADecimalDigit(b'/'))),
        (".", error(1, Kind::Empty)),
        ("-.5.", error(3, Kind::NotADecimalDigit(b'.'))),
        ("1.x", error(2, Kind::NotADecimalDigit(b'x'))),
        ("1a.5", error(1, Kind::NotADecimalDigit(b'a'))),
        ("1e", error(2, Kind::Empty)),
        ("1e5.", error(3, Kind::NotADecimalDigit(b'.'))),
        ("1e100000001", error(2, Kind::LargeExponent)),
        ("1e-99999999999999999999", error(2, Kind::LargeExponent)),
        ("e5", error(0, Kind::Empty)),
    ] {
        assert_eq!(text.parse::<Rational>().err(), expected, "{text}");
    }
    assert_eq!(digit(b'2', 2).to_string(), "'2' is not a digit in base 2");
    assert!(std::panic::catch_unwind(|| Natural::ONE.to_str_radix(37)).is_err());
}

proptest! {
    /// Whatever is read is written as it is read.
    #[test]
    fn any_text_is_read_or_refused(text in "[-+]?[0-9a-fx./eE_]{0,12}") {
        if let Ok(value) = text.parse::<Integer>() {
            prop_assert_eq!(value.to_string().parse(), Ok(value));
        }
        if let Ok(value) = text.parse::<Rational>() && text.len() < 9 {
            prop_assert_eq!(value.to_string().parse(), Ok(value));
        }
    }
}
