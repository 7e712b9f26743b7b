//! The lengths from which each algorithm is the fastest: one set for each class of processor.
//!
//! They were found on a core of an Intel Sapphire Rapids by timing products of two operands of the same length, for
//! lengths around each crossing, by both algorithms that meet there ([`Multiplier::mul_with`]); a threshold is the
//! length from which the second never loses again.
//!
//! [`Multiplier::mul_with`]: crate::Multiplier::mul_with

use crate::cpu::CpuClass;
use sunzi_field::InstructionSet;

/// The least lengths, in limbs of the shorter operand, at which each algorithm runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Thresholds {
    /// Vectorized schoolbook replaces the scalar one (`usize::MAX`: never) ...
    pub ifma: usize,
    /// ... if the longer operand has at least this many limbs ...
    pub ifma_long: usize,
    /// ... or, where both are the same, they have at least this many.
    pub ifma_square: usize,
    /// Karatsuba replaces schoolbook; at least 2.
    pub karatsuba: usize,
    /// Toom-3 replaces Karatsuba; at least 8.
    pub toom3: usize,
    /// Transforms replace Toom-3; set by their kernel.
    pub transform: usize,
}

/// The threshold of an algorithm that never runs.
pub(crate) const NEVER: usize = usize::MAX;

/// Without special instructions.
const PORTABLE: Thresholds = Thresholds {
    ifma: NEVER,
    ifma_long: NEVER,
    ifma_square: NEVER,
    karatsuba: 22,
    toom3: 160,
    transform: NEVER,
};
/// With `mulx`, `adcx`, `adox`.
const ADX: Thresholds = Thresholds {
    karatsuba: 26,
    toom3: 270,
    ..PORTABLE
};
/// With AVX-512 IFMA.
const IFMA: Thresholds = Thresholds {
    ifma: 6,
    ifma_long: 13,
    ifma_square: 17,
    karatsuba: 150,
    toom3: 640,
    ..PORTABLE
};

impl Thresholds {
    /// The measured thresholds of a class, and of the kernel of the transforms.
    pub(crate) fn of(cpu: CpuClass, kernel: InstructionSet) -> Self {
        let class = match cpu {
            CpuClass::Portable => PORTABLE,
            CpuClass::Adx => ADX,
            CpuClass::Ifma => IFMA,
        };
        let transform = if kernel.is_available() {
            kernel
        } else {
            InstructionSet::Portable
        };
        Self {
            transform: match transform {
                InstructionSet::Portable => 80_000,
                InstructionSet::Avx2 => 600,
                InstructionSet::Avx512 => 880,
            },
            ..class
        }
    }
}
