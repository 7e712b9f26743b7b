//! Which kernels the processor at hand can run; detected at run time.
//!
//! They differ from the [`InstructionSet`]s of vectors: `mulx`, `adcx` and `adox` work on single words, and the products
//! of digits need byte permutations beside 52-bit products.

use std::fmt;
use sunzi_machine::InstructionSet;

/// The families of kernels, from the least to the most demanding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum CpuClass {
    /// Plain Rust with 128-bit products: every processor.
    Portable,
    /// x86-64 with `mulx`, `adcx` and `adox` (Intel since Broadwell, AMD since Zen).
    Adx,
    /// The same with AVX-512 52-bit multiply-add and byte permutations (Intel since Ice Lake, AMD since Zen 4).
    Ifma,
}

impl CpuClass {
    /// All of them, from the least to the most demanding.
    pub const ALL: [Self; 3] = [Self::Portable, Self::Adx, Self::Ifma];

    /// The most demanding class that this processor supports.
    ///
    /// ```
    /// let class = sunzi_integer::CpuClass::detect();
    /// assert!(class.is_available());
    /// ```
    pub fn detect() -> Self {
        let mut most_first = Self::ALL.into_iter().rev();
        let most = most_first.find(|class| class.is_available());
        most.unwrap_or(Self::Portable)
    }

    /// The vector instructions of its processors, for transforms.
    pub(crate) fn vectors(self) -> InstructionSet {
        match self {
            Self::Portable => InstructionSet::Portable,
            Self::Adx => InstructionSet::Avx2,
            Self::Ifma => InstructionSet::Avx512,
        }
    }

    /// Whether this processor runs the kernels of the class.
    ///
    /// ```
    /// assert!(sunzi_integer::CpuClass::Portable.is_available());
    /// ```
    pub fn is_available(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        {
            let adx = is_x86_feature_detected!("adx") && is_x86_feature_detected!("bmi2");
            let ifma = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512ifma")
                && is_x86_feature_detected!("avx512vbmi");
            match self {
                Self::Portable => true,
                Self::Adx => adx,
                Self::Ifma => adx && ifma,
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            self == Self::Portable
        }
    }
}

impl fmt::Display for CpuClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Portable => "portable",
            Self::Adx => "mulx/adcx/adox",
            Self::Ifma => "AVX-512 IFMA",
        })
    }
}
