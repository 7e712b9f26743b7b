//! Products that neither overflow nor underflow on the way.

use proptest::prelude::*;
use sunzi_linalg::float::{ScaledFloat, product};

#[test]
fn edges() {
    assert_eq!(product(&[]), 1.0);
    assert_eq!(product(&[0.0, 1e308, 1e308]), 0.0);
    assert_eq!(product(&[-2.0, 0.5, -1.0, 1.0, -1.0]), -1.0);
    assert_eq!(product(&[1e200, 1e200]), f64::INFINITY);
    assert_eq!(product(&[1e-200, -1e-200]), -0.0);
    // The product is the largest double, and a plain one would overflow.
    assert_eq!(product(&[f64::MAX, 2.0, 0.5]), f64::MAX);
}

#[test]
fn no_digit_is_lost_to_subnormal_numbers() {
    let tiny = 1e-320; // 2024 · 2^-1074
    assert!((product(&[tiny, 1e300, 1.0001]) / (tiny * 1e300 * 1.0001) - 1.0).abs() < 1e-15);
    assert!((product(&[1.0001, tiny, 1e300]) / 1.00009e-20 - 1.0).abs() < 1e-5);
    // The result is below the normal numbers, and rounded once: (1 + 2^-40)^40 is 1 + 2^-34.7.
    let mut factors = vec![1.0 + 2f64.powi(-40); 40];
    factors.insert(0, 2f64.powi(-1000));
    factors.insert(0, 1.5 * 2f64.powi(-70));
    assert_eq!(product(&factors), f64::from_bits(24));
    let mut factors = vec![0.999; 1000];
    factors.insert(0, f64::MIN_POSITIVE / 2f64.powi(42));
    let expected = (2f64.powi(10) * 0.999f64.powi(1000)).round();
    assert_eq!(product(&factors), f64::from_bits(expected as u64));
}

#[test]
fn factors_that_are_no_numbers() {
    assert_eq!(product(&[2.0, f64::INFINITY, -3.0]), f64::NEG_INFINITY);
    assert!(product(&[f64::INFINITY, 0.0]).is_nan());
    assert!(product(&[1.0, f64::NAN]).is_nan());
    assert!(product(&[0.0, -1.0]).is_sign_negative());
}

proptest! {
    #[test]
    fn products_in_range_agree_with_those_of_any_range(
        exponents in prop::collection::vec((-900_i32..900, 1.0_f64..2.0), 0..60)
    ) {
        let factors: Vec<f64> = exponents.iter().map(|&(e, m)| m * 2f64.powi(e)).collect();
        let exact: ScaledFloat = factors.iter().copied().map(ScaledFloat::from_f64).product();
        if exact.exponent().abs() < 1000 {
            let error = product(&factors) / exact.to_f64() - 1.0;
            prop_assert!(error.abs() < 1e-13, "{error}");
        }
    }
}
