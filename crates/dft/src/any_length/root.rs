//! One root of unity for every order that the field has.
//!
//! For each prime power q^e that divides p − 1 let ω_(q^e) be the field's own root where q = 2, and
//! a^((p−1)/q^e) else, where a ≥ 2 is the least integer that is no q-th power modulo p. The root ω of
//! order N is the one whose power ω^(N/q^e) is ω_(q^e) for every prime power q^e that divides N
//! exactly; by the Chinese remainder theorem there is just one. So the root for N/d is the d-th power
//! of the root for N, and with N = 2^a·m, m odd, ω^m is the field's root of order 2^a.

use dashu_int::UBig;
use dashu_int::ops::BitTest;
use sunzi_field::{TwoAdicField, WordModulus, primality};

/// The root of order `order` ≥ 1; none if the field has none.
///
/// Takes O(log p) products for every prime that divides the order, about.
pub(super) fn root_of_unity<F: TwoAdicField>(field: &F, order: u64) -> Option<F::Elem> {
    let units = field.modulus() - UBig::ONE;
    if order == 0 || &units % UBig::from(order) != UBig::ZERO {
        return None;
    }
    let primes = primality::factor(order);
    let mut root = field.one();
    for &(prime, exponent) in &primes {
        let power = prime.pow(exponent);
        let part = match prime {
            2 => field.root_of_unity(exponent)?,
            _ => odd_root(field, &units, prime, power),
        };
        // part^u with u = 1/(N/q^e) modulo q^e: its (N/q^e)-th power is `part`.
        let modulus = WordModulus::new(power);
        let inverse = modulus.inv(modulus.reduce(order / power))?;
        root = field.mul(root, field.pow(part, inverse));
    }
    has_order(field, root, order, &primes).then_some(root)
}

/// Whether the order of `root` is `order`, whose prime factors are known.
fn has_order<F: TwoAdicField>(field: &F, root: F::Elem, order: u64, primes: &[(u64, u32)]) -> bool {
    let one = field.one();
    let proper = |&(prime, _): &(u64, u32)| field.pow(root, order / prime) != one;
    field.pow(root, order) == one && primes.iter().all(proper)
}

/// a^((p−1)/q^e) for the least a ≥ 2 that is no q-th power, q an odd prime and `power` = q^e.
///
/// Such an a is found soon: 1 − 1/q of all residues are none.
fn odd_root<F: TwoAdicField>(field: &F, units: &UBig, prime: u64, power: u64) -> F::Elem {
    let exponent = units / UBig::from(power);
    let mut base = 2;
    loop {
        let root = pow(field, field.from_u64(base), &exponent);
        // a^((p−1)/q) is 1 for q-th powers alone.
        if field.pow(root, power / prime) != field.one() {
            return root;
        }
        base += 1;
    }
}

/// `base^exponent`.
fn pow<F: TwoAdicField>(field: &F, base: F::Elem, exponent: &UBig) -> F::Elem {
    let mut result = field.one();
    for bit in (0..exponent.bit_len()).rev() {
        result = field.mul(result, result);
        if exponent.bit(bit) {
            result = field.mul(result, base);
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use sunzi_field::{Field, Fp32, Fp64, GeneralizedFermat};

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
}
