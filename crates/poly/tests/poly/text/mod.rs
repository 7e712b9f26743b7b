//! What is printed is read back; text that is no polynomial is refused, whatever it is.

mod write;

use std::time::Instant;

use proptest::prelude::*;
use sunzi_field::{Field, Fp32, Fp64};
use sunzi_integer::{Integer, Natural, Rational};
use sunzi_poly::{ParsePolyProblem, Poly, PolyRing};

use crate::common::{long_transforms, random_of_len};

/// Integers of up to 40 limbs, of which many are 0, 1 and −1.
fn integer() -> impl Strategy<Value = Integer> {
    let wide = (any::<bool>(), prop::collection::vec(any::<u64>(), 1..40));
    let wide = wide.prop_map(|(negative, words)| {
        let value = Integer::from(Natural::from_limbs(words));
        if negative { -value } else { value }
    });
    prop_oneof![
        (-1i64..=1).prop_map(Integer::from),
        any::<i64>().prop_map(Integer::from),
        wide
    ]
}

fn integers() -> impl Strategy<Value = Poly<Integer>> {
    prop::collection::vec(integer(), 0..40).prop_map(Poly::new)
}

/// Quotients of words, and of what is far longer.
fn quotients() -> impl Strategy<Value = Poly<Rational>> {
    let quotient = (integer(), prop_oneof![Just(1u64), any::<u64>()]);
    let quotient = quotient.prop_map(|(a, b)| Rational::from_parts(a, Natural::from(b.max(1))));
    prop::collection::vec(quotient, 0..40).prop_map(Poly::new)
}

/// The definition of what is printed: one term after the other.
fn plain(f: &Poly<Integer>) -> String {
    let mut text = String::new();
    for (degree, coefficient) in f.coefficients().iter().enumerate().rev() {
        let (negative, size) = match coefficient.to_string().strip_prefix('-') {
            Some(digits) => (true, digits.to_owned()),
            None => (false, coefficient.to_string()),
        };
        let power = match degree {
            0 => String::new(),
            1 => "x".to_owned(),
            _ => format!("x^{degree}"),
        };
        if size == "0" {
            continue;
        }
        text += match (text.is_empty(), negative) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        text += &match (size.as_str(), power.as_str()) {
            (size, "") => size.to_owned(),
            ("1", power) => power.to_owned(),
            (size, power) => format!("{size}*{power}"),
        };
    }
    if text.is_empty() {
        "0".to_owned()
    } else {
        text
    }
}

proptest! {
    #[test]
    fn integers_are_read_as_they_are_printed(f in integers()) {
        prop_assert_eq!(f.to_string(), plain(&f));
        prop_assert_eq!(f.to_string().parse(), Ok(f.clone()));
    }

    #[test]
    fn quotients_are_read_as_they_are_printed(f in quotients()) {
        prop_assert_eq!(f.to_string().parse(), Ok(f));
    }

    #[test]
    fn integers_are_quotients(f in integers()) {
        let quotients = f.coefficients().iter().cloned().map(Rational::from);
        prop_assert_eq!(f.to_string().parse(), Ok(Poly::new(quotients.collect())));
    }

    #[test]
    fn residues_are_read_as_they_are_printed(
        short in prop::collection::vec(0u32..101, 0..40),
        long in prop::collection::vec(0u64..(1 << 61) - 1, 0..40),
    ) {
        let (short, long) = (Poly::new(short), Poly::new(long));
        let ring = PolyRing::new(Fp32::new(101).unwrap());
        prop_assert_eq!(ring.parse(&short.to_string()), Ok(short.clone()));
        prop_assert_eq!(ring.bind(short.clone()).to_string(), short.to_string());
        let ring = PolyRing::new(Fp64::new((1 << 61) - 1).unwrap());
        prop_assert_eq!(ring.parse(&long.to_string()), Ok(long.clone()));
        prop_assert_eq!(ring.bind(long.clone()).to_string(), long.to_string());
    }

    #[test]
    fn no_text_panics(text in any::<String>(), sum in "[-+*/^()0-9x ]{0,40}") {
        for text in [text, sum] {
            let ring = PolyRing::new(Fp32::new(101).unwrap());
            let found = text.parse::<Poly<Integer>>();
            if let Err(error) = &found {
                prop_assert!(error.offset <= text.len() && text.is_char_boundary(error.offset));
            }
            prop_assert_eq!(ring.parse(&text).is_ok(), found.is_ok());
            // Whoever divides nothing means the same with quotients.
            let quotients = text.parse::<Poly<Rational>>();
            prop_assert!(quotients.is_ok() || found.is_err() || text.contains('X'));
        }
    }
}

