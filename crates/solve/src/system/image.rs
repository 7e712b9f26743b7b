//! A look at a direction modulo one prime.
//!
//! **Problem.** Before anything is computed over Z: have f and g a common factor, is a direction of projection generic, and which
//! subresultants will prove it? **Algorithm.** Modulo a prime of 62 bits all chains of subresultants of F and G in u are computed at
//! more points t than R has degree, and only those that are needed interpolated: R, then S_1, S_2 … until the roots of R are used up,
//! as in [`separate`](super::separate). Points where a leading coefficient vanishes are passed over.
//!
//! **What it says is only a hint**: everything is proved over Z afterwards. A prime that misleads costs time, and another
//! prime or direction is tried. Only finitely many primes mislead for a direction, and only finitely many directions are not generic,
//! at most one for each pair of points: so the search ends.
//!
//! **Degrees.** With total degrees d and e, degrees m and n in u and a and b in t, R has at most degree min(d·e, a·n + b·m); so have
//! coefficients of S_j, whose total degree is at most (d − j)(e − j) + j ≤ d·e.

use sunzi_field::primality::is_prime;
use sunzi_field::{Field, Fp64};
use sunzi_poly::{Poly, PolyRing, SubproductTree, SubresultantChain};

use dashu_int::IBig;

use crate::bivariate::BivariatePoly;
use crate::error::SolveError;

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

/// The primes that are looked at, the largest below 2^62 first.
pub(super) fn primes() -> impl Iterator<Item = u64> {
    (0..1u64 << 62).rev().filter(|&n| is_prime(n))
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
    f: &BivariatePoly<IBig>,
    g: &BivariatePoly<IBig>,
    prime: u64,
) -> Result<Look, SolveError> {
    let ring = PolyRing::new(Fp64::new(prime)?);
    let residues = |f: &BivariatePoly<IBig>| f.map(|c| ring.field().from_integer(c));
    let (mod_f, mod_g) = (residues(f), residues(g));
    if mod_f.degree_y() != f.degree_y() || mod_g.degree_y() != g.degree_y() {
        return Ok(Look::Unfit);
    }
    let chains = Chains::new(&ring, &mod_f, &mod_g, degree_bound(f, g) + 1)?;
    let resultant = chains.coefficient(0, 0)?;
    if resultant.is_zero() {
        return Ok(Look::Vanishes);
    }
    let repeated = ring.gcd(&resultant, &ring.derivative(&resultant))?;
    let mut left = ring.div_exact(&resultant, &repeated)?;
    let mut needed = Vec::new();
    let degree = mod_f.degree_y().unwrap_or(0);
    for k in 1..=degree {
        if left.len() <= 1 {
            break;
        }
        let c = |i: usize| match k == degree {
            true => Ok(mod_f.rows()[i].clone()),
            false => chains.coefficient(k, i),
        };
        let principal = c(k)?;
        let rest = ring.gcd(&left, &principal)?;
        let here = ring.div_exact(&left, &rest)?;
        left = rest;
        if here.len() <= 1 {
            continue;
        }
        let reduced = |f: &Poly<u64>| Ok::<_, SolveError>(ring.divrem(f, &here)?.1);
        let (principal, below) = (reduced(&principal)?, reduced(&c(k - 1)?)?);
        let mut above = below.clone();
        for i in (0..k - 1).rev() {
            let lower = reduced(&c(i)?)?;
            let scalar = |n: usize| ring.field().from_u64(n as u64);
            let left_side = ring.scale(&ring.mul(&principal, &lower), scalar((k - i) * k));
            let right_side = ring.scale(&ring.mul(&below, &above), scalar(i + 1));
            if !reduced(&ring.sub(&left_side, &right_side))?.is_zero() {
                return Ok(Look::Unfit);
            }
            above = lower;
        }
        needed.push(k);
    }
    Ok(match left.len() {
        0 | 1 => Look::Generic(needed),
        _ => Look::Unfit,
    })
}

/// Chains of subresultants at many points.
struct Chains {
    tree: SubproductTree<Fp64>,
    at_points: Vec<SubresultantChain<u64>>,
}

