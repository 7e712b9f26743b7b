//! Certified real roots of polynomials over Z.

mod all_roots;
mod bernstein;
mod cluster;
pub(crate) mod decimal;
mod dyadic;
pub(crate) mod dyadic_factors;
pub(crate) mod horner;
mod interval;
mod isolate;
mod pace;
mod refine;
mod root;
pub(crate) mod rows;
pub(crate) mod sign;
pub(crate) mod size;
pub(crate) mod source;

pub use dyadic::Dyadic;
pub use interval::DyadicInterval;
pub use root::RealRoot;

use crate::apart::{self, DIGITS, Decimals, line};
use all_roots::isolate;
use isolate::Found;
use sign::Evaluator;
use std::cmp::Ordering;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;
use sunzi_integer::{Integer, Rational};
use sunzi_machine::threads::Threads;
use sunzi_poly::{Poly, PolyError, square_free};

/// The real roots of a polynomial over Z, ascending, each once, with its multiplicity.
///
/// Their closed intervals are disjoint.
///
/// ```
/// use sunzi::poly::Poly;
/// use sunzi::solve::{Dyadic, RealRoots};
///
/// // (x − 1)²·(x² − 3) = x⁴ − 2x³ − 2x² + 6x − 3
/// let f = Poly::new([-3, 6, -2, -2, 1].map(Into::into).to_vec());
/// let roots = RealRoots::of(&f)?;
/// let multiplicities: Vec<_> = roots.iter().map(|root| root.multiplicity()).collect();
/// assert_eq!(multiplicities, [1, 2, 1]);
/// assert_eq!((roots[1].is_point(), roots[1].lower()), (true, &Dyadic::from(1)));
/// # Ok::<(), sunzi::poly::PolyError>(())
/// ```
#[derive(Clone, Debug)]
pub struct RealRoots {
    roots: Vec<RealRoot>,
}

impl RealRoots {
    /// All real roots.
    ///
    /// # Errors
    /// If the polynomial is zero.
    pub fn of(f: &Poly<Integer>) -> Result<Self, PolyError> {
        RootSearch::new().of(f)
    }

    /// The roots in decimal, with as many significant digits as are wanted; roots that would be written alike have as many more as tell them
    /// apart. With each text comes how many digits it has.
    ///
    /// ```
    /// use sunzi::solve::RealRoots;
    ///
    /// let close = "(x - 1)*(1000*x - 1001)".parse()?;
    /// assert_eq!(RealRoots::of(&close)?.decimals(3), [("1".into(), 6), ("1.00100".into(), 6)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn decimals(&self, digits: usize) -> Vec<(String, usize)> {
        let written = apart::written(self, digits, |root, digits| [root.to_decimal(digits)]);
        let one = |([text], digits): Decimals<1>| (text, digits);
        written.into_iter().map(one).collect()
    }

    /// How many there are, each counted as often as its multiplicity says.
    #[must_use]
    pub fn count_with_multiplicity(&self) -> usize {
        self.roots.iter().map(RealRoot::multiplicity).sum()
    }
}

/// A root a line, with ten significant digits or as many as are asked for (`{:.20}`), and more where they tell roots apart.
///
/// ```
/// use sunzi::solve::RealRoots;
///
/// let roots = RealRoots::of(&"(x^2 - 2)*(x - 3)^2".parse()?)?;
/// assert_eq!(format!("{roots:.5}"), "-1.4142\n1.4142\n3 (multiplicity 2)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl fmt::Display for RealRoots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts = self.decimals(f.precision().unwrap_or(DIGITS).max(1));
        let lines = self
            .iter()
            .zip(&texts)
            .map(|(root, (text, _))| line(text, root.multiplicity()));
        f.write_str(&lines.collect::<Vec<_>>().join("\n"))
    }
}

impl Deref for RealRoots {
    type Target = [RealRoot];

    fn deref(&self) -> &[RealRoot] {
        &self.roots
    }
}

