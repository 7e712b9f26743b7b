//! Digits in mixed radix.

use super::{integer, product};
use dashu_int::IBig;
use sunzi_field::lanes::LanesField;
use sunzi_field::primality::ntt_primes;
use sunzi_field::{Fp32, Fp50};
use sunzi_machine::InstructionSet;
use sunzi_rns::{MixedRadix, PRIMES_31, RadixTree};

fn prime<F: LanesField>(field: &F) -> u64 {
    field.modulus::<dashu_int::UBig>().try_into().unwrap()
}

fn fields(count: usize) -> Vec<Fp32> {
    let primes = PRIMES_31.ascending().take(count);
    primes
        .map(|prime| Fp32::new(prime as u32).unwrap())
        .collect()
}

fn residues<F: LanesField>(values: &[IBig], field: &F) -> Vec<F::Elem> {
    values
        .iter()
        .map(|value| field.from_integer(value))
        .collect()
}

/// Values of either sign up to an eighth of the product, more than a kernel takes at a time if `copies` is large.
fn values(modulus: &IBig, copies: usize) -> Vec<IBig> {
    let eighth = modulus / IBig::from(8);
    let offsets = [0, 1, 5, 1 << 30].into_iter();
    let values: Vec<IBig> = offsets
        .flat_map(|offset| [&eighth - IBig::from(offset), IBig::from(offset)])
        .flat_map(|value| [-value.clone(), value])
        .filter(|value| *value < eighth && -value < eighth)
        .collect();
    let count = copies * values.len();
    values.into_iter().cycle().take(count).collect()
}

fn check<F: LanesField<Elem: Default + Ord + Into<u64>>>(basis: &[F], others: &[F]) {
    for kernel in InstructionSet::ALL
        .into_iter()
        .filter(|kernel| kernel.is_available())
    {
        for copies in [1, 2, 11] {
            let basis = MixedRadix::with_kernel(basis.to_vec(), kernel);
            let modulus = basis.modulus::<IBig>();
            let values = values(&modulus, copies);
            let positive: Vec<IBig> = values
                .iter()
                .map(|value| {
                    if *value < IBig::ZERO {
                        value + &modulus
                    } else {
                        value.clone()
                    }
                })
                .collect();
            let images: Vec<_> = basis
                .fields()
                .iter()
                .map(|field| residues(&values, field))
                .collect();
            let digits = basis.digits(&images);
            for field in others {
                let extension = basis.extension(field);
                assert!(extension.signed(&digits) == residues(&values, field));
                assert!(extension.unsigned(&digits) == residues(&positive, field));
            }
            let primes: Vec<u64> = basis.fields().iter().map(prime).collect();
            let integers = RadixTree::new(&primes, product).integers(&digits, integer);
            assert_eq!(integers, positive);
            for (index, value) in positive.iter().enumerate() {
                let digits = digits.iter().map(|digits| digits[index].into());
                assert_eq!(basis.value::<IBig>(digits), *value);
            }
        }
    }
}

#[test]
fn digits_residues_and_integers() {
    let fields = fields(9);
    check(&fields[..4], &fields[4..]);
    check(&fields[5..], &fields[..5]);
    check(&fields[..1], &fields[1..]);
    let mut primes: Vec<u64> = ntt_primes(50, 32).take(5).collect();
    primes.reverse();
    let fields: Vec<Fp50> = primes
        .iter()
        .map(|&prime| Fp50::new(prime).unwrap())
        .collect();
    check(&fields[..3], &fields[3..]);
    check(&fields[2..], &fields[..2]);
}

#[test]
fn integers_of_many_digits() {
    for count in [0, 1, 2, 3, 19, 47, 48, 49, 100] {
        let fields = fields(count);
        let basis = MixedRadix::new(fields.clone());
        let primes: Vec<u64> = fields.iter().map(prime).collect();
        let tree = RadixTree::new(&primes, product);
        let modulus: IBig = tree.modulus();
        assert_eq!(modulus, basis.modulus());
        let values = [IBig::ZERO, &modulus / IBig::from(3), &modulus - IBig::ONE];
        let images: Vec<_> = fields
            .iter()
            .map(|field| residues(&values, field))
            .collect();
        let found = tree.integers(&basis.digits(&images), integer);
        let expected = if count == 0 { &[] } else { &values[..] };
        assert_eq!(found, expected, "{count}");
    }
}
