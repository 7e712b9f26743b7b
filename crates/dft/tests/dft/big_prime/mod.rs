//! Transforms over generalized Fermat fields against the definition and the other algorithms.

mod fewest;
mod stages;

use sunzi_dft::{
    Algorithm, BigPrimeOptions, Convolution, DftContext, DftError, Direction, Ordering,
};
use sunzi_field::generalized_fermat::NAMED;
use sunzi_field::{AnyField, Digits, Field, GeneralizedFermat, TwoAdicField, with_field};
use sunzi_machine::InstructionSet;
use sunzi_testkit::{Random, on_threads, value_at};

/// Vectors that break carries: constant ones, and single elements.
fn edges<const K: usize>(field: &GeneralizedFermat<K>, len: usize) -> Vec<Vec<Digits<K>>> {
    let r = field.radix();
    let minus_one = field.neg(field.one());
    let constants = [field.zero(), field.one(), minus_one, Digits([r - 1; K])];
    let mut vectors: Vec<_> = constants.map(|x| vec![x; len]).into();
    for place in [0, 1, len / 2, len - 1] {
        let mut single = vec![field.zero(); len];
        single[place.min(len - 1)] = minus_one;
        vectors.push(single);
    }
    vectors
}

/// On every kernel of this processor, and with tables that are computed from.
fn contexts<const K: usize>(
    field: &GeneralizedFermat<K>,
    len: usize,
) -> Vec<DftContext<GeneralizedFermat<K>>> {
    let mut contexts = vec![];
    let mut add =
        |options| contexts.push(DftContext::over_big_prime_with(field, len, &options).unwrap());
    let fastest = BigPrimeOptions::default();
    for kernel in InstructionSet::ALL {
        if kernel.is_available() {
            add(BigPrimeOptions { kernel, ..fastest });
        } else {
            sunzi_testkit::skip(&format!("this processor has no {kernel}"));
        }
    }
    add(BigPrimeOptions {
        table_limit: 0,
        ..fastest
    });
    contexts
}

/// Against radix 2 with one element at a time, and against the definition at some or all values.
fn against_others(field: &AnyField, logs: std::ops::Range<u32>) {
    fn typed<const K: usize>(field: &GeneralizedFermat<K>, logs: std::ops::Range<u32>) {
        for log in logs {
            let len = 1 << log;
            let reference =
                DftContext::scalar(field, len, Convolution::Cyclic, Algorithm::CooleyTukey)
                    .unwrap();
            let omega = field.root_of_unity(log).unwrap();
            let x = Random::new(len as u64).digits(field.radix(), len);
            let mut expected = x.clone();
            reference.forward(&mut expected, Ordering::Natural).unwrap();
            let checked = if len * K <= 1 << 9 { len } else { 3 };
            for i in 0..checked {
                let j = i * 0x9e37_79b9 % len;
                assert_eq!(
                    value_at(field, &x, field.pow(omega, j as u64)),
                    expected[j],
                    "{K} {len} {j}"
                );
            }
            for context in contexts(field, len) {
                let mut found = x.clone();
                context.forward(&mut found, Ordering::Natural).unwrap();
                assert!(found == expected, "K = {K}, {len} points: {context}");
                context.inverse(&mut found, Ordering::Natural).unwrap();
                assert!(found == x, "K = {K}, {len} points, inverse: {context}");
                for x in edges(field, len) {
                    let (mut found, mut expected) = (x.clone(), x.clone());
                    context.forward(&mut found, Ordering::Natural).unwrap();
                    reference.forward(&mut expected, Ordering::Natural).unwrap();
                    assert!(found == expected, "K = {K}, {len} points, edges: {context}");
                    context.inverse(&mut found, Ordering::Natural).unwrap();
                    assert!(found == x, "K = {K}, {len} points, edges back: {context}");
                }
            }
        }
    }
    with_field!(field, field: GeneralizedFermat => typed(field, logs), _ => unreachable!());
}

#[test]
fn as_radix_two_and_as_the_definition() {
    for prime in NAMED {
        let logs = match prime.digits {
            ..=4 => 0..14,
            8 => 0..13,
            16 => 0..11,
            32 => 3..10,
            64 => 5..9,
            _ => 6..8,
        };
        let field = AnyField::generalized_fermat(prime.radix, prime.digits).unwrap();
        against_others(&field, logs);
    }
}

#[test]
fn radices_that_suit_no_vectors_and_256_digits() {
    // 10002 is even; 2^20 − 2·i until a prime comes.
    let prime = |log: u32, digits: usize, logs: std::ops::Range<u32>| {
        let mut fields =
            (1u64..).filter_map(|i| AnyField::generalized_fermat((1 << log) - 2 * i, digits).ok());
        against_others(&fields.next().unwrap(), logs);
    };
    prime(20, 4, 0..4);
    // Two-adicity 1 of the radix: 1/N takes a product for each factor 2.
    prime(58, 16, 0..9);
}

/// What must hold of the root that transforms use.
fn roots<const K: usize>(field: &GeneralizedFermat<K>) {
    for log in [1, 2, K.trailing_zeros() + 1, 10.max(K.trailing_zeros() + 2)] {
        let omega = field.root_of_unity(log).unwrap();
        let n = 1u64 << log;
        assert_eq!(field.pow(omega, n / 2), field.neg(field.one()));
        if n >= 2 * K as u64 {
            let r = field.mul_by_radix_power(field.one(), 1);
            assert_eq!(field.pow(omega, n / (2 * K as u64)), r);
        }
    }
}

