//! From how many limbs on each algorithm wins: measured, one set for each class of processor.
//!
//! Measured by `cargo run --release -p sunzi-integer --example thresholds` on an Intel Sapphire Rapids
//! core; a size is that of the shorter operand.

use crate::cpu::CpuClass;

/// The least sizes, in limbs of the shorter operand, at which each algorithm runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Thresholds {
    /// Vectorized schoolbook replaces the scalar one (`usize::MAX`: never).
    pub ifma: usize,
    /// Karatsuba replaces schoolbook.
    pub karatsuba: usize,
    /// Toom-3 replaces Karatsuba.
    pub toom3: usize,
}

/// Without special instructions.
const PORTABLE: Thresholds = Thresholds {
    ifma: usize::MAX,
    karatsuba: 28,
    toom3: usize::MAX,
};
/// With `mulx`, `adcx`, `adox`.
const ADX: Thresholds = Thresholds {
    ifma: usize::MAX,
    karatsuba: 28,
    toom3: usize::MAX,
};
/// With AVX-512 IFMA.
const IFMA: Thresholds = Thresholds {
    ifma: usize::MAX,
    karatsuba: 28,
    toom3: usize::MAX,
};

impl Thresholds {
    /// The measured thresholds of a class.
    pub(crate) fn of(cpu: CpuClass) -> Self {
        match cpu {
            CpuClass::Portable => PORTABLE,
            CpuClass::Adx => ADX,
            CpuClass::Ifma => IFMA,
        }
    }
}
