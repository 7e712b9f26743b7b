//! From how many limbs on each algorithm wins: measured, one set for each class of processor.
//!
//! Measured by `cargo run --release -p sunzi-integer --example thresholds` on an Intel Sapphire Rapids
//! core; a size is that of the shorter operand.

use crate::cpu::CpuClass;
use crate::error::MulError;
use crate::plan::Algorithm;
use sunzi_field::InstructionSet;

/// The least sizes, in limbs of the shorter operand, at which each algorithm runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Thresholds {
    /// Vectorized schoolbook replaces the scalar one (`usize::MAX`: never) ...
    pub ifma: usize,
    /// ... if the longer operand has at least this many limbs.
    pub ifma_long: usize,
    /// Karatsuba replaces schoolbook; at least 2.
    pub karatsuba: usize,
    /// Toom-3 replaces Karatsuba; at least 8.
    pub toom3: usize,
    /// Transforms replace Toom-3; set by their kernel.
    pub transform: usize,
}

/// Without special instructions.
const PORTABLE: Thresholds = Thresholds {
    ifma: usize::MAX,
    ifma_long: usize::MAX,
    karatsuba: 22,
    toom3: 160,
    transform: usize::MAX,
};
/// With `mulx`, `adcx`, `adox`.
const ADX: Thresholds = Thresholds {
    ifma: usize::MAX,
    ifma_long: usize::MAX,
    karatsuba: 26,
    toom3: 270,
    transform: usize::MAX,
};
/// With AVX-512 IFMA.
const IFMA: Thresholds = Thresholds {
    ifma: 6,
    ifma_long: 13,
    karatsuba: 150,
    toom3: 640,
    transform: usize::MAX,
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

    /// Thresholds that make a product run by `algorithm` at its outermost level, for a shorter operand of
    /// `short` limbs; the levels below are as they would be.
    pub(crate) fn forced(
        self,
        algorithm: Algorithm,
        cpu: CpuClass,
        short: usize,
    ) -> Result<Self, MulError> {
        const NEVER: usize = usize::MAX;
        let unavailable = |reason| MulError::Unavailable { algorithm, reason };
        Ok(match algorithm {
            Algorithm::Schoolbook => Self {
                ifma: NEVER,
                karatsuba: NEVER,
                toom3: NEVER,
                transform: NEVER,
                ..self
            },
            Algorithm::Ifma if cpu == CpuClass::Ifma => Self {
                ifma: 1,
                ifma_long: 1,
                karatsuba: NEVER,
                toom3: NEVER,
                transform: NEVER,
            },
            Algorithm::Ifma => {
                return Err(unavailable("the processor lacks AVX-512 IFMA and VBMI"));
            }
            Algorithm::Karatsuba => Self {
                karatsuba: self.karatsuba.min(short.max(2)),
                toom3: NEVER,
                transform: NEVER,
                ..self
            },
            Algorithm::Toom3 => {
                let toom3 = self.toom3.min(short.max(8));
                Self {
                    karatsuba: self.karatsuba.min(toom3),
                    toom3,
                    transform: NEVER,
                    ..self
                }
            }
            Algorithm::Transform => Self {
                transform: 1,
                ..self
            },
        })
    }
}
