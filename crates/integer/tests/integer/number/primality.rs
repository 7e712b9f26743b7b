//! Primes against GMP's test, numbers that single tests take for primes, and Mersenne's numbers.

use super::natural;
use rug::Integer as Gmp;
use rug::integer::IsPrime;
use sunzi_integer::{Integer, Natural};
use sunzi_testkit::Random;

/// What GMP says, by 25 rounds.
fn is_prime(n: &Gmp) -> bool {
    n.is_probably_prime(25) != IsPrime::No
}

fn check(n: &Gmp) {
    assert_eq!(natural(n).is_prime(), is_prime(n), "{n}");
}

#[test]
fn numbers_around_words_and_random_ones_of_all_lengths() {
    for n in 0u32..3000 {
        check(&Gmp::from(n));
    }
    let mut random = Random::new(8);
    for bits in [16u32, 31, 32, 63, 64, 65, 127, 128, 129, 200, 256, 300] {
        for d in -60..60 {
            check(&((Gmp::from(1) << bits) + d));
        }
        // Odd, so that one in 0.35 bits is prime.
        for _ in 0..150 {
            let words: Vec<u64> = random.words(bits as usize / 64 + 1);
            let n = Gmp::from_digits(&words, rug::integer::Order::Lsf).keep_bits(bits);
            check(&(n | 1u32));
        }
    }
}

#[test]
fn exponents_of_mersennes_primes() {
    let exponents =
        (2..700u32).filter(|&exponent| ((Natural::ONE << exponent as usize) - 1u32).is_prime());
    assert_eq!(
        exponents.collect::<Vec<_>>(),
        [2, 3, 5, 7, 13, 17, 19, 31, 61, 89, 107, 127, 521, 607]
    );
}

/// Products of two primes p and k·(p − 1) + 1 pass the strong test to base 2 now and then, and Carmichael's numbers
/// (6m + 1)·(12m + 1)·(18m + 1), of three primes, P. Fermat's test to all bases.
#[test]
fn numbers_that_single_tests_take_for_primes() {
    let mut random = Random::new(9);
    let mut found = [0; 2];
    while found[0] < 40 || found[1] < 3 {
        let m = Gmp::from(random.word() >> 34);
        let p: Gmp = Gmp::from(&m * 64) | 1u32;
        for k in [2u32, 3, 4] {
            let q: Gmp = (p.clone() - 1u32) * k + 1u32;
            if is_prime(&p) && is_prime(&q) {
                assert!(!natural(&(q * &p)).is_prime());
                found[0] += 1;
            }
        }
        let factors = [6u32, 12, 18].map(|k| Gmp::from(&m * k) + 1u32);
        if factors.iter().all(is_prime) {
            assert!(!natural(&factors.iter().product()).is_prime());
            found[1] += 1;
        }
    }
    // F. Arnault's number of 1995, which passes the strong test to all prime bases below 307.
    let p: Gmp = "29674495668685510550154174642905332730771991799853043350995075531276838753171770199594238596428121188033664754218345562493168782883".parse().unwrap();
    let arnault = p.clone() * (313 * (p.clone() - 1u32) + 1u32) * (353 * (p - 1u32) + 1u32);
    assert!(!natural(&arnault).is_prime());
}

#[test]
fn next_primes() {
    let mut random = Random::new(10);
    let check = |n: &Gmp| {
        assert_eq!(
            Gmp::from(&natural(n).next_prime()),
            n.clone().next_prime(),
            "{n}"
        );
    };
    (0u32..400).for_each(|n| check(&n.into()));
    for bits in [31u32, 32, 62, 63, 64, 65, 127, 128, 200] {
        for d in [-3, -2, -1, 0, 1, 2] {
            check(&((Gmp::from(1) << bits) + d));
        }
        let high = Gmp::from(1) << bits;
        check(&(high + random.word()));
    }
    for n in [-7, -1, 0, 1] {
        assert_eq!(Integer::from(n).next_prime(), 2);
    }
}
