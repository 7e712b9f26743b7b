//! 512-bit vectors with 52-bit products.

mod sums;
mod vectors;

/// What the proof is made of: nothing, and where the build script left kernels out, what there is no value of.
#[cfg(not(without_avx512))]
type Found = ();
#[cfg(without_avx512)]
type Found = std::convert::Infallible;

/// Proof that the machine has AVX2, FMA, and AVX-512 F, BW, DQ, VL and IFMA.
#[derive(Clone, Copy, Debug)]
pub struct Avx512(Found);

impl Avx512 {
    /// The instruction set, if this machine has it.
    #[cfg(without_avx512)]
    #[inline]
    pub fn detect() -> Option<Self> {
        None
    }

    /// The instruction set, if this machine has it.
    #[cfg(not(without_avx512))]
    #[inline]
    pub fn detect() -> Option<Self> {
        // All processors with the others have the first two; a hypervisor may hide them.
        (is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512ifma"))
        .then_some(Self(()))
    }
}

/// Wraps an expression of intrinsics that touch no memory, in a function that holds an [`Avx512`].
#[doc(hidden)]
#[macro_export]
macro_rules! avx512 {
    ($expression:expr) => {
        // SAFETY: an `Avx512` exists only where `detect` found every feature that it stands for.
        unsafe { $expression }
    };
}
pub use avx512;
