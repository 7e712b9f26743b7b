//! Every type of field against the battery of laws, and moduli that make no field.

use dashu_int::UBig;
use proptest::prelude::*;
use sunzi_field::generalized_fermat::NAMED;
use sunzi_field::{
    AnyField, Digits, Field, FieldError, Fp32, Fp50, Fp64, Fp64Full, GeneralizedFermat,
};
use sunzi_testkit::{
    Random, WidePrime, any_field_laws, edge_residues, field_laws, field_laws_on, lengths_around,
};

#[test]
fn fields_of_31_bits() {
    for prime in [3, 5, 257, 469762049, 2130706433, 2147483647] {
        let edges = edge_residues(u64::from(prime)).into_iter();
        let edges: Vec<u32> = edges.map(|residue| residue as u32).collect();
        field_laws(&Fp32::new(prime).unwrap(), &edges);
    }
}

#[test]
fn fields_of_50_bits() {
    for prime in [3, 469762049, (1 << 50) - 27] {
        field_laws(&Fp50::new(prime).unwrap(), &edge_residues(prime));
    }
}

#[test]
fn fields_of_63_bits() {
    for prime in [3, (1 << 60) - (1 << 18) + 1, (1 << 62) - 57, (1 << 63) - 25] {
        field_laws(&Fp64::new(prime).unwrap(), &edge_residues(prime));
    }
}

#[test]
fn fields_of_64_bits() {
    for prime in [
        3,
        (1 << 63) - 25,
        (1 << 63) + 29,
        u64::MAX - 58,
        u64::MAX - (1 << 32) + 2,
    ] {
        let mut edges = edge_residues(prime);
        edges.extend([1 << 32, 1 << 63].map(|edge| edge % prime));
        field_laws(&Fp64Full::new(prime).unwrap(), &edges);
        any_field_laws(&AnyField::modulo_word(prime).unwrap());
    }
}

#[test]
fn a_field_that_says_no_more_than_it_must() {
    field_laws(&WidePrime, &[[0, 1], [u64::MAX, 0], [0, 1 << 62]]);
}

/// Elements full of r − 1 and of 1, whose carries go far, and one with a random digit in each place.
fn edges<const K: usize>(field: &GeneralizedFermat<K>, random: &mut Random) -> Vec<Digits<K>> {
    let radix = field.radix();
    vec![
        Digits([radix - 1; K]),
        Digits([1; K]),
        Digits([radix / 2; K]),
        field.mul_by_radix_power(field.one(), K - 1),
        Digits(std::array::from_fn(|_| random.below(radix))),
    ]
}

#[test]
fn big_primes() {
    fn check<const K: usize>(radix: u64) {
        let field = GeneralizedFermat::<K>::new(radix).unwrap();
        field_laws(&field, &edges(&field, &mut Random::new(radix)));
    }
    // The smallest radices, of which 2 makes fields of a word, and those with names.
    check::<2>(2);
    check::<2>((1 << 63) + (1 << 53));
    check::<4>(2);
    check::<4>(6);
    check::<4>((1 << 59) + (1 << 58) + (1 << 11));
    check::<8>(2);
    check::<8>((1 << 59) + (1 << 57) + (1 << 39));
    check::<16>(2);
    check::<16>((1 << 58) + (1 << 55) + (1 << 45));
    check::<32>(30);
    check::<64>(102);
    check::<128>(120);
    check::<256>(278);
}

#[test]
fn slices_of_big_primes() {
    fn check<const K: usize>(radix: u64) {
        let field = GeneralizedFermat::<K>::new(radix).unwrap();
        let mut random = Random::new(radix);
        for len in lengths_around(16).into_iter().chain([1, 8, 50]) {
            let element = |i: usize| match i % 5 {
                0 => field.from_i64(-1),
                1 => Digits([radix - 1; K]),
                2 => field.from_u64(i as u64 / 4),
                _ => Digits(std::array::from_fn(|_| random.below(radix))),
            };
            field_laws_on(&field, &(0..len).map(element).collect::<Vec<_>>());
        }
    }
    check::<2>((1 << 63) + (1 << 53));
    check::<4>(6);
    check::<8>((1 << 59) + (1 << 57) + (1 << 39));
    check::<16>((1 << 58) + (1 << 55) + (1 << 45));
}

#[test]
fn fields_found_at_run_time() {
    for prime in [3, 101, (1 << 31) - 1, (1 << 31) + 11, (1 << 61) - 1] {
        any_field_laws(&AnyField::modulo_word(prime).unwrap());
    }
    for prime in NAMED.iter().filter(|prime| prime.digits <= 16) {
        any_field_laws(&AnyField::generalized_fermat(prime.radix, prime.digits).unwrap());
    }
    any_field_laws(&AnyField::generalized_fermat(10, 2).unwrap());
}

#[test]
fn moduli_that_are_no_odd_primes_of_the_size_are_refused_with_a_reason() {
    let message = Fp64::new(91).unwrap_err().to_string();
    assert!(message.contains("91") && message.contains('7'), "{message}");
    assert!(Fp64::new(1 << 40).unwrap_err().to_string().contains("even"));
    assert!(matches!(
        Fp50::new((1 << 60) - (1 << 18) + 1),
        Err(FieldError::TooLarge { .. })
    ));
    assert!(matches!(
        Fp64::new(u64::MAX),
        Err(FieldError::TooLarge { .. })
    ));
    assert!(matches!(
        Fp32::new(u32::MAX),
        Err(FieldError::TooLarge { .. })
    ));
    assert!(matches!(Fp32::new(1), Err(FieldError::TooSmall { .. })));
    assert!(matches!(Fp32::new(2), Err(FieldError::Even { .. })));
}

/// Words as elements, and the laws on those.
fn check<F: Field>(field: &F, words: &[u64]) {
    let elements: Vec<F::Elem> = words.iter().map(|&word| field.from_u64(word)).collect();
    for (&word, &element) in words.iter().zip(&elements) {
        assert_eq!(
            field.to_integer::<UBig>(element),
            UBig::from(word) % field.modulus::<dashu_int::UBig>()
        );
    }
    field_laws_on(field, &elements);
}

proptest! {
    #[test]
    fn random_elements(words in prop::collection::vec(any::<u64>(), 1..40)) {
        for prime in [469762049, 2147483647] {
            check(&Fp32::new(prime).unwrap(), &words);
        }
        for prime in [469762049, (1 << 50) - 27] {
            check(&Fp50::new(prime).unwrap(), &words);
        }
        for prime in [(1 << 60) - (1 << 18) + 1, (1 << 63) - 25] {
            check(&Fp64::new(prime).unwrap(), &words);
        }
    }
}
