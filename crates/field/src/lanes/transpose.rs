//! Square blocks transposed in registers.
//!
//! A block of `2^m` rows is transposed in m steps; step s exchanges, between rows that differ in
//! bit s of their number, the halves that differ in bit s of the lane number.

use super::simd::{Avx2, Avx512};
use std::arch::x86_64::*;

/// Blocks of as many rows as a register has lanes.
///
/// # Safety
/// Every method needs the instruction set that it stands for.
#[allow(clippy::missing_safety_doc)]
pub trait Transpose: super::simd::Simd {
    /// A square block of 32-bit lanes.
    type Block32: Copy + AsRef<[Self::V]> + AsMut<[Self::V]>;
    /// A square block of 64-bit lanes.
    type Block64: Copy + AsRef<[Self::V]> + AsMut<[Self::V]>;
    /// Loads the rows of a block of 32-bit lanes, `stride` bytes apart.
    unsafe fn load_block32(from: *const u8, stride: usize) -> Self::Block32;
    /// Loads the rows of a block of 64-bit lanes, `stride` bytes apart.
    unsafe fn load_block64(from: *const u8, stride: usize) -> Self::Block64;
    /// Row l's lane i becomes row i's lane l.
    unsafe fn transpose32(rows: &mut Self::Block32);
    /// Row l's lane i becomes row i's lane l.
    unsafe fn transpose64(rows: &mut Self::Block64);
}

/// One step: every pair of rows `(i, i + $distance)` goes through `$exchange`.
macro_rules! exchange {
    ($rows:ident, $count:literal, $distance:literal, $exchange:expr) => {
        let mut i = 0;
        while i < $count {
            if i & $distance == 0 {
                // SAFETY: the caller has checked for the instruction set.
                let (a, b) = unsafe { $exchange($rows[i], $rows[i + $distance]) };
                $rows[i] = a;
                $rows[i + $distance] = b;
            }
            i += 1;
        }
    };
}

/// A loop, as the closures of `std::array::from_fn` would not be compiled for the instruction set.
#[inline(always)]
unsafe fn rows<S: super::simd::Simd, const N: usize>(from: *const u8, stride: usize) -> [S::V; N] {
    // SAFETY: the caller's rows are readable.
    unsafe {
        let mut rows = [S::load(from); N];
        for (i, row) in rows.iter_mut().enumerate().skip(1) {
            *row = S::load(from.add(i * stride));
        }
        rows
    }
}

// In all below, SAFETY: the caller has checked for the instruction set.
#[allow(clippy::undocumented_unsafe_blocks)]
mod steps {
    use std::arch::x86_64::*;

    #[inline(always)]
    pub unsafe fn lanes32(a: __m256i, b: __m256i) -> (__m256i, __m256i) {
        unsafe {
            (
                _mm256_blend_epi32::<0b1010_1010>(a, _mm256_slli_epi64::<32>(b)),
                _mm256_blend_epi32::<0b1010_1010>(_mm256_srli_epi64::<32>(a), b),
            )
        }
    }
    #[inline(always)]
    pub unsafe fn lanes64(a: __m256i, b: __m256i) -> (__m256i, __m256i) {
        unsafe { (_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b)) }
    }
    #[inline(always)]
    pub unsafe fn lanes128(a: __m256i, b: __m256i) -> (__m256i, __m256i) {
        unsafe {
            (
                _mm256_permute2x128_si256::<0x20>(a, b),
                _mm256_permute2x128_si256::<0x31>(a, b),
            )
        }
    }
    #[inline(always)]
    pub unsafe fn wide32(a: __m512i, b: __m512i) -> (__m512i, __m512i) {
        unsafe {
            (
                _mm512_mask_shuffle_epi32::<0b10_10_00_00>(a, 0xaaaa, b),
                _mm512_mask_shuffle_epi32::<0b11_11_01_01>(b, 0x5555, a),
            )
        }
    }
    #[inline(always)]
    pub unsafe fn wide64(a: __m512i, b: __m512i) -> (__m512i, __m512i) {
        unsafe { (_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b)) }
    }
    #[inline(always)]
    pub unsafe fn wide128(a: __m512i, b: __m512i) -> (__m512i, __m512i) {
        unsafe {
            let low = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
            let high = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
            (
                _mm512_permutex2var_epi64(a, low, b),
                _mm512_permutex2var_epi64(a, high, b),
            )
        }
    }
    #[inline(always)]
    pub unsafe fn wide256(a: __m512i, b: __m512i) -> (__m512i, __m512i) {
        unsafe {
            (
                _mm512_shuffle_i64x2::<0b01_00_01_00>(a, b),
                _mm512_shuffle_i64x2::<0b11_10_11_10>(a, b),
            )
        }
    }
}

impl Transpose for Avx2 {
    type Block32 = [__m256i; 8];
    type Block64 = [__m256i; 4];
    #[inline(always)]
    unsafe fn load_block32(from: *const u8, stride: usize) -> [__m256i; 8] {
        // SAFETY: as the caller's.
        unsafe { rows::<Self, _>(from, stride) }
    }
    #[inline(always)]
    unsafe fn load_block64(from: *const u8, stride: usize) -> [__m256i; 4] {
        // SAFETY: as the caller's.
        unsafe { rows::<Self, _>(from, stride) }
    }
    #[inline(always)]
    unsafe fn transpose32(rows: &mut [__m256i; 8]) {
        exchange!(rows, 8, 1, steps::lanes32);
        exchange!(rows, 8, 2, steps::lanes64);
        exchange!(rows, 8, 4, steps::lanes128);
    }
    #[inline(always)]
    unsafe fn transpose64(rows: &mut [__m256i; 4]) {
        exchange!(rows, 4, 1, steps::lanes64);
        exchange!(rows, 4, 2, steps::lanes128);
    }
}

impl Transpose for Avx512 {
    type Block32 = [__m512i; 16];
    type Block64 = [__m512i; 8];
    #[inline(always)]
    unsafe fn load_block32(from: *const u8, stride: usize) -> [__m512i; 16] {
        // SAFETY: as the caller's.
        unsafe { rows::<Self, _>(from, stride) }
    }
    #[inline(always)]
    unsafe fn load_block64(from: *const u8, stride: usize) -> [__m512i; 8] {
        // SAFETY: as the caller's.
        unsafe { rows::<Self, _>(from, stride) }
    }
    #[inline(always)]
    unsafe fn transpose32(rows: &mut [__m512i; 16]) {
        exchange!(rows, 16, 1, steps::wide32);
        exchange!(rows, 16, 2, steps::wide64);
        exchange!(rows, 16, 4, steps::wide128);
        exchange!(rows, 16, 8, steps::wide256);
    }
    #[inline(always)]
    unsafe fn transpose64(rows: &mut [__m512i; 8]) {
        exchange!(rows, 8, 1, steps::wide64);
        exchange!(rows, 8, 2, steps::wide128);
        exchange!(rows, 8, 4, steps::wide256);
    }
}
