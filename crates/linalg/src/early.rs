//! Early termination: primes that are drawn at random, and how many of them have to agree.
//!
//! **Problem.** An integer v, |v| ≤ 2^β, is put together from its residues modulo more and more primes. Once the product of u
//! primes is above 2^(β + 1) the result is proved; mostly it is right long before. **Algorithm.** Primes are drawn from a pool of N,
//! without replacement, and the value c that u of them make is taken if k further ones agree with it.
//!
//! **Bound.** A wrong c, not proved, is at most 2^β like v, so that 0 < |c − v| ≤ 2^(β + 1): with P the least prime of the pool, at most
//! b = ⌊(β + 1)/log₂ P⌋ primes of the pool divide it. Those that c was made of are among them, and k further ones, if they agree.
//! Whatever the first u primes were, of N − u others at most b − u do so: the probability that k draws take such ones is at most
//! ((b − u)/(N − u))^k ≤ (b/N)^k. There may be a test for each u, and no u above b leaves anything to be proved: some wrong c is
//! taken with a probability of (b + 1)·(b/N)^k at most. Where primes tell nothing of v, as those that divide both leading
//! coefficients, others are drawn; if d primes at most are such ones, N − d is left for N. k is the least number that makes
//! this 2^−e at most; where none does, and where k more primes prove the result, it is proved.
//!
//! The probability is over seeds: no input was made for the primes of a seed that its maker does not know. It takes the words of
//! the generator for random ones, of which 2^128 seeds make different sequences.

use std::collections::HashSet;
use sunzi_field::{
    primality::is_prime,
    random::{SplitMix64, mixed},
};

/// Results that were terminated early are wrong with a probability of at most 2^−`ERROR_BITS`.
pub const ERROR_BITS: u32 = 60;

/// Early termination that was asked for: by which seed primes are drawn, and how improbable a wrong result has to be.
///
/// ```
/// use sunzi_linalg::early::{ERROR_BITS, EarlyTermination};
///
/// let mut whole = EarlyTermination::new(7);
/// let (first, second) = (whole.part(), whole.part());
/// assert_eq!((first.error_bits(), second.error_bits()), (ERROR_BITS + 1, ERROR_BITS + 2));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EarlyTermination {
    seed: u128,
    error_bits: u32,
}

impl EarlyTermination {
    /// Wrong with a probability of at most 2^−[`ERROR_BITS`]. The same seed gives the same primes, on any number of threads.
    #[must_use]
    pub const fn new(seed: u128) -> Self {
        Self {
            seed,
            error_bits: ERROR_BITS,
        }
    }

    /// Wrong with a probability of at most 2^−`bits`.
    #[must_use]
    pub const fn with_error_bits(self, bits: u32) -> Self {
        Self {
            error_bits: bits,
            ..self
        }
    }

    /// The early termination of the next part of a result: half of the probability that is left, so that all parts
    /// together are wrong with no more than that of the whole.
    pub const fn part(&mut self) -> Self {
        self.error_bits += 1;
        *self
    }

    /// What primes are drawn by.
    #[must_use]
    pub const fn seed(&self) -> u128 {
        self.seed
    }

    /// The binary logarithm, negated, of the probability of a wrong result.
    #[must_use]
    pub const fn error_bits(&self) -> u32 {
        self.error_bits
    }
}

/// The primes of a residue class in a range.
///
/// ```
/// use sunzi_linalg::early::{EarlyTermination, PrimePool};
///
/// let pool = PrimePool::new(1 << 30, 1 << 31, (1, 2), 50_697_537);
/// let how = EarlyTermination::new(1);
/// // A determinant of 6700 bits: 223 primes at most divide a difference.
/// assert_eq!((pool.most_dividing(6701.0), pool.agreeing(6701.0, 0.0, &how)), (223, Some(4)));
/// let primes: Vec<u64> = pool.draw(how.seed()).take(3).collect();
/// assert!(primes.iter().all(|&p| p > 1 << 30 && sunzi_field::primality::is_prime(p)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrimePool {
    /// The first number of the class in the range, and what leads to the next one.
    first: u64,
    step: u64,
    /// How many numbers of the class there are.
    candidates: u64,
    /// How many of them are prime, at least.
    count: u64,
}

