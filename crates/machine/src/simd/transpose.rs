//! Square blocks transposed in registers.
//!
//! A block of `2^m` rows is transposed in m steps; step s exchanges, between rows that differ in
//! bit s of their number, the halves that differ in bit s of the lane number.

use super::avx2::Avx2;
use super::avx512::Avx512;
use super::vectors::Simd;
use std::arch::x86_64::*;

/// Blocks of as many rows as a register has lanes.
pub trait Transpose: Simd {
    /// A square block of 32-bit lanes.
    type Block32: Copy + AsRef<[Self::Vector]> + AsMut<[Self::Vector]>;
    /// A square block of 64-bit lanes.
    type Block64: Copy + AsRef<[Self::Vector]> + AsMut<[Self::Vector]>;
    /// Loads the rows of a block of 32-bit lanes, `stride` bytes apart.
    ///
    /// # Safety
    /// The bytes of a register are readable at the start of every row.
    unsafe fn load_block32(self, from: *const u8, stride: usize) -> Self::Block32;
    /// Loads the rows of a block of 64-bit lanes, `stride` bytes apart.
    ///
    /// # Safety
    /// The bytes of a register are readable at the start of every row.
    unsafe fn load_block64(self, from: *const u8, stride: usize) -> Self::Block64;
    /// Row l's lane i becomes row i's lane l.
    fn transpose32(self, rows: &mut Self::Block32);
    /// Row l's lane i becomes row i's lane l.
    fn transpose64(self, rows: &mut Self::Block64);
}

/// One step: every pair of rows `(i, i + $distance)` goes through `$exchange`.
macro_rules! exchange {
    ($simd:ident, $rows:ident, $count:literal, $distance:literal, $exchange:expr) => {
        let mut i = 0;
        while i < $count {
            if i & $distance == 0 {
                let (a, b) = $exchange($simd, $rows[i], $rows[i + $distance]);
                $rows[i] = a;
                $rows[i + $distance] = b;
            }
            i += 1;
        }
    };
}

/// A loop, as the closures of `std::array::from_fn` would not be compiled for the instruction set.
///
/// # Safety
/// The bytes of a register are readable at `from + i·stride` for all i < N.
#[inline(always)]
unsafe fn rows<S: Simd, const N: usize>(simd: S, from: *const u8, stride: usize) -> [S::Vector; N] {
    // SAFETY: row i < N starts at `from + i·stride`, where this function asks for readable bytes.
    unsafe {
        let mut rows = [simd.load_unaligned(from.cast()); N];
        for (i, row) in rows.iter_mut().enumerate().skip(1) {
            *row = simd.load_unaligned(from.add(i * stride).cast());
        }
        rows
    }
}

mod steps {
    use super::super::avx2::{Avx2, avx2};
    use super::super::avx512::{Avx512, avx512};
    use std::arch::x86_64::*;

    #[inline(always)]
    pub fn lanes32(_: Avx2, a: __m256i, b: __m256i) -> (__m256i, __m256i) {
        avx2!({
            (
                _mm256_blend_epi32::<0b1010_1010>(a, _mm256_slli_epi64::<32>(b)),
                _mm256_blend_epi32::<0b1010_1010>(_mm256_srli_epi64::<32>(a), b),
            )
        })
    }
    #[inline(always)]
    pub fn lanes64(_: Avx2, a: __m256i, b: __m256i) -> (__m256i, __m256i) {
        avx2!((_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b)))
    }
    #[inline(always)]
    pub fn lanes128(_: Avx2, a: __m256i, b: __m256i) -> (__m256i, __m256i) {
        avx2!({
            (
                _mm256_permute2x128_si256::<0x20>(a, b),
                _mm256_permute2x128_si256::<0x31>(a, b),
            )
        })
    }
    #[inline(always)]
    pub fn wide32(_: Avx512, a: __m512i, b: __m512i) -> (__m512i, __m512i) {
        avx512!({
            (
                _mm512_mask_shuffle_epi32::<0b10_10_00_00>(a, 0xaaaa, b),
                _mm512_mask_shuffle_epi32::<0b11_11_01_01>(b, 0x5555, a),
            )
        })
    }
    #[inline(always)]
    pub fn wide64(_: Avx512, a: __m512i, b: __m512i) -> (__m512i, __m512i) {
        avx512!((_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b)))
    }
    #[inline(always)]
    pub fn wide128(_: Avx512, a: __m512i, b: __m512i) -> (__m512i, __m512i) {
        avx512!({
            let low = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
            let high = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
            (
                _mm512_permutex2var_epi64(a, low, b),
                _mm512_permutex2var_epi64(a, high, b),
            )
        })
    }
    #[inline(always)]
    pub fn wide256(_: Avx512, a: __m512i, b: __m512i) -> (__m512i, __m512i) {
        avx512!({
            (
                _mm512_shuffle_i64x2::<0b01_00_01_00>(a, b),
                _mm512_shuffle_i64x2::<0b11_10_11_10>(a, b),
            )
        })
    }
}

impl Transpose for Avx2 {
    type Block32 = [__m256i; 8];
    type Block64 = [__m256i; 4];
    #[inline(always)]
    unsafe fn load_block32(self, from: *const u8, stride: usize) -> [__m256i; 8] {
        // SAFETY: as many rows as the block that is returned has, whose bytes this function asks for.
        unsafe { rows(self, from, stride) }
    }
    #[inline(always)]
    unsafe fn load_block64(self, from: *const u8, stride: usize) -> [__m256i; 4] {
        // SAFETY: as many rows as the block that is returned has, whose bytes this function asks for.
        unsafe { rows(self, from, stride) }
    }
    #[inline(always)]
    fn transpose32(self, rows: &mut [__m256i; 8]) {
        exchange!(self, rows, 8, 1, steps::lanes32);
        exchange!(self, rows, 8, 2, steps::lanes64);
        exchange!(self, rows, 8, 4, steps::lanes128);
    }
    #[inline(always)]
    fn transpose64(self, rows: &mut [__m256i; 4]) {
        exchange!(self, rows, 4, 1, steps::lanes64);
        exchange!(self, rows, 4, 2, steps::lanes128);
    }
}

impl Transpose for Avx512 {
    type Block32 = [__m512i; 16];
    type Block64 = [__m512i; 8];
    #[inline(always)]
    unsafe fn load_block32(self, from: *const u8, stride: usize) -> [__m512i; 16] {
        // SAFETY: as many rows as the block that is returned has, whose bytes this function asks for.
        unsafe { rows(self, from, stride) }
    }
    #[inline(always)]
    unsafe fn load_block64(self, from: *const u8, stride: usize) -> [__m512i; 8] {
        // SAFETY: as many rows as the block that is returned has, whose bytes this function asks for.
        unsafe { rows(self, from, stride) }
    }
    #[inline(always)]
    fn transpose32(self, rows: &mut [__m512i; 16]) {
        exchange!(self, rows, 16, 1, steps::wide32);
        exchange!(self, rows, 16, 2, steps::wide64);
        exchange!(self, rows, 16, 4, steps::wide128);
        exchange!(self, rows, 16, 8, steps::wide256);
    }
    #[inline(always)]
    fn transpose64(self, rows: &mut [__m512i; 8]) {
        exchange!(self, rows, 8, 1, steps::wide64);
        exchange!(self, rows, 8, 2, steps::wide128);
        exchange!(self, rows, 8, 4, steps::wide256);
    }
}
