//! The primes that images are taken modulo, in their order.
//!
//! **Algorithm.** An Eratosthenes sieve by small primes leaves candidates of which two in five are prime. A strong test decides
//! about each, one candidate a lane: of a prime p ≡ 3 mod 4, b^((p − 1)/2) ≡ ±1 for every base b, and no composite below
//! 3.8·10^18 passes that for the first nine primes (Y. Jiang, Y. Deng, *Strong pseudoprimes to the first eight prime bases*, 2014).

use crate::bound::CoefficientBound;
use crate::early::PrimePool;
use crate::lanes::{MOST_LANES, PRIME_BITS, PrimeLanes};
use dashu_int::UBig;
use sunzi_machine::arrays;
use sunzi_machine::simd::{Simd, SimdTask, dispatch};

/// Numbers of a window of the sieve.
pub const WINDOW: u64 = 1 << 13;
/// The odd primes below 1024: they sieve.
pub const SMALL: [u64; 171] = odd_primes();
/// Vectors of candidates that are looked at together, so that one need not wait for the other.
const TOGETHER: usize = 4;
/// The bases after 2.
const BASES: [u64; 8] = [3, 5, 7, 11, 13, 17, 19, 23];

/// How far the first of the primes lie below 2^50: most plans need no more, and none has to prove these again.
pub const FIRST: [u64; 32] = [
    113, 117, 161, 233, 341, 377, 545, 653, 665, 681, 741, 765, 813, 821, 873, 1001, 1077, 1085,
    1121, 1125, 1197, 1205, 1361, 1401, 1485, 1493, 1505, 1553, 1617, 1821, 1833, 1865,
];

/// The primes of 50 bits that are 3 modulo 4, for early termination. There are more than 8·10^12: θ(x; 4, 3), the sum of the
/// logarithms of such primes up to x, is x/2 but for x/(160·log x) at most (M. Bennett, G. Martin, K. O'Bryant, A. Rechnitzer,
/// *Explicit bounds for primes in arithmetic progressions*, 2018), so that it grows by more than 0.499·2^49 from 2^49 to
/// 2^50, where no logarithm is above 34.66.
pub const PRIMES_50: PrimePool = PrimePool::new(
    1 << (PRIME_BITS - 1),
    1 << PRIME_BITS,
    (3, 4),
    8_000_000_000_000,
);

/// The primes of 31 bits: there are 50 697 537 from 2^30 to 2^31.
pub const PRIMES_31: PrimePool = PrimePool::new(1 << 30, 1 << 31, (1, 2), 50_697_537);

/// The primes below 2^50 that are 3 modulo 4, the largest first: the order in which every plan takes them.
#[derive(Clone, Debug)]
pub struct WordPrimes {
    /// Primes from here on are not to be found any more.
    below: u64,
    /// Candidates from here on have been looked at, or are among these, ascending.
    window: u64,
    candidates: Vec<u64>,
    /// Primes that are to be told next, ascending.
    found: Vec<u64>,
}

impl WordPrimes {
    /// From the first one on.
    pub fn new() -> Self {
        let first = FIRST.map(|distance| (1 << PRIME_BITS) - distance);
        Self {
            below: first[first.len() - 1],
            found: first.into_iter().rev().collect(),
            ..Self::below(1 << PRIME_BITS)
        }
    }

    /// Those below a multiple of the window.
    fn below(window: u64) -> Self {
        Self {
            below: window,
            window,
            candidates: Vec::new(),
            found: Vec::new(),
        }
    }

    /// The candidates of the next window.
    fn sieve(&mut self) {
        self.window -= WINDOW;
        let start = self.window + 3;
        // Entry i stands for start + 4i.
        let mut composite = vec![false; (WINDOW / 4) as usize];
        for p in SMALL {
            // The least i with 4·i ≡ −start modulo p: of p ≡ 1 and p ≡ 3 modulo 4 the inverses of 4 are −(p − 1)/4 and (p + 1)/4.
            let rest = start % p;
            let first = match p % 4 {
                1 => rest * ((p - 1) / 4) % p,
                _ => (p - rest) * p.div_ceil(4) % p,
            };
            for index in (first as usize..composite.len()).step_by(p as usize) {
                composite[index] = true;
            }
        }
        let left = (0..).zip(composite).filter(|(_, composite)| !composite);
        let numbers = left.map(|(index, _)| start + 4 * index);
        self.candidates = numbers.filter(|&number| number < self.below).collect();
    }
}

impl Default for WordPrimes {
    fn default() -> Self {
        Self::new()
    }
}

impl Iterator for WordPrimes {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        while self.found.is_empty() {
            if self.candidates.is_empty() {
                // All numbers are larger than the primes that sieve, and than the bases.
                if self.window < 2 * WINDOW {
                    return None;
                }
                self.sieve();
            }
            let together = self.candidates.len().min(TOGETHER * MOST_LANES);
            let candidates = self.candidates.split_off(self.candidates.len() - together);
            self.found = dispatch(Proved(candidates));
        }
        self.found.pop()
    }
}

