//! Sums of products of numbers of two limbs.

use super::Simd;

/// A sum of products of numbers of two limbs of 52 bits, by the places of their parts.
pub struct Sum<S: Simd> {
    /// Pairs of sums from 2^0, 2^52 and 2^52 on.
    pairs: [(S::Vector, S::Vector); 3],
    /// From 2^104 on.
    top: S::Vector,
}

impl<S: Simd> Sum<S> {
    /// 0.
    #[inline(always)]
    pub fn zero(simd: S) -> Self {
        let zero = simd.splat64(0);
        Self {
            pairs: [(zero, zero); 3],
            top: zero,
        }
    }

    /// With one product more.
    #[inline(always)]
    #[must_use]
    pub fn add_product(self, simd: S, [a0, a1]: [S::Factor; 2], [b0, b1]: [S::Factor; 2]) -> Self {
        let [p00, p01, p10] = self.pairs;
        Self {
            pairs: [
                simd.add_product52(p00, a0, b0),
                simd.add_product52(p01, a0, b1),
                simd.add_product52(p10, a1, b0),
            ],
            // Upper limbs are short.
            top: simd.add_low_product52(self.top, a1, b1),
        }
    }

    /// Its limbs, of 52 bits and what overflows.
    #[inline(always)]
    pub fn limbs(self, simd: S) -> [S::Vector; 3] {
        let [(s0, a1), (b1, a2), (c1, b2)] = self.pairs;
        [
            s0,
            simd.add64(simd.add64(a1, b1), c1),
            simd.add64(simd.add64(a2, b2), self.top),
        ]
    }
}
