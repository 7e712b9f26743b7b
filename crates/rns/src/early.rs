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
use sunzi_field::primality::is_prime;
use sunzi_field::random::{SplitMix64, mixed};

/// Results that were terminated early are wrong with a probability of at most 2^−`ERROR_BITS`.
pub const ERROR_BITS: u32 = 60;

/// Early termination that was asked for: by which seed primes are drawn, and how improbable a wrong result has to be.
///
/// ```
/// use sunzi::solve::early::{ERROR_BITS, EarlyTermination};
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
/// use sunzi::solve::early::{EarlyTermination, PRIMES_31};
///
/// let how = EarlyTermination::new(1);
/// // A determinant of 6700 bits: 223 primes at most divide a difference.
/// assert_eq!((PRIMES_31.most_dividing(6701.0), PRIMES_31.agreeing(6701.0, 0.0, &how)), (223, Some(4)));
/// let primes: Vec<u64> = PRIMES_31.draw(how.seed()).take(3).collect();
/// assert!(primes.iter().all(|&p| p > 1 << 30 && sunzi::field::is_prime(p)));
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
    /// If no number of the class is in the range; [`Self::try_new`] returns none instead.
    #[must_use]
    pub const fn new(from: u64, to: u64, class: (u64, u64), count: u64) -> Self {
        Self::try_new(from, to, class, count).expect("a number of the class in the range")
    }

    /// The same; none if no number of the class is in the range.
    ///
    /// ```
    /// use sunzi::solve::early::PrimePool;
    ///
    /// assert!(PrimePool::try_new(1 << 30, 1 << 31, (1, 2), 50_697_537).is_some());
    /// assert!(PrimePool::try_new(8, 9, (1, 4), 1).is_none());
    /// assert!(PrimePool::try_new(8, 9, (0, 0), 1).is_none());
    /// ```
    #[must_use]
    pub const fn try_new(
        from: u64,
        to: u64,
        (residue, step): (u64, u64),
        count: u64,
    ) -> Option<Self> {
        if step == 0 || from >= to {
            return None;
        }
        let (at, residue) = (from % step, residue % step);
        let missing = match at <= residue {
            true => residue - at,
            false => step - (at - residue),
        };
        if missing >= to - from {
            return None;
        }
        let first = from + missing;
        Some(Self {
            first,
            step,
            candidates: (to - 1 - first) / step + 1,
            count,
        })
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

    /// The primes, the least first.
    pub fn ascending(&self) -> impl Iterator<Item = u64> + use<> {
        let Self { first, step, .. } = *self;
        let candidates = (0..self.candidates).map(move |place| first + place * step);
        candidates.filter(|&candidate| is_prime(candidate))
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
