//! The instructions of AVX2 and AVX-512 that the lanes use, under one name each.

use std::arch::asm;
use std::arch::x86_64::*;

/// Integer vectors of one instruction set, seen as 32-bit or 64-bit lanes.
///
/// # Safety
/// Every method needs the instruction set that it stands for.
#[allow(clippy::missing_safety_doc)]
pub trait Simd: Copy + Send + Sync + 'static {
    /// The register.
    type V: Copy;
    /// 64-bit lanes in a register.
    const LANES64: usize;
    unsafe fn load(from: *const u8) -> Self::V;
    unsafe fn store(to: *mut u8, v: Self::V);
    unsafe fn splat32(x: u32) -> Self::V;
    unsafe fn splat64(x: u64) -> Self::V;
    unsafe fn add32(a: Self::V, b: Self::V) -> Self::V;
    unsafe fn sub32(a: Self::V, b: Self::V) -> Self::V;
    unsafe fn min_u32(a: Self::V, b: Self::V) -> Self::V;
    unsafe fn add64(a: Self::V, b: Self::V) -> Self::V;
    unsafe fn sub64(a: Self::V, b: Self::V) -> Self::V;
    /// Products of the low, unsigned halves of 64-bit lanes. Opaque to the compiler, as is
    /// [`Simd::mul_i32`]: it would extend a constant factor outside a loop, or drop an extension for
    /// products of which only the low half is used, and then take full 64-bit products, which
    /// cost three times as much.
    unsafe fn mul_u32(a: Self::V, b: Self::V) -> Self::V;
    /// Products of the low, signed halves of 64-bit lanes.
    unsafe fn mul_i32(a: Self::V, b: Self::V) -> Self::V;
    /// The high half of each 64-bit lane, moved down.
    unsafe fn high(a: Self::V) -> Self::V;
    /// In the low half of each 64-bit lane the high half of that at `from`; the high halves hold
    /// anything. Reads 4 bytes beyond the lanes: loads are idle where instructions are not.
    #[inline(always)]
    unsafe fn load_high(from: *const u8) -> Self::V {
        // SAFETY: as the caller's.
        unsafe { Self::load(from.add(4)) }
    }
    /// What [`Simd::merge_high`] needs to have at hand.
    type Merge: Copy + std::fmt::Debug;
    /// Makes it.
    unsafe fn merge() -> Self::Merge;
    /// 64-bit lanes whose halves are the high halves of `even` and of `odd`.
    unsafe fn merge_high(even: Self::V, odd: Self::V, merge: Self::Merge) -> Self::V;
    /// The high half of the word at `from` in both halves of all 64-bit lanes. Opaque, as the
    /// compiler would load the word and shift it: one more instruction for the units that multiply.
    unsafe fn splat_high(from: *const u64) -> Self::V;
    /// `(a >> 32) − (b >> 32)`, with arithmetic shifts of 64-bit lanes.
    unsafe fn sub_high_signed(a: Self::V, b: Self::V) -> Self::V;
    /// In 64-bit signed lanes: `a − p` where a ≥ 0, `a + p` where a < 0.
    unsafe fn toward_zero(a: Self::V, p: Self::V) -> Self::V;
    /// In 64-bit signed lanes: `a + p` where a < 0, else a.
    unsafe fn lift_negative(a: Self::V, p: Self::V) -> Self::V;
    /// In 64-bit signed lanes: `a − p` where a > `half`, `a + p` where a < −`half`, else a.
    unsafe fn balance(a: Self::V, half: Self::V, p: Self::V) -> Self::V;
    /// 64-bit lanes x as signed halves, high·2^32 + low = x, side by side.
    unsafe fn to_halves(a: Self::V) -> Self::V;
    /// Undoes [`Simd::to_halves`].
    unsafe fn from_halves(a: Self::V) -> Self::V;
    /// The 32-bit lanes in reverse.
    unsafe fn reverse32(a: Self::V) -> Self::V;
    /// The 64-bit lanes in reverse.
    unsafe fn reverse64(a: Self::V) -> Self::V;
}

/// AVX2: 256-bit registers.
#[derive(Clone, Copy, Debug)]
pub struct Avx2;

/// AVX-512 (F, DQ, VL, BW): 512-bit registers.
#[derive(Clone, Copy, Debug)]
pub struct Avx512;

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

/// Instructions that a set has under one name with the same operands.
macro_rules! plainly {
    ($($name:ident ( $($arg:ident),* ) = $instruction:ident;)*) => {$(
        #[inline(always)]
        unsafe fn $name($($arg: Self::V),*) -> Self::V {
            // SAFETY: the caller has checked for the instruction set.
            unsafe { $instruction($($arg),*) }
        }
    )*};
}

