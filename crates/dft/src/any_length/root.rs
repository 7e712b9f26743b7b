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
pub fn root_of_unity<F: TwoAdicField>(field: &F, order: u64) -> Option<F::Elem> {
    let units = field.modulus::<UBig>() - UBig::ONE;
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

/// Whether a number's powers are all roots of unity of this order ≥ 1.
pub fn is_root_of_order<F: TwoAdicField>(field: &F, root: F::Elem, order: u64) -> bool {
    has_order(field, root, order, &primality::factor(order))
}

/// The odd j, below 2^log_n, of root = ω₀^j, ω₀ the field's root of order 2^log_n, which is that of the root, too.
///
/// Bit by bit, from the lowest (Pohlig, Hellman 1978): what is left has an order that halves. O(log² n) products.
pub fn power_of_root<F: TwoAdicField>(field: &F, root: F::Elem, log_n: u32) -> Option<usize> {
    let inverse = field.inv(field.root_of_unity(log_n)?)?;
    let one = field.one();
    let (mut power, mut left) = (0, root);
    for bit in 0..log_n {
        if field.pow(left, 1 << (log_n - 1 - bit)) != one {
            power |= 1 << bit;
            left = field.mul(left, field.pow(inverse, 1 << bit));
        }
    }
    (left == one).then_some(power.max(1))
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
