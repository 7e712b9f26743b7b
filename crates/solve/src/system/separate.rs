//! The points over the roots of a resultant, and the proof that there is one over each.
//!
//! **Problem.** F and G in Z[t][u] are coprime, of degrees m ≤ n in u, and their leading coefficients (in u) have no common root;
//! R = res_u(F, G). *Generic position*: over no root α of R there are two common points (α, β). **Algorithm.** The square-free
//! part of R is split by gcds with principal coefficients s_k of subresultants S_k = Σ c_i·uⁱ (S_m = F): where s_k(α) = c_k(α) is
//! not 0 but all before are, S_k(α, u) is a multiple of gcd(F(α, u), G(α, u)). If k = 1, the only β is −c_0/c_1. If k > 1, it is
//! shown that S_k(α, u) = s_k·(u − β)^k, with β = −c_{k−1}/(k·s_k): quotients of neighbours in the binomial expansion say that
//! (k − i)·k·c_k·c_i = (i + 1)·c_{k−1}·c_{i+1} for i < k − 1, which is to hold modulo the part T_k of R.
//!
//! **Why that is a proof**, also if some S_k between were left out: S_k is a combination of F and G, so that all common points over
//! α are roots of S_k(α, u), which has the only root β; and there is one, since R(α) = 0 and not both leading coefficients vanish.
//!
//! **Multiplicities.** Let the leading coefficient of F not vanish at α (else exchange F and G). Over the local ring C[[t − α]],
//! C[[t − α]][u]/F is free of rank m, and R is up to a unit the determinant of the multiplication by G on it. Its order at α is
//! the dimension of C[[t − α]][u]/(F, G), which is the sum of the intersection numbers of all points over α (W. Fulton, *Algebraic
//! curves*, §3.3): in generic position, the multiplicity of α as a root of R is that of the point.

use sunzi_integer::Integer;

use sunzi_poly::{BivariatePoly, IntegerPolyRing, Poly, PolyError, gcd};

/// Points (t, u) with u = −numerator(t)/denominator(t), one over each root of a polynomial.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// Square-free.
    pub(super) roots: Poly<Integer>,
    pub(super) numerator: Poly<Integer>,
    /// It vanishes at none of the roots.
    pub(super) denominator: Poly<Integer>,
}

/// Splits the square-free part of the resultant by subresultants S_k, the lesser k first; `None` if these do not prove generic
/// position.
pub(super) fn parts<'a>(
    square_free: Poly<Integer>,
    subresultants: impl Iterator<Item = (usize, &'a BivariatePoly<Integer>)>,
) -> Result<Option<Vec<Part>>, PolyError> {
    let ring = IntegerPolyRing::new();
    let mut left = square_free;
    let mut parts = Vec::new();
    for (k, subresultant) in subresultants {
        if left.len() <= 1 {
            break;
        }
        let Some(principal) = subresultant.row(k) else {
            continue;
        };
        let rest = gcd(&left, principal)?;
        let here = ring.div_exact(&left, &rest)?;
        left = rest;
        if here.len() <= 1 {
            continue;
        }
        if !is_power(&ring, k, subresultant.rows(), &here)? {
            return Ok(None);
        }
        let degree = Integer::from(k);
        let denominator = principal.coefficients().iter().map(|c| c * &degree);
        parts.push(Part {
            roots: here,
            numerator: subresultant.rows()[k - 1].clone(),
            denominator: Poly::new(denominator.collect()),
        });
    }
    Ok((left.len() <= 1).then_some(parts))
}

/// Whether Σ c_i·uⁱ is c_k·(u − β)^k at all roots of a primitive polynomial.
fn is_power(
    ring: &IntegerPolyRing,
    k: usize,
    c: &[Poly<Integer>],
    roots: &Poly<Integer>,
) -> Result<bool, PolyError> {
    for i in 0..k.saturating_sub(1) {
        let left = ring.try_mul(&c[k], &c[i])?;
        let right = ring.try_mul(&c[k - 1], &c[i + 1])?;
        let (of_left, of_right) = (Integer::from((k - i) * k), Integer::from(i + 1));
        let coefficient = |j: usize| {
            let of = |f: &Poly<Integer>, by: &Integer| f.coefficients().get(j).map(|c| c * by);
            of(&left, &of_left).unwrap_or_default() - of(&right, &of_right).unwrap_or_default()
        };
        let difference = Poly::new((0..left.len().max(right.len())).map(coefficient).collect());
        // By Gauss' lemma a primitive polynomial divides over Z what it divides over Q.
        match ring.div_exact(&difference, roots) {
            Ok(_) => {}
            Err(PolyError::Inexact { .. }) => return Ok(false),
            Err(error) => return Err(error),
        }
    }
    Ok(true)
}