#[allow(clippy::undocumented_unsafe_blocks)] // all: the caller has checked for the instruction set
impl Simd for Avx2 {
    type V = __m256i;
    const LANES64: usize = 4;
    plainly! {
        add32(a, b) = _mm256_add_epi32;
        sub32(a, b) = _mm256_sub_epi32;
        min_u32(a, b) = _mm256_min_epu32;
        add64(a, b) = _mm256_add_epi64;
        sub64(a, b) = _mm256_sub_epi64;
        mul_u32(a, b) = unsigned_256;
        mul_i32(a, b) = signed_256;
    }
    #[inline(always)]
    unsafe fn load(from: *const u8) -> __m256i {
        unsafe { _mm256_loadu_si256(from.cast()) }
    }
    #[inline(always)]
    unsafe fn store(to: *mut u8, v: __m256i) {
        unsafe { _mm256_storeu_si256(to.cast(), v) }
    }
    #[inline(always)]
    unsafe fn splat32(x: u32) -> __m256i {
        unsafe { _mm256_set1_epi32(x.cast_signed()) }
    }
    #[inline(always)]
    unsafe fn splat64(x: u64) -> __m256i {
        unsafe { _mm256_set1_epi64x(x.cast_signed()) }
    }
    #[inline(always)]
    unsafe fn high(a: __m256i) -> __m256i {
        unsafe { _mm256_srli_epi64::<32>(a) }
    }
    type Merge = ();
    #[inline(always)]
    unsafe fn merge() {}
    #[inline(always)]
    unsafe fn splat_high(from: *const u64) -> __m256i {
        unsafe { splat_high_256(from) }
    }
    #[inline(always)]
    unsafe fn merge_high(even: __m256i, odd: __m256i, (): ()) -> __m256i {
        unsafe { _mm256_blend_epi32::<0b1010_1010>(_mm256_srli_epi64::<32>(even), odd) }
    }
    #[inline(always)]
    unsafe fn sub_high_signed(a: __m256i, b: __m256i) -> __m256i {
        // No 64-bit arithmetic shift here: shift both unsigned, offset by 2^63, which cancels.
        unsafe {
            let bias = _mm256_set1_epi64x(i64::MIN);
            _mm256_sub_epi64(
                _mm256_srli_epi64::<32>(_mm256_xor_si256(a, bias)),
                _mm256_srli_epi64::<32>(_mm256_xor_si256(b, bias)),
            )
        }
    }
    #[inline(always)]
    unsafe fn toward_zero(a: __m256i, p: __m256i) -> __m256i {
        unsafe {
            let minus_p = _mm256_sub_epi64(_mm256_setzero_si256(), p);
            let step = _mm256_blendv_pd(
                _mm256_castsi256_pd(minus_p),
                _mm256_castsi256_pd(p),
                _mm256_castsi256_pd(a),
            );
            _mm256_add_epi64(a, _mm256_castpd_si256(step))
        }
    }
    #[inline(always)]
    unsafe fn lift_negative(a: __m256i, p: __m256i) -> __m256i {
        unsafe {
            let step = _mm256_blendv_pd(
                _mm256_setzero_pd(),
                _mm256_castsi256_pd(p),
                _mm256_castsi256_pd(a),
            );
            _mm256_add_epi64(a, _mm256_castpd_si256(step))
        }
    }
    #[inline(always)]
    unsafe fn balance(a: __m256i, half: __m256i, p: __m256i) -> __m256i {
        unsafe {
            let above = _mm256_cmpgt_epi64(a, half);
            let below = _mm256_cmpgt_epi64(_mm256_sub_epi64(_mm256_setzero_si256(), half), a);
            let a = _mm256_sub_epi64(a, _mm256_and_si256(above, p));
            _mm256_add_epi64(a, _mm256_and_si256(below, p))
        }
    }
    #[inline(always)]
    unsafe fn to_halves(a: __m256i) -> __m256i {
        unsafe {
            let high = _mm256_add_epi64(a, _mm256_set1_epi64x(1 << 31));
            _mm256_blend_epi32::<0b1010_1010>(a, high)
        }
    }
    #[inline(always)]
    unsafe fn from_halves(a: __m256i) -> __m256i {
        unsafe {
            let sign = _mm256_and_si256(a, _mm256_set1_epi64x(1 << 31));
            _mm256_sub_epi64(a, _mm256_add_epi64(sign, sign))
        }
    }
    #[inline(always)]
    unsafe fn reverse32(a: __m256i) -> __m256i {
        unsafe { _mm256_permutevar8x32_epi32(a, _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0)) }
    }
    #[inline(always)]
    unsafe fn reverse64(a: __m256i) -> __m256i {
        unsafe { _mm256_permute4x64_epi64::<0b00_01_10_11>(a) }
    }
}

