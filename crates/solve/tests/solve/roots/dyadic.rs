//! Dyadic numbers against rational ones.

use proptest::prelude::*;
use sunzi_integer::Integer;
use sunzi_solve::Dyadic;

fn dyadic() -> impl Strategy<Value = Dyadic> {
    let mantissa = prop_oneof![-9i64..10, any::<i64>()];
    (mantissa, -70i64..70).prop_map(|(m, e)| Dyadic::new(Integer::from(m), e))
}

proptest! {
    #[test]
    fn dyadic_numbers_are_rational_numbers(a in dyadic(), b in dyadic(), bits in -80i64..80) {
        let (x, y) = (a.to_rational(), b.to_rational());
        prop_assert_eq!((&a + &b).to_rational(), &x + &y);
        prop_assert_eq!((&a - &b).to_rational(), &x - &y);
        prop_assert_eq!((&a * &b).to_rational(), &x * &y);
        prop_assert_eq!(a.cmp(&b), x.cmp(&y));
        prop_assert_eq!(a.to_f64(), x.to_f64());
        let unit = Dyadic::new(Integer::ONE, -bits);
        let (below, above) = (a.floor_to(bits), a.ceil_to(bits));
        prop_assert!(below <= a && &a - &below < unit);
        prop_assert!(above >= a && &above - &a < unit);
        prop_assert!(below.is_zero() || below.exponent() >= -bits);
        prop_assert!(above.is_zero() || above.exponent() >= -bits);
        prop_assert_eq!(Dyadic::floor_of(&x, bits), below);
        prop_assert_eq!(Dyadic::ceil_of(&x, bits), above);
    }
}

#[test]
fn doubles_have_their_range() {
    let power = |e| Dyadic::new(Integer::ONE, e).to_f64();
    assert_eq!(power(5000), f64::INFINITY);
    assert_eq!(
        (-Dyadic::new(Integer::ONE, 1024)).to_f64(),
        f64::NEG_INFINITY
    );
    assert_eq!(power(-5000), 0.0);
    assert_eq!(power(-1074), f64::from_bits(1));
    // One more than half a unit in the last place, far behind.
    let above = Dyadic::new(
        (Integer::ONE << 300) + (Integer::ONE << 247) + Integer::ONE,
        -300,
    );
    assert_eq!(above.to_f64(), 1.0 + f64::EPSILON);
}