#[test]
fn residues_of_many_words_are_printed_by_their_ring() {
    let ring = PolyRing::new(long_transforms());
    for len in [0, 1, 2, 9] {
        let f = random_of_len(ring.field(), len as u64, len);
        let bound = ring.bind(f.clone());
        assert_eq!(ring.parse(&bound.to_string()), Ok(f.clone()));
        let integers = f
            .coefficients()
            .iter()
            .map(|&c| ring.field().to_integer::<Integer>(c));
        assert_eq!(bound.to_string(), plain(&Poly::new(integers.collect())));
    }
}

#[test]
fn formats_have_width_and_the_variable_a_name() {
    let f: Poly<Integer> = "t".replace('t', "x^2 - x").parse().unwrap();
    assert_eq!(
        format!("[{f:>10}|{f:<9}|{f}]"),
        "[   x^2 - x|x^2 - x  |x^2 - x]"
    );
    assert_eq!(f.display_in("λ").to_string(), "λ^2 - λ");
    assert_eq!(Poly::<Rational>::zero().display_in("t").to_string(), "0");
    let ring = PolyRing::new(Fp32::new(5).unwrap());
    let f = ring.bind(Poly::new(vec![0, 4, 1]));
    assert_eq!(f.display_in("t").to_string(), "t^2 + 4*t");
}

#[test]
fn quotients_are_expanded() {
    for (text, expected) in [
        ("x/2 - 1/2*x", "0"),
        ("(x/2 + 1/3)^2", "1/4*x^2 + 1/3*x + 1/9"),
        ("1/2/3 + 1/6", "1/3"),
        ("-(x - 4/2)/-3", "1/3*x - 2/3"),
        ("((1/2 - x))", "-x + 1/2"),
        ("0/5", "0"),
    ] {
        let found: Poly<Rational> = text.parse().expect(text);
        assert_eq!(found.to_string(), expected, "{text}");
    }
    for (text, offset, problem) in [
        ("x/0", 2, ParsePolyProblem::ZeroDivisor),
        ("2 + 1/(x-x)", 7, ParsePolyProblem::ZeroDivisor),
        ("1/x", 2, ParsePolyProblem::DivisorNotNumber),
    ] {
        let error = text.parse::<Poly<Rational>>().expect_err(text);
        assert_eq!((error.offset, error.problem), (offset, problem), "{text}");
    }
}

#[test]
fn many_long_quotients_are_read_as_they_are_printed() {
    let quotient = |i: u64| {
        let denominator = Natural::from(i.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        Rational::from_parts(Integer::from(i as i64 - 2_000), denominator)
    };
    let f = Poly::new((0..4_000).map(quotient).collect());
    assert_eq!(f.to_string().parse(), Ok(f));
}

#[test]
fn hostile_quotients_are_refused_quickly() {
    let copies: Vec<String> = (0..100_000).map(|k| format!("x^{k}")).collect();
    let primes: Vec<String> = (0..100_000).map(|k| format!("x/{}", 2 * k + 1)).collect();
    let texts = [
        format!("({})/3^250000", copies.join("+")),
        "(x+1)^2000/3^250000".to_owned(),
        primes.join("+"),
        format!("({})*x", primes.join("+")),
        "1/7".to_owned() + &"/3^250000".repeat(1_000),
        format!("{}x{}", "(".repeat(100_000), ")".repeat(100_000)),
    ];
    for text in texts {
        let start = Instant::now();
        assert!(text.parse::<Poly<Rational>>().is_err(), "{text:.40}");
        assert!(start.elapsed().as_secs() < 60, "{text:.40}");
    }
}
