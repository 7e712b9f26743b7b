//! Primes below 2^50 in doubles, by exact products with fused multiply-add (AVX2 + FMA).
//!
//! With h = fl(b·w), the remainder `b·w − h` is a double, found exactly by one fused multiply-add.
//! With q = round(h/p), `h − q·p` is an integer below 2^53 and so found exactly by another. Their
//! sum is congruent to b·w.
//!
//! Bounds. Let p < 2^50, |w| ≤ p/2 and |b| ≤ 2.5p. Then |h/p| ≤ 1.25p < 2^50.4; its computed
//! value is off by at most three roundings of relative size 2^-53, which is below 0.51, and
//! rounding to an integer adds 0.5. So |h − qp| ≤ 1.01p + 1 and, as |b·w − h| ≤ 2^47, every
//! product lies within 1.14p. Near p = 2^50 that is what the butterflies count on: operands that
//! are not multiplied are first reduced to within 0.51p, sums then stay within 1.65p < 2.5p.

use super::Lanes;
use std::arch::x86_64::*;
use sunzi_machine::simd::{
    avx2::{Avx2, avx2},
    transpose::Transpose,
};

/// Arithmetic modulo an odd prime below 2^50 with AVX2 and FMA. The words in memory hold the bits
/// of doubles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Float50 {
    simd: Avx2,
    prime: u64,
    p: __m256d,
    p_reciprocal: __m256d,
}

/// 1.5·2^52: added to an integer of less than 51 bits, it leaves that integer in the low bits.
const MAGIC: f64 = 6_755_399_441_055_744.0;

impl Float50 {
    /// Constants for the prime p, which is odd and below 2^50.
    #[inline(always)]
    pub fn new(simd: Avx2, p: u64) -> Self {
        debug_assert!(p & 1 == 1 && p < 1 << 50);
        Self {
            simd,
            prime: p,
            p: avx2!(_mm256_set1_pd(p as f64)),
            p_reciprocal: avx2!(_mm256_set1_pd(1.0 / p as f64)),
        }
    }

    #[inline(always)]
    fn round(self, x: __m256d) -> __m256d {
        avx2!(_mm256_round_pd::<
            { _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC },
        >(x))
    }

    #[inline(always)]
    fn product(self, b: __m256d, w: __m256d) -> __m256d {
        avx2!({
            let high = _mm256_mul_pd(b, w);
            let quotient = self.round(_mm256_mul_pd(high, self.p_reciprocal));
            let low = _mm256_fmsub_pd(b, w, high);
            _mm256_add_pd(_mm256_fnmadd_pd(quotient, self.p, high), low)
        })
    }

    /// To within 0.51p.
    #[inline(always)]
    fn reduce(self, a: __m256d) -> __m256d {
        avx2!({
            let quotient = self.round(_mm256_mul_pd(a, self.p_reciprocal));
            _mm256_fnmadd_pd(quotient, self.p, a)
        })
    }
}

impl Lanes for Float50 {
    type Word = u64;
    type Vector = __m256d;
    type Twiddle = __m256d;
    type Block = [__m256d; 4];
    const LANES: usize = 4;
    const TWIDDLE_WORDS: usize = 1;

    fn prepare(self, w: u64, entry: &mut [u64]) {
        let balanced = if w > self.prime / 2 {
            w as f64 - self.prime as f64
        } else {
            w as f64
        };
        entry[0] = balanced.to_bits();
    }

    fn mul_factor(self) -> u64 {
        1
    }

