//! Which instruction sets there are, which the processor has, and how work gets to one.

#[cfg(target_arch = "x86_64")]
use super::avx2::Avx2;
#[cfg(target_arch = "x86_64")]
use super::avx512::Avx512;
use super::portable::Portable;
use super::vectors::{Simd, SimdTask};
use std::fmt;

/// Work for an instruction set that is chosen at run time: a [`SimdTask`] on all of them.
#[cfg(target_arch = "x86_64")]
pub trait AnySimdTask<O>:
    SimdTask<Portable, Output = O> + SimdTask<Avx2, Output = O> + SimdTask<Avx512, Output = O>
{
}

#[cfg(target_arch = "x86_64")]
impl<O, T> AnySimdTask<O> for T where
    T: SimdTask<Portable, Output = O> + SimdTask<Avx2, Output = O> + SimdTask<Avx512, Output = O>
{
}

/// Work for an instruction set that is chosen at run time: there is one only.
#[cfg(not(target_arch = "x86_64"))]
pub trait AnySimdTask<O>: SimdTask<Portable, Output = O> {}

#[cfg(not(target_arch = "x86_64"))]
impl<O, T: SimdTask<Portable, Output = O>> AnySimdTask<O> for T {}

/// The instruction sets that kernels are compiled for, from the narrowest to the widest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InstructionSet {
    /// Words, no vectors: every processor.
    Portable,
    /// 256-bit vectors: AVX2, FMA and BMI2.
    Avx2,
    /// 512-bit vectors with 52-bit products: AVX2, FMA, BMI2, and AVX-512 F, BW, DQ, VL and IFMA.
    Avx512,
}

impl InstructionSet {
    /// All of them, the narrowest first.
    pub const ALL: [Self; 3] = [Self::Portable, Self::Avx2, Self::Avx512];

    /// The widest that this processor has.
    ///
    /// ```
    /// use sunzi::InstructionSet;
    ///
    /// assert!(InstructionSet::detect().is_available());
    /// ```
    #[inline]
    pub fn detect() -> Self {
        let mut widest_first = Self::ALL.into_iter().rev();
        let widest = widest_first.find(|set| set.is_available());
        widest.unwrap_or(Self::Portable)
    }

    /// Whether this processor has it; found at run time.
    #[inline]
    pub fn is_available(self) -> bool {
        match self {
            Self::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => Avx2::detect().is_some(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => Avx512::detect().is_some(),
            #[cfg(not(target_arch = "x86_64"))]
            Self::Avx2 | Self::Avx512 => false,
        }
    }

    /// Whether this processor has it, and beside it what kernels of long integers need: `mulx`, `adcx` and `adox`, by which two
    /// chains of carries run side by side (Intel since Broadwell, AMD since Zen), and with AVX-512 permutations of bytes.
    ///
    /// ```
    /// use sunzi::InstructionSet;
    ///
    /// assert!(InstructionSet::Portable.has_carry_chains());
    /// ```
    pub fn has_carry_chains(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        let words = is_x86_feature_detected!("adx") && is_x86_feature_detected!("bmi2");
        match self {
            Self::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => words,
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => {
                words
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512ifma")
                    && is_x86_feature_detected!("avx512vbmi")
            }
            #[cfg(not(target_arch = "x86_64"))]
            Self::Avx2 | Self::Avx512 => false,
        }
    }

    /// The widest that this processor [has with chains of carries](Self::has_carry_chains).
    ///
    /// ```
    /// use sunzi::InstructionSet;
    ///
    /// assert!(InstructionSet::detect_carry_chains().has_carry_chains());
    /// ```
    pub fn detect_carry_chains() -> Self {
        let mut widest_first = Self::ALL.into_iter().rev();
        let widest = widest_first.find(|set| set.has_carry_chains());
        widest.unwrap_or(Self::Portable)
    }

    /// Runs `task` with this instruction set, or in plain words if the processor lacks it.
    #[inline]
    pub fn run_or_portable<O, T: AnySimdTask<O>>(self, task: T) -> O {
        #[cfg(target_arch = "x86_64")]
        {
            if self == Self::Avx512
                && let Some(simd) = Avx512::detect()
            {
                return simd.vectorize(task);
            }
            if self == Self::Avx2
                && let Some(simd) = Avx2::detect()
            {
                return simd.vectorize(task);
            }
        }
        Portable.vectorize(task)
    }

    /// Runs `task` with this instruction set; `None` if the processor lacks it.
    #[inline]
    pub fn run<O, T: AnySimdTask<O>>(self, task: T) -> Option<O> {
        match self {
            Self::Portable => Some(Portable.vectorize(task)),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => Avx2::detect().map(|simd| simd.vectorize(task)),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => Avx512::detect().map(|simd| simd.vectorize(task)),
            #[cfg(not(target_arch = "x86_64"))]
            Self::Avx2 | Self::Avx512 => None,
        }
    }
}

impl fmt::Display for InstructionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Portable => "portable",
            Self::Avx2 => "AVX2",
            Self::Avx512 => "AVX-512 IFMA",
        })
    }
}

/// Runs `task` with the widest instruction set of this processor.
#[inline]
pub fn dispatch<O, T: AnySimdTask<O>>(task: T) -> O {
    InstructionSet::detect().run_or_portable(task)
}
