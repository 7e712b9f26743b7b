//! A look at a direction modulo one prime.
//!
//! **Problem.** Before anything is computed over Z: have f and g a common factor, is a direction of projection generic, and which
//! subresultants will prove it? **Algorithm.** Modulo a prime of 30 bits R and S_1 are computed, and further S_k, some at a time, until
//! the roots of R are used up, as in [`separate`](super::separate).
//!
//! **What it says is only a hint**: everything is proved over Z afterwards. A prime that misleads costs time, and another
//! prime or direction is tried. Only finitely many primes mislead for a direction, and only finitely many directions are not generic,
//! at most one for each pair of points: so the search ends.
//!
//! **Degrees.** With total degrees d and e, degrees m and n in u and a and b in t, R has at most degree min(d·e, a·n + b·m).

use sunzi_field::primality::{is_prime, ntt_primes};
use sunzi_field::{Field, Fp32};
use sunzi_integer::Integer;

use sunzi_poly::{BivariatePoly, BivariateRing, Poly, PolyError, PolyRing};

/// Bits of the primes.
const PRIME_BITS: u32 = 30;

/// Primes whose fields have roots of unity of this order as points come first.
const LOG_ORDER: u32 = 12;

/// What one prime tells of a direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// The resultant is 0: there may be a common factor.
    Vanishes,
    /// Two points seem to coincide, or the prime does not fit.
    Unfit,
    /// The k of the subresultants S_k that are needed.
    Generic(Vec<usize>),
}

/// The primes that are looked at: those for short transforms first.
pub(super) fn primes() -> impl Iterator<Item = u32> {
    let others = (3..1u64 << PRIME_BITS).rev().filter(|&n| is_prime(n));
    let primes = ntt_primes(PRIME_BITS, LOG_ORDER).chain(others);
    primes.filter_map(|prime| u32::try_from(prime).ok())
}

/// At most the degree of the resultant in u, and of all coefficients of subresultants.
pub(super) fn degree_bound<E>(f: &BivariatePoly<E>, g: &BivariatePoly<E>) -> usize {
    let degrees = |f: &BivariatePoly<E>| (f.degree_x().unwrap_or(0), f.degree_y().unwrap_or(0));
    let ((a, m), (b, n)) = (degrees(f), degrees(g));
    let total = f
        .total_degree()
        .unwrap_or(0)
        .saturating_mul(g.total_degree().unwrap_or(0));
    total.min(a.saturating_mul(n).saturating_add(b.saturating_mul(m)))
}

/// Looks at two polynomials of positive degrees in u, that of the first no greater.
pub(super) fn look(
    f: &BivariatePoly<Integer>,
    g: &BivariatePoly<Integer>,
    prime: u32,
) -> Result<Look, PolyError> {
    let both = BivariateRing::new(Fp32::new(prime)?);
    let ring = both.coefficients();
    let residues = |f: &BivariatePoly<Integer>| f.map(|c| ring.field().from_integer(c));
    let (mod_f, mod_g) = (residues(f), residues(g));
    if mod_f.degree_y() != f.degree_y() || mod_g.degree_y() != g.degree_y() {
        return Ok(Look::Unfit);
    }
    let degree = mod_f.degree_y().unwrap_or(0);
    // S_k by k; the last one is f itself.
    let chain = |wanted: &[usize]| match wanted.last() == Some(&degree) {
        true => {
            let mut chain = both.subresultants_y(&mod_f, &mod_g, &wanted[..wanted.len() - 1])?;
            chain.push(mod_f.clone());
            Ok(chain)
        }
        false => both.subresultants_y(&mod_f, &mod_g, wanted),
    };
    let mut known = chain(&[0, 1])?;
    let resultant = known[0].rows().first().cloned().unwrap_or_default();
    if resultant.is_zero() {
        return Ok(Look::Vanishes);
    }
    let repeated = ring.gcd(&resultant, &ring.derivative(&resultant))?;
    let mut left = ring.div_exact(&resultant, &repeated)?;
    let mut needed = Vec::new();
    let mut k = 0;
    while left.len() > 1 && k < degree {
        k += 1;
        if k == known.len() {
            // Twice as many at a time.
            let wanted: Vec<usize> = (k..=degree.min(2 * k - 1)).collect();
            known.extend(chain(&wanted)?);
        }
        let Some(principal) = known[k].row(k) else {
            continue;
        };
        let rest = ring.gcd(&left, principal)?;
        let here = ring.div_exact(&left, &rest)?;
        left = rest;
        if here.len() <= 1 {
            continue;
        }
        if !is_power(ring, k, known[k].rows(), &here)? {
            return Ok(Look::Unfit);
        }
        needed.push(k);
    }
    Ok(match left.len() {
        0 | 1 => Look::Generic(needed),
        _ => Look::Unfit,
    })
}

/// Whether Σ c_i·uⁱ is c_k·(u − β)^k at all roots of a polynomial, as [`separate`](super::separate) proves it over Z.
fn is_power(
    ring: &PolyRing<Fp32>,
    k: usize,
    c: &[Poly<u32>],
    roots: &Poly<u32>,
) -> Result<bool, PolyError> {
    let reduced = |f: &Poly<u32>| Ok::<_, PolyError>(ring.divrem(f, roots)?.1);
    let scalar = |n: usize| ring.field().from_u64(n as u64);
    let (principal, below) = (reduced(&c[k])?, reduced(&c[k - 1])?);
    let mut above = below.clone();
    for i in (0..k - 1).rev() {
        let lower = reduced(&c[i])?;
        let left = ring.scale(&ring.mul(&principal, &lower), scalar((k - i) * k));
        let right = ring.scale(&ring.mul(&below, &above), scalar(i + 1));
        if !reduced(&ring.sub(&left, &right))?.is_zero() {
            return Ok(false);
        }
        above = lower;
    }
    Ok(true)
}
