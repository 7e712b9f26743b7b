//! How a product modulo the primes of a basis is shared among threads, and what memory it takes.

use crate::split::plan::{Footprint, truncated_len};
use std::fmt;
use sunzi_machine::threads::Threads;

/// Coefficients of a product from which primes and blocks are shared between threads.
const PARALLEL_LEN: usize = 1 << 13;
/// Coefficients of a product from which the primes go one after the other, each on all threads:
/// side by side they would need their working memory all at once.
const SEQUENTIAL_PRIMES_LEN: usize = 1 << 19;

/// The plan of a product of some length modulo several primes.
///
/// ```
/// use sunzi_dft::crt::ProductPlan;
///
/// let plan = ProductPlan::new(3, 1_048_576);
/// // 2^20 points: three primes' values and multipliers, and one second operand.
/// assert_eq!(plan.bytes(), (3 + 3 + 1) * (8 << 20));
/// assert_eq!(plan.to_string(), "1048576 coefficients modulo 3 primes, one after the other");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProductPlan {
    /// How many primes there are.
    pub primes: usize,
    /// Coefficients of the product.
    pub len: usize,
}

impl ProductPlan {
    /// The plan of a product of `len` coefficients modulo `primes` primes.
    #[must_use]
    pub fn new(primes: usize, len: usize) -> Self {
        Self { primes, len }
    }

    /// Whether each prime has all threads to itself.
    fn one_by_one(self) -> bool {
        self.len >= SEQUENTIAL_PRIMES_LEN
    }

    /// The threads that share the primes: one where they share transforms, or have too little to do.
    pub(crate) fn threads(self) -> Threads {
        Threads::when(self.len >= PARALLEL_LEN && !self.one_by_one())
    }

    /// About how many bytes the product takes beside operands and result: the values of one
    /// operand and the transforms' multipliers modulo each prime, and the values of the other operand,
    /// which the primes of a long product use in turn. Each is a word of 8 bytes for every point of a
    /// transform whose length is the next power of two; but long ones leave alone what truncated
    /// transforms do not reach. Saturating.
    #[must_use]
    pub fn bytes(self) -> u64 {
        let footprint = if self.one_by_one() {
            Footprint::of(self.len)
        } else {
            Footprint::of(self.len.next_power_of_two())
        };
        let primes = self.primes as u64;
        let second_operands = if self.one_by_one() {
            primes.min(1)
        } else {
            primes
        };
        let vectors = primes.saturating_add(second_operands);
        let values = footprint.values.saturating_mul(vectors);
        let multipliers = footprint.multipliers.saturating_mul(primes);
        values.saturating_add(multipliers).saturating_mul(8)
    }

    /// About how many products of two words its transforms and values take with AVX-512 IFMA: four for each product modulo
    /// a prime. Saturating.
    ///
    /// ```
    /// // Three transforms of 2^10 points, ten levels of 2^9 butterflies each, and 2^10 values.
    /// let plan = sunzi_dft::crt::ProductPlan::new(1, 1 << 10);
    /// assert_eq!(plan.word_products(), 4 * (3 * 10 * 512 + 1024));
    /// ```
    #[must_use]
    pub fn word_products(self) -> u64 {
        let points = truncated_len(self.len, SQUARE) as u64;
        let levels = u64::from(points.next_power_of_two().trailing_zeros());
        let of_a_prime = points.saturating_mul(3 * levels + 2) / 2;
        of_a_prime.saturating_mul(4 * self.primes as u64)
    }
}

/// Points of the least transforms: a square of vectors of eight words.
const SQUARE: usize = 64;

impl fmt::Display for ProductPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { primes, len } = self;
        let order = if self.one_by_one() {
            "one after the other"
        } else {
            "side by side"
        };
        write!(f, "{len} coefficients modulo {primes} primes, {order}")
    }
}

/// Values whose digits are found at a time: the digits modulo a few primes stay in the cache.
const BLOCK: usize = 1024;

/// Coefficients of a product in segments, which threads share, and these in blocks, which stay in the
/// cache.
///
/// Segments are whole blocks; only the last segment and its last block may be shorter.
///
/// ```
/// use sunzi_dft::crt::Segmentation;
///
/// let cut = Segmentation::for_threads(100_000);
/// assert!(cut.segment() <= 100_000 + 1024);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segmentation {
    pub(crate) block: usize,
    pub(crate) segment: usize,
}

impl Segmentation {
    /// Every block has a multiple of this number of coefficients: whole vectors of every instruction set.
    pub const UNIT: usize = 16;

    /// What suits a product of `len` coefficients on the threads at hand.
    #[must_use]
    pub fn for_threads(len: usize) -> Self {
        let threads = sunzi_machine::threads::count();
        let segments = if threads == 1 || len < PARALLEL_LEN {
            1
        } else {
            4 * threads
        };
        let segment = len.div_ceil(segments).next_multiple_of(BLOCK).max(BLOCK);
        Self {
            block: BLOCK,
            segment,
        }
    }

    /// Segments of `blocks` blocks of `block` coefficients. For tests, which reach every seam with
    /// short operands this way.
    ///
    /// # Panics
    /// If `block` is no multiple of [`Segmentation::UNIT`], or one of both is 0.
    #[doc(hidden)]
    #[must_use]
    pub fn of_blocks(block: usize, blocks: usize) -> Self {
        assert!(
            block > 0 && block.is_multiple_of(Self::UNIT) && blocks > 0,
            "blocks of whole vectors"
        );
        Self {
            block,
            segment: block * blocks,
        }
    }

    /// Coefficients of a segment.
    #[must_use]
    pub fn segment(self) -> usize {
        self.segment
    }
}
