//! Searches for primes with sparse radix.

use sunzi_field::expression::parse;
use sunzi_field::generalized_fermat::{NAMED, PrimeSearch, recognize};
use sunzi_field::internals::{Sums, sums, value};
use sunzi_field::primality::is_prime;

/// The number of terms of the non-adjacent form: bits in which r and 3r differ.
fn weight(r: u64) -> u32 {
    (u128::from(r) ^ (3 * u128::from(r))).count_ones()
}

#[test]
fn all_sums_come_once_and_downward() {
    for (bits, least) in [(2, 1), (3, 1), (3, 2), (9, 1), (9, 3), (9, 8), (10, 1)] {
        for count in 1..=6 {
            let found: Vec<u64> = Sums::new(bits, least, count)
                .map(|sum| value(&sum))
                .collect();
            let expected: Vec<u64> = (1 << (bits - 1)..1 << bits)
                .rev()
                .filter(|&r: &u64| r.trailing_zeros() >= least && weight(r) == count as u32)
                .collect();
            assert_eq!(found, expected, "{bits} {least} {count}");
            assert_eq!(sums(bits, least, count), found.len() as u128);
        }
    }
}

#[test]
fn the_named_primes_are_found() {
    for prime in NAMED.into_iter().filter(|p| p.digits <= 8) {
        let bits = u64::BITS - prime.radix.leading_zeros();
        let adicity = prime.digits as u32 * prime.radix.trailing_zeros();
        let terms = weight(prime.radix) as usize;
        let search = PrimeSearch::new(prime.digits, bits, adicity, terms).unwrap();
        let found = search.primes().find(|found| found.radix == prime.radix);
        assert_eq!(found.unwrap().two_adicity(), adicity, "{}", prime.name);
    }
}

#[test]
fn small_primes_are_all_found() {
    let search = PrimeSearch::new(2, 10, 0, usize::MAX).unwrap();
    let mut found: Vec<u64> = search.primes().map(|prime| prime.radix).collect();
    found.sort_unstable();
    let expected: Vec<u64> = (1 << 9..1 << 10).filter(|r| is_prime(r * r + 1)).collect();
    assert_eq!(found, expected);
    // p itself is a prime of the sieve.
    let search = PrimeSearch::new(2, 3, 0, 3).unwrap();
    let found: Vec<String> = search.primes().map(|prime| prime.to_string()).collect();
    assert_eq!(found, ["(2^2)^2+1", "(2^3-2^1)^2+1"]);
}

#[test]
fn expressions_have_the_value() {
    let search = PrimeSearch::new(4, 64, 160, 3).unwrap();
    for prime in search.primes().take(3) {
        let found: dashu_int::UBig = parse(&prime.to_string()).unwrap();
        assert_eq!(recognize(&found), Some((prime.radix, prime.digits)));
    }
}

#[test]
fn impossible_searches_are_refused() {
    let refused = |digits, bits, adicity, terms| {
        PrimeSearch::new(digits, bits, adicity, terms)
            .unwrap_err()
            .to_string()
    };
    assert!(refused(3, 60, 0, 3).contains("k is 2, 4"));
    assert!(refused(512, 60, 0, 3).contains("k is 2, 4"));
    assert!(refused(8, 65, 0, 3).contains("2 to 64 bits"));
    assert!(refused(8, 1, 0, 3).contains("2 to 64 bits"));
    assert!(refused(8, 64, u32::MAX, 3).contains("at most 8·63 = 504"));
    assert!(refused(8, 64, 0, 0).contains("at least one"));
}
