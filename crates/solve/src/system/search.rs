//! The search for a direction in which the solutions are projected, and for a common factor.

use dashu_int::IBig;
use sunzi_poly::{IntegerPolyRing, Poly};

use super::image::{Look, look, primes};
use super::shear::Direction;
use crate::bivariate::BivariatePoly;
use crate::error::SolveError;
use crate::integer::gcd;

/// How many more directions each further prime looks at.
const DIRECTIONS_A_PRIME: usize = 6;

/// Two coprime polynomials in coordinates along a direction that is generic, as it seems.
pub(super) struct Projection {
    pub(super) direction: Direction,
    /// That of lower degree in u first.
    pub(super) f: BivariatePoly<IBig>,
    pub(super) g: BivariatePoly<IBig>,
    /// The k of the subresultants S_k that seem to be needed to prove it, ascending.
    pub(super) needed: Vec<usize>,
}

/// Polynomials whose common points are searched, and the directions that have not been tried yet.
pub(super) struct Search {
    /// Without the common factor that has been found.
    pub(super) f: BivariatePoly<IBig>,
    pub(super) g: BivariatePoly<IBig>,
    /// The common factor, if it is no constant.
    pub(super) common: Option<BivariatePoly<IBig>>,
    /// Whether f and g are known to be coprime.
    coprime: bool,
    attempts: Box<dyn Iterator<Item = (u64, Direction)> + Send + Sync>,
}

impl Search {
    pub(super) fn new(f: BivariatePoly<IBig>, g: BivariatePoly<IBig>) -> Self {
        Self {
            f,
            g,
            common: None,
            coprime: false,
            attempts: attempts(),
        }
    }

    /// The next direction that seems to be generic; `None` if there are no points at all.
    pub(super) fn next(&mut self) -> Result<Option<Projection>, SolveError> {
        loop {
            if [&self.f, &self.g]
                .iter()
                .any(|f| f.total_degree() == Some(0))
            {
                return Ok(None);
            }
            // There are more primes than can be tried.
            let Some((prime, direction)) = self.attempts.next() else {
                return Ok(None);
            };
            let (f, g) = (direction.apply(&self.f), direction.apply(&self.g));
            let (f, g) = if f.degree_y() <= g.degree_y() {
                (f, g)
            } else {
                (g, f)
            };
            if f.degree_y() == Some(0) || !leading_coprime(&f, &g)? {
                continue;
            }
            match look(&f, &g, prime)? {
                Look::Unfit => {}
                Look::Generic(needed) => {
                    return Ok(Some(Projection {
                        direction,
                        f,
                        g,
                        needed,
                    }));
                }
                Look::Vanishes if self.coprime => {}
                Look::Vanishes => self.divide()?,
            }
        }
    }

    /// Takes the common factor away, and starts again if there is one.
    fn divide(&mut self) -> Result<(), SolveError> {
        let found = bivariate_gcd(&self.f, &self.g)?;
        self.coprime = true;
        if found.gcd.total_degree() != Some(0) {
            (self.f, self.g, self.common) = (found.first, found.second, Some(found.gcd));
            self.attempts = attempts();
        }
        Ok(())
    }
}

/// Each prime looks at more directions than the one before.
fn attempts() -> Box<dyn Iterator<Item = (u64, Direction)> + Send + Sync> {
    let attempts = (1usize..).zip(primes()).flat_map(|(round, prime)| {
        let directions = Direction::all().take(round.saturating_mul(DIRECTIONS_A_PRIME));
        directions.map(move |direction| (prime, direction))
    });
    Box::new(attempts)
}

/// Whether the leading coefficients in u have no common root.
fn leading_coprime(f: &BivariatePoly<IBig>, g: &BivariatePoly<IBig>) -> Result<bool, SolveError> {
    let (Some(f), Some(g)) = (f.leading_row(), g.leading_row()) else {
        return Ok(false);
    };
    Ok(f.len() == 1 || g.len() == 1 || gcd(f, g)?.len() == 1)
}

struct Gcd {
    gcd: BivariatePoly<IBig>,
    first: BivariatePoly<IBig>,
    second: BivariatePoly<IBig>,
}

/// The first subresultant that is not 0, without its content in the first unknown, times that of the contents.
fn bivariate_gcd(f: &BivariatePoly<IBig>, g: &BivariatePoly<IBig>) -> Result<Gcd, SolveError> {
    let ring = IntegerPolyRing::new();
    let content = |f: &BivariatePoly<IBig>| {
        let mut rows = f.rows().iter();
        rows.try_fold(Poly::zero(), |sum: Poly<IBig>, row| gcd(&sum, row))
    };
    let lower = if f.degree_y() <= g.degree_y() { f } else { g };
    let wanted: Vec<usize> = (0..lower.degree_y().unwrap_or(0)).collect();
    let chain = super::image::slow(f, g, &wanted, None)?.0;
    let first = chain
        .into_iter()
        .find(|s| !s.is_zero())
        .unwrap_or_else(|| lower.clone());
    let of_first = content(&first)?;
    let common = gcd(&content(f)?, &content(g)?)?;
    let mut rows = Vec::new();
    for row in first.rows() {
        rows.push(ring.mul(&ring.div_exact(row, &of_first)?, &common));
    }
    let divided = |f: &BivariatePoly<IBig>| -> Result<BivariatePoly<IBig>, SolveError> {
        let mut rest = f.rows().to_vec();
        let mut quotient = Vec::new();
        while rest.len() >= rows.len() {
            let top = rest.last().cloned().unwrap_or_default();
            let factor = ring.div_exact(&top, &rows[rows.len() - 1])?;
            let low = rest.len() - rows.len();
            for (a, b) in rest[low..].iter_mut().zip(&rows) {
                let product = ring.mul(&factor, b);
                let len = a.len().max(product.len());
                let at = |f: &Poly<IBig>, i| f.coefficients().get(i).cloned().unwrap_or_default();
                *a = Poly::new((0..len).map(|i| at(a, i) - at(&product, i)).collect());
            }
            rest.pop();
            quotient.push(factor);
        }
        quotient.reverse();
        Ok(BivariatePoly::new(quotient))
    };
    Ok(Gcd {
        first: divided(f)?,
        second: divided(g)?,
        gcd: BivariatePoly::new(rows),
    })
}
