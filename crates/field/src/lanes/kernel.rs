//! Which arithmetic runs on this processor, and the way into it.

#[cfg(target_arch = "x86_64")]
use super::{Float50, Ifma50, Montgomery32, Signed62, signed62};
use super::{Lanes, Portable32, Portable64};
#[cfg(target_arch = "x86_64")]
use crate::simd::{Avx2, Avx512};
use crate::{Fp32, Fp50, Fp64, TwoAdicField};
use std::fmt;

/// p⁻¹ mod 2^64, for odd p: Newton's iteration doubles the correct bits, of which p·p ≡ 1 mod 8
/// gives three.
pub(super) fn inverse_mod_2_64(p: u64) -> u64 {
    (0..5).fold(p, |x, _| {
        x.wrapping_mul(2u64.wrapping_sub(p.wrapping_mul(x)))
    })
}

/// 2^−bits mod p, for odd p, by halving 1.
pub(super) fn inverse_power_of_two(bits: u32, p: u64) -> u64 {
    (0..bits).fold(
        1,
        |x: u64, _| if x & 1 == 0 { x / 2 } else { x.midpoint(p) },
    )
}

/// A family of instruction sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kernel {
    /// No vector instructions: every processor.
    Portable,
    /// AVX2 and FMA.
    Avx2,
    /// AVX2, FMA, and AVX-512 F, BW, DQ, VL and IFMA.
    Avx512,
}

impl Kernel {
    /// All of them, slowest first.
    pub const ALL: [Kernel; 3] = [Kernel::Portable, Kernel::Avx2, Kernel::Avx512];

    /// The fastest that this processor has.
    ///
    /// ```
    /// use sunzi_field::lanes::Kernel;
    /// assert!(Kernel::detect().is_available());
    /// ```
    pub fn detect() -> Self {
        let mut best = Kernel::Portable;
        for kernel in Kernel::ALL {
            if kernel.is_available() {
                best = kernel;
            }
        }
        best
    }

    /// Whether this processor has the instructions.
    pub fn is_available(self) -> bool {
        match self {
            Kernel::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => Avx2::detect().is_some(),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 => Avx512::detect().is_some(),
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kernel::Portable => "portable",
            Kernel::Avx2 => "AVX2",
            Kernel::Avx512 => "AVX-512 IFMA",
        })
    }
}

/// Work that is written once for all arithmetics.
pub trait Task<W> {
    /// What it computes.
    type Output;
    /// Does the work. Implementations are `#[inline(always)]`, so that they are compiled anew
    /// within each instruction set.
    fn run<L: Lanes<Word = W>>(self, lanes: L) -> Self::Output;
}

mod sealed {
    pub trait Sealed {}
}

/// A field whose transforms run on [`Lanes`].
///
/// Only the fields of this crate are: tables and vectors of transforms are laid out for the lanes that
/// [`LanesField::dispatch`] gives to one task, and accessed with those that it gives to the next.
// `from_word` is a constructor of elements, which needs the field at hand.
#[allow(clippy::wrong_self_convention)]
pub trait LanesField: TwoAdicField<Elem: Send + Sync> + sealed::Sealed {
    /// The kernel that stands in for `kernel`, which this processor has, for this prime.
    fn supported(&self, kernel: Kernel) -> Kernel;

    /// Runs `task` with this field's arithmetic of `kernel`, or of the one that
    /// [`LanesField::supported`] gives instead of it. A kernel that the processor lacks gives the
    /// portable one.
    fn dispatch<T: Task<Self::Elem>>(&self, kernel: Kernel, task: T) -> T::Output;

    /// The canonical residue as a word.
    fn to_word(&self, a: Self::Elem) -> u64;

    /// The element that is this canonical residue.
    fn from_word(&self, word: u64) -> Self::Elem;
}

#[cfg(target_arch = "x86_64")]
mod entry {
    //! The functions within which a task is compiled for one instruction set.
    use super::{Lanes, Task};

    #[target_feature(enable = "avx2,fma")]
    pub fn avx2<W, L: Lanes<Word = W>, T: Task<W>>(
        lanes: impl FnOnce() -> L,
        task: T,
    ) -> T::Output {
        task.run(lanes())
    }

    #[target_feature(enable = "avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")]
    pub fn avx512<W, L: Lanes<Word = W>, T: Task<W>>(
        lanes: impl FnOnce() -> L,
        task: T,
    ) -> T::Output {
        task.run(lanes())
    }
}

/// Implements [`LanesField`]: which primes have vector kernels, and which.
macro_rules! lanes_field {
    ($field:ty, $word:ty, $vectors:expr, $portable:ty,
     $(if $case:expr => $avx2:ty, $avx512:ty;)*) => {
        impl sealed::Sealed for $field {}

        impl LanesField for $field {
            fn supported(&self, kernel: Kernel) -> Kernel {
                let vectors: fn($word) -> bool = $vectors;
                if kernel.is_available() && vectors(self.prime()) { kernel } else { Kernel::Portable }
            }

            #[inline]
            fn dispatch<T: Task<$word>>(&self, kernel: Kernel, task: T) -> T::Output {
                let p = self.prime();
                let kernel = self.supported(kernel);
                #[cfg(target_arch = "x86_64")]
                {
                    $(if { let case: fn($word) -> bool = $case; case(p) } {
                        if kernel == Kernel::Avx2 && let Some(simd) = Avx2::detect() {
                            // SAFETY: `simd` is the proof of the instructions that `entry::avx2` enables.
                            return unsafe {
                                entry::avx2(#[inline(always)] || <$avx2>::new(simd, p), task)
                            };
                        }
                        if kernel == Kernel::Avx512 && let Some(simd) = Avx512::detect() {
                            // SAFETY: `simd` is the proof of the instructions that `entry::avx512` enables.
                            return unsafe {
                                entry::avx512(#[inline(always)] || <$avx512>::new(simd, p), task)
                            };
                        }
                    })*
                }
                // Where there are no vector kernels, no other is supported.
                let _ = kernel;
                task.run(<$portable>::new(p))
            }

            #[inline]
            fn to_word(&self, a: $word) -> u64 {
                a.into()
            }

            #[inline]
            fn from_word(&self, word: u64) -> $word {
                word as $word
            }
        }
    };
}

lanes_field!(Fp32, u32, |_| true, Portable32,
    if |p| p < 1 << 29 => Montgomery32<Avx2, 29>, Montgomery32<Avx512, 29>;
    if |p| p < 1 << 30 => Montgomery32<Avx2, 30>, Montgomery32<Avx512, 30>;
    if |_| true => Montgomery32<Avx2, 31>, Montgomery32<Avx512, 31>;
);
lanes_field!(Fp50, u64, |_| true, Portable64,
    if |_| true => Float50, Ifma50;
);
lanes_field!(Fp64, u64, |p| p < 1 << 62, Portable64,
    if |p| p <= signed62::MAX_SMALL_PRIME => Signed62<Avx2, false>, Signed62<Avx512, false>;
    if |_| true => Signed62<Avx2, true>, Signed62<Avx512, true>;
);
