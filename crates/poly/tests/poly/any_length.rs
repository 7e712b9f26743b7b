//! Transforms of any length, made of the products of rings, against the definition, computed with GMP's integers.

use rug::Integer;
use sunzi_dft::{DftError, Direction, Ordering};
use sunzi_field::generalized_fermat::named_prime;
use sunzi_field::{AnyField, Field, Fp32, Fp64, with_field};
use sunzi_poly::{AnyLengthDft, CoefficientField};
use sunzi_testkit::{Random, gmp_modulus, gmp_residue, on_threads};

/// 2^31 − 1 = 2·3²·7·11·31·151·331 + 1.
const P31: u32 = (1 << 31) - 1;
/// 2^18·3²·7²·43·127·337·5419 + 1.
const P60: u64 = (1 << 60) - (1 << 18) + 1;
/// 2·3⁴·17·23·319279·456065899 + 1.
const P63: u64 = (1 << 63) - 25;

fn integers<F: Field>(field: &F, x: &[F::Elem]) -> Vec<Integer> {
    x.iter().map(|&x| gmp_residue(field, x)).collect()
}

/// One value of the polynomial with these coefficients, by Horner's rule.
fn value(x: &[Integer], point: &Integer, p: &Integer) -> Integer {
    let horner = |sum: Integer, x: &Integer| (sum * point + x) % p;
    x.iter().rev().fold(Integer::new(), horner)
}

fn pow(base: &Integer, exponent: impl Into<Integer>, p: &Integer) -> Integer {
    Integer::from(base.pow_mod_ref(&exponent.into(), p).unwrap())
}

fn prime_factors(mut n: usize) -> Vec<usize> {
    let mut factors = vec![];
    let mut q = 2;
    while n > 1 {
        if n.is_multiple_of(q) {
            factors.push(q);
            while n.is_multiple_of(q) {
                n /= q;
            }
        }
        q += 1;
    }
    factors
}

/// Transforms at the powers of the field's root of unity, and of others of the same order.
fn check<F: CoefficientField>(field: &F, len: usize) {
    let plan = AnyLengthDft::new(field, len).unwrap();
    check_plan(field, len, &plan);
    let root = plan.root_of_unity();
    let all = if len <= 32 { len } else { 6 };
    for power in (1..all).chain(len.saturating_sub(3)..len) {
        let own = field.pow(root, power as u64);
        match AnyLengthDft::with_root(field, len, own) {
            Ok(plan) => {
                assert_eq!(plan.root_of_unity(), own);
                check_plan(field, len, &plan);
                check_orders(field, len, &plan);
            }
            Err(error) => {
                assert_eq!(error, DftError::NoRootOfOrder { order: len });
                let divides = |q: usize| len.is_multiple_of(q) && power.is_multiple_of(q);
                assert!((2..=len).any(divides), "{power} of {len}");
            }
        }
    }
}

/// Vectors that lie one after the other, as each alone; and values in the order of the plan, which go back.
fn check_orders<F: CoefficientField>(field: &F, len: usize, plan: &AnyLengthDft<F>) {
    let x = Random::new(len as u64).elements(field, 2 * len);
    let mut expected = x.clone();
    for vector in expected.chunks_exact_mut(len) {
        plan.forward(vector).unwrap();
    }
    let mut found = x.clone();
    let (forward, inverse) = (Direction::Forward, Direction::Inverse);
    plan.transform_batch(&mut found, forward, Ordering::Natural)
        .unwrap();
    assert_eq!(found, expected);
    for ordering in [Ordering::Natural, Ordering::Internal] {
        let mut found = x.clone();
        plan.transform_batch(&mut found, forward, ordering).unwrap();
        plan.transform_batch(&mut found, inverse, ordering).unwrap();
        assert_eq!(found, x, "{ordering:?}");
    }
}

/// The transform of some vectors, whose root has its order, against the definition; and back.
fn check_plan<F: CoefficientField>(field: &F, len: usize, plan: &AnyLengthDft<F>) {
    let p = gmp_modulus(field);
    assert_eq!(plan.points(), len);
    let root = gmp_residue(field, plan.root_of_unity());
    assert_eq!(pow(&root, len, &p), 1, "{len} mod {p}");
    for q in prime_factors(len) {
        assert_ne!(pow(&root, len / q, &p), 1, "{len} mod {p}");
    }
    let powers: Vec<Integer> = (0..len).map(|j| pow(&root, j, &p)).collect();
    let mut single = vec![field.zero(); len];
    single[len - 1] = field.from_i64(-1);
    for x in [
        Random::new(len as u64).elements(field, len),
        vec![field.zero(); len],
        vec![field.one(); len],
        vec![field.from_i64(-1); len],
        single,
    ] {
        let integral = integers(field, &x);
        let expected: Vec<Integer> = powers.iter().map(|w| value(&integral, w, &p)).collect();
        let mut found = x.clone();
        plan.forward(&mut found).unwrap();
        assert!(found.iter().all(|&x| field.is_canonical(x)));
        assert!(integers(field, &found) == expected, "{plan} mod {p}");
        plan.inverse(&mut found).unwrap();
        assert!(found == x, "{plan} mod {p}");
    }
}

