//! How many blocks of threads reside on a multiprocessor at a time.
//!
//! The least of what four limits allow: blocks, warps, registers (given to a warp in units), shared memory. Limits by compute
//! capability are those of NVIDIA's *CUDA C++ Programming Guide*, "Technical specifications per compute capability".

use crate::error::ModelError;

/// Threads of a warp.
const WARP: u64 = 32;

/// What a multiprocessor has room for; what is not known is `None`, and limits nothing.
///
/// ```
/// use sunzi::tune::{BlockResources, MultiprocessorLimits};
///
/// let limits = MultiprocessorLimits::of_capability(9, 0);
/// let block = BlockResources { threads: 256, registers: Some(40), shared_bytes: 48 << 10 };
/// assert_eq!(limits.resident_blocks(block)?, 4); // 48 KiB of 228 each
/// # Ok::<(), sunzi::tune::ModelError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MultiprocessorLimits {
    /// Blocks.
    pub blocks: Option<u64>,
    /// Warps.
    pub warps: Option<u64>,
    /// Registers of 32 bits.
    pub registers: Option<u64>,
    /// Registers that a warp is given at a time: its own are rounded up to a multiple.
    pub register_unit: u64,
    /// Bytes of shared memory.
    pub shared_bytes: Option<u64>,
    /// Bytes of the first-level cache.
    pub l1_bytes: Option<u64>,
}

/// What a block takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockResources {
    /// Threads.
    pub threads: u64,
    /// Registers of a thread, if known.
    pub registers: Option<u64>,
    /// Bytes of shared memory.
    pub shared_bytes: u64,
}

impl MultiprocessorLimits {
    /// Those of NVIDIA's devices by compute capability; nothing is known of capabilities that are not listed.
    ///
    /// ```
    /// use sunzi::tune::MultiprocessorLimits;
    /// let turing = MultiprocessorLimits::of_capability(7, 5);
    /// assert_eq!((turing.blocks, turing.warps, turing.l1_bytes), (Some(16), Some(32), Some(64 << 10)));
    /// assert_eq!(MultiprocessorLimits::of_capability(1, 0), MultiprocessorLimits::default());
    /// ```
    pub fn of_capability(major: u32, minor: u32) -> Self {
        let (blocks, warps, kilobytes) = match (major, minor) {
            (2, _) => (8, 48, 48),
            (3, 7) => (16, 64, 112),
            (3, _) => (16, 64, 48),
            (5, 2) | (6, 1) | (7, 0) => (32, 64, 96),
            (5 | 6, _) => (32, 64, 64),
            (7, 2) => (32, 64, 96),
            (7, 5) => (16, 32, 64),
            (8, 0) => (32, 64, 164),
            (8, 6) => (16, 48, 100),
            (8, 7) => (16, 48, 164),
            (8, 9) => (24, 48, 100),
            (9, 0) => (32, 64, 228),
            _ => return Self::default(),
        };
        let registers = match (major, minor) {
            (2, _) => 1 << 15,
            (3, 7) => 1 << 17,
            _ => 1 << 16,
        };
        let l1 = match (major, minor) {
            (2, _) => Some(16),
            (6, 1) => Some(48),
            (7, 5) => Some(64),
            _ => None,
        };
        Self {
            blocks: Some(blocks),
            warps: Some(warps),
            registers: Some(registers),
            register_unit: if major == 2 { 64 } else { 256 },
            shared_bytes: Some(kilobytes << 10),
            l1_bytes: l1.map(|kilobytes| kilobytes << 10),
        }
    }

    /// Blocks that reside at a time.
    ///
    /// # Errors
    /// [`ModelError`] where not one does, and where nothing is known.
    pub fn resident_blocks(&self, block: BlockResources) -> Result<u64, ModelError> {
        if block.threads == 0 {
            return Err(ModelError::NoThreads);
        }
        let warps = block.threads.div_ceil(WARP);
        let unit = self.register_unit.max(1);
        let of_warp = block.registers.map(|registers| {
            registers
                .saturating_mul(WARP)
                .div_ceil(unit)
                .saturating_mul(unit)
        });
        let registers = of_warp.map_or(0, |registers| registers.saturating_mul(warps));
        let mut resident = None;
        for (what, wanted, there) in [
            ("blocks", 1, self.blocks),
            ("warps", warps, self.warps),
            ("registers", registers, self.registers),
            (
                "bytes of shared memory",
                block.shared_bytes,
                self.shared_bytes,
            ),
        ] {
            let (Some(there), 1..) = (there, wanted) else {
                continue;
            };
            if wanted > there {
                return Err(ModelError::TooLarge {
                    what,
                    wanted,
                    there,
                });
            }
            let fits = there / wanted;
            resident = Some(resident.map_or(fits, |least: u64| least.min(fits)));
        }
        resident.ok_or(ModelError::NoLimits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(threads: u64, registers: u64, shared_bytes: u64) -> BlockResources {
        BlockResources {
            threads,
            registers: Some(registers),
            shared_bytes,
        }
    }

    #[test]
    fn each_limit_may_be_the_least() {
        let pascal = MultiprocessorLimits::of_capability(6, 1);
        for (shape, expected) in [
            (block(32, 0, 0), 32),
            (block(33, 0, 0), 32),
            (block(1024, 32, 0), 2),
            (block(1024, 33, 0), 1), // 1088 registers a warp become 1280
            (block(256, 32, 0), 8),
            (block(256, 33, 0), 6),
            (block(64, 16, 33 << 10), 2),
            (block(64, 16, 96 << 10), 1),
        ] {
            assert_eq!(pascal.resident_blocks(shape), Ok(expected), "{shape:?}");
        }
        let refused = |shape, what| {
            let error = pascal.resident_blocks(shape).unwrap_err();
            assert!(error.to_string().contains(what), "{error}");
        };
        refused(block(2049, 16, 0), "65 warps");
        refused(block(1024, 65, 0), "registers");
        refused(block(32, 16, (96 << 10) + 1), "shared memory");
        refused(block(0, 16, 0), "one thread");
        refused(block(u64::MAX, u64::MAX, u64::MAX), "warps");
    }

    #[test]
    fn what_is_unknown_limits_nothing() {
        let unknown = MultiprocessorLimits::default();
        let refused = unknown.resident_blocks(block(64, 16, 0));
        assert_eq!(refused, Err(ModelError::NoLimits));
        // OpenCL on a processor: one group a unit.
        let processor = MultiprocessorLimits {
            blocks: Some(1),
            ..unknown
        };
        assert_eq!(processor.resident_blocks(block(4096, 255, 1 << 20)), Ok(1));
        let counted = [
            (2, 0, 8),
            (3, 5, 16),
            (5, 0, 32),
            (7, 0, 32),
            (7, 5, 16),
            (8, 0, 32),
        ];
        for (major, minor, blocks) in
            counted
                .into_iter()
                .chain([(8, 6, 16), (8, 9, 24), (9, 0, 32)])
        {
            let limits = MultiprocessorLimits::of_capability(major, minor);
            assert_eq!(limits.blocks, Some(blocks), "{major}.{minor}");
        }
    }
}
