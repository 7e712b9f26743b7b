//! The program parameters of transforms.

use super::NttWord;
use crate::{Device, DeviceKind, GpuError};

/// How a transform is cut into groups of threads: its program parameters.
///
/// A group holds a tile of 2^`log_tile` points in local memory; a thread holds 2^`log_radix` of them in registers at a
/// time, and goes through `log_radix` levels of the transform with them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NttShape {
    /// Threads of a group.
    pub threads: usize,
    /// log2 of the points of a tile.
    pub log_tile: u32,
    /// log2 of the points that a thread holds.
    pub log_radix: u32,
    /// log2 of the adjacent points that a row of a tile has at least, where a transform takes more than one pass.
    pub log_columns: u32,
    /// log2 of the twiddle factors that are read from a table; those beyond are products of two.
    pub log_table: u32,
    /// Whether a program is for one kind of pass, with all its steps written out, as GPUs want it. Otherwise one
    /// program serves all lengths: compilers for processors take long.
    pub specialized: bool,
}

impl NttShape {
    /// What suits a device: tiles of 32 KiB; rows of 32 bytes at least; 16 points of 32 bits or 8 of 64 for a thread,
    /// which leaves half of a GPU's threads in flight. A processor compiles long kernels slowly, and its caches want
    /// no more than short ones.
    pub fn for_device<E: NttWord>(device: &Device) -> Self {
        let info = device.info();
        if info.kind == DeviceKind::Cpu {
            return Self {
                threads: info.group_threads.min(64),
                log_tile: 10,
                log_radix: 2,
                log_columns: 4,
                log_table: 16,
                specialized: false,
            };
        }
        Self::for_gpu::<E>(info.group_threads, info.shared_memory)
    }

    /// What suits a GPU with groups of so many threads and so many bytes for a group to share.
    pub(crate) fn for_gpu<E: NttWord>(group_threads: usize, shared_memory: usize) -> Self {
        let bytes = size_of::<E>();
        let wide = u32::from(bytes > 4);
        let log_radix = 4 - wide;
        Self {
            threads: group_threads.min(256),
            log_tile: (shared_memory.min(32 << 10) / bytes)
                .max(1 << log_radix)
                .ilog2(),
            log_radix,
            log_columns: 3 - wide,
            log_table: 15 - wide,
            specialized: true,
        }
    }

    /// Checks it against the limits of the kernels and of a device.
    ///
    /// # Errors
    /// [`GpuError::Shape`] with what is out of which range.
    pub(crate) fn check<E: NttWord>(self, device: &Device) -> Result<Self, GpuError> {
        let info = device.info();
        // A product of residues in doubles keeps its bounds over three levels.
        let most_radix = if E::WORD == 53 { 3 } else { 5 };
        let in_range = |name: &str, value: usize, least: usize, most: usize| {
            if (least..=most).contains(&value) {
                Ok(())
            } else {
                Err(GpuError::Shape(format!(
                    "the transform's parameter {name} is {value}, not between {least} and {most}"
                )))
            }
        };
        in_range("threads", self.threads, 1, info.group_threads)?;
        let most_tile = (info.shared_memory / size_of::<E>()).max(1).ilog2();
        in_range("log_radix", self.log_radix as usize, 1, most_radix)?;
        in_range(
            "log_tile",
            self.log_tile as usize,
            self.log_radix as usize,
            most_tile.min(20) as usize,
        )?;
        in_range(
            "log_columns",
            self.log_columns as usize,
            0,
            self.log_tile as usize - 1,
        )?;
        in_range(
            "log_table",
            self.log_table as usize,
            self.log_radix as usize,
            28,
        )?;
        Ok(self)
    }
}
