//! Greatest common divisors by many primes of a word.
//!
//! **Algorithm** (W. Brown, *On Euclid's algorithm and the computation of polynomial greatest common divisors*, 1971). The image
//! modulo p of h = gcd(f, g), f and g primitive, divides the greatest common divisor modulo p, if p does not divide γ, the
//! greatest common divisor of the leading coefficients. So images of the least degree are those of γ/lc(h)·h, others are
//! dropped. **Proof.** Polynomials H, A and B are put together from images; H·A ≡ γ·f modulo the product of the primes, and if no
//! coefficient on either side exceeds half of that, H·A = γ·f. Then the primitive part of H divides f, as it divides g by B;
//! its degree is not less than that of h. If the cofactors are much longer than H, a division of f and g is tried first.

use super::cofactors::{GcdAndCofactors, by_quotients, expected_bits, of_multiples, proves};
use super::gcd_images::{GcdImage, GcdImages};
use crate::{Poly, PolyError};
use sunzi_field::WordModulus;
use sunzi_integer::mul_limbs;
use sunzi_integer::{Integer, Natural};
use sunzi_rns::Known;
use sunzi_rns::{Reconstruction, WordPrimes, primes_above};

/// Primes that are taken first: they tell the degree, and are enough for short coefficients.
pub(super) const FIRST_BATCH: usize = 8;
/// How many times more primes the proof by cofactors must need than there are, for a division to be tried.
const DIVISION_FROM: usize = 3;

/// The greatest common divisor of primitive polynomials that are not 0, `common` that of their leading coefficients.
pub(super) fn primitive_gcd(
    f: &Poly<Integer>,
    g: &Poly<Integer>,
    common: &Integer,
) -> Result<Known<GcdAndCofactors>, PolyError> {
    let images = GcdImages::new(f.coefficients(), g.coefficients(), common);
    let expected = primes_above(expected_bits(f, g, common) + 1);
    let mut primes = WordPrimes::new();
    let mut kept: Vec<GcdImage> = Vec::new();
    let mut dropped = 0;
    let mut goal = FIRST_BATCH;
    let mut divided_for = usize::MAX;
    loop {
        while kept.len() < goal {
            let batch: Vec<u64> = primes.by_ref().take(goal - kept.len()).collect();
            for image in images.of(&batch) {
                let least = kept.first().map_or(usize::MAX, |image| image.gcd.len());
                match image {
                    Some(image) if image.gcd.len() < least => {
                        dropped += kept.len();
                        kept = vec![image];
                    }
                    Some(image) if image.gcd.len() == least => kept.push(image),
                    _ => dropped += 1,
                }
            }
        }
        let len = kept[0].gcd.len();
        let mut value = None;
        if len == 1 {
            // No prime divides the leading coefficients, and modulo one there is no common divisor.
            value = Some(GcdAndCofactors {
                gcd: Poly::new(vec![Integer::ONE]),
                first: f.clone(),
                second: g.clone(),
            });
        } else if expected >= DIVISION_FROM * kept.len() {
            if len != divided_for {
                value = by_division(f, g, &kept);
                // Where it did not pay once, the cofactors prove.
                divided_for = len;
            }
        } else {
            value = by_cofactors(f, g, common, &kept);
        }
        if let Some(value) = value {
            return Ok(Known {
                value,
                proved: true,
                primes: kept.len(),
                dropped,
            });
        }
        goal = expected.max(kept.len() + kept.len() / 4);
    }
}

/// γ/lc(h)·h, if the last prime does not change what the others tell, divided by its content.
fn by_division(
    f: &Poly<Integer>,
    g: &Poly<Integer>,
    images: &[GcdImage],
) -> Option<GcdAndCofactors> {
    let (test, images) = images.split_last()?;
    let multiple = put_together(images, |image| &image.gcd);
    let ring = WordModulus::new(test.prime);
    let mut residues = multiple.iter().zip(&test.gcd);
    if !residues.all(|(x, &residue)| ring.reduce_integer(x) == residue) {
        return None;
    }
    by_quotients(f, g, Poly::new(multiple))
}

/// The greatest common divisor, if H, A and B prove it.
fn by_cofactors(
    f: &Poly<Integer>,
    g: &Poly<Integer>,
    common: &Integer,
    images: &[GcdImage],
) -> Option<GcdAndCofactors> {
    let primes: Vec<u64> = images.iter().map(|image| image.prime).collect();
    let reconstruction = Reconstruction::new(&primes, mul_limbs);
    let all = |of: fn(&GcdImage) -> &Vec<u64>| {
        let images: Vec<&Vec<u64>> = images.iter().map(of).collect();
        reconstruction.signed_all(&images)
    };
    let gcd = all(|image| &image.gcd);
    let first = all(|image| &image.cofactors[0]);
    let second = all(|image| &image.cofactors[1]);
    let modulus: Natural = reconstruction.modulus();
    let holds = |of: &Poly<Integer>, cofactor: &[Integer]| {
        proves(of.coefficients(), common, &gcd, cofactor, &modulus)
    };
    if !holds(f, &first) || !holds(g, &second) {
        return None;
    }
    Some(of_multiples(Poly::new(gcd), [first, second], common))
}

/// The integers of these images.
fn put_together(images: &[GcdImage], of: fn(&GcdImage) -> &Vec<u64>) -> Vec<Integer> {
    let primes: Vec<u64> = images.iter().map(|image| image.prime).collect();
    let images: Vec<&Vec<u64>> = images.iter().map(of).collect();
    Reconstruction::new(&primes, mul_limbs).signed_all(&images)
}
