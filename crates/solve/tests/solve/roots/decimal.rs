//! Decimal numbers.

use proptest::prelude::*;
use sunzi_integer::{Integer, Natural, Rational};
use sunzi_solve::Dyadic;
use sunzi_solve::internals::Decimal;

fn ratio(numerator: i64, denominator: u64) -> Rational {
    Rational::from_parts(Integer::from(numerator), Natural::from(denominator))
}

#[test]
fn numbers_are_rounded_to_the_nearest() {
    let text = |n, d, digits| Decimal::nearest(&ratio(n, d), digits).to_string();
    assert_eq!(text(2, 3, 5), "0.66667");
    assert_eq!(text(-2, 3, 1), "-0.7");
    assert_eq!(text(9996, 100, 3), "100");
    assert_eq!(text(9994, 100, 3), "99.9");
    assert_eq!(text(1, 2, 3), "0.500");
    assert_eq!(text(25, 10, 1), "2");
    assert_eq!(text(35, 10, 1), "4");
    assert_eq!(text(1_234_567_890_123, 1, 4), "1.235e12");
    assert_eq!(text(1_234_567, 1, 4), "1235000");
    assert_eq!(text(1, 3_000_000, 4), "0.0000003333");
    assert_eq!(text(1, 300_000_000, 4), "3.333e-9");
    assert_eq!(text(0, 1, 4), "0");
}

#[test]
fn exact_digits_have_no_greatest_number() {
    for places in [1 << 16, (1 << 16) + 1, 100_000] {
        let text = Dyadic::new(Integer::MINUS_ONE, -places).to_string();
        assert_eq!(text.len() as i64, "-0.".len() as i64 + places);
        assert!(text.starts_with("-0.000") && text.ends_with("25"));
    }
}

#[test]
fn exact_digits_end() {
    let exact = |m: i64, e| Dyadic::new(Integer::from(m), e).to_string();
    assert_eq!(exact(-3, -4), "-0.1875");
    assert_eq!(exact(3, 4), "48");
    assert_eq!(exact(1, -10), "0.0009765625");
    assert_eq!(exact(-7, 0), "-7");
    assert_eq!(exact(0, 0), "0");
    assert_eq!(exact(2049, -1), "1024.5");
    assert_eq!(Dyadic::from(-70).to_decimal(9), "-70");
    assert_eq!(Dyadic::from(10_000_000_000).to_decimal(9), "1e10");
    assert_eq!(Dyadic::from(1).to_decimal(10_000_000), "1");
    // Zeros that are digits of the rounded number only.
    let near_half = Dyadic::new((Integer::ONE << 99) + Integer::ONE, -100);
    assert_eq!(near_half.to_decimal(5), "0.50000");
    assert_eq!(near_half.to_decimal(200), near_half.to_string());
}

proptest! {
    #[test]
    fn texts_are_near(n in any::<i64>(), d in 1u64.., digits in 1usize..30) {
        let x = ratio(n, d);
        let rounded = Decimal::nearest(&x, digits);
        let text = rounded.coefficient.abs().to_string();
        prop_assert!(n == 0 || text.len() == digits);
        let unit = Decimal { coefficient: Integer::ONE, exponent: rounded.exponent }.value();
        let error = x - rounded.value();
        prop_assert!(error.clone() * Rational::from(Integer::from(2)) <= unit);
        prop_assert!(-error * Rational::from(Integer::from(2)) <= unit);
    }
}
