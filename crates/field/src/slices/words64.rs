//! Slices of residues modulo a prime below 2^63.

use super::{Elementwise, Montgomery104, horner, map, zip};
use crate::lazy::Prepared64;
use crate::word_modulus::WordModulus;
use sunzi_machine::simd::{InstructionSet, Simd};

#[derive(Clone, Copy)]
pub struct Add<'a>(pub &'a WordModulus);

impl Elementwise<u64> for Add<'_> {
    #[inline(always)]
    fn vector<S: Simd>(self, simd: S, x: S::Vector, y: S::Vector) -> S::Vector {
        simd.reduce_once64(simd.add64(x, y), simd.splat64(self.0.get()))
    }

    #[inline(always)]
    fn element(self, x: u64, y: u64) -> u64 {
        self.0.add(x, y)
    }
}

#[derive(Clone, Copy)]
pub struct Sub<'a>(pub &'a WordModulus);

impl Elementwise<u64> for Sub<'_> {
    #[inline(always)]
    fn vector<S: Simd>(self, simd: S, x: S::Vector, y: S::Vector) -> S::Vector {
        // x + (p − y) lies in [0, 2p).
        let prime = simd.splat64(self.0.get());
        simd.reduce_once64(simd.add64(x, simd.sub64(prime, y)), prime)
    }

    #[inline(always)]
    fn element(self, x: u64, y: u64) -> u64 {
        self.0.sub(x, y)
    }
}

#[derive(Clone, Copy)]
pub struct Neg<'a>(pub &'a WordModulus);

impl Elementwise<u64> for Neg<'_> {
    #[inline(always)]
    fn vector<S: Simd>(self, simd: S, x: S::Vector, _: S::Vector) -> S::Vector {
        Sub(self.0).vector(simd, simd.splat64(0), x)
    }

    #[inline(always)]
    fn element(self, x: u64, _: u64) -> u64 {
        self.0.sub(0, x)
    }
}

/// The greatest width of a prime whose products are reduced in vectors.
pub const MAX_VECTOR_BITS: u32 = 62;

/// For primes below 2^[`MAX_VECTOR_BITS`].
#[derive(Clone, Copy)]
pub struct Mul<'a>(pub &'a WordModulus);

impl Elementwise<u64> for Mul<'_> {
    /// With 2^(k−1) < p < 2^k and μ = ⌊2^(k+63)/p⌋ < 2^64, the quotient ⌊⌊xy/2^(k−1)⌋·μ/2^64⌋
    /// falls short of xy/p by less than 1 + μ/2^64 + xy/2^(k+63) ≤ 2.5, so the rest is below
    /// 2.5p < 2^64 for k ≤ 62, and two conditional subtractions (of 2p at first, which keeps
    /// every value below twice its bound) finish.
    #[inline(always)]
    fn vector<S: Simd>(self, simd: S, x: S::Vector, y: S::Vector) -> S::Vector {
        let prime = self.0.get();
        let bits = u64::BITS - prime.leading_zeros();
        let reciprocal = ((1u128 << (bits + 63)) / u128::from(prime)) as u64;
        let (low, high) = simd.mul_wide64(x, y);
        let top = simd.or(
            simd.shift_right64(low, bits - 1),
            simd.shift_left64(high, 65 - bits),
        );
        let quotient = simd.mul_high64(top, simd.splat64(reciprocal));
        let rest = simd.sub64(low, simd.mul_low64(quotient, simd.splat64(prime)));
        let rest = simd.reduce_once64(rest, simd.splat64(2 * prime));
        simd.reduce_once64(rest, simd.splat64(prime))
    }

    #[inline(always)]
    fn element(self, x: u64, y: u64) -> u64 {
        self.0.mul(x, y)
    }
}

#[derive(Clone, Copy)]
pub struct Scale<'a>(pub &'a WordModulus, pub Prepared64);

impl Elementwise<u64> for Scale<'_> {
    #[inline(always)]
    fn vector<S: Simd>(self, simd: S, x: S::Vector, _: S::Vector) -> S::Vector {
        scale_term(self.0, simd, x, self.1)
    }

    #[inline(always)]
    fn element(self, x: u64, _: u64) -> u64 {
        self.0.mul_prepared(x, self.1)
    }
}

/// `x · factor`.
#[inline(always)]
pub fn scale_term<S: Simd>(
    modulus: &WordModulus,
    simd: S,
    x: S::Vector,
    factor: Prepared64,
) -> S::Vector {
    let (factor, quotient) = factor.into_parts();
    let prime = simd.splat64(modulus.get());
    let quotient = simd.mul_high64(x, simd.splat64(quotient));
    let product = simd.mul_low64(x, simd.splat64(factor));
    simd.reduce_once64(simd.sub64(product, simd.mul_low64(quotient, prime)), prime)
}

pub(crate) fn add_assign_64(modulus: &WordModulus, x: &mut [u64], y: &[u64]) {
    zip(Add(modulus), x, y);
}

pub(crate) fn sub_assign_64(modulus: &WordModulus, x: &mut [u64], y: &[u64]) {
    zip(Sub(modulus), x, y);
}

pub(crate) fn neg_64(modulus: &WordModulus, x: &mut [u64]) {
    map(Neg(modulus), x);
}

pub(crate) fn mul_assign_64(modulus: &WordModulus, x: &mut [u64], y: &[u64]) {
    if modulus.get() >> MAX_VECTOR_BITS == 0 {
        zip(Mul(modulus), x, y);
    } else {
        assert_eq!(x.len(), y.len(), "slices of equal length");
        for (x, &y) in x.iter_mut().zip(y) {
            *x = modulus.mul(*x, y);
        }
    }
}

pub(crate) fn scale_64(modulus: &WordModulus, x: &mut [u64], factor: u64) {
    map(Scale(modulus, modulus.prepare(factor)), x);
}

pub(crate) fn evaluate_64(
    modulus: &WordModulus,
    montgomery: Montgomery104,
    values: &mut [u64],
    coefficients: &[u64],
    points: &[u64],
) {
    // Digits pay only where their products are single instructions.
    if InstructionSet::Avx512.is_available() {
        let multiply = horner::MontgomeryProduct(modulus, montgomery);
        horner::evaluate((multiply, Add(modulus)), values, coefficients, points);
    } else if modulus.get() >> MAX_VECTOR_BITS == 0 {
        let multiply = horner::ElementwiseProduct(Mul(modulus));
        horner::evaluate((multiply, Add(modulus)), values, coefficients, points);
    } else {
        assert_eq!(values.len(), points.len(), "slices of equal length");
        for (value, &point) in values.iter_mut().zip(points) {
            *value = value_at(modulus, coefficients, point);
        }
    }
}

/// One value, without vectors.
pub fn value_at(modulus: &WordModulus, coefficients: &[u64], point: u64) -> u64 {
    let steps = coefficients.iter().rev();
    steps.fold(0, |value, &coefficient| {
        modulus.add(modulus.mul(value, point), coefficient)
    })
}
