//! How carries are propagated.

use sunzi_device::{DeviceInfo, GpuError};

/// What errors call the kernels.
const NAME: &str = "carry propagation";

/// Threads of a group and words of a thread at most where nobody says how many.
const USUAL: CarryPlan = CarryPlan {
    threads: 256,
    words: 8,
};

/// Bytes of local memory that the kernels' arrays take at most: no block gains by more.
const LOCAL_BYTES: usize = 32 << 10;

/// Threads of a group and words of a thread at most, whoever says how many.
const MOST_THREADS: usize = 1024;
const MOST_EACH: usize = 32;

/// How words are shared out among threads where carries are propagated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CarryPlan {
    /// Threads of a group, a multiple of 16, 1024 at most.
    pub threads: usize,
    /// Neighbouring words of a thread, 1 to 32.
    pub words: usize,
}

impl CarryPlan {
    /// Threads whose states are looked back over before those of runs are.
    pub(super) const RUN: usize = 16;

    /// What suits a device for numbers of `out_words` words: smaller groups for short ones, which are one block each.
    ///
    /// ```
    /// use sunzi::gpu::DeviceInfo;
    /// use sunzi_gpu::products::CarryPlan;
    /// let h100 = DeviceInfo::h100();
    /// assert_eq!(CarryPlan::for_device(&h100, 64).block(), 64);
    /// assert_eq!(CarryPlan::for_device(&h100, 1 << 20), CarryPlan { threads: 256, words: 8 });
    /// let small = DeviceInfo { group_threads: 64, ..h100 };
    /// assert_eq!(CarryPlan::for_device(&small, 1 << 20), CarryPlan { threads: 64, words: 8 });
    /// ```
    pub fn for_device(info: &DeviceInfo, out_words: usize) -> Self {
        let words = (out_words.div_ceil(32).clamp(1, USUAL.words)).next_power_of_two();
        let wanted = (out_words.div_ceil(words).clamp(32, USUAL.threads)).next_power_of_two();
        let mut plan = Self {
            // Fewer than a run of threads has are refused when the plan is checked.
            threads: info.power_of_threads(wanted, 0).max(Self::RUN),
            words,
        };
        while plan.local_bytes() > info.array_bytes() && plan.words > 1 {
            plan.words /= 2;
        }
        plan
    }

    /// Words of a block.
    pub const fn block(self) -> usize {
        self.threads * self.words
    }

    /// Checks that the kernels can run so on a device.
    ///
    /// # Errors
    /// [`GpuError::Shape`] for what is none anywhere, and [`GpuError::Limits`] for what is none there.
    pub(crate) fn check(self, info: &DeviceInfo) -> Result<Self, GpuError> {
        let Self { threads, words } = self;
        let fits = (1..=MOST_THREADS).contains(&threads)
            && threads.is_multiple_of(Self::RUN)
            && (1..=MOST_EACH).contains(&words)
            && self.local_bytes() <= LOCAL_BYTES;
        if !fits {
            return Err(GpuError::Shape(format!(
                "carries are not propagated by {threads} threads of {words} words: a multiple of {} up to {MOST_THREADS} \
                 threads and 1 to {MOST_EACH} words were expected, within 32 KiB of local memory",
                Self::RUN
            )));
        }
        info.check_arrays(NAME, threads, self.local_bytes())?;
        Ok(self)
    }

    /// Bytes of local memory that the first pass takes: words, what columns leave, states.
    fn local_bytes(self) -> usize {
        let block = self.block();
        4 * (block + self.threads) + block + 1 + 4 * (self.threads + self.threads / Self::RUN)
    }
}