impl Chains {
    /// The chains at `count` points where both leading coefficients do not vanish.
    fn new(
        ring: &PolyRing<Fp64>,
        f: &BivariatePoly<u64>,
        g: &BivariatePoly<u64>,
        count: usize,
    ) -> Result<Self, SolveError> {
        let field = ring.field();
        let leading = [f, g].map(|f| f.leading_row().cloned().unwrap_or_default());
        let zeros = leading.iter().map(Poly::len).sum::<usize>();
        let mut points: Vec<u64> = (0..(count + zeros) as u64)
            .map(|t| field.from_u64(t))
            .collect();
        let values = |row: &Poly<u64>, points: &[u64]| {
            let mut values = vec![field.zero(); points.len()];
            field.evaluate_slice(&mut values, row.coefficients(), points);
            values
        };
        let [of_f, of_g] = leading.each_ref().map(|row| values(row, &points));
        let mut vanish = of_f
            .iter()
            .zip(&of_g)
            .map(|(&a, &b)| a == field.zero() || b == field.zero());
        points.retain(|_| !vanish.next().unwrap_or(false));
        points.truncate(count);
        let columns = |f: &BivariatePoly<u64>| -> Vec<Vec<u64>> {
            f.rows().iter().map(|row| values(row, &points)).collect()
        };
        let (of_f, of_g) = (columns(f), columns(g));
        let at = |columns: &[Vec<u64>], index: usize| {
            Poly::new(columns.iter().map(|c| c[index]).collect())
        };
        let chain = |index| ring.subresultant_chain(&at(&of_f, index), &at(&of_g, index));
        let at_points = (0..points.len()).map(chain).collect::<Result<_, _>>()?;
        Ok(Self {
            tree: SubproductTree::new(ring, &points)?,
            at_points,
        })
    }

    /// The coefficient of uⁱ of S_k.
    fn coefficient(&self, k: usize, i: usize) -> Result<Poly<u64>, SolveError> {
        let value = |chain: &SubresultantChain<u64>| {
            let subresultant = chain.get(k).map(Poly::coefficients).unwrap_or_default();
            subresultant.get(i).copied().unwrap_or_default()
        };
        let values: Vec<u64> = self.at_points.iter().map(value).collect();
        Ok(self.tree.interpolate(&values)?)
    }
}

pub(super) fn slow(
    f: &BivariatePoly<IBig>,
    g: &BivariatePoly<IBig>,
    wanted: &[usize],
    _early: Option<usize>,
) -> Result<(Vec<BivariatePoly<IBig>>, usize), SolveError> {
    use dashu_int::ops::{Abs, BitTest};
    let size = |f: &BivariatePoly<IBig>| {
        let sum: IBig = f
            .rows()
            .iter()
            .flat_map(|r| r.coefficients())
            .map(|c| c.clone().abs())
            .sum();
        sum.bit_len()
    };
    let (m, n) = (f.degree_y().unwrap_or(0), g.degree_y().unwrap_or(0));
    let bits = size(f) * n + size(g) * m;
    let mut modulus = IBig::ONE;
    let mut values: Vec<Vec<Vec<IBig>>> = Vec::new();
    for prime in primes().skip(1) {
        if modulus.bit_len() > bits + 2 {
            break;
        }
        let ring = PolyRing::new(Fp64::new(prime)?);
        let residues = |f: &BivariatePoly<IBig>| f.map(|c| ring.field().from_integer(c));
        let (mod_f, mod_g) = (residues(f), residues(g));
        if mod_f.degree_y() != f.degree_y() || mod_g.degree_y() != g.degree_y() {
            continue;
        }
        let count = degree_bound(f, g) + 1;
        let chains = Chains::new(&ring, &mod_f, &mod_g, count)?;
        values.resize(wanted.len(), Vec::new());
        let inverse = ring
            .field()
            .inv(ring.field().from_integer(&modulus))
            .unwrap_or(0);
        for (&k, s) in wanted.iter().zip(&mut values) {
            s.resize(k + 1, vec![IBig::ZERO; count]);
            for (i, row) in s.iter_mut().enumerate() {
                let image = chains.coefficient(k, i)?;
                for (j, c) in row.iter_mut().enumerate() {
                    let target = image.coefficients().get(j).copied().unwrap_or(0);
                    let field = ring.field();
                    let step = field.mul(field.sub(target, field.from_integer(c)), inverse);
                    *c += &modulus * IBig::from(field.to_integer(step));
                }
            }
        }
        modulus *= prime;
    }
    let half = &modulus >> 1;
    let signed = |c: IBig| if c > half { c - &modulus } else { c };
    let found = values.into_iter().map(|s| {
        BivariatePoly::new(
            s.into_iter()
                .map(|row| Poly::new(row.into_iter().map(signed).collect()))
                .collect(),
        )
    });
    Ok((found.collect(), bits))
}
