//! Products of integers of k digits by Karatsuba's intermediate products, chunk against chunk (M5Mult).
//!
//! **Problem.** Work, span and words of the algorithm of D. Mohajerani, *Parallel Arbitrary-precision Integer Arithmetic*, 2021,
//! chapter 5, where digits come in λ = k/s chunks of s.
//!
//! **Units.** The cost of adding two digits is 1, that of multiplying two is η; a sum with columns of three digits costs 3, and an
//! intermediate product (aᵢ − aⱼ)(bⱼ − bᵢ) + zᵢ + zⱼ costs 2 + η + 6 (Table 5.3).
//!
//! **Formulas.** The naive product has ηk² + 3(k − 1)² (5.1); M5Mult has k squares zᵢ, k(k − 1)/2 pairs and k sums (5.2)–(5.5), in
//! whichever order pairs come (5.6)–(5.10): (ηk² + 11k² + ηk − 5k)/2. Pairs inside a chunk are s(s − 1)/2, those of two chunks s², and
//! λs(s − 1)/2 + λ(λ − 1)s²/2 = k(k − 1)/2.
//!
//! One thread has a chunk, or a pair of chunks. All chunks are taken at a time; then chunk c with those above it, one c after the other.
//! If nothing stays in registers, squares move 4 words, pairs 14 (two digits and a square of two digits for each index, a column of three
//! digits read and written), sums 8.
//!
//! **Differences from what is printed**, which tests show:
//!
//! - The pairs (c, c′) and (c, c′ + 1) add to s − 1 columns in common, so that they cannot run at a time where only one thread may
//!   write a word: they take two turns, the even c′ and the odd ones. The span of pairs of chunks is (2λ − 3)s² products for λ ≥ 2,
//!   and with atomic sums (λ − 1)s²; printed is λs², which counts the last chunk, above which there is none.
//! - In Algorithm 12 indices beyond the chunk are swapped, which leaves them beyond it; they must be taken modulo s.
//! - Normalization, 3 additions for each of the 2k columns one after the other, is in none of the formulas.

use super::program::{KernelCosts, Steps, sheet};
use super::{ManyCoreProgram, PathCosts};

/// Words that a pair of digits, a square, and a sum move.
const PAIR_WORDS: u64 = 14;
const SQUARE_WORDS: u64 = 4;
const SUM_WORDS: u64 = 8;

/// Cost of a sum with a column of three digits.
const SUM: u64 = 3;

/// M5Mult of integers of k digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ChunkedProduct {
    /// λ.
    chunks: u64,
    /// s.
    chunk: u64,
    /// η.
    eta: u64,
}

impl ChunkedProduct {
    /// Integers of `digits` digits by chunks of `chunk`, where a product of two digits costs as much as `eta` sums of two; `None` where
    /// chunks are odd or empty or `digits` is no multiple of them, and beyond 2^24 digits or η = 2^10.
    pub const fn new(digits: u64, chunk: u64, eta: u64) -> Option<Self> {
        let is_cut = chunk > 0 && chunk.is_multiple_of(2) && digits.is_multiple_of(chunk);
        if is_cut && digits > 0 && digits <= 1 << 24 && eta <= 1 << 10 {
            Some(Self {
                chunks: digits / chunk,
                chunk,
                eta,
            })
        } else {
            None
        }
    }

    const fn digits(&self) -> u64 {
        self.chunks * self.chunk
    }

    /// Cost of an intermediate product, and of adding it to its column.
    const fn pair(&self) -> u64 {
        2 + self.eta + 2 * SUM + SUM
    }

    /// The cost of the naive product, (5.1).
    pub fn naive_work(&self) -> u128 {
        let k = u128::from(self.digits());
        u128::from(self.eta) * k * k + u128::from(SUM) * (k - 1) * (k - 1)
    }

    /// The cost of normalization: three sums of digits for each column, one after the other.
    pub const fn normalization(&self) -> u64 {
        3 * 2 * self.digits()
    }

    /// Pairs of digits that one thread after the other takes, at the least time.
    fn pairs_in_a_row(&self) -> u128 {
        let s = u128::from(self.chunk);
        let turns = u128::from((2 * self.chunks).saturating_sub(3)) * u128::from(self.chunks > 1);
        s * (s - 1) / 2 + turns * s * s
    }

    /// Work, (5.10), span and words, without normalization.
    ///
    /// ```
    /// use sunzi::tune::ChunkedProduct;
    ///
    /// let product = ChunkedProduct::new(256, 32, 5).unwrap();
    /// let costs = product.costs();
    /// assert_eq!(costs.work, (5 * 256 * 256 + 11 * 256 * 256 + 5 * 256 - 5 * 256) / 2);
    /// // There is much to do at a time.
    /// assert!(costs.work > 2 * costs.span);
    /// ```
    pub fn costs(&self) -> PathCosts {
        let (k, eta) = (u128::from(self.digits()), u128::from(self.eta));
        let in_a_row = self.pairs_in_a_row();
        PathCosts {
            work: (eta * k * k + 11 * k * k + eta * k - 5 * k) / 2,
            span: u128::from(self.pair()) * in_a_row + eta + u128::from(SUM),
            words: u128::from(PAIR_WORDS) * in_a_row + u128::from(SQUARE_WORDS + SUM_WORDS),
        }
    }

    /// Its kernels for `batch` products at a time, a block for a chunk or a pair of chunks, and else blocks of `block` threads.
    ///
    /// ```
    /// use sunzi::tune::{ChunkedProduct, MachineModel};
    ///
    /// let machine = MachineModel { u: 1_u8.into(), z: 1024, sms: 4 };
    /// let bound = |chunk| {
    ///     let product = ChunkedProduct::new(256, chunk, 5).unwrap();
    ///     product.program(1, 64).bound_by_steps(&machine)
    /// };
    /// assert!(bound(32) < bound(256));
    /// ```
    pub fn program(&self, batch: u64, block: u64) -> ManyCoreProgram {
        let threads = self.digits() * batch;
        let chunks = |blocks: u64, pairs: u64| {
            let operations = pairs * self.pair();
            vec![KernelCosts {
                blocks: blocks * batch,
                work: operations,
                span: operations,
                words: PAIR_WORDS * pairs,
            }]
        };
        let s = self.chunk;
        let mut steps: Steps = vec![vec![sheet(threads, block, self.eta, SQUARE_WORDS)]];
        steps.push(chunks(self.chunks, s * (s - 1) / 2));
        for above in (1..self.chunks).rev() {
            let turns = [above.div_ceil(2), above / 2].into_iter();
            steps.extend(
                turns
                    .filter(|turn| *turn > 0)
                    .map(|turn| chunks(turn, s * s)),
            );
        }
        steps.push(vec![sheet(threads, block, SUM, SUM_WORDS)]);
        ManyCoreProgram::of_steps(steps)
    }
}
