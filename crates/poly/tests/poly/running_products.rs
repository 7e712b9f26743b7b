//! Products of all before, and their inverses.

use sunzi_dft::internals::BYTES_FOR_THREADS;
use sunzi_field::{Field, Fp32, Fp64};
use sunzi_poly::internals::products_and_inverses;
use sunzi_testkit::{Random, lengths_around, on_every_thread_count};

#[test]
fn products_and_inverses_are_those_of_the_definition() {
    let field = Fp64::new((1 << 63) - 25).unwrap();
    let mut random = Random::new(1);
    for len in [0, 1, 2, 7, 8, 9, 15, 16, 17, 1023, 1024, 1025, 1040, 3000] {
        let factors: Vec<u64> = (0..len).map(|_| 1 + random.below((1 << 62) - 1)).collect();
        let [products, inverses] = products_and_inverses(&field, factors.clone()).unwrap();
        let mut product = 1;
        for i in 0..len {
            product = field.mul(product, factors[i]);
            assert_eq!(products[i], product, "{len}, {i}");
            assert_eq!(field.mul(inverses[i], product), 1, "{len}, {i}");
        }
    }
}

/// Chunks are shared from 2^17 bytes on.
#[test]
fn the_same_on_every_number_of_threads() {
    let field = Fp64::new((1 << 63) - 25).unwrap();
    for len in lengths_around(BYTES_FOR_THREADS / 8) {
        let factors: Vec<u64> = (0..len as u64).map(|i| field.prime() - 1 - i % 3).collect();
        on_every_thread_count(|threads| {
            let found = products_and_inverses(&field, factors.clone()).unwrap();
            let [products, inverses] = found;
            let mut product = 1;
            for i in 0..len {
                product = field.mul(product, factors[i]);
                assert_eq!(products[i], product, "{len}, {i}, {threads} threads");
                assert_eq!(
                    field.mul(inverses[i], product),
                    1,
                    "{len}, {i}, {threads} threads"
                );
            }
        });
    }
}

#[test]
fn zeros_have_no_inverse() {
    let field = Fp32::new(7).unwrap();
    assert!(products_and_inverses(&field, vec![3, 0, 2]).is_none());
    assert!(products_and_inverses(&field, vec![0]).is_none());
}
