//! 256-bit vectors.

use std::arch::x86_64::*;

use super::vectors::{Simd, SimdTask};

/// Proof that the machine has AVX2, FMA and BMI2, whose products of words serve the scalar code between vectors.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

impl Avx2 {
    /// The instruction set, if this machine has it.
    #[inline]
    pub fn detect() -> Option<Self> {
        (is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("bmi2"))
        .then_some(Self(()))
    }
}

#[target_feature(enable = "avx2,fma,bmi2")]
fn run_here<T: SimdTask<Avx2>>(simd: Avx2, task: T) -> T::Output {
    task.run(simd)
}

#[inline(never)]
#[target_feature(enable = "avx2,fma,bmi2")]
fn run_apart<T: SimdTask<Avx2>>(simd: Avx2, task: T) -> T::Output {
    task.run(simd)
}

/// Wraps an expression of intrinsics that touch no memory, in a function that holds an [`Avx2`].
#[doc(hidden)]
#[macro_export]
macro_rules! avx2 {
    ($expression:expr) => {
        // SAFETY: an `Avx2` exists only where `detect` found AVX2, FMA and BMI2.
        unsafe { $expression }
    };
}
pub use avx2;

impl Simd for Avx2 {
    type Vector = __m256i;
    type Factor = __m256d;
    type Float = __m256d;
    const LANES: usize = 4;
    const FAST_52: bool = false;

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
    fn splat64(self, word: u64) -> __m256i {
        avx2!(_mm256_set1_epi64x(word as i64))
    }

    #[inline(always)]
    fn splat32(self, word: u32) -> __m256i {
        avx2!(_mm256_set1_epi32(word.cast_signed()))
    }

    #[inline(always)]
    unsafe fn load_unaligned(self, source: *const u64) -> __m256i {
        // SAFETY: AVX2 by the proof `self`; four words are readable, as this function asks.
        unsafe { _mm256_loadu_si256(source.cast()) }
    }

    #[inline(always)]
    unsafe fn store_unaligned(self, target: *mut u64, vector: __m256i) {
        // SAFETY: AVX2 by the proof `self`; four words are writable, as this function asks.
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

    #[inline(always)]
    fn shift_right_signed64(self, a: __m256i, count: u32) -> __m256i {
        // Raised by 2^63, numbers are unsigned in the same order.
        let raised = self.add64(a, self.splat64(1 << 63));
        let shifted = self.shift_right64(raised, count);
        self.sub64(shifted, self.splat64((1 << 63) >> count))
    }

    #[inline(always)]
    fn less64(self, a: __m256i, b: __m256i) -> __m256i {
        let top = self.splat64(1 << 63);
        let (a, b) = (self.add64(a, top), self.add64(b, top));
        avx2!(_mm256_cmpgt_epi64(b, a))
    }

    #[inline(always)]
    fn top_bits64(self, a: __m256i) -> u8 {
        avx2!(_mm256_movemask_pd(_mm256_castsi256_pd(a)) as u8)
    }

    #[inline(always)]
    fn factor52(self, a: __m256i) -> __m256d {
        self.float52(self.and(a, self.splat64((1 << 52) - 1)))
    }

    #[inline(always)]
    fn add_product52(
        self,
        (low, high): (__m256i, __m256i),
        a: __m256d,
        b: __m256d,
    ) -> (__m256i, __m256i) {
        let (rest, multiple) = halves52(self, a, b);
        (self.add64(low, rest), self.add64(high, multiple))
    }

    #[inline(always)]
    fn add_low_product52(self, sum: __m256i, a: __m256d, b: __m256d) -> __m256i {
        self.add64(sum, halves52(self, a, b).0)
    }

    #[inline(always)]
    fn splat_float(self, value: f64) -> __m256d {
        avx2!(_mm256_set1_pd(value))
    }

    #[inline(always)]
    fn float52(self, a: __m256i) -> __m256d {
        // The bits of a number below 2^52 are the mantissa of that number and 2^52.
        avx2!({
            let two_52 = _mm256_set1_pd(TWO_52);
            let raised = _mm256_or_si256(a, _mm256_castpd_si256(two_52));
            _mm256_sub_pd(_mm256_castsi256_pd(raised), two_52)
        })
    }

    #[inline(always)]
    fn float_signed(self, a: __m256i) -> __m256d {
        // Raised by 2^51, the bits of a number are its distance from that and 2^52.
        avx2!({
            let middle = _mm256_set1_pd(1.5 * TWO_52);
            let raised = self.add64(a, _mm256_castpd_si256(middle));
            _mm256_sub_pd(_mm256_castsi256_pd(raised), middle)
        })
    }

    #[inline(always)]
    fn float64(self, a: __m256i) -> __m256d {
        // Raised by 2^63, it is a word without sign.
        let upper = self.shift_right64(self.add64(a, self.splat64(1 << 63)), 32);
        let upper = avx2!(_mm256_sub_pd(
            self.float52(upper),
            self.splat_float(TWO_32 / 2.0)
        ));
        let lower = self.float52(self.and(a, self.splat64(0xffff_ffff)));
        self.mul_add_float(upper, self.splat_float(TWO_32), lower)
    }

    #[inline(always)]
    fn mul_float(self, a: __m256d, b: __m256d) -> __m256d {
        avx2!(_mm256_mul_pd(a, b))
    }

    #[inline(always)]
    fn mul_add_float(self, a: __m256d, b: __m256d, c: __m256d) -> __m256d {
        avx2!(_mm256_fmadd_pd(a, b, c))
    }

    #[inline(always)]
    fn floor52(self, a: __m256d) -> (__m256d, __m256i) {
        avx2!({
            let floor = _mm256_floor_pd(a);
            let two_52 = _mm256_set1_pd(TWO_52);
            let raised = _mm256_castpd_si256(_mm256_add_pd(floor, two_52));
            let word = _mm256_xor_si256(raised, _mm256_castpd_si256(two_52));
            (floor, word)
        })
    }

    #[inline(always)]
    fn floor104(self, a: __m256d) -> [(__m256d, __m256i); 2] {
        let high = self.floor52(self.mul_float(a, self.splat_float(1.0 / TWO_52)));
        let low = self.mul_add_float(high.0, self.splat_float(-TWO_52), a);
        [self.floor52(low), high]
    }
}

const TWO_32: f64 = (1u64 << 32) as f64;
const TWO_52: f64 = (1u64 << 52) as f64;

/// `(l, h)` with `a·b = l + h·2^52` and |l| ≤ 2^51: h is the product's nearest multiple of 2^52, found
/// by a sum in which that is the last place, and l the exact rest.
#[inline(always)]
fn halves52(simd: Avx2, a: __m256d, b: __m256d) -> (__m256i, __m256i) {
    avx2!({
        let two_104 = _mm256_set1_pd(TWO_52 * TWO_52);
        let raised = _mm256_fmadd_pd(a, b, two_104);
        let rest = _mm256_fmadd_pd(a, b, _mm256_sub_pd(two_104, raised));
        let middle = _mm256_set1_pd(1.5 * TWO_52);
        let word = |a, base| simd.sub64(_mm256_castpd_si256(a), _mm256_castpd_si256(base));
        (
            word(_mm256_add_pd(rest, middle), middle),
            word(raised, two_104),
        )
    })
}
