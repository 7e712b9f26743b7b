//! Primes that images are taken modulo.

use sunzi_field::primality::ntt_primes;
use sunzi_poly::internals::{
    COUNTS, FIRST, FIRST_ADICITY, LIMIT, PRIME_BITS, pool, primes, searched,
};

#[test]
fn the_first_primes_are_those_that_are_found() {
    let count = FIRST.len() + 5;
    for two_adicity in [4, FIRST_ADICITY, FIRST_ADICITY + 1] {
        let found = primes(two_adicity, 29.99 * count as f64).unwrap();
        assert!(found.len() > FIRST.len());
        assert!(
            searched(two_adicity)
                .take(found.len())
                .eq(found.iter().copied())
        );
        assert!(found.iter().all(|prime| prime % (1 << two_adicity) == 1));
    }
}

#[test]
fn primes_to_draw_from_are_counted() {
    for two_adicity in 12..=24 {
        let primes = ntt_primes(PRIME_BITS, two_adicity);
        let count = primes.take_while(|&p| p > LIMIT / 2).count();
        assert_eq!(pool(two_adicity).unwrap().count(), count as u64);
    }
    // Those of even fewer factors 2: about half as many of each class as of the one before.
    assert!(
        COUNTS[..12]
            .windows(2)
            .all(|pair| pair[0].abs_diff(2 * pair[1]) < pair[0] / 100)
    );
    assert_eq!(pool(25), None);
}

#[test]
fn every_prime_comes_once_those_with_roots_first() {
    let two_adicity = 20;
    let with_roots: Vec<u64> = ntt_primes(PRIME_BITS, two_adicity).collect();
    let mut found: Vec<u64> = searched(two_adicity)
        .take(with_roots.len() + 1000)
        .collect();
    assert_eq!(found[..with_roots.len()], with_roots);
    found.sort_unstable();
    assert!(found.is_sorted_by(|a, b| a < b));
}
