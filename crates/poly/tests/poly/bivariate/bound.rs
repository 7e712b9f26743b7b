//! Bounds of subresultants.

use dashu_int::UBig;
use dashu_int::ops::BitTest;
use sunzi_poly::internals::logarithm_above;

#[test]
fn logarithms_are_bounded_from_above() {
    for exponent in [1, 2, 63, 64, 65, 1000] {
        for n in [
            (UBig::ONE << exponent) - UBig::ONE,
            UBig::ONE << exponent,
            (UBig::ONE << exponent) + UBig::ONE,
        ] {
            let bound = logarithm_above(&n);
            assert!(bound >= exponent as f64 - 1.0 && bound < exponent as f64 + 0.6);
            // 2^bound is above n: compared by its 40th power where that is a difference.
            let power = n.pow(40);
            assert!(power.bit_len() as f64 - 1.0 <= bound * 40.0);
        }
    }
    assert_eq!(logarithm_above(&UBig::ONE), 1e-15);
}
