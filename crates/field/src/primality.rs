//! Which 64-bit integers are prime, and what divides the others.

pub use crate::word_modulus::jacobi;

use crate::error::FieldError;
use crate::word_modulus::WordModulus;

/// Bases for which the strong test decides every n < 2^64 (Sorenson and Webster, "Strong
/// pseudoprimes to twelve prime bases", 2015: the first 12 primes suffice below 3.18·10^23).
const WITNESSES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];

/// Below which n fewer of them do: the least strong pseudoprimes to the first 4, 5, 7 and 9 primes (Jaeschke, "On strong
/// pseudoprimes to several bases", 1993; Jiang and Deng, "Strong pseudoprimes to the first eight prime bases", 2014).
const FEWER: [(u64, usize); 4] = [
    (3_215_031_751, 4),
    (2_152_302_898_747, 5),
    (341_550_071_728_321, 7),
    (3_825_123_056_546_413_051, 9),
];

/// How many steps of Pollard's iteration share one gcd.
const STEPS_PER_GCD: usize = 128;

/// Whether `n` is prime: the strong (Miller–Rabin) test for enough bases to be a proof below
/// 2^64. Costs at most 4 powers mod n below 2^31, 12 below 2^64.
///
/// ```
/// use sunzi::field::is_prime;
///
/// assert!(is_prime((1 << 60) - (1 << 18) + 1));
/// assert!(!is_prime(3215031751)); // a strong pseudoprime for the bases 2, 3, 5 and 7
/// ```
pub fn is_prime(n: u64) -> bool {
    if n < 2 {
        return false;
    }
    for p in WITNESSES {
        if n.is_multiple_of(p) {
            return n == p;
        }
    }
    let ring = WordModulus::new(n);
    let odd_part = (n - 1) >> (n - 1).trailing_zeros();
    let fewer = FEWER.iter().find(|(limit, _)| n < *limit);
    let count = fewer.map_or(WITNESSES.len(), |&(_, count)| count);
    WITNESSES[..count].iter().all(|&base| {
        let mut x = ring.pow(base, odd_part);
        if x == 1 || x == n - 1 {
            return true;
        }
        for _ in 1..(n - 1).trailing_zeros() {
            x = ring.mul(x, x);
            if x == n - 1 {
                return true;
            }
        }
        false
    })
}

/// The prime factorization of `n`, as pairs (prime, exponent) with ascending primes; empty for
/// 0 and 1. Pollard's rho with Brent's batching of gcds: about n^(1/4) products, some tens of
/// milliseconds at worst.
///
/// ```
/// use sunzi::field::factor;
///
/// assert_eq!(factor(469762048), [(2, 26), (7, 1)]);
/// ```
pub fn factor(n: u64) -> Vec<(u64, u32)> {
    let mut primes = Vec::new();
    if n > 1 {
        split(n, &mut primes);
    }
    primes.sort_unstable();
    let mut factors: Vec<(u64, u32)> = Vec::new();
    for prime in primes {
        match factors.last_mut() {
            Some((last, exponent)) if *last == prime => *exponent += 1,
            _ => factors.push((prime, 1)),
        }
    }
    factors
}

/// The least prime factor found cheaply, else any: `None` if `n` is prime or below 2.
pub(crate) fn proper_factor(n: u64) -> Option<u64> {
    if n < 4 || is_prime(n) {
        return None;
    }
    factor(n).first().map(|&(prime, _)| prime)
}

/// `modulus` itself if it is an odd prime below `2^bits`, with at most 64 bits.
pub(crate) fn odd_prime(modulus: u64, bits: u32) -> Result<u64, FieldError> {
    if modulus < 2 {
        Err(FieldError::TooSmall { modulus })
    } else if modulus.is_multiple_of(2) {
        Err(FieldError::Even { modulus })
    } else if u64::BITS - modulus.leading_zeros() > bits {
        Err(FieldError::TooLarge { modulus, bits })
    } else if let Some(factor) = proper_factor(modulus) {
        Err(FieldError::Composite { modulus, factor })
    } else {
        Ok(modulus)
    }
}

/// Appends the primes of `n` > 1, with repetition.
fn split(mut n: u64, primes: &mut Vec<u64>) {
    // Small primes by division: rho is poor at them (a small factor is found with its cofactor).
    for p in [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37] {
        while n.is_multiple_of(p) {
            primes.push(p);
            n /= p;
        }
    }
    if n == 1 {
        return;
    }
    if is_prime(n) {
        primes.push(n);
        return;
    }
    let divisor = (1..n)
        .find_map(|increment| rho(n, increment))
        // A composite has a divisor, and some increment finds it.
        .unwrap_or(n);
    split(divisor, primes);
    split(n / divisor, primes);
}

/// One attempt of Pollard's rho with x ↦ x² + `increment` on an odd composite `n`.
fn rho(n: u64, increment: u64) -> Option<u64> {
    let ring = WordModulus::new(n);
    let step = |x: u64| ring.add(ring.mul(x, x), increment);
    let (mut tortoise, mut hare) = (2, 2);
    loop {
        let (saved_tortoise, saved_hare) = (tortoise, hare);
        let mut product = 1;
        for _ in 0..STEPS_PER_GCD {
            tortoise = step(tortoise);
            hare = step(step(hare));
            product = ring.mul(product, tortoise.abs_diff(hare));
        }
        if gcd(product, n) == 1 {
            continue;
        }
        // A factor lies within this batch: walk it again, one gcd a step.
        (tortoise, hare) = (saved_tortoise, saved_hare);
        loop {
            tortoise = step(tortoise);
            hare = step(step(hare));
            match gcd(tortoise.abs_diff(hare), n) {
                1 => {}
                divisor if divisor == n => return None,
                divisor => return Some(divisor),
            }
        }
    }
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Primes p ≡ 1 mod 2^`two_adicity`, descending from below 2^`bits`: the primes whose fields
/// have transforms of length 2^`two_adicity`. `bits` is at most 64.
///
/// ```
/// use sunzi::field::ntt_primes;
///
/// let primes: Vec<u64> = ntt_primes(31, 24).collect();
/// assert_eq!(primes[0], 2130706433); // 2^31 − 2^24 + 1
/// assert_eq!(ntt_primes(50, 50).next(), None);
/// ```
pub fn ntt_primes(bits: u32, two_adicity: u32) -> impl Iterator<Item = u64> {
    let step = 1u64.checked_shl(two_adicity);
    let limit = 1u128 << bits.min(64);
    // The candidates are cofactor·2^two_adicity + 1 < limit.
    let greatest = step.map_or(0, |step| {
        (limit.saturating_sub(2) / u128::from(step)) as u64
    });
    (1..=greatest)
        .rev()
        .filter_map(move |cofactor| cofactor.checked_mul(step?)?.checked_add(1))
        .filter(|&candidate| is_prime(candidate))
}