impl PrimePool {
    /// The primes p from `from` on, below `to`, with p ≡ r modulo m for a class (r, m); there are `count` of them, or more.
    ///
    /// # Panics
    /// If no number of the class is in the range.
    #[must_use]
    pub const fn new(from: u64, to: u64, (residue, step): (u64, u64), count: u64) -> Self {
        let first = from + (residue + step - from % step) % step;
        assert!(first < to, "a number of the class in the range");
        Self {
            first,
            step,
            candidates: (to - 1 - first) / step + 1,
            count,
        }
    }

    /// How many primes there are, at least.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// How many primes of the pool divide a number that is not 0 and at most 2^`bits`, at most: their product is not above it.
    #[must_use]
    pub fn most_dividing(&self, bits: f64) -> u64 {
        (bits.max(0.0) / (self.first as f64).log2()) as u64
    }

    /// How many primes after those of a value have to agree with it, for differences of right and wrong values that are at most
    /// 2^`bits`, and for primes that tell nothing only if they divide a number below 2^`silent`; `None` if however many
    /// prove too little.
    #[must_use]
    pub fn agreeing(&self, bits: f64, silent: f64, how: &EarlyTermination) -> Option<usize> {
        let bad = self.most_dividing(bits);
        let telling = self.count.checked_sub(self.most_dividing(silent))?;
        // Of a prime more, so that logarithms are not rounded to the wrong side.
        let bad = bad as f64 + 1.0;
        let gain = (telling as f64 / bad).log2();
        (gain > 0.0).then(|| ((f64::from(how.error_bits) + bad.log2()) / gain).ceil() as usize)
    }

    /// The primes in an order that is drawn by the seed: each of those that are left is the next with the same probability.
    /// There are as many as the pool is known to have.
    #[must_use]
    pub fn draw(&self, seed: u128) -> DrawnPrimes {
        DrawnPrimes {
            pool: *self,
            outer: SplitMix64::new((seed >> 64) as u64),
            inner: seed as u64,
            drawn: HashSet::new(),
        }
    }
}

/// Primes of a pool in a random order.
#[derive(Clone, Debug)]
pub struct DrawnPrimes {
    pool: PrimePool,
    outer: SplitMix64,
    inner: u64,
    drawn: HashSet<u64>,
}

impl DrawnPrimes {
    /// A number below `bound` > 0, uniform.
    fn below(&mut self, bound: u64) -> u64 {
        let unused = (bound - 1).leading_zeros();
        loop {
            let word = mixed(self.outer.word() ^ self.inner);
            let number = word.checked_shr(unused).unwrap_or(0);
            if number < bound {
                return number;
            }
        }
    }
}

