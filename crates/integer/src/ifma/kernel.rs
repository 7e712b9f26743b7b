//! The product of two short vectors of digits, wholly in registers.

use std::arch::x86_64::*;

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
/// # Safety
/// `b` must be readable for `8·VB` digits, all digits below 2^52.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512ifma,avx512vbmi")]
pub(super) unsafe fn columns<const VA: usize, const VB: usize, const W: usize>(
    a: &[__m512i; VA],
    b: *const u64,
) -> [__m512i; W] {
    const { assert!(W == VA + VB) };
    let mut sums = [_mm512_setzero_si512(); W];
    for s in (0..8).rev() {
        for q in 0..VB {
            // SAFETY: 8q + s < 8·VB.
            let digit = unsafe { _mm512_set1_epi64(b.add(8 * q + s).read() as i64) };
            for i in 0..VA {
                sums[q + i] = _mm512_madd52hi_epu64(sums[q + i], a[i], digit);
            }
        }
        for k in (1..W).rev() {
            sums[k] = _mm512_alignr_epi64::<7>(sums[k], sums[k - 1]);
        }
        sums[0] = _mm512_maskz_alignr_epi64::<7>(0xFE, sums[0], sums[0]);
        for q in 0..VB {
            // SAFETY: 8q + s < 8·VB.
            let digit = unsafe { _mm512_set1_epi64(b.add(8 * q + s).read() as i64) };
            for i in 0..VA {
                sums[q + i] = _mm512_madd52lo_epu64(sums[q + i], a[i], digit);
            }
        }
    }
    sums
}
