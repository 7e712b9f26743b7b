//! The steps of solving a system, one after the other.

use std::sync::OnceLock;

use sunzi_integer::Integer;
use sunzi_machine::threads::{Threads, join};

use super::common::{Divided, excluded};
use super::eliminate::{Chain, Tally, chain, eliminant};
use super::lift::{Contradiction, Patience, Point, vanishing};
use super::problem::BivariateSystem;
use super::search::{Projection, Search, curve};
use super::separate::{Part, parts};
use super::shear::Direction;
use super::solution::{ComplexCount, Solution, Solutions, Steps, timed};
use crate::roots::{RealRoot, RealRoots};
use sunzi_poly::{
    BivariatePoly, ChainOptions, IntegerPolyRing, Poly, PolyError, square_free, subresultant_bits,
};

/// Bits at which what is not proved is given up and proved, if its points are not found before.
const PATIENCE_BITS: i64 = 1 << 16;

/// What stops an attempt.
enum Stop {
    /// It failed for good.
    Failed(PolyError),
    /// What was not proved is wrong.
    Contradicted,
}

impl<E: Into<PolyError>> From<E> for Stop {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

fn contradicted(_: Contradiction) -> Stop {
    Stop::Contradicted
}

impl BivariateSystem {
    /// All solutions.
    ///
    /// For total degrees d and e: resultants have degree d·e at most, and are computed modulo O((d + e)·(b + log d)) primes at d·e
    /// points for coefficients of b bits, with O(d·e) operations at each point.
    ///
    /// # Errors
    /// [`PolyError::EveryPoint`] if both polynomials are 0; too little memory.
    pub fn solve(&self) -> Result<Solutions, PolyError> {
        let (f, g) = (&self.f, &self.g);
        let proved = ChainOptions::new();
        let solver = |how| Solver {
            how,
            tally: Tally::new(),
            steps: Steps::default(),
        };
        let solved = match (f.is_zero(), g.is_zero()) {
            (true, true) => Err(Stop::Failed(PolyError::EveryPoint)),
            (true, false) => Ok(solver(proved).nothing(curve(g))),
            (false, true) => Ok(solver(proved).nothing(curve(f))),
            (false, false) => match solver(self.how).solve(f, g) {
                Err(Stop::Contradicted) => solver(proved).solve(f, g),
                solved => solved,
            },
        };
        match solved {
            Ok(mut solved) => {
                if let Some(digits) = self.digits {
                    solved.refine(bits_of_digits(digits));
                }
                Ok(solved)
            }
            Err(Stop::Failed(error)) => Err(error),
            Err(Stop::Contradicted) => unreachable!("what is proved does not contradict itself"),
        }
    }
}

/// The least number of bits for which 2^−bits ≤ 10^−digits, or little more: log₂ 10 < 3322/1000.
fn bits_of_digits(digits: usize) -> i64 {
    let digits = i64::try_from(digits).unwrap_or(i64::MAX);
    digits.saturating_mul(3322) / 1000 + 1
}

struct Solver {
    how: ChainOptions,
    tally: Tally,
    steps: Steps,
}

/// Some points over the real roots of a resultant, and where their coordinates are among the roots of others.
struct Found {
    x: RealRoot,
    y: RealRoot,
    places: (usize, usize),
    multiplicity: usize,
    isolated: bool,
}

impl Solver {
    /// The solutions of a system of polynomials that are not 0.
    fn solve(
        mut self,
        f: &BivariatePoly<Integer>,
        g: &BivariatePoly<Integer>,
    ) -> Result<Solutions, Stop> {
        let mut search = Search::new(f.clone(), g.clone());
        loop {
            let next = timed(&mut self.steps.direction, || search.next())?;
            let Some(projection) = next else {
                return Ok(self.nothing(search.common));
            };
            let Projection { f, g, needed, .. } = &projection;
            let chain = timed(&mut self.steps.elimination, || {
                chain(f, g, needed, self.how.part())
            })?;
            let chain = self.tally.count(chain);
            if chain.resultant.is_zero() {
                return Err(Stop::Contradicted);
            }
            let separated = timed(&mut self.steps.separation, || separated(&chain, f))?;
            // Else the prime has misled.
            if let Some(separated) = separated {
                return self.lift(&search, &projection, &chain, &separated);
            }
        }
    }

    /// The result if no points are to be found.
    fn nothing(self, common_curve: Option<BivariatePoly<Integer>>) -> Solutions {
        Solutions {
            solutions: Vec::new(),
            common_curve: common_curve.as_ref().map(positive),
            complex: ComplexCount::default(),
            direction: None,
            bound_bits: 0,
            primes: self.tally.primes,
            dropped: self.tally.dropped,
            proved: self.tally.proved,
            steps: self.steps,
        }
    }

