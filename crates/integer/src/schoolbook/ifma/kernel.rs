//! The product of two short vectors of digits, wholly in registers.

use std::arch::x86_64::*;

/// Repeats a block for every value of a constant from 0 to below a limit of at most 10: the compiler gives
/// up unrolling the largest of these loops by itself, and then keeps their sums in memory.
macro_rules! unrolled {
    ($index:ident < $limit:ident => $body:block) => {
        unrolled!(@ $index, $limit, $body, 0 1 2 3 4 5 6 7 8 9)
    };
    (@ $index:ident, $limit:ident, $body:block, $($value:literal)+) => {
        $({
            const $index: usize = $value;
            if $index < $limit $body
        })+
    };
}

/// Up to how many vectors of columns three sets of sums fit the registers beside the operands.
const SEPARATE: usize = 8;

/// The columns of the product of `8·VA` digits in registers and `8·VB` digits in memory; `W = VA + VB`.
///
/// The digits of `b` are taken by their index modulo 8: for each residue s, the digits `b[8q + s]`
/// multiply whole vectors of `a` into whole vectors of columns, so nothing has to be shifted inside;
/// the eight sums are joined as in Horner's rule, from the highest residue down, with one shift by a
/// lane for each. The high halves of the products belong one column up: they are added before that
/// shift, the low halves after it.
///
/// A column collects at most `8·VB` low and as many high halves below 2^52: below 2^63 while
/// `VB ≤ 128`.
///
/// Where registers allow it (`W ≤ 8`), the sums of each residue start afresh, so that the residues do not
/// wait for each other: short products are bound by the latency of the sums, not by multiplications.
///
/// # Safety
/// `b` must be readable for `8·VB` digits, all digits below 2^52.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512ifma,avx512vbmi")]
pub(super) unsafe fn columns<const VA: usize, const VB: usize, const W: usize>(
    a: &[__m512i; VA],
    b: *const u64,
) -> [__m512i; W] {
    const { assert!(W == VA + VB) };
    let zero = [_mm512_setzero_si512(); W];
    let mut sums = zero;
    for s in (0..8).rev() {
        let (mut highs, mut lows) = (zero, zero);
        let separate = W <= SEPARATE;
        if !separate {
            highs = sums;
        }
        unrolled!(Q < VB => {
            // SAFETY: 8Q + s < 8·VB.
            let digit = unsafe { _mm512_set1_epi64(b.add(8 * Q + s).read() as i64) };
            unrolled!(I < VA => {
                highs[Q + I] = _mm512_madd52hi_epu64(highs[Q + I], a[I], digit);
            });
        });
        if separate {
            for k in 0..W {
                highs[k] = _mm512_add_epi64(highs[k], sums[k]);
            }
        }
        for k in (1..W).rev() {
            sums[k] = _mm512_alignr_epi64::<7>(highs[k], highs[k - 1]);
        }
        sums[0] = _mm512_maskz_alignr_epi64::<7>(0xFE, highs[0], highs[0]);
        if !separate {
            lows = sums;
        }
        unrolled!(Q < VB => {
            // SAFETY: 8Q + s < 8·VB.
            let digit = unsafe { _mm512_set1_epi64(b.add(8 * Q + s).read() as i64) };
            unrolled!(I < VA => {
                lows[Q + I] = _mm512_madd52lo_epu64(lows[Q + I], a[I], digit);
            });
        });
        if separate {
            for k in 0..W {
                sums[k] = _mm512_add_epi64(sums[k], lows[k]);
            }
        } else {
            sums = lows;
        }
    }
    sums
}
