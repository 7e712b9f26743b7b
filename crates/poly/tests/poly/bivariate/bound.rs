//! Bounds of subresultants.

use sunzi_integer::Natural;
use sunzi_poly::internals::logarithm_above;

#[test]
fn logarithms_are_bounded_from_above() {
    for exponent in [1, 2, 63, 64, 65, 1000] {
        for n in [
            (Natural::ONE << exponent) - Natural::ONE,
            Natural::ONE << exponent,
            (Natural::ONE << exponent) + Natural::ONE,
        ] {
            let bound = logarithm_above(&n);
            assert!(bound >= exponent as f64 - 1.0 && bound < exponent as f64 + 0.6);
            // 2^bound is above n: compared by its 40th power where that is a difference.
            let power = n.pow(40);
            assert!(power.bit_len() as f64 - 1.0 <= bound * 40.0);
        }
    }
    assert_eq!(logarithm_above(&Natural::ONE), 1e-15);
}
