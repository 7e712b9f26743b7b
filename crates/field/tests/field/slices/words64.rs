//! Residues of up to 63 bits.

use super::{check, check_vectors};
use sunzi_field::internals::horner;
use sunzi_field::internals::montgomery104::Montgomery104;
use sunzi_field::internals::words64::{Add, MAX_VECTOR_BITS, Mul, Neg, Scale, Sub, value_at};
use sunzi_field::primality::is_prime;
use sunzi_field::{Fp64, WordModulus};
use sunzi_testkit::edge_residues;

#[test]
fn vectors_agree_with_elements() {
    let primes = [
        3,
        5,
        7,
        469762049,
        (1 << 50) - 27,
        (1 << 60) - (1 << 18) + 1,
        (1 << 62) - 57,
        (1 << 63) - 25,
    ];
    for prime in primes {
        assert!(is_prime(prime), "{prime}");
        let modulus = &WordModulus::new(prime);
        let prepared = Fp64::new(prime).unwrap();
        let residues = edge_residues(prime);
        check_vectors(Add(modulus), &residues);
        check_vectors(Sub(modulus), &residues);
        check_vectors(Neg(modulus), &residues);
        if prime >> MAX_VECTOR_BITS == 0 {
            check_vectors(Mul(modulus), &residues);
        }
        for &factor in &residues {
            check_vectors(Scale(modulus, prepared.prepare(factor)), &residues);
        }
    }
}

#[test]
fn values_are_those_of_the_definition() {
    for prime in [
        3,
        257,
        (1 << 60) - (1 << 18) + 1,
        (1 << 62) - 57,
        (1 << 63) - 25,
    ] {
        let modulus = &WordModulus::new(prime);
        let residues = edge_residues(prime);
        let expected = |coefficients: &[u64], point: u64| {
            let terms = coefficients.iter().rev();
            terms.fold(0, |value, &coefficient| {
                let product = u128::from(value) * u128::from(point);
                ((product + u128::from(coefficient)) % u128::from(prime)) as u64
            })
        };
        let digits = horner::MontgomeryProduct(modulus, Montgomery104::new(modulus));
        check((digits, Add(modulus)), &residues, expected);
        if prime >> MAX_VECTOR_BITS == 0 {
            let multiply = horner::ElementwiseProduct(Mul(modulus));
            check((multiply, Add(modulus)), &residues, expected);
        }
        for &point in &residues {
            let found = value_at(modulus, &residues, point);
            assert_eq!(found, expected(&residues, point));
        }
    }
}
