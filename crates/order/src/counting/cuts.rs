//! Lengths at which a counting sort cuts its work.

/// Where work is cut: into shares of threads, blocks, buckets, digits. A field of the plan, so that tests cut
/// wherever it can be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cuts {
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
    /// Up to so many, records are sorted by comparison.
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
