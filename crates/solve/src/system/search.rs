//! The search for a direction in which the solutions are projected, and for a common factor.

use sunzi_integer::Integer;

use super::image::{Look, look, primes};
use super::shear::Direction;
use sunzi_poly::{BivariatePoly, IntegerPolyRing, Poly, PolyError, bivariate_gcd, gcd};

/// How many more directions each further prime looks at.
const DIRECTIONS_A_PRIME: usize = 6;

/// Two coprime polynomials in coordinates along a direction that is generic, as it seems.
pub(super) struct Projection {
    pub(super) direction: Direction,
    /// That of lower degree in u first; but first the one of degree 1, if the other is a polynomial in t.
    pub(super) f: BivariatePoly<Integer>,
    pub(super) g: BivariatePoly<Integer>,
    /// The k of the subresultants S_k that seem to be needed to prove it, ascending.
    pub(super) needed: Vec<usize>,
}

/// Polynomials whose common points are searched, and the directions that have not been tried yet.
pub(super) struct Search {
    /// Without the common factor that has been found.
    pub(super) f: BivariatePoly<Integer>,
    pub(super) g: BivariatePoly<Integer>,
    /// The common factor, if it is no constant.
    pub(super) common: Option<BivariatePoly<Integer>>,
    /// Whether f and g are known to be coprime.
    coprime: bool,
    attempts: Box<dyn Iterator<Item = (u32, Direction)> + Send + Sync>,
}

impl Search {
    pub(super) fn new(f: BivariatePoly<Integer>, g: BivariatePoly<Integer>) -> Self {
        Self {
            f,
            g,
            common: None,
            coprime: false,
            attempts: attempts(),
        }
    }

    /// The next direction that seems to be generic; `None` if there are no points at all.
    pub(super) fn next(&mut self) -> Result<Option<Projection>, PolyError> {
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
            if f.degree_y() == Some(0) && g.degree_y() != Some(1) || !leading_coprime(&f, &g)? {
                continue;
            }
            if f.degree_y() == Some(0) {
                // u is a rational function at the roots of f(t): proved already, and there is no common factor.
                return Ok(Some(Projection {
                    direction,
                    f: g,
                    g: f,
                    needed: Vec::new(),
                }));
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
    fn divide(&mut self) -> Result<(), PolyError> {
        let found = bivariate_gcd(&self.f, &self.g)?.value;
        self.coprime = true;
        if let Some(curve) = curve(&found.gcd) {
            (self.f, self.g, self.common) = (found.first, found.second, Some(curve));
            self.attempts = attempts();
        }
        Ok(())
    }
}

/// The curve f = 0, if f is no constant: without what all coefficients have in common, and with a positive leading one.
pub(super) fn curve(f: &BivariatePoly<Integer>) -> Option<BivariatePoly<Integer>> {
    if f.total_degree()? == 0 {
        return None;
    }
    let all = f.rows().iter().flat_map(|row| row.coefficients());
    let content = IntegerPolyRing::new().content(&Poly::new(all.cloned().collect()));
    let leading = f.leading_row().and_then(|row| row.coefficients().last());
    let negative = leading.is_some_and(|leading| *leading < Integer::ZERO);
    let divisor = if negative { -content } else { content };
    Some(f.map(|c| c / &divisor))
}

/// Each prime looks at more directions than the one before.
fn attempts() -> Box<dyn Iterator<Item = (u32, Direction)> + Send + Sync> {
    let attempts = (1usize..).zip(primes()).flat_map(|(round, prime)| {
        let directions = Direction::all().take(round.saturating_mul(DIRECTIONS_A_PRIME));
        directions.map(move |direction| (prime, direction))
    });
    Box::new(attempts)
}

/// Whether the leading coefficients in u have no common root.
fn leading_coprime(
    f: &BivariatePoly<Integer>,
    g: &BivariatePoly<Integer>,
) -> Result<bool, PolyError> {
    let (Some(f), Some(g)) = (f.leading_row(), g.leading_row()) else {
        return Ok(false);
    };
    Ok(f.len() == 1 || g.len() == 1 || gcd(f, g)?.len() == 1)
}
