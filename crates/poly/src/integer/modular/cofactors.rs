//! Greatest common divisors with cofactors, from multiples of them, and what proves them.

use crate::{IntegerPolyRing, Poly};
use sunzi_integer::{Integer, Natural};
use sunzi_rns::limbs::bit_len;

/// A greatest common divisor, and what the operands are divided by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GcdAndCofactors {
    /// The greatest common divisor: that of the contents times a primitive one of positive leading coefficient; 0 if both operands
    /// are.
    pub gcd: Poly<Integer>,
    /// The first operand divided by it; 0 if that is.
    pub first: Poly<Integer>,
    /// The second operand divided by it; 0 if that is.
    pub second: Poly<Integer>,
}

pub(super) fn scaled(f: &Poly<Integer>, factor: &Integer) -> Poly<Integer> {
    if factor.is_one() {
        return f.clone();
    }
    Poly::new(f.coefficients().iter().map(|x| x * factor).collect())
}

/// `f` by a divisor of all its coefficients.
pub(super) fn divided(f: &Poly<Integer>, divisor: &Integer) -> Poly<Integer> {
    if divisor.is_one() {
        return f.clone();
    }
    Poly::new(f.coefficients().iter().map(|x| x / divisor).collect())
}

/// Whether H·A = γ·f follows from H·A ≡ γ·f: no coefficient of either side exceeds half of the modulus.
pub(super) fn proves(
    f: &[Integer],
    common: &Integer,
    gcd: &[Integer],
    cofactor: &[Integer],
    modulus: &Natural,
) -> bool {
    let terms = Natural::from(gcd.len().min(cofactor.len()));
    let product = height(gcd) * height(cofactor) * terms;
    product + height(f) * common.magnitude() < *modulus
}

/// The primitive part of a multiple of the greatest common divisor, of positive leading coefficient, if it divides both.
pub(super) fn by_quotients(
    f: &Poly<Integer>,
    g: &Poly<Integer>,
    multiple: Poly<Integer>,
) -> Option<GcdAndCofactors> {
    let ring = IntegerPolyRing::new();
    let gcd = ring.primitive_part(&multiple);
    let first = ring.div_exact(f, &gcd).ok()?;
    let second = ring.div_exact(g, &gcd).ok()?;
    Some(GcdAndCofactors { gcd, first, second })
}

/// The greatest common divisor and cofactors from H = γ/lc(h)·h and cofactors with H·A = γ·f and H·B = γ·g.
pub(super) fn of_multiples(
    multiple: Poly<Integer>,
    cofactors: [Vec<Integer>; 2],
    common: &Integer,
) -> GcdAndCofactors {
    let mut content = IntegerPolyRing::new().content(&multiple);
    if *leading(&multiple) < Integer::ZERO {
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
pub(super) fn expected_bits(f: &Poly<Integer>, g: &Poly<Integer>, common: &Integer) -> u64 {
    let bits = |f: &Poly<Integer>| height(f.coefficients()).bit_len() + 2 * bit_len(f.len());
    (common.bit_len() + bits(f).max(bits(g)) + 1) as u64
}

/// The leading coefficient of a polynomial that is not 0.
pub(super) fn leading(f: &Poly<Integer>) -> &Integer {
    &f[f.len() - 1]
}

/// A power of 2 above all absolute values.
pub(super) fn height(coefficients: &[Integer]) -> Natural {
    let bits = coefficients.iter().map(Integer::bit_len);
    Natural::ONE << bits.max().unwrap_or(0)
}