impl Iterator for DrawnPrimes {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        if self.drawn.len() as u64 >= self.pool.count {
            return None;
        }
        loop {
            let place = self.below(self.pool.candidates);
            let candidate = self.pool.first + place * self.pool.step;
            if is_prime(candidate) && self.drawn.insert(candidate) {
                return Some(candidate);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The 15 primes 3 modulo 4 from 17 to 173, of 21 below 200.
    fn small(to: u64) -> (PrimePool, Vec<u64>) {
        let primes: Vec<u64> = (17..to).filter(|&p| p % 4 == 3 && is_prime(p)).collect();
        (PrimePool::new(17, to, (3, 4), primes.len() as u64), primes)
    }

    #[test]
    fn every_prime_of_the_pool_is_drawn_once() {
        let (pool, primes) = small(200);
        for seed in [0, 1, 1 << 64, u128::MAX] {
            let mut drawn: Vec<u64> = pool.draw(seed).collect();
            drawn.sort_unstable();
            assert_eq!(drawn, primes);
        }
        assert_eq!(
            PrimePool::new(5, 6, (1, 4), 1).draw(3).collect::<Vec<_>>(),
            [5]
        );
    }

    #[test]
    fn both_halves_of_the_seed_count() {
        let (pool, _) = small(1 << 16);
        let of = |seed| pool.draw(seed).take(5).collect::<Vec<u64>>();
        let seeds = [0, 1, 2, 1 << 64, 2 << 64, 1 << 127];
        let found: HashSet<Vec<u64>> = seeds.map(of).into_iter().collect();
        assert_eq!(found.len(), seeds.len());
        assert_eq!(of(5), of(5));
    }

    #[test]
    fn pairs_are_drawn_alike_often() {
        let (pool, primes) = small(100);
        let n = primes.len();
        let rounds = 200 * n * (n - 1);
        let mut counts = vec![0u32; n * n];
        for seed in 0..rounds as u128 {
            let pair: Vec<usize> = pool
                .draw(seed)
                .take(2)
                .map(|p| primes.binary_search(&p).unwrap())
                .collect();
            counts[pair[0] * n + pair[1]] += 1;
        }
        // 200 are expected of each pair, with a standard deviation of 14.
        for (pair, &count) in counts.iter().enumerate() {
            match pair / n == pair % n {
                true => assert_eq!(count, 0),
                false => assert!((110..300).contains(&count), "{pair}: {count}"),
            }
        }
    }

    #[test]
    fn wrong_values_survive_as_seldom_as_the_bound_says() {
        // v = 0, and the difference is the product of the first b primes: whatever a few of them make is wrong where they are
        // drawn first. The next k agree only if they are among the b, too.
        let (pool, primes) = small(1000);
        for (bad, error_bits) in [(4, 3), (8, 4), (20, 2)] {
            let bits = primes[..bad]
                .iter()
                .map(|&p| (p as f64).log2())
                .sum::<f64>();
            let how = EarlyTermination::new(0).with_error_bits(error_bits);
            let agreeing = pool.agreeing(bits, 0.0, &how).unwrap();
            let rounds = 20_000;
            let taken = (0..rounds).filter(|&seed| {
                let first: Vec<u64> = pool.draw(seed).take(bad + agreeing).collect();
                // The longest run of bad primes from the first on is what makes a wrong value and agrees.
                let run = first
                    .iter()
                    .take_while(|p| primes[..bad].contains(p))
                    .count();
                run > agreeing
            });
            let most = rounds as f64 * 2f64.powi(-(error_bits as i32));
            assert!((taken.count() as f64) <= most, "{bad} bad ones");
        }
    }

    #[test]
    fn the_page_tells_how_many_agree() {
        let page = include_str!("../../../docs/solving.md");
        let pools = [
            (
                "poly resultant",
                PrimePool::new(1 << 49, 1 << 50, (3, 4), 8_000_000_000_000),
            ),
            ("det", PrimePool::new(1 << 30, 1 << 31, (1, 2), 50_697_537)),
        ];
        for (command, pool) in pools {
            let counts = [1e3, 1e4, 1e5].map(|bits| {
                let agreeing = pool.agreeing(bits, 0.0, &EarlyTermination::new(0));
                agreeing.unwrap().to_string()
            });
            let row = page
                .lines()
                .find(|line| line.starts_with(&format!("| `{command}` | primes")));
            assert!(
                row.unwrap()
                    .ends_with(&format!("| {} |", counts.join(", "))),
                "{row:?}"
            );
        }
    }

    #[test]
    fn as_many_agree_as_it_takes() {
        let pool = PrimePool::new(1 << 30, 1 << 31, (1, 2), 50_697_537);
        for bits in [0.0, 31.0, 1e3, 1e5, 1e7] {
            for error_bits in [1, 20, 60, 70] {
                let how = EarlyTermination::new(0).with_error_bits(error_bits);
                let k = pool.agreeing(bits, 0.0, &how).unwrap() as i32;
                let bad = pool.most_dividing(bits) as f64;
                let of = |k: i32| (bad + 1.0) * (bad / 50_697_537.0).powi(k);
                assert!(of(k) <= 2f64.powi(-(error_bits as i32)));
                assert!(k == 1 || bad < 100.0 || of(k - 1) > 0.9 * 2f64.powi(-(error_bits as i32)));
            }
        }
        // Primes that tell nothing, and differences that every prime may divide.
        let how = EarlyTermination::new(0);
        assert_eq!(pool.agreeing(2e9, 0.0, &how), None);
        assert_eq!(pool.agreeing(100.0, 2e9, &how), None);
        let [few, many] = [1e5, 1.4e9].map(|silent| pool.agreeing(1e5, silent, &how).unwrap());
        assert!(few < many);
    }
}
