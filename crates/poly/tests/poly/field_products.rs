//! Products over prime fields against the definition.

use sunzi_field::{Fp32, Fp64};
use sunzi_poly::{Algorithm, CoefficientField, PolyRing};
use sunzi_testkit::{Random, convolution_mod, edge_lengths, lengths_around};

const PRIMES_32: [u32; 7] = [3, 5, 65537, 469762049, 998244353, 1073741827, 2147483647];
const PRIMES_64: [u64; 5] = [
    3,
    (1 << 50) - 27,
    (1 << 60) - (1 << 18) + 1,
    (1 << 62) - 57,
    (1 << 63) - 25,
];

fn prime_of<F: CoefficientField>(field: &F) -> u64 {
    u64::try_from(&field.modulus::<sunzi_integer::Natural>()).unwrap()
}

/// The lengths from which another algorithm runs than before, over a field with transforms and one without.
fn thresholds<F: CoefficientField>(fields: [F; 2]) -> Vec<usize> {
    let of_field = |field: F| {
        let ring = PolyRing::new(field);
        let algorithm = |len| ring.plan(len, len).algorithm;
        let changes = (2..1000).filter(|&len| algorithm(len) != algorithm(len - 1));
        changes.collect::<Vec<_>>()
    };
    let found = fields.map(of_field).concat();
    assert_eq!(
        found.len(),
        3,
        "for transforms, for Karatsuba, for several primes"
    );
    found
}

/// One product by every algorithm that can do it.
fn check<F: CoefficientField<Elem: Into<u64>>>(ring: &PolyRing<F>, a: &[u64], b: &[u64]) {
    let field = ring.field();
    let prime = prime_of(field);
    let expected = convolution_mod(a, b, prime);
    let convert = |words: &[u64]| -> Vec<F::Elem> {
        words.iter().map(|&word| field.from_u64(word)).collect()
    };
    let (a, b) = (convert(a), convert(b));
    let mut out = convert(&vec![1; expected.len()]);
    ring.mul_slices(&mut out, &a, &b);
    let words: Vec<u64> = out.iter().map(|&element| element.into()).collect();
    assert_eq!(words, expected, "{} × {} mod {prime}", a.len(), b.len());
    for algorithm in Algorithm::ALL {
        let mut out = convert(&vec![1; expected.len()]);
        if ring.mul_slices_with(algorithm, &mut out, &a, &b).is_ok() {
            let words: Vec<u64> = out.iter().map(|&element| element.into()).collect();
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

fn check_field<F: CoefficientField<Elem: Into<u64>>>(field: F, thresholds: &[usize]) {
    let prime = prime_of(&field);
    let ring = PolyRing::new(field);
    let mut random = Random::new(prime);
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
    for &threshold in thresholds {
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
    let thresholds = thresholds([469762049, 2147483647].map(|prime| Fp32::new(prime).unwrap()));
    for prime in PRIMES_32 {
        check_field(Fp32::new(prime).unwrap(), &thresholds);
    }
}

#[test]
fn large_primes_of_every_width() {
    let thresholds =
        thresholds([PRIMES_64[2], PRIMES_64[3]].map(|prime| Fp64::new(prime).unwrap()));
    for prime in PRIMES_64 {
        check_field(Fp64::new(prime).unwrap(), &thresholds);
    }
}