    #[inline(always)]
    unsafe fn load(self, from: *const u64) -> __m256d {
        // SAFETY: `LANES` words are readable, as `Lanes::load` asks: a register's bytes.
        unsafe { _mm256_loadu_pd(from.cast()) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u64, v: __m256d) {
        // SAFETY: `LANES` words are writable, as `Lanes::store` asks: a register's bytes.
        unsafe { _mm256_storeu_pd(to.cast(), v) }
    }

    #[inline(always)]
    unsafe fn splat_twiddle(self, entry: *const u64, _plane: usize) -> __m256d {
        // SAFETY: the words of the entry are readable, as `Lanes::splat_twiddle` asks.
        unsafe { _mm256_set1_pd(f64::from_bits(*entry)) }
    }

    #[inline(always)]
    unsafe fn load_twiddle(self, entries: *const u64, _plane: usize) -> __m256d {
        // SAFETY: `LANES` + 1 words of each plane are readable, as `Lanes::load_twiddle` asks.
        unsafe { _mm256_loadu_pd(entries.cast()) }
    }

    #[inline(always)]
    unsafe fn advance_twiddles(
        self,
        from: *const u64,
        to: *mut u64,
        _plane: usize,
        t: Self::Twiddle,
    ) {
        // SAFETY: `LANES` words of each plane can be read and written, as `Lanes::advance_twiddles` asks.
        unsafe { self.store(to, self.reduce(self.product(self.load(from), t))) }
    }

    #[inline(always)]
    fn forward(self, a: __m256d, b: __m256d, t: __m256d) -> (__m256d, __m256d) {
        avx2!({
            let product = self.product(b, t);
            let a = self.reduce(a);
            (_mm256_add_pd(a, product), _mm256_sub_pd(a, product))
        })
    }

    #[inline(always)]
    fn inverse(self, a: __m256d, b: __m256d, t: __m256d) -> (__m256d, __m256d) {
        // Operands lie within 1.14p here, so the difference within 2.3p.
        avx2!({
            let sum = self.reduce(_mm256_add_pd(a, b));
            (sum, self.product(_mm256_sub_pd(b, a), t))
        })
    }

    #[inline(always)]
    fn scale(self, a: __m256d, t: __m256d) -> __m256d {
        self.product(a, t)
    }

    #[inline(always)]
    fn mul(self, a: __m256d, b: __m256d) -> __m256d {
        self.product(a, self.reduce(b))
    }

    #[inline(always)]
    fn add(self, a: __m256d, b: __m256d) -> __m256d {
        avx2!(self.reduce(_mm256_add_pd(a, b)))
    }

    #[inline(always)]
    fn sub(self, a: __m256d, b: __m256d) -> __m256d {
        avx2!(self.reduce(_mm256_sub_pd(a, b)))
    }

    #[inline(always)]
    fn import(self, v: __m256d) -> __m256d {
        // An integer below 2^50 ored into the mantissa of 2^52.
        avx2!({
            let two_52 = _mm256_set1_pd(4_503_599_627_370_496.0);
            _mm256_sub_pd(_mm256_or_pd(v, two_52), two_52)
        })
    }

    #[inline(always)]
    fn export(self, a: __m256d, t: __m256d) -> __m256d {
        // A product may be off by more than p/2.
        self.canonical(self.product(a, t))
    }

    #[inline(always)]
    fn canonical(self, a: __m256d) -> __m256d {
        // The representative that is not negative, whose bits come down
        // by adding 1.5·2^52.
        avx2!({
            let r = self.reduce(a);
            let r = _mm256_add_pd(r, _mm256_and_pd(self.p, self.negative(r)));
            let magic = _mm256_set1_pd(MAGIC);
            _mm256_xor_pd(_mm256_add_pd(r, magic), magic)
        })
    }

    #[inline(always)]
    unsafe fn load_block(self, from: *const u64, stride: usize) -> [__m256d; 4] {
        // SAFETY: the words of `LANES` rows are readable, as `Lanes::load_block` asks.
        unsafe {
            let [r0, r1, r2, r3] = self.simd.load_block64(from.cast(), stride * 8);
            [
                _mm256_castsi256_pd(r0),
                _mm256_castsi256_pd(r1),
                _mm256_castsi256_pd(r2),
                _mm256_castsi256_pd(r3),
            ]
        }
    }

    #[inline(always)]
    fn transpose(self, block: &mut [__m256d; 4]) {
        avx2!({
            let [r0, r1, r2, r3] = *block;
            let mut bits = [
                _mm256_castpd_si256(r0),
                _mm256_castpd_si256(r1),
                _mm256_castpd_si256(r2),
                _mm256_castpd_si256(r3),
            ];
            self.simd.transpose64(&mut bits);
            let [r0, r1, r2, r3] = bits;
            *block = [
                _mm256_castsi256_pd(r0),
                _mm256_castsi256_pd(r1),
                _mm256_castsi256_pd(r2),
                _mm256_castsi256_pd(r3),
            ];
        })
    }

    #[inline(always)]
    fn reverse(self, a: __m256d) -> __m256d {
        avx2!(_mm256_permute4x64_pd::<0b00_01_10_11>(a))
    }
}

impl Float50 {
    /// All ones where r < 0.
    #[inline(always)]
    fn negative(self, r: __m256d) -> __m256d {
        avx2!(_mm256_cmp_pd::<_CMP_LT_OQ>(r, _mm256_setzero_pd()))
    }
}
