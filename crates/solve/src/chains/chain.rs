//! What the common zeros of two polynomials are described by.

use sunzi_poly::{BivariatePoly, Poly};

/// A regular chain {T(x), S(x, y)}: T is square-free and not constant, and S has positive degree in y and a leading coefficient in
/// y that vanishes at no root of T.
///
/// It describes the points (α, β) with T(α) = 0 and S(α, β) = 0: over each of the deg T different roots α, in an algebraic closure,
/// deg_y S of them where each β is counted as often as it is a root of S(α, y).
///
/// ```
/// use sunzi::poly::Poly;
/// use sunzi::solve::{BivariatePoly, regular_chains_modulo};
///
/// // y² = x + 1 over x = 3 and x = 8: y = ±2 and ±3.
/// let f = BivariatePoly::new(vec![Poly::new(vec![100, 100]), Poly::zero(), Poly::new(vec![1])]);
/// let lines = BivariatePoly::new(vec![Poly::new(vec![24, 90, 1])]);
/// let found = regular_chains_modulo(101, &f, &lines)?;
/// assert_eq!(found.chains[0].t, Poly::new(vec![24, 90, 1]));
/// assert_eq!((&found.chains[0].s, found.chains[0].points()), (&f, 4));
/// # Ok::<(), sunzi::poly::PolyError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegularChain<E> {
    /// T.
    pub t: Poly<E>,
    /// S.
    pub s: BivariatePoly<E>,
}

impl<E> RegularChain<E> {
    /// deg T · deg_y S: how many points it describes, where roots of S(α, y) are counted with their multiplicities.
    pub fn points(&self) -> usize {
        self.t.degree().unwrap_or(0) * self.s.degree_y().unwrap_or(0)
    }
}

/// The common zeros of f and g: those of a common divisor, if there is one of positive degree, and the points that some regular
/// chains describe.
///
/// With h the greatest common divisor, the chains describe the common zeros of f/h and g/h, all of them and no others, with
/// coordinates in an algebraic closure; some may lie on the curve h = 0. The polynomials T of different chains are coprime, so that
/// all points over one α are those of one chain: S(α, y) is up to a constant the greatest common divisor of (f/h)(α, y) and
/// (g/h)(α, y).
///
/// ```
/// use sunzi::poly::Poly;
/// use sunzi::solve::{BivariatePoly, regular_chains_modulo};
///
/// // x·y and x·(y − x + 1) have the line x = 0 in common, and the point (1, 0).
/// let f = BivariatePoly::new(vec![Poly::zero(), Poly::new(vec![0, 1])]);
/// let g = BivariatePoly::new(vec![Poly::new(vec![0, 1, 100]), Poly::new(vec![0, 1])]);
/// let found = regular_chains_modulo(101, &f, &g)?;
/// assert_eq!(found.common, Some(BivariatePoly::new(vec![Poly::new(vec![0, 1])])));
/// assert_eq!((found.chains[0].t.clone(), found.points()), (Poly::new(vec![100, 1]), 1));
/// # Ok::<(), sunzi::poly::PolyError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegularChains<E> {
    /// h; `None` if it is constant.
    pub common: Option<BivariatePoly<E>>,
    /// The chains, by ascending deg_y S, then deg T.
    pub chains: Vec<RegularChain<E>>,
}

impl<E> RegularChains<E> {
    /// The sum of [`RegularChain::points`].
    pub fn points(&self) -> usize {
        self.chains.iter().map(RegularChain::points).sum()
    }
}
