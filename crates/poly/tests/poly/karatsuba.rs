//! Karatsuba's products.

use sunzi_field::Fp64;
use sunzi_poly::internals::Karatsuba;
use sunzi_testkit::{Random, convolution_mod};

#[test]
fn every_small_pair_of_lengths_and_base() {
    let prime = (1 << 63) - 25;
    let field = &Fp64::new(prime).unwrap();
    let mut random = Random::new(1);
    for base_len in [1, 2, 3, 5, 8] {
        let karatsuba = Karatsuba {
            field,
            base_case: |out: &mut [u64], a: &[u64], b: &[u64]| {
                out.copy_from_slice(&convolution_mod(a, b, prime));
            },
            base_len,
        };
        for len_a in 1..26 {
            for len_b in 1..26 {
                let a = random.residues(len_a, prime);
                let b = random.residues(len_b, prime);
                let mut out = vec![1; len_a + len_b - 1];
                karatsuba.multiply(&mut out, &a, &b);
                assert_eq!(out, convolution_mod(&a, &b, prime), "{len_a} × {len_b}");
            }
        }
    }
}