#[allow(clippy::undocumented_unsafe_blocks)] // all: the caller has checked for the instruction set
impl Simd for Avx512 {
    type V = __m512i;
    const LANES64: usize = 8;
    plainly! {
        add32(a, b) = _mm512_add_epi32;
        sub32(a, b) = _mm512_sub_epi32;
        min_u32(a, b) = _mm512_min_epu32;
        add64(a, b) = _mm512_add_epi64;
        sub64(a, b) = _mm512_sub_epi64;
        mul_u32(a, b) = unsigned_512;
        mul_i32(a, b) = signed_512;
    }
    #[inline(always)]
    unsafe fn load(from: *const u8) -> __m512i {
        unsafe { _mm512_loadu_si512(from.cast()) }
    }
    #[inline(always)]
    unsafe fn store(to: *mut u8, v: __m512i) {
        unsafe { _mm512_storeu_si512(to.cast(), v) }
    }
    #[inline(always)]
    unsafe fn splat32(x: u32) -> __m512i {
        unsafe { _mm512_set1_epi32(x.cast_signed()) }
    }
    #[inline(always)]
    unsafe fn splat64(x: u64) -> __m512i {
        unsafe { _mm512_set1_epi64(x.cast_signed()) }
    }
    #[inline(always)]
    unsafe fn high(a: __m512i) -> __m512i {
        unsafe { _mm512_srli_epi64::<32>(a) }
    }
    /// The even 32-bit lanes.
    type Merge = __mmask16;
    #[inline(always)]
    unsafe fn merge() -> __mmask16 {
        // A mask that the compiler knows, it would turn into a slower shuffle of two registers.
        std::hint::black_box(0x5555)
    }
    #[inline(always)]
    unsafe fn splat_high(from: *const u64) -> __m512i {
        unsafe { splat_high_512(from) }
    }
    #[inline(always)]
    unsafe fn merge_high(even: __m512i, odd: __m512i, merge: __mmask16) -> __m512i {
        // Copies the odd 32-bit lanes of `even` over the even lanes of `odd`.
        unsafe { _mm512_mask_shuffle_epi32::<0b11_11_01_01>(odd, merge, even) }
    }
    #[inline(always)]
    unsafe fn sub_high_signed(a: __m512i, b: __m512i) -> __m512i {
        unsafe { _mm512_sub_epi64(_mm512_srai_epi64::<32>(a), _mm512_srai_epi64::<32>(b)) }
    }
    #[inline(always)]
    unsafe fn toward_zero(a: __m512i, p: __m512i) -> __m512i {
        unsafe { _mm512_mask_add_epi64(_mm512_sub_epi64(a, p), _mm512_movepi64_mask(a), a, p) }
    }
    #[inline(always)]
    unsafe fn lift_negative(a: __m512i, p: __m512i) -> __m512i {
        unsafe { _mm512_mask_add_epi64(a, _mm512_movepi64_mask(a), a, p) }
    }
    #[inline(always)]
    unsafe fn balance(a: __m512i, half: __m512i, p: __m512i) -> __m512i {
        unsafe {
            let above = _mm512_cmpgt_epi64_mask(a, half);
            let below = _mm512_cmplt_epi64_mask(a, _mm512_sub_epi64(_mm512_setzero_si512(), half));
            let a = _mm512_mask_sub_epi64(a, above, a, p);
            _mm512_mask_add_epi64(a, below, a, p)
        }
    }
    #[inline(always)]
    unsafe fn to_halves(a: __m512i) -> __m512i {
        unsafe {
            let high = _mm512_add_epi64(a, _mm512_set1_epi64(1 << 31));
            _mm512_mask_mov_epi32(a, 0xaaaa, high)
        }
    }
    #[inline(always)]
    unsafe fn from_halves(a: __m512i) -> __m512i {
        unsafe {
            let sign = _mm512_and_si512(a, _mm512_set1_epi64(1 << 31));
            _mm512_sub_epi64(a, _mm512_add_epi64(sign, sign))
        }
    }
    #[inline(always)]
    unsafe fn reverse32(a: __m512i) -> __m512i {
        unsafe {
            let order = _mm512_setr_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
            _mm512_permutexvar_epi32(order, a)
        }
    }
    #[inline(always)]
    unsafe fn reverse64(a: __m512i) -> __m512i {
        unsafe { _mm512_permutexvar_epi64(_mm512_setr_epi64(7, 6, 5, 4, 3, 2, 1, 0), a) }
    }
}
