//! Residues of vectors of integers modulo many primes.
//!
//! **Algorithm.** An integer is cut into digits of 52 bits, and their products with the powers 2^(52·i) mod p are summed up, a
//! prime a lane: two products of words for each digit and prime, whatever the length. A few digits are summed before
//! a reduction.

use crate::lanes::PrimeLanes;
use crate::limbs::bits;
use sunzi_field::LongInteger;
use sunzi_machine::{
    simd::{Simd, SimdTask, dispatch},
    threads::Threads,
};

/// Bits of a digit.
const DIGIT: usize = 52;
/// Digits summed before a reduction: sums are then below 4p, and p more.
const SUMMED: usize = 4;
/// Products of a digit and a prime from which threads share them.
const PARALLEL: usize = 1 << 14;

/// Integers as digits.
#[derive(Clone, Debug)]
pub struct Digits {
    /// Digits of an integer, the least first; one after the other.
    digits: Vec<u64>,
    /// Where the digits of the next integer start, and whether this one is negative.
    ends: Vec<(usize, bool)>,
    /// Digits of the longest.
    longest: usize,
}

impl Digits {
    /// The digits of these integers.
    pub fn new<'a, N: LongInteger + 'a>(integers: impl IntoIterator<Item = &'a N>) -> Self {
        let mut digits = Vec::new();
        let mut ends = Vec::new();
        let mut longest = 0;
        for integer in integers {
            let start = digits.len();
            let (negative, words) = integer.sign_and_limbs();
            let places = (0..words.len() * 64).step_by(DIGIT);
            digits.extend(places.map(|place| bits(words, place, DIGIT)));
            while digits.len() > start && digits.last() == Some(&0) {
                digits.pop();
            }
            longest = longest.max(digits.len() - start);
            ends.push((digits.len(), negative));
        }
        Self {
            digits,
            ends,
            longest,
        }
    }

    /// How many integers there are.
    pub fn count(&self) -> usize {
        self.ends.len()
    }

    /// All digits together.
    pub fn total(&self) -> usize {
        self.digits.len()
    }

    /// The weights of digits that make residues: 2^(52·i) mod p for every digit that an integer may have, times `unit`. With
    /// [`PrimeLanes::one`] residues are plain, with the form of that they are in the form of products.
    #[inline(always)]
    pub fn weights<S: Simd>(&self, lanes: PrimeLanes<S>, unit: S::Vector) -> Vec<S::Vector> {
        // The form of 2^52.
        let step = lanes.canonical(lanes.into_form(lanes.one()));
        let mut weight = unit;
        let mut weights = Vec::with_capacity(self.longest);
        for _ in 0..self.longest {
            weights.push(weight);
            weight = lanes.product(weight, step);
        }
        weights
    }

    /// The residues of all, in the form of products.
    #[inline(always)]
    pub fn residues_in_form<S: Simd>(&self, simd: S, lanes: PrimeLanes<S>) -> Vec<S::Vector> {
        let weights = self.weights(lanes, lanes.canonical(lanes.into_form(lanes.one())));
        let mut all = Vec::with_capacity(self.count());
        for index in 0..self.count() {
            all.push(self.residue(simd, lanes, &weights, index));
        }
        all
    }

    /// The canonical residues of integer `index`, by the weights modulo these primes.
    #[inline(always)]
    pub fn residue<S: Simd>(
        &self,
        simd: S,
        lanes: PrimeLanes<S>,
        weights: &[S::Vector],
        index: usize,
    ) -> S::Vector {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before].0);
        let (end, negative) = self.ends[index];
        let digits = &self.digits[start..end];
        let zero = simd.splat64(0);
        let mut residue = zero;
        for (digits, weights) in digits.chunks(SUMMED).zip(weights.chunks(SUMMED)) {
            let mut sum = lanes.sum();
            for (&digit, &weight) in digits.iter().zip(weights) {
                sum = lanes.add_product(sum, simd.splat64(digit), weight);
            }
            residue = lanes.add(residue, lanes.canonical(lanes.reduce(sum)));
        }
        if negative {
            lanes.sub(zero, residue)
        } else {
            residue
        }
    }
}

/// The residues of these integers modulo each of the primes, which are odd and below 2^50: a vector for each prime.
pub fn residues<N: LongInteger>(integers: &[N], primes: &[u64]) -> Vec<Vec<u64>> {
    let digits = Digits::new(integers);
    let threads = Threads::when(digits.total() * primes.len() >= PARALLEL);
    let images = threads.map(primes.chunks(8), |primes| {
        dispatch(Images {
            digits: &digits,
            primes,
        })
    });
    images.into_iter().flatten().collect()
}

/// The residues modulo a few primes.
struct Images<'a> {
    digits: &'a Digits,
    primes: &'a [u64],
}

impl<S: Simd> SimdTask<S> for Images<'_> {
    type Output = Vec<Vec<u64>>;

    #[inline(always)]
    fn run(self, simd: S) -> Vec<Vec<u64>> {
        let mut images = Vec::with_capacity(self.primes.len());
        for primes in self.primes.chunks(S::LANES) {
            let lanes = PrimeLanes::new(simd, primes);
            let weights = self.digits.weights(lanes, lanes.one());
            let mut rows = vec![0; self.digits.count() * S::LANES];
            for (index, row) in rows.chunks_exact_mut(S::LANES).enumerate() {
                simd.store(row, self.digits.residue(simd, lanes, &weights, index));
            }
            for lane in 0..primes.len() {
                let column = rows.chunks_exact(S::LANES).map(|row| row[lane]);
                images.push(column.collect());
            }
        }
        images
    }
}
