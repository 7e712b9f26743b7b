//! Sums of products of numbers of two limbs.
//!
//! Of such a sum s the kernels want its quotient by a radix and the rest. The rest is small, so that s
//! modulo 2^104 gives it; the quotient need not be exact, so that s in doubles gives that. Neither needs
//! the upper halves of products: four products of limbs and one of doubles do, for numbers of any sign.

use super::Simd;

/// A number as an operand of products.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Operand<S: Simd> {
    /// Its limbs of 52 bits, modulo 2^104.
    pub limbs: [S::Factor; 2],
    /// The number as a double, rounded.
    pub value: S::Float,
}

/// A sum of products.
#[derive(Clone, Copy)]
pub struct Sum<S: Simd> {
    /// `s0 + s1·2^52` in signed words is the sum modulo 2^104.
    pub limbs: [S::Vector; 2],
    /// The sum in doubles, rounded after each product.
    pub value: S::Float,
}

impl<S: Simd> Sum<S> {
    /// 0.
    #[inline(always)]
    pub fn zero(simd: S) -> Self {
        Self {
            limbs: [simd.splat64(0); 2],
            value: simd.splat_float(0.0),
        }
    }

    /// With one product more.
    #[inline(always)]
    #[must_use]
    pub fn add_product(self, simd: S, a: Operand<S>, b: Operand<S>) -> Self {
        let ([a0, a1], [b0, b1]) = (a.limbs, b.limbs);
        let [s0, s1] = self.limbs;
        let (s0, s1) = simd.add_product52((s0, s1), a0, b0);
        let s1 = simd.add_low_product52(simd.add_low_product52(s1, a0, b1), a1, b0);
        Self {
            limbs: [s0, s1],
            value: simd.mul_add_float(a.value, b.value, self.value),
        }
    }

    /// The sum with the other sign.
    #[inline(always)]
    #[must_use]
    pub fn negated(self, simd: S) -> Self {
        let zero = simd.splat64(0);
        Self {
            limbs: [
                simd.sub64(zero, self.limbs[0]),
                simd.sub64(zero, self.limbs[1]),
            ],
            value: simd.mul_float(self.value, simd.splat_float(-1.0)),
        }
    }
}

/// Factors x and y of `Σ x_j·y_{j+1}` and `Σ x_j·y_j`: an even number of x, at most 256, and one y more.
#[derive(Clone, Copy)]
pub struct Factors<'a, S: Simd> {
    /// The first factors.
    pub x: &'a [Operand<S>],
    /// The second factors.
    pub y: &'a [Operand<S>],
}

impl<S: Simd> Factors<'_, S> {
    /// Adds their products to two sums.
    #[inline(always)]
    pub(super) fn add_to(self, simd: S, [mut first, mut second]: [Sum<S>; 2]) -> [Sum<S>; 2] {
        let mut before = self.y[0];
        for (&x, &y) in self.x.iter().zip(&self.y[1..]) {
            first = first.add_product(simd, x, y);
            second = second.add_product(simd, x, before);
            before = y;
        }
        [first, second]
    }
}
