//! The operations on 512-bit vectors.

use std::arch::x86_64::*;

use super::{Avx512, avx512, sums};
use crate::simd::transpose::Transpose;
use crate::simd::vectors::{Factors, Simd, SimdTask, Sum};

#[cfg(not(without_avx512))]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma,bmi2")]
fn run_here<T: SimdTask<Avx512>>(simd: Avx512, task: T) -> T::Output {
    task.run(simd)
}

#[cfg(not(without_avx512))]
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma,bmi2")]
fn run_apart<T: SimdTask<Avx512>>(simd: Avx512, task: T) -> T::Output {
    task.run(simd)
}

/// No task is compiled for vectors that no one can have.
#[cfg(without_avx512)]
unsafe fn run_here<T: SimdTask<Avx512>>(simd: Avx512, _: T) -> T::Output {
    match simd.0 {}
}

#[cfg(without_avx512)]
use run_here as run_apart;

impl Simd for Avx512 {
    type Vector = __m512i;
    // The instructions read the low 52 bits only, so the bits of a double in [2^52, 2^53) are one.
    type Factor = __m512i;
    type Float = __m512d;
    const LANES: usize = 8;
    const FAST_52: bool = true;

    #[inline(always)]
    fn vectorize<T: SimdTask<Self>>(self, task: T) -> T::Output {
        // SAFETY: `self` exists only where `detect` found every feature of `run_here`.
        unsafe { run_here(self, task) }
    }

    #[inline(always)]
    fn outline<T: SimdTask<Self>>(self, task: T) -> T::Output {
        // SAFETY: `self` exists only where `detect` found every feature of `run_apart`.
        unsafe { run_apart(self, task) }
    }

    #[inline(always)]
    fn splat64(self, word: u64) -> __m512i {
        avx512!(_mm512_set1_epi64(word as i64))
    }

    #[inline(always)]
    fn splat32(self, word: u32) -> __m512i {
        avx512!(_mm512_set1_epi32(word.cast_signed()))
    }

    #[inline(always)]
    unsafe fn load_unaligned(self, source: *const u64) -> __m512i {
        // SAFETY: AVX-512 by the proof `self`; eight words are readable, as this function asks.
        unsafe { _mm512_loadu_si512(source.cast()) }
    }

    #[inline(always)]
    unsafe fn store_unaligned(self, target: *mut u64, vector: __m512i) {
        // SAFETY: AVX-512 by the proof `self`; eight words are writable, as this function asks.
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

    #[inline(always)]
    fn shift_right_signed64(self, a: __m512i, count: u32) -> __m512i {
        avx512!(_mm512_sra_epi64(a, _mm_cvtsi32_si128(count as i32)))
    }

    #[inline(always)]
    fn less64(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_movm_epi64(_mm512_cmplt_epu64_mask(a, b)))
    }

    #[inline(always)]
    fn top_bits64(self, a: __m512i) -> u8 {
        avx512!(_mm512_movepi64_mask(a))
    }

    #[inline(always)]
    fn factor52(self, a: __m512i) -> __m512i {
        a
    }

    #[inline(always)]
    fn add_product52(
        self,
        (low, high): (__m512i, __m512i),
        a: __m512i,
        b: __m512i,
    ) -> (__m512i, __m512i) {
        (self.add_low52(low, a, b), self.add_high52(high, a, b))
    }

    #[inline(always)]
    fn add_low_product52(self, sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
        self.add_low52(sum, a, b)
    }

    #[inline(always)]
    fn two_sums52(self, minus: Factors<'_, Self>, plus: Factors<'_, Self>) -> [Sum<Self>; 2] {
        avx512!(sums::two_sums(self, minus, plus))
    }

    #[inline(always)]
    fn splat_float(self, value: f64) -> __m512d {
        avx512!(_mm512_set1_pd(value))
    }

    #[inline(always)]
    fn float52(self, a: __m512i) -> __m512d {
        avx512!(_mm512_cvtepi64_pd(a))
    }

    #[inline(always)]
    fn float_signed(self, a: __m512i) -> __m512d {
        avx512!(_mm512_cvtepi64_pd(a))
    }

    #[inline(always)]
    fn float64(self, a: __m512i) -> __m512d {
        avx512!(_mm512_cvtepi64_pd(a))
    }

    #[inline(always)]
    fn mul_float(self, a: __m512d, b: __m512d) -> __m512d {
        avx512!(_mm512_mul_pd(a, b))
    }

    #[inline(always)]
    fn mul_add_float(self, a: __m512d, b: __m512d, c: __m512d) -> __m512d {
        avx512!(_mm512_fmadd_pd(a, b, c))
    }

    #[inline(always)]
    fn floor52(self, a: __m512d) -> (__m512i, __m512i) {
        avx512!({
            let bits = _mm512_castpd_si512(add_down(a, _mm512_set1_pd(TWO_52)));
            (bits, _mm512_and_si512(bits, _mm512_set1_epi64(MASK_52)))
        })
    }

    #[inline(always)]
    fn floor104(self, a: __m512d) -> [(__m512i, __m512i); 2] {
        avx512!({
            // Doubles from 2^104 to 2^105 are the multiples of 2^52.
            let two_104 = _mm512_set1_pd(TWO_52 * TWO_52);
            let raised = add_down(a, two_104);
            let high = _mm512_castpd_si512(raised);
            let high = (high, _mm512_and_si512(high, _mm512_set1_epi64(MASK_52)));
            let low = _mm512_sub_pd(a, _mm512_sub_pd(raised, two_104));
            [self.floor52(low), high]
        })
    }

    #[inline(always)]
    unsafe fn transpose8(self, from: *const u64, to: *mut u64, strides: (usize, usize)) {
        // SAFETY: eight words are readable in each of eight rows, and writable in as many elsewhere, as this
        // function asks.
        unsafe {
            let mut rows = self.load_block64(from.cast(), 8 * strides.0);
            self.transpose64(&mut rows);
            for (j, row) in rows.into_iter().enumerate() {
                self.store_unaligned(to.add(j * strides.1), row);
            }
        }
    }
}

const TWO_52: f64 = (1u64 << 52) as f64;
const MASK_52: i64 = (1 << 52) - 1;

/// `a + b`, rounded down.
#[target_feature(enable = "avx512f")]
#[inline]
fn add_down(a: __m512d, b: __m512d) -> __m512d {
    _mm512_add_round_pd::<{ _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC }>(a, b)
}
