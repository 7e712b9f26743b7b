//! Primality, factors, and the search for primes with transforms.

use sunzi_field::primality::{factor, is_prime, ntt_primes};
use sunzi_field::{FieldError, Fp32, Fp64};

#[test]
fn agrees_with_a_sieve() {
    let limit = 20_000usize;
    let mut composite = vec![false; limit];
    for i in 2..limit {
        if !composite[i] {
            for multiple in (i * i..limit).step_by(i) {
                composite[multiple] = true;
            }
        }
    }
    for (n, &composite) in composite.iter().enumerate() {
        assert_eq!(is_prime(n as u64), n >= 2 && !composite, "{n}");
    }
}

#[test]
fn hard_composites_are_recognized_and_split() {
    // Strong pseudoprimes to many bases, Carmichael numbers, squares of primes, the ends.
    let composites = [
        2047,
        561,
        3215031751,
        2152302898747,
        341550071728321,
        3825123056546413051,
        4294967291 * 4294967279,
        4294967291 * 4294967291,
        u64::MAX,
        (1 << 62) - 1,
    ];
    for n in composites {
        assert!(!is_prime(n), "{n}");
        let factors = factor(n);
        let product: u128 = factors.iter().map(|&(p, e)| u128::from(p).pow(e)).product();
        assert_eq!(product, u128::from(n));
        assert!(factors.iter().all(|&(p, _)| is_prime(p)), "{factors:?}");
        assert!(factors.is_sorted());
    }
}

#[test]
fn no_ntt_primes_below_the_least_bound() {
    for two_adicity in [0, 1, 63, 64, u32::MAX] {
        for bits in [0, 1] {
            assert_eq!(ntt_primes(bits, two_adicity).next(), None);
        }
    }
    assert_eq!(ntt_primes(2, 0).collect::<Vec<_>>(), [3, 2]);
}

#[test]
fn extreme_primes() {
    for p in [
        2,
        3,
        37,
        41,
        18446744073709551557,
        9223372036854775783,
        2147483647,
    ] {
        assert!(is_prime(p), "{p}");
        assert_eq!(factor(p), [(p, 1)]);
        let refused = Fp64::new(p);
        assert!(!matches!(refused, Err(FieldError::Composite { .. })), "{p}");
    }
    assert!(factor(0).is_empty() && factor(1).is_empty());
}

#[test]
fn search_descends_and_has_the_congruence() {
    let primes: Vec<u64> = ntt_primes(50, 32).take(5).collect();
    assert_eq!(primes.len(), 5);
    assert!(primes.is_sorted_by(|a, b| a > b));
    assert!(primes.iter().all(|&p| p < 1 << 50 && p % (1 << 32) == 1));
    assert_eq!(ntt_primes(64, 32).next(), Some(18446744069414584321));
    assert_eq!(
        ntt_primes(5, 0).collect::<Vec<_>>(),
        [31, 29, 23, 19, 17, 13, 11, 7, 5, 3, 2]
    );
    assert_eq!(ntt_primes(3, 64).next(), None);
}

#[test]
fn moduli_that_are_no_odd_primes_are_refused_with_a_reason() {
    let fp32 = |modulus| Fp32::new(modulus).map(|field| field.prime());
    assert_eq!(fp32(0), Err(FieldError::TooSmall { modulus: 0 }));
    assert_eq!(fp32(1), Err(FieldError::TooSmall { modulus: 1 }));
    assert_eq!(fp32(2), Err(FieldError::Even { modulus: 2 }));
    assert_eq!(fp32(3), Ok(3));
    let (modulus, factor) = (2047, 23);
    let composite = FieldError::Composite { modulus, factor };
    assert_eq!(fp32(2047), Err(composite));
    let (modulus, bits) = ((1 << 31) + 11, 31);
    let too_large = FieldError::TooLarge { modulus, bits };
    assert_eq!(fp32(modulus as u32), Err(too_large));
    assert_eq!(fp32((1 << 31) - 1), Ok((1 << 31) - 1));
    let greatest = (1 << 63) - 25;
    assert_eq!(Fp64::new(greatest).unwrap().prime(), greatest);
}