const fn odd_primes<const N: usize>() -> [u64; N] {
    let mut primes = [0; N];
    let (mut count, mut number) = (0, 3);
    while count < N {
        let mut index = 0;
        while index < count && number % primes[index] != 0 {
            index += 1;
        }
        if index == count {
            primes[count] = number;
            count += 1;
        }
        number += 2;
    }
    primes
}

/// How many of the primes have a product of 2^`bits` at least.
pub fn primes_above(bits: u64) -> usize {
    // The first 10^11 primes below 2^50 are above 2^49.99.
    (bits.saturating_mul(100) / 4999 + 1) as usize
}

/// The first of these different primes, ascending, whose residues tell all values of a bound apart, one at least; `None` if it
/// takes more than `most`, or there are not enough.
///
/// ```
/// use sunzi::field::ntt_primes;
/// use sunzi_rns::{CoefficientBound, enough};
///
/// let basis = enough(ntt_primes(50, 32), &CoefficientBound::of_bits(99), 10);
/// assert_eq!(basis.map(|primes| primes.len()), Some(2));
/// ```
pub fn enough(
    primes: impl IntoIterator<Item = u64>,
    bound: &CoefficientBound,
    most: usize,
) -> Option<Vec<u64>> {
    let values = bound.values();
    let (mut basis, mut product) = (Vec::new(), UBig::ONE);
    for prime in primes.into_iter().take(most) {
        basis.push(prime);
        product *= prime;
        if product >= values {
            basis.sort_unstable();
            return Some(basis);
        }
    }
    None
}

/// Those of the numbers, 3 modulo 4, that are prime, in their order.
pub struct Proved(pub Vec<u64>);

impl<S: Simd> SimdTask<S> for Proved {
    type Output = Vec<u64>;

    #[inline(always)]
    fn run(self, simd: S) -> Vec<u64> {
        let mut likely = Vec::with_capacity(self.0.len());
        for candidates in self.0.chunks(TOGETHER * S::LANES) {
            let mut vectors = candidates.chunks(S::LANES);
            let first = PrimeLanes::new(simd, &candidates[..candidates.len().min(S::LANES)]);
            let mut lanes = [first; TOGETHER];
            for (lanes, candidates) in lanes.iter_mut().zip(&mut vectors) {
                *lanes = PrimeLanes::new(simd, candidates);
            }
            let bases = arrays::map(
                lanes,
                #[inline(always)]
                |lanes| lanes.into_form(simd.splat64(2)),
            );
            let powers = half_powers(simd, lanes, bases);
            for ((lanes, power), candidates) in lanes
                .into_iter()
                .zip(powers)
                .zip(candidates.chunks(S::LANES))
            {
                let passes = is_unit(lanes, power);
                likely.extend(
                    candidates
                        .iter()
                        .zip(passes)
                        .filter(|(_, pass)| *pass)
                        .map(|(&n, _)| n),
                );
            }
        }
        let mut proved = Vec::with_capacity(likely.len());
        for candidates in likely.chunks(S::LANES) {
            let lanes = PrimeLanes::new(simd, candidates);
            let bases = arrays::map(
                BASES,
                #[inline(always)]
                |base| lanes.into_form(simd.splat64(base)),
            );
            let powers = half_powers(simd, [lanes; BASES.len()], bases);
            let mut prime = [true; MOST_LANES];
            for power in powers {
                for (prime, passes) in prime.iter_mut().zip(is_unit(lanes, power)) {
                    *prime &= passes;
                }
            }
            proved.extend(
                candidates
                    .iter()
                    .zip(prime)
                    .filter(|(_, prime)| *prime)
                    .map(|(&n, _)| n),
            );
        }
        proved
    }
}

/// a^((n − 1)/2) for several vectors, with a in the form of products.
#[inline(always)]
fn half_powers<S: Simd, const N: usize>(
    simd: S,
    lanes: [PrimeLanes<S>; N],
    bases: [S::Vector; N],
) -> [S::Vector; N] {
    let ones = arrays::map(
        lanes,
        #[inline(always)]
        |lanes| lanes.one(),
    );
    let mut powers = ones;
    for bit in (1..PRIME_BITS).rev() {
        for (power, ((lanes, &base), &one)) in
            powers.iter_mut().zip(lanes.iter().zip(&bases).zip(&ones))
        {
            let factor = lanes.select_by_bit(simd.splat64(0), bit, base, one);
            // Below 2p, as is its square over 2^52.
            *power = lanes.mul(lanes.mul(*power, *power), factor);
        }
    }
    powers
}

/// In which lanes a is ±1.
#[inline(always)]
fn is_unit<S: Simd>(lanes: PrimeLanes<S>, a: S::Vector) -> [bool; MOST_LANES] {
    let (values, ones, primes) = (
        lanes.words(lanes.canonical(a)),
        lanes.words(lanes.one()),
        lanes.primes(),
    );
    std::array::from_fn(|lane| {
        values[lane] == ones[lane] || values[lane] == primes[lane] - ones[lane]
    })
}

/// The primes from such a window on downward, for tests.
#[cfg(feature = "internals")]
pub fn primes_below(window: u64) -> WordPrimes {
    WordPrimes::below(window)
}
