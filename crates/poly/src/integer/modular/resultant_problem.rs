//! What resultants over the integers are computed of.

use super::bound;
use crate::{IntegerPolyRing, Poly};
use sunzi_integer::Integer;

/// Two polynomials without contents, and what is left out: each content comes out as often as there are rows of it.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    /// Of positive degrees; none where the resultant is clear without any prime.
    primitive: Option<[Poly<Integer>; 2]>,
    /// Numbers and powers of them whose product is the resultant over that of the primitive parts.
    factors: [(Integer, usize); 2],
    /// The resultant of the primitive parts is at most 2^bits in absolute value.
    pub(super) bits: u64,
}

impl Problem {
    pub(super) fn new(f: &Poly<Integer>, g: &Poly<Integer>) -> Self {
        let known = |factor| Self {
            primitive: None,
            factors: [factor, (Integer::ONE, 0)],
            bits: 0,
        };
        match (f.degree(), g.degree()) {
            (None, _) | (_, None) => known((Integer::ZERO, 1)),
            // The exponent of the other constant is 0.
            (Some(0), Some(n)) => known((f[0].clone(), n)),
            (Some(m), Some(0)) => known((g[0].clone(), m)),
            (Some(m), Some(n)) => {
                let ring = IntegerPolyRing::shared();
                let primitive = [f, g].map(|f| ring.primitive_part(f));
                let [of_f, of_g] = primitive.each_ref().map(Poly::coefficients);
                Self {
                    factors: [(ring.content(f), n), (ring.content(g), m)],
                    bits: bound::norms(of_f, n, of_g, m),
                    primitive: Some(primitive),
                }
            }
        }
    }

    /// The coefficients of both primitive parts, unless the resultant is [`Self::factor`] alone.
    pub(super) fn primitive(&self) -> Option<[&[Integer]; 2]> {
        let primitive = self.primitive.as_ref()?;
        Some(primitive.each_ref().map(Poly::coefficients))
    }

    /// Bytes that the factor takes.
    pub(super) fn factor_bytes(&self) -> u64 {
        let bits = |(number, exponent): &(Integer, usize)| {
            (number.bit_len() as u64).saturating_mul(*exponent as u64)
        };
        self.factors.iter().map(bits).fold(0, u64::saturating_add) / 8
    }

    /// The resultant over that of the primitive parts.
    pub(super) fn factor(&self) -> Integer {
        let [(f, n), (g, m)] = &self.factors;
        f.pow(*n) * g.pow(*m)
    }
}
