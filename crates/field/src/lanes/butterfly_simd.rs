//! The instructions of AVX2 and AVX-512 that butterflies take beyond those of [`Simd`].

use std::arch::asm;
use std::arch::x86_64::*;
use sunzi_machine::simd::{
    Simd,
    avx2::{Avx2, avx2},
    avx512::{Avx512, avx512},
    transpose::Transpose,
};

/// What the arithmetics of residues need of an instruction set.
pub(super) trait ButterflySimd: Simd + Transpose {
    /// Products of the low, unsigned halves of 64-bit lanes. Opaque to the compiler, as is
    /// [`ButterflySimd::mul_i32`]: it would extend a constant factor outside a loop, or drop an extension for
    /// products of which only the low half is used, and then take full 64-bit products, which
    /// cost three times as much.
    fn mul_u32(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Products of the low, signed halves of 64-bit lanes.
    fn mul_i32(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// The high half of each 64-bit lane, moved down.
    fn high(self, a: Self::Vector) -> Self::Vector;
    /// In the low half of each 64-bit lane the high half of that at `from`; the high halves hold
    /// anything. Reads 4 bytes beyond the lanes: loads are idle where instructions are not.
    ///
    /// # Safety
    /// The bytes of a register and 4 more are readable at `from`.
    #[inline(always)]
    unsafe fn load_high(self, from: *const u32) -> Self::Vector {
        // SAFETY: the bytes of a register from the fifth on, which this function asks for.
        unsafe { self.load_unaligned(from.add(1).cast()) }
    }
    /// What [`ButterflySimd::merge_high`] needs to have at hand.
    type Merge: Copy + std::fmt::Debug;
    /// Makes it.
    fn merge(self) -> Self::Merge;
    /// 64-bit lanes whose halves are the high halves of `even` and of `odd`.
    fn merge_high(self, even: Self::Vector, odd: Self::Vector, merge: Self::Merge) -> Self::Vector;
    /// The high half of the word at `from` in both halves of all 64-bit lanes. Opaque, as the
    /// compiler would load the word and shift it: one more instruction for the units that multiply.
    ///
    /// # Safety
    /// The word at `from` is readable.
    unsafe fn splat_high(self, from: *const u64) -> Self::Vector;
    /// `(a >> 32) − (b >> 32)`, with arithmetic shifts of 64-bit lanes.
    fn sub_high_signed(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// In 64-bit signed lanes: `a − p` where a ≥ 0, `a + p` where a < 0.
    fn toward_zero(self, a: Self::Vector, p: Self::Vector) -> Self::Vector;
    /// In 64-bit signed lanes: `a + p` where a < 0, else a.
    fn lift_negative(self, a: Self::Vector, p: Self::Vector) -> Self::Vector;
    /// In 64-bit signed lanes: `a − p` where a > `half`, `a + p` where a < −`half`, else a.
    fn balance(self, a: Self::Vector, half: Self::Vector, p: Self::Vector) -> Self::Vector;
    /// 64-bit lanes x as signed halves, high·2^32 + low = x, side by side.
    fn to_halves(self, a: Self::Vector) -> Self::Vector;
    /// Undoes [`ButterflySimd::to_halves`].
    fn join_halves(self, a: Self::Vector) -> Self::Vector;
    /// The 32-bit lanes in reverse.
    fn reverse32(self, a: Self::Vector) -> Self::Vector;
    /// The 64-bit lanes in reverse.
    fn reverse64(self, a: Self::Vector) -> Self::Vector;
}

/// A product of 64-bit lanes' low halves, opaque to the compiler.
macro_rules! opaque {
    ($name:ident, $set:literal, $vector:ty, $register:ident, $instruction:literal) => {
        #[inline]
        #[target_feature(enable = $set)]
        fn $name(a: $vector, b: $vector) -> $vector {
            let product;
            // SAFETY: one instruction of the set that this function needs, on registers only.
            unsafe {
                asm!(
                    concat!($instruction, " {p}, {a}, {b}"),
                    p = lateout($register) product, a = in($register) a, b = in($register) b,
                    options(pure, nomem, nostack, preserves_flags),
                );
            }
            product
        }
    };
}
opaque!(unsigned_256, "avx2", __m256i, ymm_reg, "vpmuludq");
opaque!(signed_256, "avx2", __m256i, ymm_reg, "vpmuldq");
opaque!(unsigned_512, "avx512f", __m512i, zmm_reg, "vpmuludq");
opaque!(signed_512, "avx512f", __m512i, zmm_reg, "vpmuldq");

/// The high half of a word in memory, in all lanes.
macro_rules! splat_high {
    ($name:ident, $set:literal, $vector:ty, $register:ident) => {
        /// # Safety
        /// `from` is readable.
        #[inline]
        #[target_feature(enable = $set)]
        unsafe fn $name(from: *const u64) -> $vector {
            let lanes;
            // SAFETY: one instruction of the set that this function needs, which reads the word.
            unsafe {
                asm!(
                    "vpbroadcastd {v}, dword ptr [{p} + 4]",
                    v = lateout($register) lanes, p = in(reg) from,
                    options(pure, readonly, nostack, preserves_flags),
                );
            }
            lanes
        }
    };
}
splat_high!(splat_high_256, "avx2", __m256i, ymm_reg);
splat_high!(splat_high_512, "avx512f", __m512i, zmm_reg);

impl ButterflySimd for Avx2 {
    #[inline(always)]
    fn mul_u32(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!(unsigned_256(a, b))
    }
    #[inline(always)]
    fn mul_i32(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!(signed_256(a, b))
    }
    #[inline(always)]
    fn high(self, a: __m256i) -> __m256i {
        avx2!(_mm256_srli_epi64::<32>(a))
    }
    type Merge = ();
    #[inline(always)]
    fn merge(self) {}
    #[inline(always)]
    unsafe fn splat_high(self, from: *const u64) -> __m256i {
        // SAFETY: the word is readable, as this function asks; AVX2 by the proof `self`.
        unsafe { splat_high_256(from) }
    }
    #[inline(always)]
    fn merge_high(self, even: __m256i, odd: __m256i, (): ()) -> __m256i {
        avx2!(_mm256_blend_epi32::<0b1010_1010>(
            _mm256_srli_epi64::<32>(even),
            odd
        ))
    }
    #[inline(always)]
    fn sub_high_signed(self, a: __m256i, b: __m256i) -> __m256i {
        // No 64-bit arithmetic shift here: shift both unsigned, offset by 2^63, which cancels.
        avx2!({
            let bias = _mm256_set1_epi64x(i64::MIN);
            _mm256_sub_epi64(
                _mm256_srli_epi64::<32>(_mm256_xor_si256(a, bias)),
                _mm256_srli_epi64::<32>(_mm256_xor_si256(b, bias)),
            )
        })
    }
    #[inline(always)]
    fn toward_zero(self, a: __m256i, p: __m256i) -> __m256i {
        avx2!({
            let minus_p = _mm256_sub_epi64(_mm256_setzero_si256(), p);
            let step = _mm256_blendv_pd(
                _mm256_castsi256_pd(minus_p),
                _mm256_castsi256_pd(p),
                _mm256_castsi256_pd(a),
            );
            _mm256_add_epi64(a, _mm256_castpd_si256(step))
        })
    }
    #[inline(always)]
    fn lift_negative(self, a: __m256i, p: __m256i) -> __m256i {
        avx2!({
            let step = _mm256_blendv_pd(
                _mm256_setzero_pd(),
                _mm256_castsi256_pd(p),
                _mm256_castsi256_pd(a),
            );
            _mm256_add_epi64(a, _mm256_castpd_si256(step))
        })
    }
    #[inline(always)]
    fn balance(self, a: __m256i, half: __m256i, p: __m256i) -> __m256i {
        avx2!({
            let above = _mm256_cmpgt_epi64(a, half);
            let below = _mm256_cmpgt_epi64(_mm256_sub_epi64(_mm256_setzero_si256(), half), a);
            let a = _mm256_sub_epi64(a, _mm256_and_si256(above, p));
            _mm256_add_epi64(a, _mm256_and_si256(below, p))
        })
    }
    #[inline(always)]
    fn to_halves(self, a: __m256i) -> __m256i {
        avx2!({
            let high = _mm256_add_epi64(a, _mm256_set1_epi64x(1 << 31));
            _mm256_blend_epi32::<0b1010_1010>(a, high)
        })
    }
    #[inline(always)]
    fn join_halves(self, a: __m256i) -> __m256i {
        avx2!({
            let sign = _mm256_and_si256(a, _mm256_set1_epi64x(1 << 31));
            _mm256_sub_epi64(a, _mm256_add_epi64(sign, sign))
        })
    }
    #[inline(always)]
    fn reverse32(self, a: __m256i) -> __m256i {
        avx2!(_mm256_permutevar8x32_epi32(
            a,
            _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0)
        ))
    }
    #[inline(always)]
    fn reverse64(self, a: __m256i) -> __m256i {
        avx2!(_mm256_permute4x64_epi64::<0b00_01_10_11>(a))
    }
}

impl ButterflySimd for Avx512 {
    #[inline(always)]
    fn mul_u32(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(unsigned_512(a, b))
    }
    #[inline(always)]
    fn mul_i32(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(signed_512(a, b))
    }
    #[inline(always)]
    fn high(self, a: __m512i) -> __m512i {
        avx512!(_mm512_srli_epi64::<32>(a))
    }
    /// The even 32-bit lanes.
    type Merge = __mmask16;
    #[inline(always)]
    fn merge(self) -> __mmask16 {
        // A mask that the compiler knows, it would turn into a slower shuffle of two registers.
        std::hint::black_box(0x5555)
    }
    #[inline(always)]
    unsafe fn splat_high(self, from: *const u64) -> __m512i {
        // SAFETY: the word is readable, as this function asks; AVX-512 by the proof `self`.
        unsafe { splat_high_512(from) }
    }
    #[inline(always)]
    fn merge_high(self, even: __m512i, odd: __m512i, merge: __mmask16) -> __m512i {
        // Copies the odd 32-bit lanes of `even` over the even lanes of `odd`.
        avx512!(_mm512_mask_shuffle_epi32::<0b11_11_01_01>(odd, merge, even))
    }
    #[inline(always)]
    fn sub_high_signed(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_sub_epi64(
            _mm512_srai_epi64::<32>(a),
            _mm512_srai_epi64::<32>(b)
        ))
    }
    #[inline(always)]
    fn toward_zero(self, a: __m512i, p: __m512i) -> __m512i {
        avx512!(_mm512_mask_add_epi64(
            _mm512_sub_epi64(a, p),
            _mm512_movepi64_mask(a),
            a,
            p
        ))
    }
    #[inline(always)]
    fn lift_negative(self, a: __m512i, p: __m512i) -> __m512i {
        avx512!(_mm512_mask_add_epi64(a, _mm512_movepi64_mask(a), a, p))
    }
    #[inline(always)]
    fn balance(self, a: __m512i, half: __m512i, p: __m512i) -> __m512i {
        avx512!({
            let above = _mm512_cmpgt_epi64_mask(a, half);
            let below = _mm512_cmplt_epi64_mask(a, _mm512_sub_epi64(_mm512_setzero_si512(), half));
            let a = _mm512_mask_sub_epi64(a, above, a, p);
            _mm512_mask_add_epi64(a, below, a, p)
        })
    }
    #[inline(always)]
    fn to_halves(self, a: __m512i) -> __m512i {
        avx512!({
            let high = _mm512_add_epi64(a, _mm512_set1_epi64(1 << 31));
            _mm512_mask_mov_epi32(a, 0xaaaa, high)
        })
    }
    #[inline(always)]
    fn join_halves(self, a: __m512i) -> __m512i {
        avx512!({
            let sign = _mm512_and_si512(a, _mm512_set1_epi64(1 << 31));
            _mm512_sub_epi64(a, _mm512_add_epi64(sign, sign))
        })
    }
    #[inline(always)]
    fn reverse32(self, a: __m512i) -> __m512i {
        avx512!({
            let order = _mm512_setr_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
            _mm512_permutexvar_epi32(order, a)
        })
    }
    #[inline(always)]
    fn reverse64(self, a: __m512i) -> __m512i {
        avx512!(_mm512_permutexvar_epi64(
            _mm512_setr_epi64(7, 6, 5, 4, 3, 2, 1, 0),
            a
        ))
    }
}
