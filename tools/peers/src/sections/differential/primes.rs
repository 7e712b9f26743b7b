//! Primality, factors, lists of primes and searches for them, against FLINT and GMP.

use flint3_sys as sys;
use rug::Integer;
use rug::integer::IsPrime;
use rug::ops::Pow;
use sunzi_field::generalized_fermat::{self, DIGITS, PrimeSearch};
use sunzi_field::primality;
use sunzi_integer::Natural;

use super::operation::Operation;
use super::trial::Trial;

pub fn operations() -> Vec<Operation> {
    vec![
        Operation::alone("is-prime", "FLINT and GMP", is_prime),
        Operation::alone("factor", "FLINT", factor),
        Operation::alone("ntt-primes", "FLINT", transform_primes),
        Operation::alone("prime-search", "GMP", search),
        Operation::alone("prime-names", "GMP", names),
    ]
}

fn is_prime_by_flint(n: u64) -> bool {
    // SAFETY: takes any word.
    unsafe { sys::n_is_prime(n) != 0 }
}

/// Words of every length, and numbers that look prime to some.
fn candidate(trial: &mut Trial) -> u64 {
    /// Strong pseudoprimes to several of the first bases.
    const PSEUDOPRIMES: [u64; 6] = [
        2047,
        1_373_653,
        25_326_001,
        3_215_031_751,
        341_550_071_728_321,
        3_825_123_056_546_413_051,
    ];
    let word = trial.limbs(1)[0];
    match trial.below(8) {
        0 => word >> trial.below(64),
        1 => *trial.pick(&PSEUDOPRIMES),
        // A prime times another near it or near its double.
        2 => {
            let next = |from: u64| Integer::from(from).next_prime().to_u64().unwrap_or(3);
            let p = next(word >> 33);
            p.saturating_mul(next(p * (1 + trial.random.below(2))))
        }
        _ => (word >> trial.below(64)) | 1,
    }
}

fn is_prime(trial: &mut Trial) {
    for _ in 0..8 {
        let n = candidate(trial);
        let ours = primality::is_prime(n);
        trial.compare_one(&format!("{n}"), ours, is_prime_by_flint(n));
        let theirs = Integer::from(n).is_probably_prime(30) != IsPrime::No;
        trial.compare_one(&format!("{n}, by GMP"), ours, theirs);
    }
}

fn factor(trial: &mut Trial) {
    // Long words take long.
    let shift = if trial.below(8) == 0 { 0 } else { 32 };
    let n = (candidate(trial) >> shift).max(1);
    let mut factors = sys::n_factor_t::default();
    // SAFETY: a valid place for the answer, which holds no more factors than a word has.
    unsafe { sys::n_factor(&mut factors, n, 1) };
    let count = usize::try_from(factors.num).expect("not negative");
    let mut theirs: Vec<(u64, u32)> = (0..count)
        .map(|i| (factors.p[i], factors.exp[i] as u32))
        .collect();
    theirs.sort_unstable();
    let mut ours = primality::factor(n);
    ours.sort_unstable();
    trial.compare(&format!("factors of {n}"), &ours, &theirs);
}

/// The primes next below a power of two with long transforms: all of them, and nothing else.
fn transform_primes(trial: &mut Trial) {
    let adicity = trial.below(40) as u32;
    let bits = adicity + 2 + trial.below((64 - adicity as usize - 1).min(24)) as u32;
    let ours: Vec<u64> = primality::ntt_primes(bits, adicity).take(8).collect();
    let greatest = ((1u128 << bits) - 2) >> adicity;
    let candidates = (1..=greatest as u64).rev().map(|c| (c << adicity) + 1);
    let theirs: Vec<u64> = candidates
        .filter(|&n| is_prime_by_flint(n))
        .take(8)
        .collect();
    trial.compare(&format!("{bits} bits, 2^{adicity}"), &ours, &theirs);
}

/// The terms of the non-adjacent form: bits in which r and 3r differ.
fn terms(radix: u64) -> u32 {
    (u128::from(radix) ^ (3 * u128::from(radix))).count_ones()
}

fn value(radix: u64, digits: usize) -> Integer {
    Integer::from(radix).pow(digits as u32) + 1u32
}

/// Every radix of a few bits, with the fewest terms first and then the greatest.
fn search(trial: &mut Trial) {
    let digits = *trial.pick(&DIGITS[..5]);
    let bits = 2 + trial.below(if digits < 8 { 10 } else { 7 }) as u32;
    let least = 1 + trial.below(bits as usize - 1) as u32;
    let most = 1 + trial.below(4);
    let search = PrimeSearch::new(digits, bits, least * digits as u32, most);
    let Some(search) = trial.expect("search", search) else {
        return;
    };
    let ours: Vec<u64> = search.primes().map(|prime| prime.radix).collect();
    let mut theirs: Vec<u64> = (1u64 << (bits - 1)..1 << bits)
        .filter(|&r| r.trailing_zeros() >= least && terms(r) as usize <= most)
        .filter(|&r| value(r, digits).is_probably_prime(30) != IsPrime::No)
        .collect();
    theirs.sort_by_key(|&r| (terms(r), std::cmp::Reverse(r)));
    let what = format!("r^{digits} + 1 of {bits} bits, 2^{least}, {most} terms");
    trial.compare(&what, &ours, &theirs);
}

/// Numbers r^k + 1 are recognized with the least k for which r is a word, and others are not.
fn names(trial: &mut Trial) {
    for prime in generalized_fermat::NAMED {
        let found = generalized_fermat::named_prime(prime.name);
        trial.compare_one(prime.name, found, Some(prime));
    }
    let digits = *trial.pick(&DIGITS[..6]);
    let radix = (trial.limbs(1)[0] >> trial.below(63)).max(2);
    let beside = trial.below(3) as i32 - 1;
    let value = value(radix, digits) + beside;
    // By roots, the least k first.
    let power = Integer::from(&value - 1u32);
    let theirs = DIGITS.into_iter().find_map(|k| {
        let (root, rest) = power.clone().root_rem(Integer::new(), k as u32);
        let root = root.to_u64().filter(|&root| root > 1 && rest == 0);
        root.map(|root| (root, k))
    });
    let natural = Natural::try_from(&value).expect("not negative");
    let ours = generalized_fermat::recognize(&natural);
    trial.compare_one(&format!("{radix}^{digits} + 1 + {beside}"), ours, theirs);
}
