//! The lengths from which each algorithm is the fastest: a value that a multiplier has.
//!
//! The built-in ones, one for each instruction set, were found on a core of an Intel Sapphire Rapids by timing
//! products of two operands of the same length, for lengths around each crossing, by both algorithms that meet there; a
//! threshold is the length from which the second never loses again. On other processors, measuring again may be worth it:
//! [`Multiplier::with_thresholds`] takes what was found.
//!
//! [`Multiplier::with_thresholds`]: crate::Multiplier::with_thresholds

use crate::schoolbook::MAX_UNROLLED;
use sunzi_machine::InstructionSet;

/// The least lengths, in limbs of the shorter operand, at which each algorithm runs; `usize::MAX` for one that never does.
///
/// They decide about time alone: products are the same by all of them.
///
/// ```
/// use sunzi::integer::{Algorithm, Multiplier, Thresholds};
///
/// let built_in = Multiplier::new().thresholds();
/// let late = Thresholds { karatsuba: 100, toom3: 1000, transform: 5000, ..built_in };
/// let multiplier = Multiplier::new().with_thresholds(late);
/// assert_eq!(multiplier.plan(999, 999).algorithm(), Algorithm::Karatsuba);
/// assert_eq!(multiplier.plan(1000, 1000).algorithm(), Algorithm::Toom3);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Thresholds {
    /// Vectorized schoolbook replaces the scalar one, from 1 on, where the processor has its instructions ...
    pub ifma: usize,
    /// ... if the longer operand has at least this many limbs, from 9 on, ...
    pub ifma_long: usize,
    /// ... or, where both are the same, they have at least this many, from 9 on.
    pub ifma_square: usize,
    /// Karatsuba's algorithm replaces schoolbook; from 9 on.
    pub karatsuba: usize,
    /// Toom-3 replaces Karatsuba's; from 9 on.
    pub toom3: usize,
    /// Transforms replace Toom-3; from 9 on.
    pub transform: usize,
}

/// The threshold of an algorithm that never runs.
pub const NEVER: usize = usize::MAX;

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

/// The measured thresholds of the kernels of schoolbook products, and of those of transforms.
pub fn measured(schoolbook: InstructionSet, transforms: InstructionSet) -> Thresholds {
    let quadratic = match schoolbook {
        InstructionSet::Portable => PORTABLE,
        InstructionSet::Avx2 => ADX,
        InstructionSet::Avx512 => IFMA,
    };
    let transforms = if transforms.is_available() {
        transforms
    } else {
        InstructionSet::Portable
    };
    Thresholds {
        transform: match transforms {
            InstructionSet::Portable => 80_000,
            InstructionSet::Avx2 => 600,
            InstructionSet::Avx512 => 880,
        },
        ..quadratic
    }
}

impl Thresholds {
    /// These as an instruction set can have them: without vectors that it lacks, and with kernels of the shortest
    /// products below all else.
    pub(crate) fn fitting(self, set: InstructionSet) -> Self {
        const LEAST: usize = MAX_UNROLLED + 1;
        let ifma = |threshold: usize, least| match set {
            InstructionSet::Avx512 => threshold.max(least),
            _ => NEVER,
        };
        Self {
            ifma: ifma(self.ifma, 1),
            ifma_long: ifma(self.ifma_long, LEAST),
            ifma_square: ifma(self.ifma_square, LEAST),
            karatsuba: self.karatsuba.max(LEAST),
            toom3: self.toom3.max(LEAST),
            transform: self.transform.max(LEAST),
        }
    }
}
