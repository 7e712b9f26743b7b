//! What the common zeros of two polynomials are described by.

use sunzi_poly::{BivariatePoly, Poly};

/// A regular chain {T(x), S(x, y)}: T is square-free and not constant, and S has positive degree in y and a leading coefficient in
/// y that vanishes at no root of T.
///
/// It describes the points (α, β) with T(α) = 0 and S(α, β) = 0: over each of the deg T different roots α, in an algebraic closure,
/// deg_y S of them where each β is counted as often as it is a root of S(α, y).
///
/// ```
/// use sunzi::field::AnyField;
/// use sunzi::solve::regular_chains_modulo;
///
/// // y² = x + 1 over x = 3 and x = 8: y = ±2 and ±3.
/// let (f, lines) = ("y^2 - x - 1".parse()?, "(x - 3)*(x - 8)".parse()?);
/// let found = regular_chains_modulo(&AnyField::modulo_word(101)?, &f, &lines)?;
/// assert_eq!(found.chains[0].t.to_string(), "x^2 + 90*x + 24");
/// assert_eq!(found.chains[0].s.to_string(), "y^2 + 100*x + 100");
/// assert_eq!(found.chains[0].points(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
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
/// use sunzi::field::AnyField;
/// use sunzi::solve::regular_chains_modulo;
///
/// // They have the line x = 0 in common, and the point (1, 0).
/// let (f, g) = ("x*y".parse()?, "x*(y - x + 1)".parse()?);
/// let found = regular_chains_modulo(&AnyField::modulo_word(101)?, &f, &g)?;
/// assert_eq!(found.common, Some("x".parse()?));
/// assert_eq!((found.chains[0].t.to_string(), found.points()), ("x + 100".to_owned(), 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
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
