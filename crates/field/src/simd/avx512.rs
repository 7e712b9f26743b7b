//! 512-bit vectors with 52-bit products.

use std::arch::x86_64::*;

use super::{Simd, SimdTask};

/// Proof that the machine has AVX-512 F, DQ, VL and IFMA.
#[derive(Clone, Copy, Debug)]
pub struct Avx512(());

impl Avx512 {
    /// The instruction set, if this machine has it.
    #[inline]
    pub fn detect() -> Option<Self> {
        (is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512ifma"))
        .then_some(Self(()))
    }
}

#[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512ifma")]
fn run_here<T: SimdTask>(simd: Avx512, task: T) -> T::Output {
    task.run(simd)
}

/// Wraps an expression of intrinsics.
macro_rules! avx512 {
    ($expression:expr) => {
        // SAFETY: an `Avx512` exists only where `detect` found every feature that it stands for.
        unsafe { $expression }
    };
}

impl Simd for Avx512 {
    type Vector = __m512i;
    const LANES: usize = 8;
    const FAST_52: bool = true;

    #[inline(always)]
    fn vectorize<T: SimdTask>(self, task: T) -> T::Output {
        // SAFETY: `self` exists only where `detect` found every feature of `run_here`.
        unsafe { run_here(self, task) }
    }

    #[inline(always)]
    fn splat64(self, word: u64) -> __m512i {
        avx512!(_mm512_set1_epi64(word as i64))
    }

    #[inline(always)]
    unsafe fn load_unaligned(self, source: *const u64) -> __m512i {
        // SAFETY: AVX-512 by the proof `self`; valid for eight words by the caller's promise.
        unsafe { _mm512_loadu_si512(source.cast()) }
    }

    #[inline(always)]
    unsafe fn store_unaligned(self, target: *mut u64, vector: __m512i) {
        // SAFETY: AVX-512 by the proof `self`; valid for eight words by the caller's promise.
        unsafe { _mm512_storeu_si512(target.cast(), vector) }
    }

    #[inline(always)]
    fn add64(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_add_epi64(a, b))
    }

    #[inline(always)]
    fn sub64(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_sub_epi64(a, b))
    }

    #[inline(always)]
    fn add32(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_add_epi32(a, b))
    }

    #[inline(always)]
    fn sub32(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_sub_epi32(a, b))
    }

    #[inline(always)]
    fn min32(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_min_epu32(a, b))
    }

    #[inline(always)]
    fn and(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_and_si512(a, b))
    }

    #[inline(always)]
    fn or(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_or_si512(a, b))
    }

    #[inline(always)]
    fn shift_right64(self, a: __m512i, count: u32) -> __m512i {
        avx512!(_mm512_srl_epi64(a, _mm_cvtsi32_si128(count as i32)))
    }

    #[inline(always)]
    fn shift_left64(self, a: __m512i, count: u32) -> __m512i {
        avx512!(_mm512_sll_epi64(a, _mm_cvtsi32_si128(count as i32)))
    }

    #[inline(always)]
    fn reduce_once64(self, a: __m512i, b: __m512i) -> __m512i {
        // A negative difference wraps to more than any a < 2^63 + b.
        avx512!(_mm512_min_epu64(a, _mm512_sub_epi64(a, b)))
    }

    #[inline(always)]
    fn mul_low_halves(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_mul_epu32(a, b))
    }

    #[inline(always)]
    fn mul_low64(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_mullo_epi64(a, b))
    }

    #[inline(always)]
    fn add_low52(self, sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_madd52lo_epu64(sum, a, b))
    }

    #[inline(always)]
    fn add_high52(self, sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_madd52hi_epu64(sum, a, b))
    }
}