#[test]
fn roots_are_those_of_the_convention() {
    for prime in NAMED {
        let field = AnyField::generalized_fermat(prime.radix, prime.digits).unwrap();
        with_field!(&field, field: GeneralizedFermat => roots(field), _ => unreachable!());
    }
}

fn p8() -> GeneralizedFermat<8> {
    GeneralizedFermat::new((1 << 59) + (1 << 57) + (1 << 39)).unwrap()
}

#[test]
fn orders_and_threads() {
    let field = p8();
    let len = 1 << 11;
    let context = DftContext::over_big_prime(&field, len).unwrap();
    let x = Random::new(len as u64).digits(field.radix(), len);
    let mut natural = x.clone();
    context.forward(&mut natural, Ordering::Natural).unwrap();
    let mut reversed = x.clone();
    context
        .forward(&mut reversed, Ordering::BitReversed)
        .unwrap();
    for (i, &value) in natural.iter().enumerate() {
        let place = i.reverse_bits() >> (usize::BITS - 11);
        assert_eq!(reversed[place], value);
    }
    context
        .inverse(&mut reversed, Ordering::BitReversed)
        .unwrap();
    assert!(reversed == x);
    for threads in [1, 2, 3, 5] {
        on_threads(threads, || {
            let mut found = x.clone();
            context.forward(&mut found, Ordering::Natural).unwrap();
            assert!(found == natural, "{threads} threads");
            context.inverse(&mut found, Ordering::Natural).unwrap();
            assert!(found == x, "{threads} threads");
        });
    }
}

#[test]
fn products_modulo_both_polynomials() {
    let field = p8();
    for len in [4, 64, 256] {
        let (a, b) = (
            Random::new(len as u64).digits(field.radix(), len),
            Random::new(2 * len as u64).digits(field.radix(), 2 * len),
        );
        let b = &b[len..];
        for (kind, sign) in [
            (Convolution::Cyclic, field.one()),
            (Convolution::Negacyclic, field.neg(field.one())),
        ] {
            let mut expected = vec![field.zero(); len];
            for (i, &x) in a.iter().enumerate() {
                for (j, &y) in b.iter().enumerate() {
                    let mut term = field.mul(x, y);
                    if i + j >= len {
                        term = field.mul(term, sign);
                    }
                    expected[(i + j) % len] = field.add(expected[(i + j) % len], term);
                }
            }
            let options = BigPrimeOptions {
                convolution: kind,
                ..BigPrimeOptions::default()
            };
            let context = DftContext::over_big_prime_with(&field, len, &options).unwrap();
            let mut found = vec![field.zero(); len];
            context.convolve(&mut found, &a, b).unwrap();
            assert!(found == expected, "{context}");
            // Transforms kept, and used twice.
            let (a, b) = (context.spectrum(&a).unwrap(), context.spectrum(b).unwrap());
            for _ in 0..2 {
                context.multiply_spectra(&mut found, &a, &b).unwrap();
                assert!(found == expected, "{context}");
            }
        }
    }
}

#[test]
fn steps_are_timed() {
    let field = p8();
    let context = DftContext::over_big_prime(&field, 1 << 10).unwrap();
    let x = Random::new(1).digits(field.radix(), 1 << 10);
    let mut found = x.clone();
    let times = context
        .transform_timed(&mut found, Direction::Forward)
        .unwrap();
    assert!(!times.permutation.is_zero() && !times.base_case.is_zero());
    assert!(!times.twiddle.is_zero() && times.total() > times.twiddle);
    context.inverse(&mut found, Ordering::Natural).unwrap();
    assert!(found == x);
    let scalar = DftContext::over_big_prime(&field, 8).unwrap();
    let times = scalar
        .transform_timed(&mut found[..8], Direction::Inverse)
        .unwrap();
    assert_eq!(times.total(), times.base_case);
}

#[test]
fn refusals_say_what_would_work() {
    let field = GeneralizedFermat::<4>::new((1 << 59) + (1 << 58) + (1 << 11)).unwrap(); // P4
    let too_long = DftContext::over_big_prime(&field, 1 << 45).unwrap_err();
    let expected = DftError::TooLong {
        len: 1 << 45,
        max: 1 << 44,
    };
    assert_eq!(too_long, expected);
    let error = DftContext::over_big_prime(&field, 100).unwrap_err();
    assert!(error.to_string().contains("zeros to 128"), "{error}");
    assert!(matches!(
        DftContext::over_big_prime(&field, 1 << 40),
        Err(DftError::OutOfMemory(_))
    ));
    // More bytes than a word counts.
    let (p8, len) = (p8(), 1 << 58);
    assert!(matches!(
        DftContext::over_big_prime(&p8, len),
        Err(DftError::OutOfMemory(_))
    ));
    let context = DftContext::over_big_prime(&field, 64).unwrap();
    let mut short = vec![field.zero(); 63];
    let shape = DftError::Shape {
        expected: 64,
        found: 63,
    };
    assert_eq!(context.forward(&mut short, Ordering::Natural), Err(shape));
}
