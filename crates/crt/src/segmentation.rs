//! Where the coefficients of a product are cut, so that threads and the cache share them.

use crate::product::PARALLEL_LEN;

/// Values whose digits are found at a time: the digits modulo a few primes stay in the cache.
const BLOCK: usize = 1024;

/// Coefficients of a product in segments, which threads share, and these in blocks, which stay in the
/// cache.
///
/// Segments are whole blocks; only the last segment and its last block may be shorter.
///
/// ```
/// use sunzi_crt::Segmentation;
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
    /// Every block has a multiple of so many coefficients: whole vectors of every instruction set.
    pub const GRAIN: usize = 16;

    /// What suits a product of `len` coefficients on the threads at hand.
    #[must_use]
    pub fn for_threads(len: usize) -> Self {
        let threads = sunzi_threads::count();
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

    /// Segments of `blocks` blocks of `block` coefficients: for tests, which reach every seam with
    /// short operands this way.
    ///
    /// # Panics
    /// If `block` is no multiple of [`Segmentation::GRAIN`], or one of both is 0.
    #[must_use]
    pub fn of_blocks(block: usize, blocks: usize) -> Self {
        assert!(
            block > 0 && block.is_multiple_of(Self::GRAIN) && blocks > 0,
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
