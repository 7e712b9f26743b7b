//! Greatest common divisors by one prime r^k + 1.
//!
//! **Algorithm.** As with primes of a word, but for the putting together: H, A and B are read off one image. Their primitive parts
//! are proved in the same way, or by divisions. If the prime is unlucky, or divides the leading coefficients, the next one
//! is taken.

use super::big_prime::{BigPrime, prime_above};
use super::bound;
use super::cofactors::{GcdAndCofactors, by_quotients, of_multiples, proves};
use crate::{Poly, PolyError};
use sunzi_integer::Integer;
use sunzi_rns::Known;

/// The greatest common divisor of primitive polynomials that are not 0, `common` that of their leading coefficients.
pub(super) fn primitive_gcd(
    f: &Poly<Integer>,
    g: &Poly<Integer>,
    common: &Integer,
) -> Result<Known<GcdAndCofactors>, PolyError> {
    let bits = bound::multiple_of_divisor(f.coefficients(), g.coefficients(), common);
    let mut prime = BigPrime::new(&prime_above(bits + 1)?)?;
    let mut dropped = 0;
    loop {
        if let Some(value) = by_prime(&prime, f, g, common)? {
            return Ok(Known {
                value,
                proved: true,
                primes: 1,
                dropped,
            });
        }
        prime = prime.next()?;
        dropped += 1;
    }
}

/// The greatest common divisor, unless this prime is unlucky.
fn by_prime(
    prime: &BigPrime,
    f: &Poly<Integer>,
    g: &Poly<Integer>,
    common: &Integer,
) -> Result<Option<GcdAndCofactors>, PolyError> {
    let [image_f, image_g] = [
        prime.image(f.coefficients())?,
        prime.image(g.coefficients())?,
    ];
    if image_f.len() < f.len() && image_g.len() < g.len() {
        return Ok(None);
    }
    let monic = prime.ring.gcd(&image_f, &image_g)?;
    if monic.len() == 1 {
        return Ok(Some(GcdAndCofactors {
            gcd: Poly::new(vec![Integer::ONE]),
            first: f.clone(),
            second: g.clone(),
        }));
    }
    let multiple = prime.integers(&prime.scaled(&monic, common)?, monic.len());
    let cofactor = |image, of: &Poly<Integer>| -> Result<Vec<Integer>, PolyError> {
        let [quotient, _] = prime.ring.divrem(image, &monic)?;
        Ok(prime.integers(&quotient, of.len() + 1 - monic.len()))
    };
    let (first, second) = (cofactor(&image_f, f)?, cofactor(&image_g, g)?);
    let holds = |of: &Poly<Integer>, cofactor: &[Integer]| {
        proves(
            of.coefficients(),
            common,
            &multiple,
            cofactor,
            prime.prime(),
        )
    };
    if holds(f, &first) && holds(g, &second) {
        return Ok(Some(of_multiples(
            Poly::new(multiple),
            [first, second],
            common,
        )));
    }
    Ok(by_quotients(f, g, Poly::new(multiple)))
}
