//! Sums of products: the innermost loop of products in big prime fields.
//!
//! In assembly, because compilers put the multiply-adds of a sum one after the other, each of which waits
//! four cycles for the one before it.

use super::Avx512;
use crate::simd::vectors::{Factors, Operand, Sum};
use std::arch::x86_64::*;

/// The parts of two sums a and b, each in a register of its own: products of lower limbs, their lower and
/// upper halves, lower halves of products of lower and upper limbs, twice, and products of doubles.
#[derive(Clone, Copy)]
struct Parts {
    a: [__m512i; 4],
    b: [__m512i; 4],
    values: [__m512d; 2],
}

/// [`Simd::two_sums52`].
#[target_feature(enable = "avx512f,avx512ifma")]
#[inline]
pub fn two_sums(
    simd: Avx512,
    minus: Factors<'_, Avx512>,
    plus: Factors<'_, Avx512>,
) -> [Sum<Avx512>; 2] {
    let zero = _mm512_setzero_si512();
    let mut parts = Parts {
        a: [zero; 4],
        b: [zero; 4],
        values: [_mm512_setzero_pd(); 2],
    };
    if !minus.x.is_empty() {
        parts = add_products(parts, minus);
        let [a, b] = sums(parts);
        let (a, b) = (a.negated(simd), b.negated(simd));
        parts = Parts {
            a: [a.limbs[0], a.limbs[1], zero, zero],
            b: [b.limbs[0], b.limbs[1], zero, zero],
            values: [a.value, b.value],
        };
    }
    sums(add_products(parts, plus))
}

#[target_feature(enable = "avx512f")]
#[inline]
fn sums(parts: Parts) -> [Sum<Avx512>; 2] {
    let sum = |[s0, p, q, r]: [__m512i; 4], value| Sum {
        limbs: [s0, _mm512_add_epi64(_mm512_add_epi64(p, q), r)],
        value,
    };
    let [a, b] = parts.values;
    [sum(parts.a, a), sum(parts.b, b)]
}

/// The ten multiply-adds of a term of each of two sums: of factors $x and $y for the first, of $x and $z
/// for the second. Neighbours belong to different sums, and no result is wanted before five cycles.
macro_rules! term {
    (@ $op:literal $sum:literal, $x:literal $i:literal, $y:literal $j:literal) => {
        concat!($op, " {", $sum, ":z}, {", $x, $i, ":z}, {", $y, $j, ":z}\n")
    };
    ($x:literal, $y:literal, $z:literal) => {
        concat!(
            term!(@ "vpmadd52luq" "a0", $x "0", $y "0"),
            term!(@ "vpmadd52luq" "b0", $x "0", $z "0"),
            term!(@ "vpmadd52huq" "a1", $x "0", $y "0"),
            term!(@ "vpmadd52huq" "b1", $x "0", $z "0"),
            term!(@ "vpmadd52luq" "a2", $x "0", $y "1"),
            term!(@ "vpmadd52luq" "b2", $x "0", $z "1"),
            term!(@ "vpmadd52luq" "a3", $x "1", $y "0"),
            term!(@ "vpmadd52luq" "b3", $x "1", $z "0"),
            term!(@ "vfmadd231pd" "a4", $x "2", $y "2"),
            term!(@ "vfmadd231pd" "b4", $x "2", $z "2"),
        )
    };
}

/// Adds products of an even number of factors.
#[target_feature(enable = "avx512f,avx512ifma")]
#[inline]
fn add_products(parts: Parts, factors: Factors<'_, Avx512>) -> Parts {
    type V = __m512i;
    let Factors { x, y } = factors;
    assert!(
        !x.is_empty() && x.len().is_multiple_of(2) && y.len() == x.len() + 1,
        "an even number of terms"
    );
    const { assert!(size_of::<Operand<Avx512>>() == 3 * 64) };
    let (x, y, pairs) = (x.as_ptr(), y.as_ptr(), x.len() / 2);
    let Parts {
        a: [mut a0, mut a1, mut a2, mut a3],
        b: [mut b0, mut b1, mut b2, mut b3],
        values: [mut a4, mut b4],
    } = parts;
    // What is loaded; an output without a type has no vector register.
    let (_x0, _x1, _x2, _y0, _y1, _y2, _z0, _z1, _z2): (V, V, V, V, V, V, V, V, V);
    // SAFETY: it reads 2·pairs operands from x on and one more from y on, as was just checked, and writes
    // registers only; a vector is aligned to 64 bytes.
    unsafe {
        std::arch::asm!(
            "vmovdqa64 {z0:z}, [{y}]",
            "vmovdqa64 {z1:z}, [{y} + 64]",
            "vmovdqa64 {z2:z}, [{y} + 128]",
            "2:",
            "vmovdqa64 {x0:z}, [{x}]",
            "vmovdqa64 {x1:z}, [{x} + 64]",
            "vmovdqa64 {x2:z}, [{x} + 128]",
            "vmovdqa64 {y0:z}, [{y} + 192]",
            "vmovdqa64 {y1:z}, [{y} + 256]",
            "vmovdqa64 {y2:z}, [{y} + 320]",
            term!("x", "y", "z"),
            "vmovdqa64 {x0:z}, [{x} + 192]",
            "vmovdqa64 {x1:z}, [{x} + 256]",
            "vmovdqa64 {x2:z}, [{x} + 320]",
            "vmovdqa64 {z0:z}, [{y} + 384]",
            "vmovdqa64 {z1:z}, [{y} + 448]",
            "vmovdqa64 {z2:z}, [{y} + 512]",
            term!("x", "z", "y"),
            "add {x}, 384",
            "add {y}, 384",
            "dec {pairs}",
            "jnz 2b",
            x = inout(reg) x => _,
            y = inout(reg) y => _,
            pairs = inout(reg) pairs => _,
            x0 = out(zmm_reg) _x0,
            x1 = out(zmm_reg) _x1,
            x2 = out(zmm_reg) _x2,
            y0 = out(zmm_reg) _y0,
            y1 = out(zmm_reg) _y1,
            y2 = out(zmm_reg) _y2,
            z0 = out(zmm_reg) _z0,
            z1 = out(zmm_reg) _z1,
            z2 = out(zmm_reg) _z2,
            a0 = inout(zmm_reg) a0,
            a1 = inout(zmm_reg) a1,
            a2 = inout(zmm_reg) a2,
            a3 = inout(zmm_reg) a3,
            a4 = inout(zmm_reg) a4,
            b0 = inout(zmm_reg) b0,
            b1 = inout(zmm_reg) b1,
            b2 = inout(zmm_reg) b2,
            b3 = inout(zmm_reg) b3,
            b4 = inout(zmm_reg) b4,
            options(pure, readonly, nostack),
        );
    }
    Parts {
        a: [a0, a1, a2, a3],
        b: [b0, b1, b2, b3],
        values: [a4, b4],
    }
}
