//! Where plans meet what a device has for a group of threads.
//!
//! Plans take the threads and the bytes of a group from here, and are refused here where a device has fewer. Nothing
//! gets by: no program is compiled for more threads than a group has, no kernel is taken whose arrays are more than a
//! group shares, and a stream submits no launch that adds too much to them.

use crate::error::GpuError;
use crate::info::{DeviceInfo, DeviceKind};

/// Bytes of a group's arrays at most, but for a tile of any size, whatever else the group may share: NVIDIA's compiler has
/// no more for arrays of fixed size.
const MOST_ARRAY_BYTES: usize = 48 << 10;

/// What the groups of a compiled kernel take, as the driver tells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KernelGroup {
    /// Threads at most: fewer than the device has where a thread takes many registers.
    pub threads: usize,
    /// Bytes of shared memory of fixed size.
    pub shared_bytes: usize,
    /// Whether the tile is among these bytes; otherwise launches add it.
    pub has_tile: bool,
    /// Registers of a thread, where the driver tells them.
    pub registers: Option<u64>,
}

impl KernelGroup {
    /// As long as the driver was not asked.
    pub(crate) const ANY: Self = Self {
        threads: usize::MAX,
        shared_bytes: 0,
        has_tile: false,
        registers: None,
    };

    /// Bytes of a group that is launched with so many for the tile.
    pub(crate) fn bytes(&self, tile: usize) -> usize {
        if self.has_tile {
            self.shared_bytes.max(tile)
        } else {
            self.shared_bytes.saturating_add(tile)
        }
    }
}

impl DeviceInfo {
    /// Threads of a group for kernels whose threads are independent, so that any number serves.
    pub fn independent_threads(&self) -> usize {
        match self.kind {
            DeviceKind::Cpu => 64,
            DeviceKind::Gpu | DeviceKind::Accelerator => 256,
        }
        .min(self.group_threads)
    }

    /// Bytes that the arrays of a group take at most, but for a tile of any size.
    pub fn array_bytes(&self) -> usize {
        self.shared_memory.min(MOST_ARRAY_BYTES)
    }

    /// The largest power of two of threads that a group has, up to `most`, where each takes so many bytes of its arrays; 1
    /// if there is none.
    pub fn power_of_threads(&self, most: usize, bytes_each: usize) -> usize {
        let by_memory = self.array_bytes().checked_div(bytes_each);
        let most = most
            .min(self.group_threads)
            .min(by_memory.unwrap_or(most))
            .max(1);
        1 << most.ilog2()
    }

    /// Refuses groups of so many threads that share so many bytes, where the device has no such.
    ///
    /// # Errors
    /// [`GpuError::Limits`].
    pub fn check_group(&self, kernel: &str, threads: usize, bytes: usize) -> Result<(), GpuError> {
        let most = [self.group_threads, self.shared_memory];
        self.within(kernel, most, [threads, bytes])
    }

    /// The same for bytes of arrays.
    ///
    /// # Errors
    /// [`GpuError::Limits`].
    pub fn check_arrays(&self, kernel: &str, threads: usize, bytes: usize) -> Result<(), GpuError> {
        let most = [self.group_threads, self.array_bytes()];
        self.within(kernel, most, [threads, bytes])
    }

    /// The same for a launch of a kernel that is compiled, with so many bytes of its tile.
    ///
    /// # Errors
    /// [`GpuError::Limits`].
    pub(crate) fn check_launch(
        &self,
        kernel: &str,
        group: &KernelGroup,
        threads: usize,
        tile: usize,
    ) -> Result<(), GpuError> {
        let most = [self.group_threads.min(group.threads), self.shared_memory];
        self.within(kernel, most, [threads, group.bytes(tile)])
    }

    /// Refuses threads and bytes beyond the most that a group of the kernel has.
    fn within(
        &self,
        kernel: &str,
        [most_threads, most_bytes]: [usize; 2],
        [threads, bytes]: [usize; 2],
    ) -> Result<(), GpuError> {
        if (1..=most_threads).contains(&threads) && bytes <= most_bytes {
            return Ok(());
        }
        Err(GpuError::Limits {
            device: self.name.clone(),
            kernel: kernel.to_owned(),
            reason: format!(
                "groups of {threads} threads that share {bytes} bytes are none there: a group has 1 to {most_threads} threads, \
                 which share {most_bytes} bytes at most"
            ),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_as_many_as_a_group_has_and_shares_bytes_for() {
        let device = |group_threads, shared_memory| DeviceInfo {
            group_threads,
            shared_memory,
            ..DeviceInfo::h100()
        };
        for (info, most, bytes, expected) in [
            (device(1024, 227 << 10), 256, 0, 256),
            (device(1024, 227 << 10), 1024, 48, 1024),
            (device(1024, 227 << 10), 1024, 49, 512),
            (device(96, 16 << 10), 256, 0, 64),
            (device(1024, 16 << 10), 1024, 52, 256),
            (device(0, 0), 256, 8, 1),
        ] {
            assert_eq!(info.power_of_threads(most, bytes), expected, "{info:?}");
        }
    }

    #[test]
    fn what_a_device_lacks_is_told() {
        let small = DeviceInfo {
            name: "a device".to_owned(),
            group_threads: 64,
            shared_memory: 16 << 10,
            ..DeviceInfo::h100()
        };
        assert_eq!(small.check_group("columns", 64, 16 << 10), Ok(()));
        for (threads, bytes) in [(0, 0), (65, 0), (64, (16 << 10) + 1)] {
            let said = small
                .check_group("columns", threads, bytes)
                .unwrap_err()
                .to_string();
            assert_eq!(
                said,
                format!(
                    "a device cannot run columns: groups of {threads} threads that share {bytes} bytes are none there: a group \
                     has 1 to 64 threads, which share 16384 bytes at most"
                )
            );
        }
        let h100 = DeviceInfo::h100();
        assert_eq!(h100.check_group("tiles", 1024, 200 << 10), Ok(()));
        assert!(h100.check_arrays("arrays", 64, 200 << 10).is_err());
    }

    #[test]
    fn a_tile_is_added_where_it_is_not_there_yet() {
        let kernel = |has_tile| KernelGroup {
            threads: 64,
            shared_bytes: 100,
            has_tile,
            registers: None,
        };
        assert_eq!(kernel(true).bytes(90), 100);
        assert_eq!(kernel(true).bytes(110), 110);
        assert_eq!(kernel(false).bytes(90), 190);
        assert_eq!(kernel(false).bytes(usize::MAX), usize::MAX);
    }
}
