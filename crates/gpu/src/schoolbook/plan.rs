//! How schoolbook products are cut into groups of threads.

use crate::error::GpuError;
use crate::field::ResidueWord;
use crate::info::{DeviceInfo, DeviceKind};

/// Coefficients of the result in a thread, which the kernel is written for: as many rows meet them at a time.
pub(crate) const EACH: usize = 4;

/// Rows of a part at most.
const MOST_ROWS: usize = 1 << 16;

/// How schoolbook products are cut into groups of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SchoolbookPlan {
    /// Threads of a group; each has four coefficients of a part.
    pub threads: usize,
    /// Coefficients of the shorter operand in a part: x of the thesis, a multiple of 4, 65536 at most.
    pub rows: usize,
}

impl SchoolbookPlan {
    /// What suits a device for `batch` products of n by m coefficients: groups as wide as a part if it is short, and
    /// as many rows as leave four groups for each processor, at least 64 and at most 1024. For a processor, whose
    /// compilers take long, one plan serves all lengths.
    pub fn for_device<E: ResidueWord>(info: &DeviceInfo, n: usize, m: usize, batch: usize) -> Self {
        let (n, m) = (n.max(m), n.min(m));
        if info.kind == DeviceKind::Cpu {
            let threads = info.group_threads.min(64);
            return Self { threads, rows: 64 };
        }
        let most_threads = info.group_threads.clamp(1, 256);
        let threads = (n + m).div_ceil(EACH).next_power_of_two();
        let threads = threads.clamp(32.min(most_threads), most_threads);
        let mut rows = m.next_multiple_of(EACH).clamp(EACH, 1024);
        let wanted = 4 * info.units;
        let groups = |rows: usize| {
            let tiles = (n + rows).div_ceil(threads * EACH);
            tiles
                .saturating_mul(m.div_ceil(rows))
                .saturating_mul(batch.max(1))
        };
        while rows >= 128 && groups(rows) < wanted {
            rows = (rows / 2).next_multiple_of(EACH);
        }
        let mut plan = Self { threads, rows };
        while plan.shared_bytes::<E>() > (32 << 10).min(info.shared_memory) && plan.rows > EACH {
            plan.rows = (plan.rows / 2).next_multiple_of(EACH);
        }
        plan
    }

    /// Parts of a product of n by m coefficients.
    pub(crate) fn parts(&self, n: usize, m: usize) -> usize {
        n.min(m).div_ceil(self.rows)
    }

    /// Coefficients of a part: of the product where it is the only one.
    pub(crate) fn width(&self, n: usize, m: usize) -> usize {
        if self.parts(n, m) == 1 {
            n + m - 1
        } else {
            n.max(m) + self.rows - 1
        }
    }

    /// Coefficients of the parts of a product that are added up: none if there is one part.
    pub(crate) fn scratch_len(&self, n: usize, m: usize) -> usize {
        match self.parts(n, m) {
            0 | 1 => 0,
            parts => parts.saturating_mul(self.width(n, m)),
        }
    }

    /// Bytes of local memory of a group.
    pub(crate) const fn shared_bytes<E>(&self) -> usize {
        (EACH * (self.threads + self.rows / EACH + 1) + self.rows) * size_of::<E>()
    }

    /// Checks it against the limits of the kernels and of a device.
    ///
    /// # Errors
    /// [`GpuError::Shape`].
    pub(crate) fn check<E: ResidueWord>(self, info: &DeviceInfo) -> Result<Self, GpuError> {
        let fits = (1..=info.group_threads).contains(&self.threads)
            && self.rows > 0
            && self.rows.is_multiple_of(EACH)
            && self.rows <= MOST_ROWS
            && self.shared_bytes::<E>() <= info.shared_memory;
        if fits {
            return Ok(self);
        }
        Err(GpuError::Shape(format!(
            "{} threads with {} rows are no plan for products on {}: rows are a positive multiple of {EACH} up to \
             {MOST_ROWS}, and a group has at most {} threads and {} bytes to share",
            self.threads, self.rows, info.name, info.group_threads, info.shared_memory
        )))
    }
}
