//! Which arithmetic a field has on an instruction set, and the way into it.

use super::Lanes;
#[cfg(target_arch = "x86_64")]
use super::float50::Float50;
#[cfg(target_arch = "x86_64")]
use super::ifma50::Ifma50;
#[cfg(target_arch = "x86_64")]
use super::montgomery32::Montgomery32;
use super::portable::{Portable32, Portable64, PortableFull};
#[cfg(target_arch = "x86_64")]
use super::signed62::{self, Signed62};
use crate::fp32::Fp32;
use crate::fp64::{Fp50, Fp64};
use crate::fp64_full::Fp64Full;
use crate::traits::TwoAdicField;
use sunzi_machine::simd::InstructionSet;
#[cfg(target_arch = "x86_64")]
use sunzi_machine::simd::avx2::Avx2;
#[cfg(target_arch = "x86_64")]
use sunzi_machine::simd::avx512::Avx512;
#[cfg(target_arch = "x86_64")]
use sunzi_machine::simd::{Simd, SimdTask};

/// Work that is written once for all arithmetics on words of one size.
pub trait LanesTask<W> {
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
    /// The set whose kernels are taken for this prime instead of `kernel`: one that this processor has.
    fn supported(&self, kernel: InstructionSet) -> InstructionSet;

    /// Runs `task` with this field's arithmetic on `kernel`, or on the set that
    /// [`LanesField::supported`] gives instead of it: the portable one, if the processor lacks that.
    fn dispatch<T: LanesTask<Self::Elem>>(&self, kernel: InstructionSet, task: T) -> T::Output;

    /// The canonical residue as a word.
    fn to_word(&self, a: Self::Elem) -> u64;

    /// The element that is this canonical residue.
    fn from_word(&self, word: u64) -> Self::Elem;
}

/// A task with the arithmetic that it runs on, which is made within the instruction set.
#[cfg(target_arch = "x86_64")]
struct WithLanes<F, T> {
    lanes: F,
    task: T,
}

#[cfg(target_arch = "x86_64")]
impl<S: Simd, L: Lanes, F: FnOnce(S) -> L, T: LanesTask<L::Word>> SimdTask<S> for WithLanes<F, T> {
    type Output = T::Output;

    #[inline(always)]
    fn run(self, simd: S) -> T::Output {
        self.task.run((self.lanes)(simd))
    }
}

#[cfg(target_arch = "x86_64")]
fn with_lanes<F, T>(lanes: F, task: T) -> WithLanes<F, T> {
    WithLanes { lanes, task }
}

/// Implements [`LanesField`]: which primes have vector kernels, and which.
macro_rules! lanes_field {
    ($field:ty, $word:ty, $vectors:expr, $portable:ty,
     $(if $case:expr => $avx2:ty, $avx512:ty;)*) => {
        impl sealed::Sealed for $field {}

        impl LanesField for $field {
            fn supported(&self, kernel: InstructionSet) -> InstructionSet {
                let vectors: fn($word) -> bool = $vectors;
                if kernel.is_available() && vectors(self.prime()) { kernel } else { InstructionSet::Portable }
            }

            #[inline]
            fn dispatch<T: LanesTask<$word>>(&self, kernel: InstructionSet, task: T) -> T::Output {
                let p = self.prime();
                let kernel = self.supported(kernel);
                #[cfg(target_arch = "x86_64")]
                {
                    $(if { let case: fn($word) -> bool = $case; case(p) } {
                        if kernel == InstructionSet::Avx2 && let Some(simd) = Avx2::detect() {
                            return simd.vectorize(with_lanes(
                                #[inline(always)] |simd: Avx2| <$avx2>::new(simd, p), task
                            ));
                        }
                        if kernel == InstructionSet::Avx512 && let Some(simd) = Avx512::detect() {
                            return simd.vectorize(with_lanes(
                                #[inline(always)] |simd: Avx512| <$avx512>::new(simd, p), task
                            ));
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
lanes_field!(Fp64Full, u64, |_| false, PortableFull,);
