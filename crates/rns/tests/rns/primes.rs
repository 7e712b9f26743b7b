//! The primes that images are taken modulo.

use sunzi_field::primality::is_prime;
use sunzi_machine::simd::dispatch;
use sunzi_rns::WordPrimes;
use sunzi_rns::internals::{FIRST, PRIME_BITS, Proved, SMALL, WINDOW, primes_below};

#[test]
fn none_is_left_out() {
    for window in [1 << PRIME_BITS, 100 * WINDOW, 1 << 33] {
        let numbers = (0..window).rev().step_by(4);
        let by_definition = numbers.filter(|&n| is_prime(n));
        // More than two windows.
        let count = 1000;
        let primes = primes_below(window).take(count);
        assert!(primes.eq(by_definition.take(count)), "below {window}");
    }
    assert_eq!(primes_below(2 * WINDOW).last(), Some(WINDOW + 27));
}

#[test]
fn the_first_ones_are_those_that_are_found() {
    let found = primes_below(1 << PRIME_BITS).take(FIRST.len() + 100);
    assert!(WordPrimes::new().take(FIRST.len() + 100).eq(found));
}

#[test]
fn small_ones_sieve() {
    assert!((3..1024).step_by(2).filter(|&n| is_prime(n)).eq(SMALL));
}

#[test]
fn strong_pseudoprimes_are_no_primes() {
    // Strong pseudoprimes to base 2, to the first four, five and six primes; Carmichael numbers; primes.
    let numbers = vec![
        2047,
        3_215_031_751,
        2_152_302_898_747,
        3_474_749_660_383,
        8911,
        1_000_003,
        2_147_483_647,
    ];
    let expected: Vec<u64> = numbers.iter().copied().filter(|&n| is_prime(n)).collect();
    assert_eq!(dispatch(Proved(numbers)), expected);
}
