//! Doubles with exponents of 64 bits.

use proptest::prelude::*;
use sunzi_linalg::float::ScaledFloat;

#[test]
fn edges() {
    assert_eq!(ScaledFloat::from_f64(-0.0), ScaledFloat::ZERO);
    assert_eq!(ScaledFloat::ZERO.to_string(), "0e0");
    assert_eq!(format!("{:.2}", ScaledFloat::ZERO), "0.00e0");
    let tiny = ScaledFloat::from_f64(f64::from_bits(1));
    assert_eq!((tiny.mantissa(), tiny.exponent()), (1.0, -1074));
    assert_eq!((tiny * tiny).exponent(), -2148);
    assert_eq!((tiny * ScaledFloat::ZERO), ScaledFloat::ZERO);
    assert_eq!(ScaledFloat::new(1.0, -1075).to_f64(), 0.0);
    assert_eq!(ScaledFloat::new(1.5, -1075).to_f64(), f64::from_bits(1));
    assert_eq!(ScaledFloat::new(1.0, i64::MAX).to_f64(), f64::INFINITY);
    assert_eq!(ScaledFloat::new(1.0, i64::MIN).to_f64(), 0.0);
}

proptest! {
    #[test]
    fn doubles_come_back(bits: u64) {
        let value = f64::from_bits(bits);
        prop_assume!(value.is_finite());
        prop_assert_eq!(ScaledFloat::from_f64(value).to_f64(), value);
    }

    #[test]
    fn products_are_those_of_doubles(a in -1e100_f64..1e100, b in -1e100_f64..1e100) {
        let both = ScaledFloat::from_f64(a) * ScaledFloat::from_f64(b);
        prop_assert_eq!(both.to_f64(), a * b);
    }

    #[test]
    fn normal_doubles_print_as_they_do_by_themselves(bits: u64) {
        let value = f64::from_bits(bits);
        prop_assume!(value.is_normal());
        let printed = ScaledFloat::from_f64(value).to_string();
        prop_assert_eq!(printed.parse::<f64>(), Ok(value));
        prop_assert_eq!(printed.len(), format!("{value:e}").len());
        let rounded = format!("{:.5}", ScaledFloat::from_f64(value));
        prop_assert_eq!(rounded, format!("{value:.5e}"));
    }
}