/// Every length up to `limit`: the divisors of p − 1 against the definition, all others refused.
fn check_all<F: CoefficientField>(field: &F, limit: usize) {
    let units = gmp_modulus(field) - 1u32;
    let (divisors, others): (Vec<_>, Vec<_>) =
        (1..=limit).partition(|&len| units.is_divisible_u(len as u32));
    for &len in &divisors {
        check(field, len);
    }
    for len in others {
        let error = AnyLengthDft::new(field, len).unwrap_err();
        let DftError::NoSuchLength { below, above, .. } = error else {
            panic!("{error}");
        };
        let below_expected = divisors.iter().copied().rfind(|&divisor| divisor < len);
        assert_eq!(below, below_expected, "{len} mod {units} + 1");
        match divisors.iter().copied().find(|&divisor| divisor > len) {
            Some(expected) => assert_eq!(above, Some(expected), "{len} mod {units} + 1"),
            None => assert!(above.is_none_or(|above| above > limit)),
        }
        assert!(AnyLengthDft::working_bytes(field, len).is_err());
    }
}

/// The field modulo a prime with a name.
fn named(name: &str) -> AnyField {
    let prime = named_prime(name).unwrap();
    AnyField::generalized_fermat(prime.radix, prime.digits).unwrap()
}

#[test]
fn all_lengths_of_small_fields_match_the_definition() {
    for prime in [3, 5, 7, 13, 17, 31, 97, 127, 211, 257] {
        check_all(&Fp32::new(prime).unwrap(), prime as usize + 3);
        check_all(&Fp64::new(prime.into()).unwrap(), prime as usize + 3);
    }
}

#[test]
fn short_lengths_of_word_primes_match_the_definition() {
    for prime in [469_762_049, P31, 1_000_000_007, 2_013_265_921] {
        check_all(&Fp32::new(prime).unwrap(), 200);
    }
    for prime in [P60, P63, (1 << 61) - 1, 469_762_049] {
        check_all(&Fp64::new(prime).unwrap(), 200);
    }
}

#[test]
fn short_lengths_of_big_primes_match_the_definition() {
    for (name, limit) in [("P4", 200), ("P8", 200), ("P16", 200), ("P2F", 130)] {
        with_field!(&named(name), field => check_all(field, limit));
    }
    // Radices with few factors 2, and many odd ones.
    for (radix, digits) in [(6, 4), (10, 2), (118, 8), ((1 << 60) - 2, 4)] {
        let field = AnyField::generalized_fermat(radix, digits).unwrap();
        with_field!(&field, field => check_all(field, 100));
    }
}

#[test]
fn lengths_of_big_primes_beyond_one_chunk_match_the_definition() {
    // P4 − 1 has 5·11, P8 − 1 has 3·67.
    for (name, len) in [("P4", 5 * 11 * 32), ("P4", 14641), ("P8", 3 * 67 * 8)] {
        with_field!(&named(name), field => check_some(field, len));
    }
}

/// Some values against the definition, for one and more threads; and back.
fn check_some<F: CoefficientField>(field: &F, len: usize) {
    let p = gmp_modulus(field);
    let x = Random::new(7).elements(field, len);
    let integral = integers(field, &x);
    for threads in [1, 3] {
        on_threads(threads, || {
            let plan = AnyLengthDft::new(field, len).unwrap();
            let root = gmp_residue(field, plan.root_of_unity());
            let mut found = x.clone();
            plan.forward(&mut found).unwrap();
            let ends = [0, 1, 2, 1023, 1024, 1025, len / 2, len - 2, len - 1];
            for j in ends.into_iter().filter(|&j| j < len) {
                let expected = value(&integral, &pow(&root, j, &p), &p);
                assert_eq!(gmp_residue(field, found[j]), expected, "{plan}, value {j}");
            }
            plan.inverse(&mut found).unwrap();
            assert!(found == x, "{plan}");
        });
    }
}

#[test]
fn long_lengths_of_word_primes_match_the_definition() {
    // By transforms over the field, over several primes, and by Karatsuba's method.
    let (p31, p60) = (Fp32::new(P31).unwrap(), Fp64::new(P60).unwrap());
    for len in [331, 1023, 1025 - 2, 151 * 31, 2 * 9 * 7 * 11 * 31] {
        check_some(&p31, len);
    }
    for len in [441, 5419, 1024 * 9, 43 * 127 * 7 * 2, 3 << 15] {
        check_some(&p60, len);
    }
    for len in [17 * 23, 81 * 34, 81 * 17 * 23] {
        check_some(&Fp64::new(P63).unwrap(), len);
    }
}

#[test]
fn plans_say_what_runs() {
    let field = Fp64::new(P60).unwrap();
    let said = AnyLengthDft::new(&field, 9 << 10).unwrap().to_string();
    let expected = "chirp transform of 9216 points by a product: ntt for 9216 × 9216 coefficients";
    assert!(said.starts_with(expected), "{said}");
}
