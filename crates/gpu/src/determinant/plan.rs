//! How matrices are laid out in groups of threads.

use crate::error::GpuError;
use crate::field::ResidueWord;
use crate::info::{DeviceInfo, DeviceKind};

/// What errors call the program.
pub(crate) const NAME: &str = "determinants of small matrices";

/// Threads side by side in a row, which the kernel is written for.
const WIDTH: usize = 32;

/// Entries that a thread of a GPU has, where there are threads enough.
const EACH: usize = 16;

/// Orders for which programs are compiled: smaller matrices share one.
const ORDER_STEP: usize = 16;

/// How matrices are laid out in groups of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DeterminantShape {
    /// Threads of a group, which has one matrix: a multiple of 32, or fewer.
    pub threads: usize,
    /// Rows of a matrix at most.
    pub order: usize,
}

impl DeterminantShape {
    /// What suits a device for matrices of up to `order` rows.
    ///
    /// ```
    /// use sunzi_gpu::{DeviceInfo, determinant::DeterminantShape};
    /// let shape = DeterminantShape::for_device::<u32>(&DeviceInfo::h100(), 60);
    /// assert_eq!((shape.threads, shape.order), (256, 64));
    /// ```
    pub fn for_device<E: ResidueWord>(info: &DeviceInfo, order: usize) -> Self {
        let wanted = match info.kind {
            DeviceKind::Cpu => 64,
            DeviceKind::Gpu | DeviceKind::Accelerator => {
                let entries = order.saturating_mul(order);
                (entries / EACH).next_multiple_of(WIDTH).clamp(WIDTH, 1024)
            }
        };
        let mut threads = wanted.min(info.group_threads).max(1);
        if threads > WIDTH {
            threads -= threads % WIDTH;
        }
        let rounded = Self {
            threads,
            order: order.checked_next_multiple_of(ORDER_STEP).unwrap_or(order),
        };
        match rounded.shared_bytes::<E>() <= info.shared_memory {
            true => rounded,
            false => Self { threads, order },
        }
    }

    /// Bytes of local memory of a group.
    pub(crate) const fn shared_bytes<E>(&self) -> usize {
        let entries = self.order.saturating_mul(self.order);
        entries
            .saturating_add(self.threads)
            .saturating_mul(size_of::<E>())
    }

    /// Checks it against the limits of the kernel and of a device.
    ///
    /// # Errors
    /// [`GpuError::Limits`] if a group cannot share such a matrix, [`GpuError::Shape`] for what is none anywhere.
    pub(crate) fn check<E: ResidueWord>(self, info: &DeviceInfo) -> Result<Self, GpuError> {
        let threads = self.threads;
        let is_group = (1..=info.group_threads).contains(&threads)
            && (threads < WIDTH || threads.is_multiple_of(WIDTH));
        if !is_group || self.order == 0 {
            return Err(GpuError::Shape(format!(
                "{threads} threads with a matrix of {} rows are no shape for {}: a group has at most {} threads, a multiple of \
                 {WIDTH} of them or fewer",
                self.order, info.name, info.group_threads
            )));
        }
        if self.shared_bytes::<E>() > info.shared_memory {
            return Err(GpuError::Limits {
                device: info.name.clone(),
                kernel: NAME.to_owned(),
                reason: format!(
                    "a group of threads shares {} bytes, too few for a matrix of {} rows",
                    info.shared_memory, self.order
                ),
            });
        }
        Ok(self)
    }
}
