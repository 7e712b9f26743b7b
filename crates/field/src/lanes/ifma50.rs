//! Primes below 2^50 in 64-bit lanes, by the 52-bit multiply-add of AVX-512 IFMA.
//!
//! Montgomery products with R = 2^52. The instruction reads the low 52 bits of its factors, so any
//! residue below 4p < 2^52 is a factor as it stands, and its two halves of a product replace the
//! shifts and partial products of 32-bit multipliers. With b < 2^52 and w < p,
//! `⌊bw/2^52⌋ − ⌊mp/2^52⌋` for m = bw·p⁻¹ mod 2^52 is the exact quotient `(bw − mp)/2^52`, because
//! the low halves are equal; it lies in (−p, p).

use super::Lanes;
use super::butterfly_simd::ButterflySimd;
use crate::word_modulus::{inverse_mod_2_64, inverse_power_of_two};
use std::arch::x86_64::*;
use sunzi_machine::simd::{
    Simd,
    avx512::{Avx512, avx512},
    transpose::Transpose,
};

/// Arithmetic modulo an odd prime below 2^50 with AVX-512 IFMA.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ifma50 {
    simd: Avx512,
    prime: u64,
    p: __m512i,
    two_p: __m512i,
    p_inverse: __m512i,
}

impl Ifma50 {
    /// Constants for the prime p, which is odd and below 2^50.
    #[inline(always)]
    pub fn new(simd: Avx512, p: u64) -> Self {
        debug_assert!(p & 1 == 1 && p < 1 << 50);
        Self {
            simd,
            prime: p,
            p: simd.splat64(p),
            two_p: simd.splat64(2 * p),
            p_inverse: simd.splat64(inverse_mod_2_64(p)),
        }
    }

    /// `b·w/2^52`, in (−p, p) as a signed word; w is below p.
    #[inline(always)]
    fn mul_signed(self, b: __m512i, w: __m512i) -> __m512i {
        avx512!({
            let zero = _mm512_setzero_si512();
            let low = _mm512_madd52lo_epu64(zero, b, w);
            let high = _mm512_madd52hi_epu64(zero, b, w);
            let quotient = _mm512_madd52lo_epu64(zero, low, self.p_inverse);
            _mm512_sub_epi64(high, _mm512_madd52hi_epu64(zero, quotient, self.p))
        })
    }

    #[inline(always)]
    fn reduce(self, a: __m512i, m: __m512i) -> __m512i {
        avx512!(_mm512_min_epu64(a, _mm512_sub_epi64(a, m)))
    }

    #[inline(always)]
    fn lift(self, r: __m512i) -> __m512i {
        // A negative word is large as an unsigned one.
        avx512!(_mm512_min_epu64(r, _mm512_add_epi64(r, self.p)))
    }
}

impl Lanes for Ifma50 {
    type Word = u64;
    type Vector = __m512i;
    type Twiddle = __m512i;
    type Block = [__m512i; 8];
    const LANES: usize = 8;
    const TWIDDLE_WORDS: usize = 1;

    fn prepare(self, w: u64, entry: &mut [u64]) {
        entry[0] = ((u128::from(w) << 52) % u128::from(self.prime)) as u64;
    }

    fn mul_factor(self) -> u64 {
        inverse_power_of_two(52, self.prime)
    }

    #[inline(always)]
    unsafe fn load(self, from: *const u64) -> __m512i {
        // SAFETY: `LANES` words are readable, as `Lanes::load` asks: a register's bytes.
        unsafe { self.simd.load_unaligned(from) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u64, v: __m512i) {
        // SAFETY: `LANES` words are writable, as `Lanes::store` asks: a register's bytes.
        unsafe { self.simd.store_unaligned(to, v) }
    }

    #[inline(always)]
    unsafe fn splat_twiddle(self, entry: *const u64, _plane: usize) -> __m512i {
        // SAFETY: the words of the entry are readable, as `Lanes::splat_twiddle` asks.
        unsafe { self.simd.splat64(*entry) }
    }

    #[inline(always)]
    unsafe fn load_twiddle(self, entries: *const u64, _plane: usize) -> __m512i {
        // SAFETY: `LANES` + 1 words of each plane are readable, as `Lanes::load_twiddle` asks.
        unsafe { self.simd.load_unaligned(entries) }
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
        unsafe { self.store(to, self.scale(self.load(from), t)) }
    }

    #[inline(always)]
    fn forward(self, a: __m512i, b: __m512i, t: __m512i) -> (__m512i, __m512i) {
        avx512!({
            let product = self.mul_signed(b, t);
            let raised = _mm512_add_epi64(self.reduce(a, self.two_p), self.p);
            (
                _mm512_add_epi64(raised, product),
                _mm512_sub_epi64(raised, product),
            )
        })
    }

    #[inline(always)]
    fn inverse(self, a: __m512i, b: __m512i, t: __m512i) -> (__m512i, __m512i) {
        // Operands lie in [0, 2p) here.
        avx512!({
            let sum = self.reduce(_mm512_add_epi64(a, b), self.two_p);
            let difference = _mm512_add_epi64(_mm512_sub_epi64(b, a), self.two_p);
            (
                sum,
                _mm512_add_epi64(self.mul_signed(difference, t), self.p),
            )
        })
    }

    #[inline(always)]
    fn scale(self, a: __m512i, t: __m512i) -> __m512i {
        self.lift(self.mul_signed(a, t))
    }

    #[inline(always)]
    fn mul(self, a: __m512i, b: __m512i) -> __m512i {
        // The bound on a product asks for one factor below p.
        let b = self.reduce(self.reduce(b, self.two_p), self.p);
        self.lift(self.mul_signed(a, b))
    }

    #[inline(always)]
    fn add(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!({
            let sum = _mm512_add_epi64(self.reduce(a, self.two_p), self.reduce(b, self.two_p));
            self.reduce(sum, self.two_p)
        })
    }

    #[inline(always)]
    fn sub(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!({
            let difference =
                _mm512_sub_epi64(self.reduce(a, self.two_p), self.reduce(b, self.two_p));
            _mm512_min_epu64(difference, _mm512_add_epi64(difference, self.two_p))
        })
    }

    #[inline(always)]
    fn import(self, v: __m512i) -> __m512i {
        v
    }

    #[inline(always)]
    fn export(self, a: __m512i, t: __m512i) -> __m512i {
        self.scale(a, t)
    }

    #[inline(always)]
    fn canonical(self, a: __m512i) -> __m512i {
        self.reduce(self.reduce(a, self.two_p), self.p)
    }

    #[inline(always)]
    unsafe fn load_block(self, from: *const u64, stride: usize) -> [__m512i; 8] {
        // SAFETY: the words of `LANES` rows are readable, as `Lanes::load_block` asks.
        unsafe { self.simd.load_block64(from.cast(), stride * 8) }
    }

    #[inline(always)]
    fn transpose(self, block: &mut [__m512i; 8]) {
        self.simd.transpose64(block)
    }

    #[inline(always)]
    fn reverse(self, a: __m512i) -> __m512i {
        self.simd.reverse64(a)
    }
}
