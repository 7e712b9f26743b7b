//! The program parameters of plain products.

use crate::ntt::NttWord;
use crate::{Device, DeviceKind, GpuError};

/// Coefficients of the result in a thread.
pub const EACH: usize = 4;

/// How plain products are cut into groups of threads: their program parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlainShape {
    /// Threads of a group; each has four coefficients of a part.
    pub threads: usize,
    /// Coefficients of the shorter operand in a part: x of the thesis, a multiple of 4.
    pub rows: usize,
}

impl PlainShape {
    /// What suits a device for `batch` products of n by m coefficients: groups as wide as a part if it is short, and
    /// as many rows as leave four groups for each processor, at least 64 and at most 1024. For a processor, whose
    /// compilers take long, one shape serves all lengths.
    pub fn for_device<E: NttWord>(device: &Device, n: usize, m: usize, batch: usize) -> Self {
        let (n, m) = (n.max(m), n.min(m));
        let info = device.info();
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
        let mut shape = Self { threads, rows };
        while shape.shared_bytes::<E>() > (32 << 10).min(info.shared_memory) && shape.rows > EACH {
            shape.rows = (shape.rows / 2).next_multiple_of(EACH);
        }
        shape
    }

    /// Bytes of local memory of a group.
    pub(crate) const fn shared_bytes<E>(&self) -> usize {
        (EACH * (self.threads + self.rows / EACH + 1) + self.rows) * size_of::<E>()
    }

    /// Checks it against the limits of the kernels and of a device.
    ///
    /// # Errors
    /// [`GpuError::Shape`].
    pub(crate) fn check<E: NttWord>(self, device: &Device) -> Result<Self, GpuError> {
        let info = device.info();
        let fits = (1..=info.group_threads).contains(&self.threads)
            && self.rows > 0
            && self.rows.is_multiple_of(EACH)
            && self.rows <= 1 << 16
            && self.shared_bytes::<E>() <= info.shared_memory;
        if fits {
            return Ok(self);
        }
        Err(GpuError::Shape(format!(
            "{} threads with {} rows are no shape for products on {}: rows are a positive multiple of {EACH}, and a \
             group has at most {} threads and {} bytes to share",
            self.threads, self.rows, info.name, info.group_threads, info.shared_memory
        )))
    }
}
