//! Greatest common divisors with cofactors, from multiples of them, and what proves them.

use crate::{IntegerPolyRing, Poly};
use dashu_int::ops::{BitTest, UnsignedAbs};
use dashu_int::{IBig, UBig};

/// A greatest common divisor, and what the operands are divided by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GcdAndCofactors {
    /// The greatest common divisor: that of the contents times a primitive one of positive leading coefficient; 0 if both operands
    /// are.
    pub gcd: Poly<IBig>,
    /// The first operand divided by it; 0 if that is.
    pub first: Poly<IBig>,
    /// The second operand divided by it; 0 if that is.
    pub second: Poly<IBig>,
}

pub(super) fn scaled(f: &Poly<IBig>, factor: &IBig) -> Poly<IBig> {
    if factor.is_one() {
        return f.clone();
    }
    Poly::new(f.coefficients().iter().map(|x| x * factor).collect())
}

/// `f` by a divisor of all its coefficients.
pub(super) fn divided(f: &Poly<IBig>, divisor: &IBig) -> Poly<IBig> {
    if divisor.is_one() {
        return f.clone();
    }
    Poly::new(f.coefficients().iter().map(|x| x / divisor).collect())
}

/// Whether H·A = γ·f follows from H·A ≡ γ·f: no coefficient of either side exceeds half of the modulus.
pub(super) fn proves(
    f: &[IBig],
    common: &IBig,
    gcd: &[IBig],
    cofactor: &[IBig],
    modulus: &UBig,
) -> bool {
    let terms = UBig::from(gcd.len().min(cofactor.len()));
    let product = height(gcd) * height(cofactor) * terms;
    product + height(f) * common.unsigned_abs() < *modulus
}

/// The primitive part of a multiple of the greatest common divisor, of positive leading coefficient, if it divides both.
pub(super) fn by_quotients(
    f: &Poly<IBig>,
    g: &Poly<IBig>,
    multiple: Poly<IBig>,
) -> Option<GcdAndCofactors> {
    let ring = IntegerPolyRing::new();
    let gcd = ring.primitive_part(&multiple);
    let first = ring.div_exact(f, &gcd).ok()?;
    let second = ring.div_exact(g, &gcd).ok()?;
    Some(GcdAndCofactors { gcd, first, second })
}

/// The greatest common divisor and cofactors from H = γ/lc(h)·h and cofactors with H·A = γ·f and H·B = γ·g.
pub(super) fn of_multiples(
    multiple: Poly<IBig>,
    cofactors: [Vec<IBig>; 2],
    common: &IBig,
) -> GcdAndCofactors {
    let mut content = IntegerPolyRing::new().content(&multiple);
    if *leading(&multiple) < IBig::ZERO {
        content = -content;
    }
    // f = h·A·content/γ.
    let [first, second] = cofactors.map(|cofactor| {
        let cofactor = Poly::new(cofactor);
        if content == *common {
            return cofactor;
        }
        divided(&scaled(&cofactor, &content), common)
    });
    GcdAndCofactors {
        first,
        second,
        gcd: divided(&multiple, &content),
    }
}

/// The bits that γ·f and γ·g need, and with room for their sums nearly always the factors of both.
pub(super) fn expected_bits(f: &Poly<IBig>, g: &Poly<IBig>, common: &IBig) -> u64 {
    let bits = |f: &Poly<IBig>| height(f.coefficients()).bit_len() + 2 * f.len().bit_len();
    (common.bit_len() + bits(f).max(bits(g)) + 1) as u64
}

/// The leading coefficient of a polynomial that is not 0.
pub(super) fn leading(f: &Poly<IBig>) -> &IBig {
    &f[f.len() - 1]
}

/// A power of 2 above all absolute values.
pub(super) fn height(coefficients: &[IBig]) -> UBig {
    let bits = coefficients.iter().map(|x| x.unsigned_abs().bit_len());
    UBig::ONE << bits.max().unwrap_or(0)
}
