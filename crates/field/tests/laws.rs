//! Every field against GMP, on edges crossed with each other and on random elements.

use dashu_int::{IBig, Sign, UBig};
use proptest::prelude::*;
use rug::Integer;
use rug::integer::Order;
use sunzi_field::{Digits, Field, FieldError, Fp32, Fp50, Fp64, GeneralizedFermat, TwoAdicField};
use sunzi_testkit::{Random, edge_residues, edge_words, lengths_around};

fn to_rug(value: &UBig) -> Integer {
    Integer::from_digits(value.as_words(), Order::Lsf)
}

/// One battery for every field.
fn battery<F: TwoAdicField>(field: &F, residues: &[u64]) {
    let prime = to_rug(&field.modulus());
    let value = |element: F::Elem| to_rug(&field.to_integer(element));
    let reduce = |value: Integer| {
        let (_, rest) = value.div_rem_euc(prime.clone());
        rest
    };
    let elements: Vec<F::Elem> = residues.iter().map(|&word| field.from_u64(word)).collect();
    for &a in &elements {
        assert!(field.is_canonical(a));
        assert_eq!(value(field.neg(a)), reduce(-value(a)));
        match field.inv(a) {
            Some(inverse) => assert_eq!(field.mul(a, inverse), field.one()),
            None => assert_eq!(a, field.zero()),
        }
        for &b in &elements {
            assert_eq!(value(field.add(a, b)), reduce(value(a) + value(b)));
            assert_eq!(value(field.sub(a, b)), reduce(value(a) - value(b)));
            assert_eq!(value(field.mul(a, b)), reduce(value(a) * value(b)));
        }
        for exponent in [0, 1, 2, 3, 64, u64::MAX] {
            let power = value(a).pow_mod(&Integer::from(exponent), &prime).unwrap();
            assert_eq!(value(field.pow(a, exponent)), power);
        }
    }
    for word in edge_words() {
        assert_eq!(value(field.from_u64(word)), reduce(Integer::from(word)));
        let signed = word as i64;
        assert_eq!(value(field.from_i64(signed)), reduce(Integer::from(signed)));
        let wide = IBig::from_parts(Sign::Negative, UBig::from_words(&[word, !word, word]));
        let expected = -Integer::from_digits(&[word, !word, word], Order::Lsf);
        assert_eq!(value(field.from_integer(&wide)), reduce(expected));
    }
    slices(field, &elements);
}

/// Slices do to every element what single operations do.
fn slices<F: Field>(field: &F, elements: &[F::Elem]) {
    let reversed: Vec<F::Elem> = elements.iter().rev().copied().collect();
    let pairs = || elements.iter().copied().zip(reversed.iter().copied());
    let changed = |change: &dyn Fn(&mut [F::Elem])| {
        let mut slice = elements.to_vec();
        change(&mut slice);
        slice
    };
    let sums = changed(&|x| field.add_assign_slice(x, &reversed));
    assert!(sums.into_iter().eq(pairs().map(|(x, y)| field.add(x, y))));
    let differences = changed(&|x| field.sub_assign_slice(x, &reversed));
    assert!(
        differences
            .into_iter()
            .eq(pairs().map(|(x, y)| field.sub(x, y)))
    );
    let products = changed(&|x| field.mul_assign_slice(x, &reversed));
    assert!(
        products
            .into_iter()
            .eq(pairs().map(|(x, y)| field.mul(x, y)))
    );
    let negatives = changed(&|x| field.neg_slice(x));
    assert!(
        negatives
            .into_iter()
            .eq(elements.iter().map(|&x| field.neg(x)))
    );
    let factor = elements[elements.len() - 1];
    let scaled = changed(&|x| field.scale_slice(x, factor));
    assert!(
        scaled
            .into_iter()
            .eq(elements.iter().map(|&x| field.mul(x, factor)))
    );
    let mut combined = elements.to_vec();
    let terms = [(factor, elements), (elements[0], &reversed)];
    field.combine_slices(&mut combined, terms);
    let combination = |x, y| field.add(field.mul(factor, x), field.mul(elements[0], y));
    assert!(
        combined
            .into_iter()
            .eq(pairs().map(|(x, y)| combination(x, y)))
    );
    let mut values = elements.to_vec();
    for coefficients in [&[], &reversed[..1], &reversed[..]] {
        field.evaluate_slice(&mut values, coefficients, elements);
        let value = |x| {
            let steps = coefficients.iter().rev();
            steps.fold(field.zero(), |value, &c| field.add(field.mul(value, x), c))
        };
        assert!(
            values
                .iter()
                .copied()
                .eq(elements.iter().map(|&x| value(x)))
        );
    }

    let mut units: Vec<F::Elem> = elements.to_vec();
    units.retain(|&x| x != field.zero());
    let mut inverses = units.clone();
    field.batch_inv(&mut inverses).unwrap();
    assert!(
        inverses
            .into_iter()
            .eq(units.iter().map(|&x| field.inv(x).unwrap()))
    );
    let mut with_zero = units.clone();
    with_zero.push(field.zero());
    let before = with_zero.clone();
    let index = units.len();
    assert_eq!(
        field.batch_inv(&mut with_zero),
        Err(FieldError::ZeroInverse { index })
    );
    assert_eq!(with_zero, before);
    field.batch_inv(&mut []).unwrap();
}

#[test]
fn fields_of_31_bits() {
    for prime in [3, 5, 257, 469762049, 2130706433, 2147483647] {
        battery(&Fp32::new(prime).unwrap(), &edge_residues(u64::from(prime)));
    }
}

#[test]
fn fields_of_50_bits() {
    for prime in [3, 469762049, (1 << 50) - 27] {
        battery(&Fp50::new(prime).unwrap(), &edge_residues(prime));
    }
}

#[test]
fn fields_of_63_bits() {
    for prime in [3, (1 << 60) - (1 << 18) + 1, (1 << 62) - 57, (1 << 63) - 25] {
        battery(&Fp64::new(prime).unwrap(), &edge_residues(prime));
    }
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
            slices(&field, &(0..len).map(element).collect::<Vec<_>>());
        }
    }
    check::<2>((1 << 63) + (1 << 53));
    check::<4>(6);
    check::<8>((1 << 59) + (1 << 57) + (1 << 39));
    check::<16>((1 << 58) + (1 << 55) + (1 << 45));
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

proptest! {
    #[test]
    fn random_elements(words in prop::collection::vec(any::<u64>(), 1..40)) {
        for prime in [469762049, 2147483647] {
            battery(&Fp32::new(prime).unwrap(), &words);
        }
        for prime in [469762049, (1 << 50) - 27] {
            battery(&Fp50::new(prime).unwrap(), &words);
        }
        for prime in [(1 << 60) - (1 << 18) + 1, (1 << 63) - 25] {
            battery(&Fp64::new(prime).unwrap(), &words);
        }
    }
}
