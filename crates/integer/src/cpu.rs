//! Which kernels the processor at hand can run; detected at run time.

use std::fmt;

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
    /// The most demanding class that this processor supports.
    ///
    /// ```
    /// let class = sunzi_integer::CpuClass::detect();
    /// assert!(class.is_supported());
    /// ```
    pub fn detect() -> Self {
        [Self::Ifma, Self::Adx]
            .into_iter()
            .find(|class| class.is_supported())
            .unwrap_or(Self::Portable)
    }

    /// Whether this processor runs the kernels of the class.
    ///
    /// ```
    /// assert!(sunzi_integer::CpuClass::Portable.is_supported());
    /// ```
    pub fn is_supported(self) -> bool {
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
