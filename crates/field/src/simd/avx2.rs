//! 256-bit vectors.

use std::arch::x86_64::*;

use super::{Simd, SimdTask};

/// Proof that the machine has AVX2.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

impl Avx2 {
    /// The instruction set, if this machine has it.
    #[inline]
    pub fn detect() -> Option<Self> {
        is_x86_feature_detected!("avx2").then_some(Self(()))
    }
}

#[target_feature(enable = "avx2")]
fn run_here<T: SimdTask>(simd: Avx2, task: T) -> T::Output {
    task.run(simd)
}

/// Wraps an expression of intrinsics.
macro_rules! avx2 {
    ($expression:expr) => {
        // SAFETY: an `Avx2` exists only where `detect` found AVX2.
        unsafe { $expression }
    };
}

impl Simd for Avx2 {
    type Vector = __m256i;
    const LANES: usize = 4;
    const FAST_52: bool = false;

    #[inline(always)]
    fn vectorize<T: SimdTask>(self, task: T) -> T::Output {
        // SAFETY: `self` exists only where `detect` found AVX2.
        unsafe { run_here(self, task) }
    }

    #[inline(always)]
    fn splat64(self, word: u64) -> __m256i {
        avx2!(_mm256_set1_epi64x(word as i64))
    }

    #[inline(always)]
    unsafe fn load_unaligned(self, source: *const u64) -> __m256i {
        // SAFETY: AVX2 by the proof `self`; valid for four words by the caller's promise.
        unsafe { _mm256_loadu_si256(source.cast()) }
    }

    #[inline(always)]
    unsafe fn store_unaligned(self, target: *mut u64, vector: __m256i) {
        // SAFETY: AVX2 by the proof `self`; valid for four words by the caller's promise.
        unsafe { _mm256_storeu_si256(target.cast(), vector) }
    }

    #[inline(always)]
    fn add64(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_add_epi64(a, b))
    }

    #[inline(always)]
    fn sub64(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_sub_epi64(a, b))
    }

    #[inline(always)]
    fn add32(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_add_epi32(a, b))
    }

    #[inline(always)]
    fn sub32(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_sub_epi32(a, b))
    }

    #[inline(always)]
    fn min32(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_min_epu32(a, b))
    }

    #[inline(always)]
    fn and(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_and_si256(a, b))
    }

    #[inline(always)]
    fn or(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_or_si256(a, b))
    }

    #[inline(always)]
    fn shift_right64(self, a: __m256i, count: u32) -> __m256i {
        avx2!(_mm256_srl_epi64(a, _mm_cvtsi32_si128(count as i32)))
    }

    #[inline(always)]
    fn shift_left64(self, a: __m256i, count: u32) -> __m256i {
        avx2!(_mm256_sll_epi64(a, _mm_cvtsi32_si128(count as i32)))
    }

    #[inline(always)]
    fn reduce_once64(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!({
            let difference = _mm256_castsi256_pd(_mm256_sub_epi64(a, b));
            // The blend looks at the sign only.
            let kept = _mm256_blendv_pd(difference, _mm256_castsi256_pd(a), difference);
            _mm256_castpd_si256(kept)
        })
    }

    #[inline(always)]
    fn mul_low_halves(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_mul_epu32(a, b))
    }

    #[inline(always)]
    fn mul_low64(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!({
            // The cross products sit in the two halves of one vector of 32-bit products.
            let swapped = _mm256_shuffle_epi32::<0b10_11_00_01>(b);
            let cross = _mm256_mullo_epi32(a, swapped);
            let cross = _mm256_add_epi32(cross, _mm256_slli_epi64::<32>(cross));
            let high_only = _mm256_and_si256(cross, _mm256_set1_epi64x(!0xffff_ffff));
            _mm256_add_epi64(_mm256_mul_epu32(a, b), high_only)
        })
    }

    #[inline(always)]
    fn add_low52(self, sum: __m256i, a: __m256i, b: __m256i) -> __m256i {
        let mask = self.splat64((1 << 52) - 1);
        let low = self.mul_low64(self.and(a, mask), self.and(b, mask));
        self.add64(sum, self.and(low, mask))
    }

    #[inline(always)]
    fn add_high52(self, sum: __m256i, a: __m256i, b: __m256i) -> __m256i {
        let mask = self.splat64((1 << 52) - 1);
        let (low, high) = self.mul_wide64(self.and(a, mask), self.and(b, mask));
        let part = self.or(self.shift_right64(low, 52), self.shift_left64(high, 12));
        self.add64(sum, part)
    }
}
