//! Square-free factors by Yun's algorithm on primitive remainder sequences.

use crate::error::SolveError;
use dashu_int::IBig;
use sunzi_poly::{IntegerPolyRing, Poly};

fn derivative(f: &Poly<IBig>) -> Poly<IBig> {
    let terms = f.coefficients().iter().enumerate().skip(1);
    Poly::new(terms.map(|(k, c)| c * IBig::from(k)).collect())
}

fn gcd(ring: &IntegerPolyRing, f: &Poly<IBig>, g: &Poly<IBig>) -> Result<Poly<IBig>, SolveError> {
    let (mut a, mut b) = (ring.primitive_part(f), ring.primitive_part(g));
    while !b.is_zero() {
        let remainder = ring.pseudo_divrem(&a, &b)?.1;
        (a, b) = (b, ring.primitive_part(&remainder));
    }
    Ok(a)
}

/// The square-free factors of a primitive polynomial that is not zero, with their multiplicities.
pub(super) fn square_free(f: &Poly<IBig>) -> Result<Vec<(Poly<IBig>, usize)>, SolveError> {
    let ring = IntegerPolyRing::new();
    let mut factors = Vec::new();
    let slope = derivative(f);
    let common = gcd(&ring, f, &slope)?;
    let mut rest = ring.div_exact(f, &common)?;
    let mut other = ring.div_exact(&slope, &common)?;
    for multiplicity in 1.. {
        if rest.len() < 2 {
            break;
        }
        let slope = derivative(&rest);
        let len = other.len().max(slope.len());
        let at = |f: &Poly<IBig>, i| f.coefficients().get(i).cloned().unwrap_or(IBig::ZERO);
        let difference = Poly::new((0..len).map(|i| at(&other, i) - at(&slope, i)).collect());
        let factor = match difference.is_zero() {
            true => ring.primitive_part(&rest),
            false => gcd(&ring, &rest, &difference)?,
        };
        rest = ring.div_exact(&rest, &factor)?;
        other = match difference.is_zero() {
            true => Poly::zero(),
            false => ring.div_exact(&difference, &factor)?,
        };
        if factor.len() > 1 {
            factors.push((factor, multiplicity));
        }
    }
    Ok(factors)
}