impl IntoIterator for RealRoots {
    type Item = RealRoot;
    type IntoIter = std::vec::IntoIter<RealRoot>;

    fn into_iter(self) -> Self::IntoIter {
        self.roots.into_iter()
    }
}

impl<'a> IntoIterator for &'a RealRoots {
    type Item = &'a RealRoot;
    type IntoIter = std::slice::Iter<'a, RealRoot>;

    fn into_iter(self) -> Self::IntoIter {
        self.roots.iter()
    }
}

/// Which real roots are wanted, and how narrow their intervals.
///
/// ```
/// use sunzi::poly::Poly;
/// use sunzi::solve::RootSearch;
///
/// let f = Poly::new([0, -2, 0, 1].map(Into::into).to_vec()); // x³ − 2x
/// let roots = RootSearch::new().within(0.into(), 9.into()).bits(64).of(&f)?;
/// assert_eq!(roots.len(), 2);
/// assert!((roots[1].upper() - roots[1].lower()).magnitude() <= Some(-63));
/// # Ok::<(), sunzi::poly::PolyError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct RootSearch {
    within: Option<(Rational, Rational)>,
    bits: Option<i64>,
}

impl RootSearch {
    /// All roots, in intervals as they are found.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Only roots from `lower` to `upper`, both included; none if `lower > upper`.
    #[must_use]
    pub fn within(self, lower: Rational, upper: Rational) -> Self {
        Self {
            within: Some((lower, upper)),
            ..self
        }
    }

    /// Intervals of at most 2^−bits.
    #[must_use]
    pub fn bits(self, bits: i64) -> Self {
        Self {
            bits: Some(bits),
            ..self
        }
    }

    /// The roots of a polynomial.
    ///
    /// # Errors
    /// If the polynomial is zero.
    pub fn of(&self, f: &Poly<Integer>) -> Result<RealRoots, PolyError> {
        let mut roots = Vec::new();
        if f.is_zero() {
            return Err(PolyError::EveryNumber);
        }
        for (factor, multiplicity) in square_free(f)?.factors {
            let (points, factor) = dyadic_factors::split(Evaluator::new(factor));
            roots.extend(points.into_iter().map(|at| {
                let linear = Evaluator::new(dyadic_factors::linear(&at));
                RealRoot::new(&Arc::new(linear), multiplicity, Found::point(at))
            }));
            let factor = Arc::new(factor);
            let found = isolate(&factor);
            let new = |found| RealRoot::new(&factor, multiplicity, found);
            roots.extend(Threads::all().map(found, new));
        }
        roots.retain(|root: &RealRoot| self.wants(root));
        separate(&mut roots);
        if let Some(bits) = self.bits {
            Threads::all().each(&mut roots, |root| root.refine(bits));
        }
        Ok(RealRoots { roots })
    }

    fn wants(&self, root: &RealRoot) -> bool {
        let Some((lower, upper)) = &self.within else {
            return true;
        };
        root.cmp_rational(lower) != Ordering::Less && root.cmp_rational(upper) != Ordering::Greater
    }
}

/// Sorts roots of coprime factors, and refines them until their closed intervals are disjoint. Of two that meet only the wider
/// is refined: narrow ones would double the bits that they have while a wide one gains a few.
fn separate(roots: &mut [RealRoot]) {
    loop {
        roots.sort_by(|a, b| {
            a.lower()
                .cmp(b.lower())
                .then_with(|| a.upper().cmp(b.upper()))
        });
        let mut met = false;
        for at in 1..roots.len() {
            let (before, after) = roots.split_at_mut(at);
            let (a, b) = (&mut before[at - 1], &mut after[0]);
            if a.interval().meets(b.interval()) {
                met = true;
                let width = |root: &RealRoot| (root.upper() - root.lower()).magnitude();
                let widths = [width(a), width(b)];
                if widths[0] >= widths[1] {
                    a.narrow();
                }
                if widths[1] >= widths[0] {
                    b.narrow();
                }
            }
        }
        if !met {
            return;
        }
    }
}
