//! How carries are propagated.

use crate::error::GpuError;
use crate::info::DeviceInfo;

/// Bytes of local memory that the kernels' arrays may take. They are sized when a program is compiled, for which NVIDIA's
/// compiler has 48 KiB; no block gains by more.
const LOCAL_BYTES: usize = 32 << 10;

/// How words are shared out among threads where carries are propagated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CarryPlan {
    /// Threads of a group, a multiple of 16, 1024 at most.
    pub threads: usize,
    /// Neighbouring words of a thread, 1 to 32.
    pub words: usize,
}

impl Default for CarryPlan {
    /// 256 threads of 8 words.
    fn default() -> Self {
        Self {
            threads: 256,
            words: 8,
        }
    }
}

impl CarryPlan {
    /// Threads whose states are looked back over before those of runs are.
    pub(super) const RUN: usize = 16;

    /// The plan for numbers of `out_words` words: smaller groups for short ones, which are one block each.
    ///
    /// ```
    /// use sunzi_gpu::products::CarryPlan;
    /// assert_eq!(CarryPlan::for_words(64).block(), 64);
    /// assert_eq!(CarryPlan::for_words(1 << 20), CarryPlan::default());
    /// ```
    pub fn for_words(out_words: usize) -> Self {
        let most = Self::default();
        let words = (out_words.div_ceil(32).clamp(1, most.words)).next_power_of_two();
        let threads = (out_words.div_ceil(words).clamp(32, most.threads)).next_power_of_two();
        Self { threads, words }
    }

    /// Words of a block.
    pub const fn block(self) -> usize {
        self.threads * self.words
    }

    /// Checks that the kernels can run so on a device.
    ///
    /// # Errors
    /// [`GpuError::Shape`] with what is possible.
    pub(crate) fn check(self, info: &DeviceInfo) -> Result<Self, GpuError> {
        let Self { threads, words } = self;
        let most = info.group_threads.min(1024);
        let fits = threads > 0
            && threads.is_multiple_of(Self::RUN)
            && threads <= most
            && (1..=32).contains(&words)
            && self.local_bytes() <= LOCAL_BYTES;
        if !fits {
            return Err(GpuError::Shape(format!(
                "carries are not propagated by {threads} threads of {words} words: a multiple of {} up to {most} \
                 threads and 1 to 32 words were expected, within 32 KiB of local memory",
                Self::RUN
            )));
        }
        Ok(self)
    }

    /// Bytes of local memory that the first pass takes: words, what columns leave, states.
    fn local_bytes(self) -> usize {
        let block = self.block();
        4 * (block + self.threads) + block + 1 + 4 * (self.threads + self.threads / Self::RUN)
    }
}
