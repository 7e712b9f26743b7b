//! How a counting sort will go, and at which lengths it cuts its work.

use std::fmt;

/// How a counting sort will sort a number of keys of some range.
///
/// ```
/// use sunzi::sort::CountingSort;
///
/// let plan = CountingSort::new(100_000_000).plan_keys(100_000_000);
/// assert_eq!(
///     plan.to_string(),
///     "100000000 keys below 100000000: 1526 buckets of 65536 keys, each counted and written anew",
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SortPlan {
    /// Number of keys.
    pub(super) n: usize,
    /// The greatest key that may occur, less the least.
    pub(super) last: u64,
    /// Keys that share a bucket of the first distribution: the m of m-bucketed arrays.
    pub(super) width: u64,
    /// What is done with a bucket.
    pub(super) finish: Finish,
    /// Where else work is cut.
    pub(super) cuts: Cuts,
}

/// What is done with the buckets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// Keys are counted, and written anew from their counts.
    Rewrite,
    /// Records are moved to their places, by counting their keys or the digits of those.
    Place,
}

/// Where work is cut: into shares of threads, blocks, buckets, digits. A field of the plan, so that tests cut
/// wherever it can be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cuts {
    /// Items from which threads share them.
    pub shared: usize,
    /// Keys whose range is checked at a time, while they are in the first cache.
    pub checked: usize,
    /// Bytes from which lines are written past the caches.
    pub streamed: usize,
    /// Most lines of a block.
    pub block_lines: usize,
    /// Records of a bucket, so that one with its sorted copy fits the second cache.
    pub bucket: usize,
    /// Most buckets of a distribution, by their number's bits.
    pub buckets_log: u32,
    /// Up to this number, records are sorted by comparison.
    pub few: usize,
    /// Buckets of more records are distributed once more, unless one count sorts them; not below `bucket`, so that
    /// the next distribution has two buckets at least.
    pub many: usize,
    /// Bits of a digit, where several are needed.
    pub digit_bits: u32,
    /// Widest range that is counted at once.
    pub counted: u64,
}

impl Cuts {
    /// The fastest lengths, as measured.
    pub const FASTEST: Self = Self {
        shared: 1 << 16,
        checked: 4096,
        streamed: 8 << 20,
        block_lines: 64, // 4 KiB.
        bucket: 1 << 14,
        buckets_log: 12, // A line of 64 bytes each: 256 KiB.
        few: 64,
        many: 1 << 18,
        digit_bits: 11,
        counted: 1 << 17, // Its counters stay in the second cache.
    };

    /// The power of two of the bucket width for n records with keys from 0 to `last`.
    pub fn shift(&self, n: usize, last: u64) -> u32 {
        let bits = u64::BITS - last.leading_zeros();
        let buckets_log = n
            .div_ceil(self.bucket)
            .next_power_of_two()
            .ilog2()
            .min(self.buckets_log);
        bits.saturating_sub(buckets_log).min(63)
    }
}

/// Widest bucket that rewriting allows: its remainders have 16 bits.
pub(super) const MAX_REWRITE_WIDTH: u64 = 1 << 16;
/// Most buckets that rewriting allows: 1 MiB of lines, for keys below 2^30.
const MAX_REWRITE_BUCKETS: u64 = 1 << 14;
/// Keys are written anew where the range is at most this multiple of their number.
const SPARSEST: u64 = 8;

impl SortPlan {
    /// For bare keys.
    pub(super) fn keys(n: usize, last: u64, width: Option<u64>) -> Self {
        let dense = last / SPARSEST < n as u64;
        let wide = width.unwrap_or(MAX_REWRITE_WIDTH);
        if dense && wide <= MAX_REWRITE_WIDTH && last / wide < MAX_REWRITE_BUCKETS {
            return Self {
                n,
                last,
                width: wide,
                finish: Finish::Rewrite,
                cuts: Cuts::FASTEST,
            };
        }
        Self::records(n, last, width)
    }

    /// For records that move with their keys.
    pub(super) fn records(n: usize, last: u64, width: Option<u64>) -> Self {
        let cuts = Cuts::FASTEST;
        let usual = 1 << cuts.shift(n, last);
        // No more buckets than the caches have lines for: what is left is distributed again.
        let least = (last >> cuts.buckets_log) + 1;
        Self {
            n,
            last,
            width: width.map_or(usual, |width| width.max(least)),
            finish: Finish::Place,
            cuts,
        }
    }

    /// The number of keys.
    ///
    /// ```
    /// assert_eq!(sunzi::sort::CountingSort::new(256).plan_keys(1000).items(), 1000);
    /// ```
    pub fn items(&self) -> usize {
        self.n
    }

    /// The greatest key that may occur, less the least.
    ///
    /// ```
    /// assert_eq!(sunzi::sort::CountingSort::new(256).plan_keys(1000).last(), 255);
    /// ```
    pub fn last(&self) -> u64 {
        self.last
    }

    /// The number of keys that share a bucket of the first distribution, at least 1: the m of m-bucketed arrays.
    ///
    /// ```
    /// use sunzi::sort::CountingSort;
    ///
    /// let plan = CountingSort::new(0).bucket_width(0).plan_keys(0);
    /// assert_eq!((plan.width(), plan.buckets()), (1, 1));
    /// ```
    pub fn width(&self) -> u64 {
        self.width
    }

    /// What is done with a bucket.
    ///
    /// ```
    /// use sunzi::sort::{CountingSort, Finish};
    ///
    /// assert_eq!(CountingSort::new(256).plan_keys(1000).finish(), Finish::Rewrite);
    /// assert_eq!(CountingSort::new(256).plan_records(1000).finish(), Finish::Place);
    /// ```
    pub fn finish(&self) -> Finish {
        self.finish
    }

    /// The number of buckets of the first distribution.
    ///
    /// ```
    /// use sunzi::sort::CountingSort;
    ///
    /// assert_eq!(CountingSort::new(1 << 20).plan_keys(1 << 20).buckets(), 16);
    /// ```
    pub fn buckets(&self) -> usize {
        (self.last / self.width) as usize + 1
    }
}

impl fmt::Display for SortPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (n, buckets, width) = (self.n, self.buckets(), self.width);
        write!(f, "{n} keys below {}: ", u128::from(self.last) + 1)?;
        match (buckets, self.finish) {
            (1, Finish::Rewrite) => write!(f, "counted and written anew"),
            (1, Finish::Place) => write!(f, "sorted in the cache"),
            (_, Finish::Rewrite) => {
                write!(
                    f,
                    "{buckets} buckets of {width} keys, each counted and written anew"
                )
            }
            (_, Finish::Place) => {
                write!(
                    f,
                    "{buckets} buckets of {width} keys, each sorted in the cache"
                )
            }
        }
    }
}

/// A plan that is cut as tests like.
#[cfg(feature = "internals")]
pub fn planned(n: usize, last: u64, width: u64, finish: Finish, cuts: Cuts) -> SortPlan {
    SortPlan {
        n,
        last,
        width,
        finish,
        cuts,
    }
}
