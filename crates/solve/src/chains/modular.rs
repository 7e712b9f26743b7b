//! Regular chains modulo a prime.
//!
//! **Algorithm.** A common divisor is taken off, the roots of the resultant are split ([`split`](super::split)), S is made monic
//! modulo T, and chains of the same degree in y become one by the Chinese remainder theorem. So the result is the only one of its
//! kind: the *equiprojectable decomposition*, but for multiplicities (X. Dahan, M. Moreno Maza, É. Schost, W. Wu, Y. Xie, *Lifting
//! techniques for triangular decompositions*, 2005). **Bound.** Of S_j on degrees in x, by evaluation at more points than that.

use super::chain::{RegularChain, RegularChains};
use super::split::{Base, Split};
use sunzi_field::{AnyField, with_field};
use sunzi_integer::{Integer, Natural};
use sunzi_poly::{
    BivariateField, BivariatePoly, BivariateRing, Divisor, Poly, PolyError, PolyRing, RemainderTree,
};

/// The common zeros of `f` and `g` over a field that is known at run time only, as regular chains, whose coefficients are the least
/// non-negative integers of their residues.
///
/// [`regular_chains_over`] says what the chains are.
///
/// ```
/// use sunzi::Integer;
/// use sunzi::field::AnyField;
/// use sunzi::solve::{BivariatePoly, regular_chains_modulo};
///
/// // The circle x² + y² = 5 and the hyperbola xy = 2 meet in four points: x = ±1 and ±2, y = 2/x.
/// let f: BivariatePoly<Integer> = "x^2 + y^2 - 5".parse()?;
/// let g: BivariatePoly<Integer> = "x*y - 2".parse()?;
/// let found = regular_chains_modulo(&AnyField::modulo_word(101)?, &f, &g)?;
/// assert!(found.common.is_none() && found.chains.len() == 1);
/// assert_eq!(found.chains[0].t.to_string(), "x^4 + 96*x^2 + 4"); // x⁴ − 5x² + 4
/// assert_eq!(found.chains[0].s.to_string(), "51*x^3 + 48*x + y"); // y = (5x − x³)/2
///
/// assert_eq!(regular_chains_modulo(&"P8".parse()?, &f, &g)?.points(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`regular_chains_over`].
pub fn regular_chains_modulo(
    field: &AnyField,
    f: &BivariatePoly<Integer>,
    g: &BivariatePoly<Integer>,
) -> Result<RegularChains<Integer>, PolyError> {
    with_field!(field, field => images(field, f, g))
}

/// The same over a field whose type is known.
fn images<F: BivariateField>(
    field: &F,
    f: &BivariatePoly<Integer>,
    g: &BivariatePoly<Integer>,
) -> Result<RegularChains<Integer>, PolyError> {
    let [f, g] = [f, g].map(|f| f.map(|c| field.from_integer(c)));
    let found = regular_chains_over(&BivariateRing::new(field.clone()), &f, &g)?;
    let integer = |&c: &F::Elem| field.to_integer::<Integer>(c);
    let chain = |chain: &RegularChain<F::Elem>| RegularChain {
        t: Poly::new(chain.t.coefficients().iter().map(integer).collect()),
        s: chain.s.map(integer),
    };
    Ok(RegularChains {
        common: found.common.map(|common| common.map(integer)),
        chains: found.chains.iter().map(chain).collect(),
    })
}

/// The common zeros of `f` and `g` in the algebraic closure of the field, as regular chains.
///
/// There is one chain {T, S} for each degree in y: T is monic, S is monic in y, and the other coefficients of S have degrees
/// below that of T. So the chains are determined by f and g. Their order is that of the degrees in y, ascending.
///
/// Takes the subresultants S_0 and S_1 ([`BivariateRing::subresultants_y`]), further ones only where these vanish, and for each
/// coefficient of S O(M(d)·log d) operations, d the degree of T.
///
/// ```
/// use sunzi::field::Fp64;
/// use sunzi::poly::{Poly, PolyError};
/// use sunzi::solve::{BivariatePoly, BivariateRing, regular_chains_over};
///
/// // y² = x² and y = x² meet over x = ±1 once each, and in the origin.
/// let ring = BivariateRing::new(Fp64::new(101)?);
/// let f = BivariatePoly::new(vec![Poly::new(vec![0, 0, 100]), Poly::zero(), Poly::new(vec![1])]);
/// let g = BivariatePoly::new(vec![Poly::new(vec![0, 0, 100]), Poly::new(vec![1])]);
/// let found = regular_chains_over(&ring, &f, &g)?;
/// assert_eq!(found.chains.len(), 1);
/// assert_eq!(found.chains[0].t, Poly::new(vec![0, 100, 0, 1])); // x³ − x
/// assert_eq!(found.chains[0].s, g);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PolyError::EveryPoint`] if both are 0; [`PolyError::FewPoints`] if the prime does not exceed the degrees of the
/// subresultants in x; else as [`BivariateRing::gcd`].
pub fn regular_chains_over<F: BivariateField>(
    ring: &BivariateRing<F>,
    f: &BivariatePoly<F::Elem>,
    g: &BivariatePoly<F::Elem>,
) -> Result<RegularChains<F::Elem>, PolyError> {
    if f.is_zero() && g.is_zero() {
        return Err(PolyError::EveryPoint);
    }
    let found = ring.gcd(f, g)?;
    let common = found.is_curve().then_some(found.gcd);
    let mut chains = Vec::new();
    if !f.is_zero() && !g.is_zero() {
        let parts = Split::common_zeros(&mut Modular(ring), found.first, found.second)?;
        chains = merged(ring.coefficients(), parts)?;
    }
    Ok(RegularChains { common, chains })
}

