//! What the tests of transforms share: fields of every kind, edge inputs, answers by definition.

use sunzi_dft::TransformField;
use sunzi_field::primality::ntt_primes;
use sunzi_field::{Field, Fp32, Fp50, Fp64};
use sunzi_testkit::Random;

/// Calls a generic function with a field of every kind and size.
#[macro_export]
macro_rules! with_fields {
    ($check:ident $(, $argument:expr)*) => {
        for field in $crate::support::fields32() {
            $check(&field $(, $argument)*);
        }
        for field in $crate::support::fields50() {
            $check(&field $(, $argument)*);
        }
        for field in $crate::support::fields64() {
            $check(&field $(, $argument)*);
        }
    };
}

/// Primes of 31, 29, few bits, with long and short transforms.
pub fn fields32() -> Vec<Fp32> {
    let primes = [
        469_762_049,
        2_013_265_921,
        2_147_473_409,
        12_289,
        257,
        17,
        3,
    ];
    primes.map(|p| Fp32::new(p).unwrap()).to_vec()
}

/// The greatest prime below 2^50 that has transforms, and a small one.
pub fn fields50() -> Vec<Fp50> {
    let top = ntt_primes(50, 24).next().unwrap();
    [top, 469_762_049, 193]
        .map(|p| Fp50::new(p).unwrap())
        .to_vec()
}

/// The prime 2^60 − 2^18 + 1, the greatest ones of 61 to 63 bits and the greatest of 62 bits that
/// has vector kernels, small ones.
pub fn fields64() -> Vec<Fp64> {
    let mut primes = vec![(1 << 60) - (1 << 18) + 1, 4_611_686_018_326_724_609, 97];
    primes.extend(ntt_primes(62, 20).find(|&p| p < (1 << 62) - (1 << 31)));
    primes.extend([61, 62, 63].map(|bits| ntt_primes(bits, 20).next().unwrap()));
    primes.into_iter().map(|p| Fp64::new(p).unwrap()).collect()
}

/// The prime as a word.
pub fn prime<F: Field>(field: &F) -> u64 {
    field.modulus::<dashu_int::UBig>().try_into().unwrap()
}

/// Inputs of `len` elements at which reductions go wrong: each edge element everywhere, at either
/// end alone, alternating with each other one; and a random one.
pub fn inputs<F: TransformField>(field: &F, len: usize) -> Vec<Vec<F::Elem>> {
    let p = prime(field);
    let edges = [0, 1, p - 1, p - 2].map(|word| field.from_word(word));
    let mut inputs = vec![Random::new(len as u64).elements(field, len)];
    for a in edges {
        for b in edges {
            inputs.push((0..len).map(|i| if i % 2 == 0 { a } else { b }).collect());
        }
        for at in [0, len - 1] {
            let mut unit = vec![field.zero(); len];
            unit[at] = a;
            inputs.push(unit);
        }
    }
    inputs
}
