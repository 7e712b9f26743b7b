//! The choice of algorithm at every level of a product, and the recursion itself.

use crate::cpu::CpuClass;
use crate::limbs::add_assign;
use crate::plan::Algorithm;
use crate::thresholds::Thresholds;
use crate::{karatsuba, schoolbook, toom3};

/// Kernels and thresholds: all that the recursive products need to know.
///
/// `cpu` must be a class that this processor supports.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Recursion {
    pub cpu: CpuClass,
    pub thresholds: Thresholds,
}

/// What one level of a product does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// One of the quadratic kernels, or a recursive algorithm, on both operands whole.
    Whole(Algorithm),
    /// The longer operand is cut into pieces of this many limbs.
    Pieces(usize),
}

impl Recursion {
    /// The step for operands of `long ≥ short` limbs.
    pub(crate) fn step(&self, long: usize, short: usize) -> Step {
        let t = &self.thresholds;
        if short < t.karatsuba {
            return self.quadratic_step(long, short);
        }
        if short >= t.toom3 && short > 2 * long.div_ceil(3) {
            Step::Whole(Algorithm::Toom3)
        } else if short > long.div_ceil(2) {
            Step::Whole(Algorithm::Karatsuba)
        } else {
            Step::Pieces(short)
        }
    }

    fn quadratic_step(&self, long: usize, short: usize) -> Step {
        #[cfg(target_arch = "x86_64")]
        if short >= self.thresholds.ifma && long >= self.thresholds.ifma_long {
            let pieces = long.div_ceil(crate::ifma::MAX_LIMBS);
            return if pieces == 1 {
                Step::Whole(Algorithm::Ifma)
            } else {
                Step::Pieces(long.div_ceil(pieces))
            };
        }
        Step::Whole(Algorithm::Schoolbook)
    }

    /// `out = a · b`, any lengths in any order; `scratch` has at least `scratch_limbs` limbs.
    ///
    /// Operands that are one and the same slice are squared, at every level.
    pub(crate) fn mul(&self, out: &mut [u64], a: &[u64], b: &[u64], scratch: &mut [u64]) {
        let (a, b) = if a.len() >= b.len() { (a, b) } else { (b, a) };
        match self.step(a.len(), b.len()) {
            Step::Pieces(size) => self.pieces(size, out, a, b, scratch),
            Step::Whole(Algorithm::Toom3) => toom3::mul(self, out, a, b, scratch),
            Step::Whole(Algorithm::Karatsuba) => karatsuba::mul(self, out, a, b, scratch),
            Step::Whole(kernel) => self.quadratic(kernel, out, a, b),
        }
    }

    /// `out = a · b` for `a.len() ≥ b.len()` by a kernel that `step` chose.
    #[inline]
    pub(crate) fn quadratic(&self, kernel: Algorithm, out: &mut [u64], a: &[u64], b: &[u64]) {
        #[cfg(target_arch = "x86_64")]
        if kernel == Algorithm::Ifma {
            // SAFETY: thresholds let `step` choose this kernel only for the class of processors that have it, which
            // `CpuClass::detect` or `Multiplier::with_cpu` has found; `out` is as long as a and b at every level.
            unsafe { crate::ifma::mul(out, a, b) };
            return;
        }
        debug_assert_eq!(kernel, Algorithm::Schoolbook);
        if !(std::ptr::eq(a, b) && schoolbook::sqr_if_faster(self.cpu, out, a)) {
            schoolbook::mul(self.cpu, out, a, b);
        }
    }

    /// Multiplies `b` by pieces of `size` limbs of `a`, adding up as it goes.
    fn pieces(&self, size: usize, out: &mut [u64], a: &[u64], b: &[u64], scratch: &mut [u64]) {
        let (overlap, scratch) = scratch.split_at_mut(b.len());
        for (i, piece) in a.chunks(size).enumerate() {
            let part = &mut out[i * size..i * size + piece.len() + b.len()];
            if i == 0 {
                self.mul(part, piece, b, scratch);
                continue;
            }
            // The low limbs still hold the top of the pieces before: set them aside, then add them.
            overlap.copy_from_slice(&part[..b.len()]);
            self.mul(part, piece, b, scratch);
            add_assign(part, overlap);
        }
    }
}

/// Scratch limbs that cover every level of a product of these sizes.
pub(crate) fn scratch_limbs(long: usize, short: usize) -> usize {
    // n limbs: Karatsuba takes n + 1 and passes on ⌈n/2⌉, so 2n and a little in all; Toom-3 takes
    // 8(⌈n/3⌉ + 1) and passes on ⌈n/3⌉ + 1, so 4n and a little. "A little" is at most 24 a level.
    // Pieces take `short` limbs, and pass on operands of which the longer has at most 2·short, or, when
    // they feed the quadratic kernels, once more at most `short`.
    let n = long.min(2 * short);
    5 * n + 24 * usize::BITS as usize
}
