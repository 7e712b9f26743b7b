//! Sums of products modulo a prime below 2^63 in digits of 52 bits, where their products are single
//! instructions.
//!
//! With x = x₀ + x₁·2^52 and factors likewise, the sum T of up to four products is P₀ + P₁·2^52 + P₂·2^104,
//! where P₀ < 4·2^52, P₁ < 12·2^52 and P₂ < 4·2^23. Two steps after Montgomery add multiples of p that make
//! the lowest digit 0, so that T·2^−104 is left, plus less than p: below 2p, as T < 4·p² < p·2^104.
//! So factors are taken times 2^104.

use crate::word_modulus::WordModulus;
use sunzi_machine::simd::Simd;

const DIGIT: u32 = 52;

/// What reductions modulo one odd prime take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Montgomery104 {
    prime: u64,
    /// −p⁻¹ modulo 2^52.
    inverse: u64,
    /// 2^104 mod p.
    lift: u64,
}

/// Factors in two digits, lifted.
#[derive(Clone, Copy)]
pub struct LiftedFactor<V> {
    low: V,
    high: V,
}

impl<V: Copy> LiftedFactor<V> {
    /// The two digits of numbers below 2^63.
    #[inline(always)]
    pub fn split<S: Simd<Vector = V>>(simd: S, lifted: V) -> Self {
        Self {
            low: lifted,
            high: simd.shift_right64(lifted, DIGIT),
        }
    }
}

impl Montgomery104 {
    pub const fn new(modulus: &WordModulus) -> Self {
        let prime = modulus.get();
        let digit = modulus.reduce(1 << DIGIT);
        // Newton's iteration doubles the correct bits, of which p·p ≡ 1 mod 8 gives three.
        let mut inverse = prime;
        let mut bits = 3;
        while bits < u64::BITS {
            inverse = inverse.wrapping_mul(2u64.wrapping_sub(prime.wrapping_mul(inverse)));
            bits *= 2;
        }
        Self {
            prime,
            inverse: inverse.wrapping_neg() & ((1 << DIGIT) - 1),
            lift: modulus.mul(digit, digit),
        }
    }

    /// A factor as sums of products take it.
    pub const fn lift(&self, modulus: &WordModulus, factor: u64) -> u64 {
        modulus.mul(factor, self.lift)
    }

    /// The same for any number of factors.
    pub const fn lifting_factor(&self) -> u64 {
        self.lift
    }

    /// The sum of at most four products, in `[0, p)`.
    #[inline(always)]
    pub fn sum_of_products<S: Simd, const N: usize>(
        self,
        simd: S,
        terms: [S::Vector; N],
        factors: [LiftedFactor<S::Vector>; N],
    ) -> S::Vector {
        const { assert!(N <= 4, "the digits' sums are bounded for four products") };
        let zero = simd.splat64(0);
        let (mut p0, mut p1, mut p2) = (zero, zero, zero);
        for (low, factor) in terms.into_iter().zip(factors) {
            // Products take the lowest 52 bits alone.
            let high = simd.shift_right64(low, DIGIT);
            p0 = simd.add_low52(p0, low, factor.low);
            p1 = simd.add_high52(p1, low, factor.low);
            p1 = simd.add_low52(p1, low, factor.high);
            p1 = simd.add_low52(p1, high, factor.low);
            p2 = simd.add_high52(p2, low, factor.high);
            p2 = simd.add_high52(p2, high, factor.low);
            p2 = simd.add_low52(p2, high, factor.high);
        }
        let prime = LiftedFactor::split(simd, simd.splat64(self.prime));
        let inverse = simd.splat64(self.inverse);
        let quotient = simd.add_low52(zero, p0, inverse);
        p0 = simd.add_low52(p0, quotient, prime.low);
        p1 = simd.add64(p1, simd.shift_right64(p0, DIGIT));
        p1 = simd.add_high52(p1, quotient, prime.low);
        p1 = simd.add_low52(p1, quotient, prime.high);
        p2 = simd.add_high52(p2, quotient, prime.high);

        let quotient = simd.add_low52(zero, p1, inverse);
        p1 = simd.add_low52(p1, quotient, prime.low);
        p2 = simd.add64(p2, simd.shift_right64(p1, DIGIT));
        p2 = simd.add_high52(p2, quotient, prime.low);
        p2 = simd.add_low52(p2, quotient, prime.high);
        let upper = simd.add_high52(zero, quotient, prime.high);
        let sum = simd.add64(p2, simd.shift_left64(upper, DIGIT));
        simd.reduce_once64(sum, simd.splat64(self.prime))
    }
}
