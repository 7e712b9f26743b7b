//! The choice of algorithm at every level of a product, and the recursion itself.

use crate::cpu::CpuClass;
use crate::limbs::{add_1, add_assign};
use crate::plan::Algorithm;
use crate::thresholds::Thresholds;
use crate::{karatsuba, schoolbook};

/// Kernels and thresholds: all that the recursive products need to know.
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
        if short < t.karatsuba.max(2) {
            let kernel = if short >= t.ifma {
                Algorithm::Ifma
            } else {
                Algorithm::Schoolbook
            };
            return Step::Whole(kernel);
        }
        if short > long.div_ceil(2) {
            Step::Whole(Algorithm::Karatsuba)
        } else {
            Step::Pieces(short)
        }
    }

    /// `out = a · b`, any lengths in any order; `scratch` has at least `scratch_limbs` limbs.
    pub(crate) fn mul(&self, out: &mut [u64], a: &[u64], b: &[u64], scratch: &mut [u64]) {
        let (a, b) = if a.len() >= b.len() { (a, b) } else { (b, a) };
        match self.step(a.len(), b.len()) {
            Step::Pieces(size) => self.pieces(size, out, a, b, scratch),
            Step::Whole(algorithm) => self.whole(algorithm, out, a, b, scratch),
        }
    }

    /// `out = a · b` for `a.len() ≥ b.len()` by the given algorithm at the outermost level.
    pub(crate) fn whole(
        &self,
        algorithm: Algorithm,
        out: &mut [u64],
        a: &[u64],
        b: &[u64],
        scratch: &mut [u64],
    ) {
        match algorithm {
            Algorithm::Karatsuba => karatsuba::mul(self, out, a, b, scratch),
            _ => schoolbook::portable::mul(out, a, b),
        }
    }

    /// `out = a²`; `scratch` has at least `scratch_limbs` limbs.
    pub(crate) fn sqr(&self, out: &mut [u64], a: &[u64], scratch: &mut [u64]) {
        match self.step(a.len(), a.len()) {
            Step::Whole(Algorithm::Karatsuba) => karatsuba::sqr(self, out, a, scratch),
            _ => self.mul(out, a, a, scratch),
        }
    }

    /// Multiplies `b` by pieces of `size` limbs of `a`, adding up as it goes; `size ≥ b.len()`.
    pub(crate) fn pieces(
        &self,
        size: usize,
        out: &mut [u64],
        a: &[u64],
        b: &[u64],
        scratch: &mut [u64],
    ) {
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
    // One level of Karatsuba on n limbs takes n + 1 and passes ⌈n/2⌉ on: 2n + 2·log₂ n in all.
    // Pieces take `short` and pass on a product whose longer side is `short`, or a last piece below it.
    let n = long.min(2 * short);
    3 * n + 2 * usize::BITS as usize
}
