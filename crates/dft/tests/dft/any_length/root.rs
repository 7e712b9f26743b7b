//! One root for every order.

use sunzi_dft::internals::root_of_unity;
use sunzi_field::{Field, Fp32, Fp64, GeneralizedFermat, TwoAdicField, primality};

#[test]
fn roots_of_small_fields_are_those_of_the_definition() {
    for prime in [3, 5, 7, 13, 17, 31, 97, 211, 331] {
        let field = Fp32::new(prime).unwrap();
        for order in 1..=u64::from(prime) {
            let Some(root) = root_of_unity(&field, order) else {
                assert_ne!(u64::from(prime - 1) % order, 0);
                continue;
            };
            let least = (1..).find(|&e| field.pow(root, e) == 1);
            assert_eq!(least, Some(order), "{prime}");
            for (q, e) in primality::factor(order) {
                let is_power = |a: u32| (1..prime).any(|x| field.pow(x, q) == a);
                let base = (2..).find(|&a| !is_power(a)).unwrap();
                let part = field.pow(base, u64::from(prime - 1) / q.pow(e));
                assert_eq!(field.pow(root, order / q.pow(e)), part, "{prime} {order}");
            }
        }
    }
}

#[test]
fn roots_are_powers_of_each_other() {
    fn check<F: TwoAdicField>(field: &F, orders: &[u64]) {
        for &order in orders {
            let root = root_of_unity(field, order).unwrap();
            for divisor in (1..100).filter(|&d| order.is_multiple_of(d)) {
                let lower = root_of_unity(field, order / divisor);
                assert_eq!(lower, Some(field.pow(root, divisor)), "{order} / {divisor}");
            }
            let odd = order >> order.trailing_zeros();
            let two = field.root_of_unity(order.trailing_zeros());
            assert_eq!(two, Some(field.pow(root, odd)));
        }
    }
    check(
        &Fp64::new((1 << 60) - (1 << 18) + 1).unwrap(),
        &[9, 98, 1 << 18, (43 * 49 * 9) << 18, 5419 * 337 * 127],
    );
    // P4: r = 2^11·5·11·6869·12799·87317.
    let field = GeneralizedFermat::<4>::new((1 << 59) + (1 << 58) + (1 << 11)).unwrap();
    check(&field, &[625, (5 * 11) << 20, 14641 * 32, 87317 * 87317]);
    assert_eq!(root_of_unity(&field, 3), None);
    assert_eq!(root_of_unity(&field, 0), None);
}
