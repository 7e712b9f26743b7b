//! Products over prime fields against the definition.

use sunzi_field::{Fp32, Fp64};
use sunzi_poly::{Algorithm, PolyRing, WordField};
use sunzi_testkit::{Random, convolution_mod, edge_lengths, lengths_around};

const PRIMES_32: [u32; 7] = [3, 5, 65537, 469762049, 998244353, 1073741827, 2147483647];
const PRIMES_64: [u64; 5] = [
    3,
    (1 << 50) - 27,
    (1 << 60) - (1 << 18) + 1,
    (1 << 62) - 57,
    (1 << 63) - 25,
];

/// One product by every algorithm that can do it.
fn check<F: WordField>(ring: &PolyRing<F>, a: &[u64], b: &[u64]) {
    let field = ring.field();
    let prime = field.prime_word();
    let expected = convolution_mod(a, b, prime);
    let convert = |words: &[u64]| -> Vec<F::Elem> {
        words.iter().map(|&word| field.from_u64(word)).collect()
    };
    let (a, b) = (convert(a), convert(b));
    let mut out = convert(&vec![1; expected.len()]);
    ring.mul_slices(&mut out, &a, &b);
    let words: Vec<u64> = out.iter().map(|&element| field.to_word(element)).collect();
    assert_eq!(words, expected, "{} × {} mod {prime}", a.len(), b.len());
    for algorithm in Algorithm::ALL {
        let mut out = convert(&vec![1; expected.len()]);
        if ring.mul_slices_with(algorithm, &mut out, &a, &b).is_ok() {
            let words: Vec<u64> = out.iter().map(|&element| field.to_word(element)).collect();
            assert_eq!(
                words,
                expected,
                "{algorithm}: {} × {} mod {prime}",
                a.len(),
                b.len()
            );
        }
    }
}

fn check_field<F: WordField>(field: F) {
    let prime = field.prime_word();
    let ring = PolyRing::new(field);
    let mut random = Random::new(prime);
    let thresholds = ring.field().thresholds();
    let mut lengths = edge_lengths(140);
    lengths.extend([200, 255, 256, 257, 300]);
    for &len_a in &lengths {
        for &len_b in &lengths {
            let a = random.residues(len_a, prime);
            let b = random.residues(len_b, prime);
            check(&ring, &a, &b);
        }
        // The largest sums, and the smallest factors.
        let largest = vec![prime - 1; len_a];
        check(&ring, &largest, &largest);
        check(&ring, &largest, &[prime - 1]);
        check(&ring, &vec![0; len_a], &largest);
        check(&ring, &vec![1; len_a], &largest);
    }
    for threshold in [thresholds.karatsuba, thresholds.ntt, thresholds.crt_ntt] {
        for len_a in lengths_around(threshold) {
            for len_b in lengths_around(threshold) {
                let a = random.residues(len_a, prime);
                let b = random.residues(len_b, prime);
                check(&ring, &a, &b);
            }
        }
    }
}

#[test]
fn small_primes_of_every_width() {
    for prime in PRIMES_32 {
        check_field(Fp32::new(prime).unwrap());
    }
}

#[test]
fn large_primes_of_every_width() {
    for prime in PRIMES_64 {
        check_field(Fp64::new(prime).unwrap());
    }
}
