//! Primes below 2^50 in 64-bit lanes, by the 52-bit multiply-add of AVX-512 IFMA.
//!
//! Montgomery products with R = 2^52. The instruction reads the low 52 bits of its factors, so any
//! residue below 4p < 2^52 is a factor as it stands, and its two halves of a product replace the
//! shifts and partial products of 32-bit multipliers. With b < 2^52 and w < p,
//! `⌊bw/2^52⌋ − ⌊mp/2^52⌋` for m = bw·p⁻¹ mod 2^52 is the exact quotient `(bw − mp)/2^52`, because
//! the low halves are equal; it lies in (−p, p).

use super::Lanes;
use super::kernel::{inverse_mod_2_64, inverse_power_of_two};
use super::simd::{Avx512, Simd};
use super::transpose::Transpose;
use std::arch::x86_64::*;

/// Arithmetic modulo an odd prime below 2^50 with AVX-512 IFMA.
#[derive(Clone, Copy, Debug)]
pub struct Ifma50 {
    prime: u64,
    p: __m512i,
    two_p: __m512i,
    p_inverse: __m512i,
}

impl Ifma50 {
    /// Constants for the prime p.
    ///
    /// # Safety
    /// The CPU has AVX-512 F, DQ and IFMA; p is odd and below 2^50.
    #[inline(always)]
    pub unsafe fn new(p: u64) -> Self {
        debug_assert!(p & 1 == 1 && p < 1 << 50);
        // SAFETY: as the caller's.
        unsafe {
            Self {
                prime: p,
                p: Avx512::splat64(p),
                two_p: Avx512::splat64(2 * p),
                p_inverse: Avx512::splat64(inverse_mod_2_64(p)),
            }
        }
    }

    /// `b·w/2^52`, in (−p, p) as a signed word; w is below p.
    #[inline(always)]
    unsafe fn mul_signed(self, b: __m512i, w: __m512i) -> __m512i {
        // SAFETY: the instruction set was checked when `self` was made.
        unsafe {
            let zero = _mm512_setzero_si512();
            let low = _mm512_madd52lo_epu64(zero, b, w);
            let high = _mm512_madd52hi_epu64(zero, b, w);
            let quotient = _mm512_madd52lo_epu64(zero, low, self.p_inverse);
            _mm512_sub_epi64(high, _mm512_madd52hi_epu64(zero, quotient, self.p))
        }
    }

    #[inline(always)]
    unsafe fn reduce(a: __m512i, m: __m512i) -> __m512i {
        // SAFETY: as above.
        unsafe { _mm512_min_epu64(a, _mm512_sub_epi64(a, m)) }
    }

    #[inline(always)]
    unsafe fn lift(self, r: __m512i) -> __m512i {
        // SAFETY: as above. A negative word is large as an unsigned one.
        unsafe { _mm512_min_epu64(r, _mm512_add_epi64(r, self.p)) }
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
        // SAFETY: as the caller's.
        unsafe { Avx512::load(from.cast()) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u64, v: __m512i) {
        // SAFETY: as the caller's.
        unsafe { Avx512::store(to.cast(), v) }
    }

    #[inline(always)]
    unsafe fn splat_twiddle(self, entry: *const u64, _plane: usize) -> __m512i {
        // SAFETY: as the caller's.
        unsafe { Avx512::splat64(*entry) }
    }

    #[inline(always)]
    unsafe fn load_twiddle(self, entries: *const u64, _plane: usize) -> __m512i {
        // SAFETY: as the caller's.
        unsafe { Avx512::load(entries.cast()) }
    }

    #[inline(always)]
    unsafe fn advance_twiddles(
        self,
        from: *const u64,
        to: *mut u64,
        _plane: usize,
        t: Self::Twiddle,
    ) {
        // SAFETY: as the caller's.
        unsafe { self.store(to, self.scale(self.load(from), t)) }
    }

    #[inline(always)]
    unsafe fn forward(self, a: __m512i, b: __m512i, t: __m512i) -> (__m512i, __m512i) {
        // SAFETY: as the caller's.
        unsafe {
            let product = self.mul_signed(b, t);
            let raised = _mm512_add_epi64(Self::reduce(a, self.two_p), self.p);
            (
                _mm512_add_epi64(raised, product),
                _mm512_sub_epi64(raised, product),
            )
        }
    }

    #[inline(always)]
    unsafe fn inverse(self, a: __m512i, b: __m512i, t: __m512i) -> (__m512i, __m512i) {
        // SAFETY: as the caller's. Operands lie in [0, 2p) here.
        unsafe {
            let sum = Self::reduce(_mm512_add_epi64(a, b), self.two_p);
            let difference = _mm512_add_epi64(_mm512_sub_epi64(b, a), self.two_p);
            (
                sum,
                _mm512_add_epi64(self.mul_signed(difference, t), self.p),
            )
        }
    }

    #[inline(always)]
    unsafe fn scale(self, a: __m512i, t: __m512i) -> __m512i {
        // SAFETY: as the caller's.
        unsafe { self.lift(self.mul_signed(a, t)) }
    }

    #[inline(always)]
    unsafe fn mul(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: as the caller's. The bound on a product asks for one factor below p.
        unsafe {
            let b = Self::reduce(Self::reduce(b, self.two_p), self.p);
            self.lift(self.mul_signed(a, b))
        }
    }

    #[inline(always)]
    unsafe fn add(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: as the caller's.
        unsafe {
            let sum = _mm512_add_epi64(Self::reduce(a, self.two_p), Self::reduce(b, self.two_p));
            Self::reduce(sum, self.two_p)
        }
    }

    #[inline(always)]
    unsafe fn sub(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: as the caller's.
        unsafe {
            let difference =
                _mm512_sub_epi64(Self::reduce(a, self.two_p), Self::reduce(b, self.two_p));
            _mm512_min_epu64(difference, _mm512_add_epi64(difference, self.two_p))
        }
    }

    #[inline(always)]
    unsafe fn import(self, v: __m512i) -> __m512i {
        v
    }

    #[inline(always)]
    unsafe fn export(self, a: __m512i, t: __m512i) -> __m512i {
        // SAFETY: as the caller's.
        unsafe { self.scale(a, t) }
    }

    #[inline(always)]
    unsafe fn canonical(self, a: __m512i) -> __m512i {
        // SAFETY: as the caller's.
        unsafe { Self::reduce(Self::reduce(a, self.two_p), self.p) }
    }

    #[inline(always)]
    unsafe fn load_block(self, from: *const u64, stride: usize) -> [__m512i; 8] {
        // SAFETY: as the caller's.
        unsafe { Avx512::load_block64(from.cast(), stride * 8) }
    }

    #[inline(always)]
    unsafe fn transpose(self, block: &mut [__m512i; 8]) {
        // SAFETY: as the caller's.
        unsafe { Avx512::transpose64(block) }
    }

    #[inline(always)]
    unsafe fn reverse(self, a: __m512i) -> __m512i {
        // SAFETY: as the caller's.
        unsafe { Avx512::reverse64(a) }
    }
}
