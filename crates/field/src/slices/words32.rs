//! Slices of residues modulo a prime below 2^31.

use super::{Elementwise, horner, map, zip};
use crate::lazy::Prepared32;
use crate::word_modulus::Modulus31;
use sunzi_machine::simd::Simd;

#[derive(Clone, Copy)]
pub struct Add<'a>(pub &'a Modulus31);

impl Elementwise<u32> for Add<'_> {
    #[inline(always)]
    fn vector<S: Simd>(self, simd: S, x: S::Vector, y: S::Vector) -> S::Vector {
        let sum = simd.add32(x, y);
        simd.min32(sum, simd.sub32(sum, simd.splat32(self.0.prime())))
    }

    #[inline(always)]
    fn element(self, x: u32, y: u32) -> u32 {
        self.0.add(x, y)
    }
}

#[derive(Clone, Copy)]
pub struct Sub<'a>(pub &'a Modulus31);

impl Elementwise<u32> for Sub<'_> {
    #[inline(always)]
    fn vector<S: Simd>(self, simd: S, x: S::Vector, y: S::Vector) -> S::Vector {
        let difference = simd.sub32(x, y);
        simd.min32(
            difference,
            simd.add32(difference, simd.splat32(self.0.prime())),
        )
    }

    #[inline(always)]
    fn element(self, x: u32, y: u32) -> u32 {
        self.0.sub(x, y)
    }
}

#[derive(Clone, Copy)]
pub struct Neg<'a>(pub &'a Modulus31);

impl Elementwise<u32> for Neg<'_> {
    #[inline(always)]
    fn vector<S: Simd>(self, simd: S, x: S::Vector, _: S::Vector) -> S::Vector {
        Sub(self.0).vector(simd, simd.splat64(0), x)
    }

    #[inline(always)]
    fn element(self, x: u32, _: u32) -> u32 {
        self.0.sub(0, x)
    }
}

#[derive(Clone, Copy)]
pub struct Mul<'a>(pub &'a Modulus31);

impl Mul<'_> {
    /// The products of the low halves, reduced, in 64-bit lanes.
    ///
    /// With 2^(k−1) < p < 2^k and μ = ⌊2^(k+31)/p⌋ < 2^32, the quotient ⌊⌊ab/2^(k−1)⌋·μ/2^32⌋
    /// falls short of ab/p by less than 1 + μ/2^32 + ab/2^(k+31). Writing p = c·2^(k−1), that is
    /// at most 1 + 1/c + c²/4 ≤ 2.5: two conditional subtractions finish.
    #[inline(always)]
    fn low_halves<S: Simd>(self, simd: S, x: S::Vector, y: S::Vector) -> S::Vector {
        let prime = u64::from(self.0.prime());
        let bits = u64::BITS - prime.leading_zeros();
        let reciprocal = (1u64 << (bits + 31)) / prime;
        let product = simd.mul_low_halves(x, y);
        let top = simd.shift_right64(product, bits - 1);
        let quotient = simd.mul_low_halves(top, simd.splat64(reciprocal));
        let quotient = simd.shift_right64(quotient, 32);
        let prime = simd.splat64(prime);
        let rest = simd.sub64(product, simd.mul_low_halves(quotient, prime));
        simd.reduce_once64(simd.reduce_once64(rest, prime), prime)
    }
}

impl Elementwise<u32> for Mul<'_> {
    #[inline(always)]
    fn vector<S: Simd>(self, simd: S, x: S::Vector, y: S::Vector) -> S::Vector {
        let even = self.low_halves(simd, x, y);
        let (x, y) = (simd.shift_right64(x, 32), simd.shift_right64(y, 32));
        let odd = self.low_halves(simd, x, y);
        simd.or(even, simd.shift_left64(odd, 32))
    }

    #[inline(always)]
    fn element(self, x: u32, y: u32) -> u32 {
        self.0.mul(x, y)
    }
}

#[derive(Clone, Copy)]
pub struct Scale<'a>(pub &'a Modulus31, pub Prepared32);

impl Scale<'_> {
    /// The products of the low halves, below 2p, in 64-bit lanes.
    #[inline(always)]
    fn low_halves<S: Simd>(self, simd: S, x: S::Vector) -> S::Vector {
        let (factor, quotient) = self.1.into_parts();
        let product = simd.mul_low_halves(x, simd.splat64(u64::from(factor)));
        let quotient = simd.mul_low_halves(x, simd.splat64(u64::from(quotient)));
        let quotient = simd.shift_right64(quotient, 32);
        let multiple = simd.mul_low_halves(quotient, simd.splat64(u64::from(self.0.prime())));
        simd.sub64(product, multiple)
    }
}

impl Elementwise<u32> for Scale<'_> {
    #[inline(always)]
    fn vector<S: Simd>(self, simd: S, x: S::Vector, _: S::Vector) -> S::Vector {
        let even = self.low_halves(simd, x);
        let odd = self.low_halves(simd, simd.shift_right64(x, 32));
        let lazy = simd.or(even, simd.shift_left64(odd, 32));
        simd.min32(lazy, simd.sub32(lazy, simd.splat32(self.0.prime())))
    }

    #[inline(always)]
    fn element(self, x: u32, _: u32) -> u32 {
        self.0.mul_prepared(x, self.1)
    }
}

pub(crate) fn add_assign_32(field: &Modulus31, x: &mut [u32], y: &[u32]) {
    zip(Add(field), x, y);
}

pub(crate) fn sub_assign_32(field: &Modulus31, x: &mut [u32], y: &[u32]) {
    zip(Sub(field), x, y);
}

pub(crate) fn neg_32(field: &Modulus31, x: &mut [u32]) {
    map(Neg(field), x);
}

pub(crate) fn mul_assign_32(field: &Modulus31, x: &mut [u32], y: &[u32]) {
    zip(Mul(field), x, y);
}

pub(crate) fn scale_32(field: &Modulus31, x: &mut [u32], factor: u32) {
    map(Scale(field, field.prepare(factor)), x);
}

pub(crate) fn evaluate_32(
    field: &Modulus31,
    values: &mut [u32],
    coefficients: &[u32],
    points: &[u32],
) {
    let multiply = horner::ElementwiseProduct(Mul(field));
    horner::evaluate((multiply, Add(field)), values, coefficients, points);
}