/// Chains of the same degree in y put together, all of them monic.
fn merged<F: BivariateField>(
    ring: &PolyRing<F>,
    parts: Vec<RegularChain<F::Elem>>,
) -> Result<Vec<RegularChain<F::Elem>>, PolyError> {
    let mut parts = parts
        .into_iter()
        .map(|part| monic(ring, part))
        .collect::<Result<Vec<_>, _>>()?;
    parts.sort_by_key(|part| part.s.degree_y());
    let groups = parts.chunk_by(|a, b| a.s.degree_y() == b.s.degree_y());
    let chain = |group: &[RegularChain<F::Elem>]| {
        if let [one] = group {
            return Ok(one.clone());
        }
        let moduli: Vec<Poly<F::Elem>> = group.iter().map(|part| part.t.clone()).collect();
        let tree = RemainderTree::new(ring, &moduli)?;
        let row = |power: usize| {
            let row = |part: &RegularChain<F::Elem>| part.s.row(power).cloned().unwrap_or_default();
            tree.combine(&group.iter().map(row).collect::<Vec<_>>())
        };
        let rows = (0..group[0].s.rows().len())
            .map(row)
            .collect::<Result<_, _>>()?;
        Ok(RegularChain {
            t: tree.product(),
            s: BivariatePoly::new(rows),
        })
    };
    groups.map(chain).collect()
}

/// The chain with monic polynomials, S reduced modulo T.
fn monic<F: BivariateField>(
    ring: &PolyRing<F>,
    chain: RegularChain<F::Elem>,
) -> Result<RegularChain<F::Elem>, PolyError> {
    let t = ring.monic(&chain.t);
    let divisor = Divisor::new(ring, &t)?;
    let leading = chain.s.leading_row().cloned().unwrap_or_default();
    let inverse = ring.xgcd(&divisor.rem(&leading)?, &t)?.s;
    let rows = chain.s.rows().iter().map(|row| {
        let product = ring.mul(&divisor.rem(row)?, &inverse);
        divisor.rem(&product)
    });
    let s = BivariatePoly::new(rows.collect::<Result<_, _>>()?);
    Ok(RegularChain { t, s })
}

/// Coefficients modulo a prime.
struct Modular<'a, F: BivariateField>(&'a BivariateRing<F>);

impl<F: BivariateField> Base for Modular<'_, F> {
    type Elem = F::Elem;

    fn gcd(&self, a: &Poly<F::Elem>, b: &Poly<F::Elem>) -> Result<Poly<F::Elem>, PolyError> {
        self.0.coefficients().gcd(a, b)
    }

    fn quotient(&self, a: &Poly<F::Elem>, b: &Poly<F::Elem>) -> Result<Poly<F::Elem>, PolyError> {
        self.0.coefficients().div_exact(a, b)
    }

    fn square_free_part(&self, f: &Poly<F::Elem>) -> Result<Poly<F::Elem>, PolyError> {
        square_free_part(self.0.coefficients(), f)
    }

    fn reduced(
        &self,
        f: &BivariatePoly<F::Elem>,
        t: &Poly<F::Elem>,
    ) -> Result<BivariatePoly<F::Elem>, PolyError> {
        let divisor = Divisor::new(self.0.coefficients(), t)?;
        let rows = f.rows().iter().map(|row| divisor.rem(row));
        Ok(BivariatePoly::new(rows.collect::<Result<_, _>>()?))
    }

    fn subresultants(
        &mut self,
        f: &BivariatePoly<F::Elem>,
        g: &BivariatePoly<F::Elem>,
        wanted: &[usize],
    ) -> Result<Vec<BivariatePoly<F::Elem>>, PolyError> {
        self.0.subresultants_y(f, g, wanted)
    }
}

/// The product of the different monic irreducible factors of `f`, which is not 0.
///
/// f/gcd(f, f') holds those whose multiplicity is no multiple of p. Divided by these as often as possible, f is a p-th power, and a
/// polynomial in x^p over the prime field is that of the polynomial in x.
fn square_free_part<F: BivariateField>(
    ring: &PolyRing<F>,
    f: &Poly<F::Elem>,
) -> Result<Poly<F::Elem>, PolyError> {
    let mut product = Poly::new(vec![ring.field().one()]);
    let mut rest = ring.monic(f);
    while rest.len() > 1 {
        let repeated = ring.gcd(&rest, &ring.derivative(&rest))?;
        let found = ring.div_exact(&rest, &repeated)?;
        product = ring.mul(&product, &found);
        rest = repeated;
        loop {
            let common = ring.gcd(&rest, &found)?;
            if common.len() <= 1 {
                break;
            }
            rest = ring.div_exact(&rest, &common)?;
        }
        let power = rest.coefficients();
        if power.len() > 1 {
            let p = usize::try_from(&ring.field().modulus::<Natural>()).unwrap_or(usize::MAX);
            rest = Poly::new(power.iter().step_by(p).copied().collect());
        }
    }
    Ok(product)
}
