//! 512-bit vectors with 52-bit products.

use std::arch::x86_64::*;
use std::mem::MaybeUninit;

use super::{Simd, SimdPart, SimdTask};
use crate::lanes::simd::Avx512 as Lanes512;
use crate::lanes::transpose::Transpose;

/// Proof that the machine has AVX-512 F, DQ, VL and IFMA.
#[derive(Clone, Copy, Debug)]
pub struct Avx512(());

impl Avx512 {
    /// The instruction set, if this machine has it.
    #[inline]
    pub fn detect() -> Option<Self> {
        (is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512ifma"))
        .then_some(Self(()))
    }
}

#[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512ifma")]
fn run_here<T: SimdTask>(simd: Avx512, task: T) -> T::Output {
    task.run(simd)
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512ifma")]
fn run_part_here<P: SimdPart<Avx512>>(simd: Avx512, part: P) -> P::Output {
    part.run(simd)
}

/// Wraps an expression of intrinsics.
macro_rules! avx512 {
    ($expression:expr) => {
        // SAFETY: an `Avx512` exists only where `detect` found every feature that it stands for.
        unsafe { $expression }
    };
}

impl Simd for Avx512 {
    type Vector = __m512i;
    // The instructions read the low 52 bits only, so the bits of a double in [2^52, 2^53) are one.
    type Factor = __m512i;
    type Float = __m512d;
    const LANES: usize = 8;
    const FAST_52: bool = true;

    #[inline(always)]
    fn vectorize<T: SimdTask>(self, task: T) -> T::Output {
        // SAFETY: `self` exists only where `detect` found every feature of `run_here`.
        unsafe { run_here(self, task) }
    }

    #[inline(always)]
    fn outline<P: SimdPart<Self>>(self, part: P) -> P::Output {
        // SAFETY: `self` exists only where `detect` found every feature of `run_part_here`.
        unsafe { run_part_here(self, part) }
    }

    #[inline(always)]
    fn splat64(self, word: u64) -> __m512i {
        avx512!(_mm512_set1_epi64(word as i64))
    }

    #[inline(always)]
    unsafe fn load_unaligned(self, source: *const u64) -> __m512i {
        // SAFETY: AVX-512 by the proof `self`; valid for eight words by the caller's promise.
        unsafe { _mm512_loadu_si512(source.cast()) }
    }

    #[inline(always)]
    unsafe fn store_unaligned(self, target: *mut u64, vector: __m512i) {
        // SAFETY: AVX-512 by the proof `self`; valid for eight words by the caller's promise.
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
    fn pairs52<'a, const N: usize>(
        self,
        numbers: &'a [[__m512i; 2]; N],
        room: &'a mut MaybeUninit<[[__m512i; 2]; N]>,
    ) -> &'a [[__m512i; 2]; N] {
        if N < UNEVEN_TERMS {
            return numbers;
        }
        let start = room.as_mut_ptr().cast::<[__m512i; 2]>();
        let mask = self.splat64((1 << CUT) - 1);
        for (i, &[low, high]) in numbers.iter().enumerate() {
            let upper = self.shift_left64(high, 52 - CUT);
            let upper = self.add64(upper, self.shift_right64(low, CUT));
            // SAFETY: place i of the N in `room`.
            unsafe { start.add(i).write([self.and(low, mask), upper]) };
        }
        // SAFETY: every place was just written.
        unsafe { room.assume_init_ref() }
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
    fn two_sums52(self, x: &[[__m512i; 2]], y: &[[__m512i; 2]]) -> [[__m512i; 3]; 2] {
        assert!(
            !x.is_empty() && x.len().is_multiple_of(2) && y.len() == x.len() + 1,
            "an even number of terms"
        );
        let (terms, x, y) = (x.len(), x.as_ptr(), y.as_ptr());
        // SAFETY: AVX-512 by the proof `self`; the lengths were just checked.
        unsafe {
            match terms < UNEVEN_TERMS {
                true => two_sums52(x, y, terms / 2),
                false => two_uneven_sums52(x, y, terms / 2),
            }
        }
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
    fn float62(self, a: __m512i) -> __m512d {
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
        // SAFETY: words as the caller promises; AVX-512 by the proof `self`.
        unsafe {
            let mut rows = Lanes512::load_block64(from.cast(), 8 * strides.0);
            Lanes512::transpose64(&mut rows);
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

/// From so many terms on, numbers of the first operand are cut at bit [`CUT`] instead of 52: then a
/// product of the lower part by the short upper limb of the other operand takes one multiply-add, not
/// two, and the sums take a few operations more in the end.
const UNEVEN_TERMS: usize = 16;
/// The upper limb of the other operand has at most 13 bits.
const CUT: u32 = 39;

/// The fourteen multiply-adds of a term of each of two sums: of factors $x and $y for the first, of $x
/// and $z for the second. Neighbours belong to different sums, so that none waits for the one before.
macro_rules! term {
    ($x:literal, $y:literal, $z:literal) => {
        concat!(
            "vpmadd52luq {a0:z}, {",
            $x,
            "0:z}, {",
            $y,
            "0:z}\n",
            "vpmadd52luq {b0:z}, {",
            $x,
            "0:z}, {",
            $z,
            "0:z}\n",
            "vpmadd52huq {a1:z}, {",
            $x,
            "0:z}, {",
            $y,
            "0:z}\n",
            "vpmadd52huq {b1:z}, {",
            $x,
            "0:z}, {",
            $z,
            "0:z}\n",
            "vpmadd52luq {a2:z}, {",
            $x,
            "0:z}, {",
            $y,
            "1:z}\n",
            "vpmadd52luq {b2:z}, {",
            $x,
            "0:z}, {",
            $z,
            "1:z}\n",
            "vpmadd52luq {a3:z}, {",
            $x,
            "1:z}, {",
            $y,
            "0:z}\n",
            "vpmadd52luq {b3:z}, {",
            $x,
            "1:z}, {",
            $z,
            "0:z}\n",
            "vpmadd52huq {a4:z}, {",
            $x,
            "0:z}, {",
            $y,
            "1:z}\n",
            "vpmadd52huq {b4:z}, {",
            $x,
            "0:z}, {",
            $z,
            "1:z}\n",
            "vpmadd52huq {a5:z}, {",
            $x,
            "1:z}, {",
            $y,
            "0:z}\n",
            "vpmadd52huq {b5:z}, {",
            $x,
            "1:z}, {",
            $z,
            "0:z}\n",
            "vpmadd52luq {a6:z}, {",
            $x,
            "1:z}, {",
            $y,
            "1:z}\n",
            "vpmadd52luq {b6:z}, {",
            $x,
            "1:z}, {",
            $z,
            "1:z}\n",
        )
    };
}

/// [`Simd::two_sums52`] of `2·pairs` terms. In assembly, because compilers put the multiply-adds of a
/// sum one after the other, each of which waits four cycles for the one before it.
///
/// # Safety
/// There are as many x, and one more y; `pairs` is not 0.
#[target_feature(enable = "avx512f,avx512ifma")]
#[inline]
unsafe fn two_sums52(
    x: *const [__m512i; 2],
    y: *const [__m512i; 2],
    pairs: usize,
) -> [[__m512i; 3]; 2] {
    type V = __m512i;
    let zero = _mm512_setzero_si512();
    let (mut a0, mut a1, mut a2, mut a3, mut a4, mut a5, mut a6) =
        (zero, zero, zero, zero, zero, zero, zero);
    let (mut b0, mut b1, mut b2, mut b3, mut b4, mut b5, mut b6) =
        (zero, zero, zero, zero, zero, zero, zero);
    // What is loaded; an output without a type has no vector register.
    let (_x0, _x1, _y0, _y1, _z0, _z1): (V, V, V, V, V, V);
    // SAFETY: it reads 2·pairs terms of x and one more of y, and writes registers only.
    unsafe {
        std::arch::asm!(
            "vmovdqa64 {z0:z}, [{y}]",
            "vmovdqa64 {z1:z}, [{y} + 64]",
            "2:",
            "vmovdqa64 {x0:z}, [{x}]",
            "vmovdqa64 {x1:z}, [{x} + 64]",
            "vmovdqa64 {y0:z}, [{y} + 128]",
            "vmovdqa64 {y1:z}, [{y} + 192]",
            term!("x", "y", "z"),
            "vmovdqa64 {x0:z}, [{x} + 128]",
            "vmovdqa64 {x1:z}, [{x} + 192]",
            "vmovdqa64 {z0:z}, [{y} + 256]",
            "vmovdqa64 {z1:z}, [{y} + 320]",
            term!("x", "z", "y"),
            "add {x}, 256",
            "add {y}, 256",
            "dec {pairs}",
            "jnz 2b",
            x = inout(reg) x => _,
            y = inout(reg) y => _,
            pairs = inout(reg) pairs => _,
            x0 = out(zmm_reg) _x0,
            x1 = out(zmm_reg) _x1,
            y0 = out(zmm_reg) _y0,
            y1 = out(zmm_reg) _y1,
            z0 = out(zmm_reg) _z0,
            z1 = out(zmm_reg) _z1,
            a0 = inout(zmm_reg) a0,
            a1 = inout(zmm_reg) a1,
            a2 = inout(zmm_reg) a2,
            a3 = inout(zmm_reg) a3,
            a4 = inout(zmm_reg) a4,
            a5 = inout(zmm_reg) a5,
            a6 = inout(zmm_reg) a6,
            b0 = inout(zmm_reg) b0,
            b1 = inout(zmm_reg) b1,
            b2 = inout(zmm_reg) b2,
            b3 = inout(zmm_reg) b3,
            b4 = inout(zmm_reg) b4,
            b5 = inout(zmm_reg) b5,
            b6 = inout(zmm_reg) b6,
            options(pure, readonly, nostack),
        );
    }
    let three = |a, b, c| _mm512_add_epi64(_mm512_add_epi64(a, b), c);
    [
        [a0, three(a1, a2, a3), three(a4, a5, a6)],
        [b0, three(b1, b2, b3), three(b4, b5, b6)],
    ]
}

/// As [`term`], where x is cut at bit [`CUT`]: x0·y1 and x1·y1 have no upper half.
macro_rules! uneven_term {
    ($x:literal, $y:literal, $z:literal) => {
        concat!(
            "vpmadd52luq {a0:z}, {",
            $x,
            "0:z}, {",
            $y,
            "0:z}\n",
            "vpmadd52luq {b0:z}, {",
            $x,
            "0:z}, {",
            $z,
            "0:z}\n",
            "vpmadd52huq {a1:z}, {",
            $x,
            "0:z}, {",
            $y,
            "0:z}\n",
            "vpmadd52huq {b1:z}, {",
            $x,
            "0:z}, {",
            $z,
            "0:z}\n",
            "vpmadd52luq {a2:z}, {",
            $x,
            "0:z}, {",
            $y,
            "1:z}\n",
            "vpmadd52luq {b2:z}, {",
            $x,
            "0:z}, {",
            $z,
            "1:z}\n",
            "vpmadd52luq {a3:z}, {",
            $x,
            "1:z}, {",
            $y,
            "0:z}\n",
            "vpmadd52luq {b3:z}, {",
            $x,
            "1:z}, {",
            $z,
            "0:z}\n",
            "vpmadd52huq {a4:z}, {",
            $x,
            "1:z}, {",
            $y,
            "0:z}\n",
            "vpmadd52huq {b4:z}, {",
            $x,
            "1:z}, {",
            $z,
            "0:z}\n",
            "vpmadd52luq {a5:z}, {",
            $x,
            "1:z}, {",
            $y,
            "1:z}\n",
            "vpmadd52luq {b5:z}, {",
            $x,
            "1:z}, {",
            $z,
            "1:z}\n",
        )
    };
}

/// The same with x cut at bit [`CUT`]: twelve multiply-adds for a term of each sum.
///
/// # Safety
/// There are as many x, and one more y; `pairs` is not 0.
#[target_feature(enable = "avx512f,avx512ifma")]
#[inline]
unsafe fn two_uneven_sums52(
    x: *const [__m512i; 2],
    y: *const [__m512i; 2],
    pairs: usize,
) -> [[__m512i; 3]; 2] {
    type V = __m512i;
    let zero = _mm512_setzero_si512();
    let (mut a0, mut a1, mut a2, mut a3, mut a4, mut a5) = (zero, zero, zero, zero, zero, zero);
    let (mut b0, mut b1, mut b2, mut b3, mut b4, mut b5) = (zero, zero, zero, zero, zero, zero);
    // What is loaded; an output without a type has no vector register.
    let (_x0, _x1, _y0, _y1, _z0, _z1): (V, V, V, V, V, V);
    // SAFETY: it reads 2·pairs terms of x and one more of y, and writes registers only.
    unsafe {
        std::arch::asm!(
            "vmovdqa64 {z0:z}, [{y}]",
            "vmovdqa64 {z1:z}, [{y} + 64]",
            "2:",
            "vmovdqa64 {x0:z}, [{x}]",
            "vmovdqa64 {x1:z}, [{x} + 64]",
            "vmovdqa64 {y0:z}, [{y} + 128]",
            "vmovdqa64 {y1:z}, [{y} + 192]",
            uneven_term!("x", "y", "z"),
            "vmovdqa64 {x0:z}, [{x} + 128]",
            "vmovdqa64 {x1:z}, [{x} + 192]",
            "vmovdqa64 {z0:z}, [{y} + 256]",
            "vmovdqa64 {z1:z}, [{y} + 320]",
            uneven_term!("x", "z", "y"),
            "add {x}, 256",
            "add {y}, 256",
            "dec {pairs}",
            "jnz 2b",
            x = inout(reg) x => _,
            y = inout(reg) y => _,
            pairs = inout(reg) pairs => _,
            x0 = out(zmm_reg) _x0,
            x1 = out(zmm_reg) _x1,
            y0 = out(zmm_reg) _y0,
            y1 = out(zmm_reg) _y1,
            z0 = out(zmm_reg) _z0,
            z1 = out(zmm_reg) _z1,
            a0 = inout(zmm_reg) a0,
            a1 = inout(zmm_reg) a1,
            a2 = inout(zmm_reg) a2,
            a3 = inout(zmm_reg) a3,
            a4 = inout(zmm_reg) a4,
            a5 = inout(zmm_reg) a5,
            b0 = inout(zmm_reg) b0,
            b1 = inout(zmm_reg) b1,
            b2 = inout(zmm_reg) b2,
            b3 = inout(zmm_reg) b3,
            b4 = inout(zmm_reg) b4,
            b5 = inout(zmm_reg) b5,
            options(pure, readonly, nostack),
        );
    }
    [
        joined([a0, a1, a2, a3, a4, a5]),
        joined([b0, b1, b2, b3, b4, b5]),
    ]
}

/// The limbs of a sum whose parts have the places 0; 52, 52; [`CUT`]; 52 + CUT, 52 + CUT.
#[target_feature(enable = "avx512f")]
#[inline]
fn joined([p0, p1, q1, u0, u1, v1]: [__m512i; 6]) -> [__m512i; 3] {
    const REST: u32 = 52 - CUT;
    let mask = _mm512_set1_epi64((1 << REST) - 1);
    let low = |a| _mm512_slli_epi64::<CUT>(_mm512_and_si512(a, mask));
    let high = |a| _mm512_srli_epi64::<REST>(a);
    let middle = _mm512_add_epi64(_mm512_add_epi64(p1, q1), high(u0));
    let upper = _mm512_add_epi64(u1, v1);
    [
        _mm512_add_epi64(p0, low(u0)),
        _mm512_add_epi64(middle, low(upper)),
        high(upper),
    ]
}