    /// The real points over the roots of the resultant.
    fn lift(
        mut self,
        search: &Search,
        projection: &Projection,
        chain: &Chain,
        separated: &Separated,
    ) -> Result<Solutions, Stop> {
        let direction = projection.direction;
        let (f, g) = (&search.f, &search.g);
        let parts = [self.how.part(), self.how.part()];
        let with_x = |wanted: bool| wanted.then(|| eliminant(f, g, parts[0])).transpose();
        let with_y = |wanted: bool| {
            wanted
                .then(|| eliminant(&f.swapped(), &g.swapped(), parts[1]))
                .transpose()
        };
        let along_x = direction == Direction::Shear { slope: 0 };
        let along_y = direction == Direction::Y;
        let others = timed(&mut self.steps.elimination, || {
            Ok::<_, PolyError>((with_x(!along_x)?, with_y(!along_y)?))
        })?;
        let of_x = others.0.map(|known| self.tally.count(known));
        let of_y = others.1.map(|known| self.tally.count(known));
        if [&of_x, &of_y].into_iter().flatten().any(Poly::is_zero) {
            return Err(Stop::Contradicted);
        }
        let roots = |f: &Option<Poly<Integer>>| f.as_ref().map(RealRoots::of).transpose();
        let (ts, (xs, ys)) = timed(&mut self.steps.isolation, || {
            let others = || join(|| roots(&of_x), || roots(&of_y));
            join(|| RealRoots::of(&chain.resultant), others)
        });
        let (ts, xs, ys) = (ts?, xs?, ys?);
        let (xs, ys) = (xs.as_ref().unwrap_or(&ts), ys.as_ref().unwrap_or(&ts));
        let lifting = Lifting {
            direction,
            parts: &separated.parts,
            patience: Patience {
                most_bits: (!self.tally.proved).then_some(PATIENCE_BITS),
            },
            common: search.common.as_ref(),
        };
        let found = timed(&mut self.steps.lifting, || lifting.all(&ts, xs, ys))?;
        Ok(Solutions {
            solutions: found,
            common_curve: search.common.as_ref().map(positive),
            complex: ComplexCount {
                distinct: separated.distinct,
                with_multiplicity: chain.resultant.degree().unwrap_or(0),
            },
            direction: Some(direction),
            bound_bits: subresultant_bits(&projection.f, &projection.g, 0).ceil() as usize,
            primes: self.tally.primes,
            dropped: self.tally.dropped,
            proved: self.tally.proved,
            steps: self.steps,
        })
    }
}

/// The points over all roots of a resultant.
struct Separated {
    parts: Vec<Part>,
    distinct: usize,
}

/// The points, if the chain proves that there is one over each root; `f` is the first polynomial of the projection.
fn separated(chain: &Chain, f: &BivariatePoly<Integer>) -> Result<Option<Separated>, PolyError> {
    let factors = square_free(&chain.resultant)?.factors.into_iter();
    let ring = IntegerPolyRing::new();
    let all = factors
        .map(|(factor, _)| factor)
        .reduce(|a, b| ring.mul(&a, &b));
    let all = all.unwrap_or_else(|| Poly::new(vec![Integer::ONE]));
    let distinct = all.degree().unwrap_or(0);
    let whole = f.degree_y().map(|degree| (degree, f));
    let subresultants = chain
        .subresultants
        .iter()
        .map(|(k, s)| (*k, s))
        .chain(whole);
    let parts = parts(all, subresultants)?;
    Ok(parts.map(|parts| Separated { parts, distinct }))
}

/// What lifting takes.
struct Lifting<'a> {
    direction: Direction,
    parts: &'a [Part],
    patience: Patience,
    common: Option<&'a BivariatePoly<Integer>>,
}

impl Lifting<'_> {
    /// The points over real roots of the resultant, in order.
    fn all(
        &self,
        ts: &[RealRoot],
        xs: &[RealRoot],
        ys: &[RealRoot],
    ) -> Result<Vec<Solution>, Stop> {
        let divided: Vec<_> = self.parts.iter().map(|_| OnceLock::new()).collect();
        let one = |t: &RealRoot| self.one(t, xs, ys, &divided);
        let mut found = Threads::all().try_map(ts, one)?;
        found.sort_by_key(|found| found.places);
        if found
            .windows(2)
            .any(|pair| pair[0].places == pair[1].places)
        {
            return Err(Stop::Contradicted);
        }
        let solution = |found: Found| Solution {
            x: found.x,
            y: found.y,
            multiplicity: found.multiplicity,
            isolated: found.isolated,
        };
        Ok(found.into_iter().map(solution).collect())
    }

    /// The point over a root.
    fn one(
        &self,
        t: &RealRoot,
        xs: &[RealRoot],
        ys: &[RealRoot],
        divided: &[OnceLock<Result<Divided, PolyError>>],
    ) -> Result<Found, Stop> {
        let mut t = t.clone();
        let roots = self.parts.iter().map(|part| &part.roots);
        let part = vanishing(&mut t, roots, self.patience).map_err(contradicted)?;
        let multiplicity = t.multiplicity();
        let mut point = Point {
            t,
            part: &self.parts[part],
        };
        let places = point
            .coordinates(self.direction, xs, ys, self.patience)
            .map_err(contradicted)?;
        let isolated = match self.common {
            None => true,
            Some(h) if excluded(h, &mut point, self.direction) => true,
            Some(h) => {
                let known = match divided[part].get() {
                    Some(known) => known,
                    None => {
                        // Nobody waits for it: a thread that works on it may take another point of the part meanwhile.
                        let made = Divided::new(&self.direction.apply(h), point.part);
                        divided[part].get_or_init(|| made)
                    }
                };
                let divided = known.as_ref().map_err(PolyError::clone)?;
                !divided
                    .contains(&mut point, self.patience)
                    .map_err(contradicted)?
            }
        };
        Ok(Found {
            x: xs[places.0].clone(),
            y: ys[places.1].clone(),
            places,
            multiplicity,
            isolated,
        })
    }
}

/// The polynomial or its negative, whose first term, of the highest degree and then of the highest power of x, is positive.
fn positive(curve: &BivariatePoly<Integer>) -> BivariatePoly<Integer> {
    let rows = curve.rows().iter().enumerate();
    let terms = rows.flat_map(|(j, row)| {
        let terms = row.coefficients().iter().enumerate();
        terms
            .filter(|(_, c)| !c.is_zero())
            .map(move |(i, c)| ((i + j, i), c))
    });
    match terms.max_by_key(|(place, _)| *place) {
        Some((_, first)) if first.is_negative() => curve.map(|c| -c),
        _ => curve.clone(),
    }
}
