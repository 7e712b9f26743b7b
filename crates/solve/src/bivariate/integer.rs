//! Subresultants in y over Z.
//!
//! **Problem.** S_j of f and g in Z\[x\]\[y\] as polynomials in y. **Algorithm.** Images modulo primes below 2^30 that have roots of
//! unity, until their product is more than twice what coefficients can be ([`bound`]), then the Chinese remainder theorem
//! (G. Collins, *The calculation of multivariate polynomial resultants*, 1971). Coefficients of S_j are polynomials with integer
//! coefficients in those of f and g, *of formal degrees*: so every prime is lucky, whatever it divides.
//!
//! [`bound`]: super::bound

use super::BivariatePoly;
use super::bound::subresultant_bits;
use super::images::{Batch, ChainImages, Processor, assemble};
use super::modular::{Demand, Problem, top_subresultant};
use super::points;
use crate::images::{Reconstruction, residues};
use crate::{Known, SolveError};
use dashu_int::IBig;
use sunzi_field::InstructionSet;
use sunzi_field::memory::Budget;
use sunzi_field::primality::ntt_primes;
use sunzi_poly::{IntegerPolyRing, Poly};
use sunzi_threads::Work;

/// Bits of the primes: three products fit where one of greater residues does.
const PRIME_BITS: u32 = 30;
const LIMIT: u64 = 1 << PRIME_BITS;

/// Factors 2 of p − 1 that primes have at first, whether points need them or not.
const FIRST_ADICITY: u32 = 13;
/// The first primes are LIMIT + 1 less these multiples of 2^FIRST_ADICITY: most results need no more, and none has to find these.
const FIRST: [u64; 32] = [
    6, 9, 11, 12, 21, 32, 38, 54, 62, 68, 74, 84, 87, 108, 119, 138, 147, 149, 152, 153, 177, 186,
    191, 203, 219, 227, 243, 258, 266, 272, 279, 284,
];

/// How subresultants over the integers are to be known.
///
/// ```
/// use sunzi_solve::ChainOptions;
///
/// let proved = ChainOptions::new();
/// let most_probable = ChainOptions::new().early(2);
/// assert_ne!(proved, most_probable);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChainOptions {
    early: Option<usize>,
}

impl ChainOptions {
    /// Proved by a bound.
    pub fn new() -> Self {
        Self::default()
    }

    /// Until `unchanged` primes more have changed nothing: the result is then not proved, unless the bound was reached. Each prime
    /// has 30 bits; a wrong value survives k of them by chance with a probability of about 2^(−29·k).
    #[must_use]
    pub fn early(self, unchanged: usize) -> Self {
        Self {
            early: Some(unchanged.max(1)),
        }
    }
}

/// The resultant of f and g with respect to y, a polynomial in x: the determinant of their Sylvester matrix, in which rows of f
/// come first. Conventions are those of [`PolyRing::resultant`](sunzi_poly::PolyRing::resultant): of two polynomials of degree 0 in
/// y it is 1, of 0 and any other 0.
///
/// ```
/// use sunzi_solve::{ChainOptions, resultant_y};
///
/// let (f, g) = ("x^2 + y^2 - 5".parse()?, "x*y - 2".parse()?);
/// let known = resultant_y(&f, &g, ChainOptions::new())?;
/// assert_eq!((known.value.to_string().as_str(), known.proved), ("x^4 - 5*x^2 + 4", true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`subresultant_y`].
pub fn resultant_y(
    f: &BivariatePoly<IBig>,
    g: &BivariatePoly<IBig>,
    how: ChainOptions,
) -> Result<Known<Poly<IBig>>, SolveError> {
    let degrees = [f, g].map(BivariatePoly::degree_y);
    if degrees.contains(&None) {
        return Ok(Known::exactly(Poly::zero()));
    }
    let known = subresultant_y(f, g, &[0], how)?;
    let first =
        |found: Vec<BivariatePoly<IBig>>| found.into_iter().next().map(BivariatePoly::into_rows);
    Ok(known.map(|found| first(found).unwrap_or_default().pop().unwrap_or_default()))
}

/// The subresultants S_j of f and g with respect to y, for each j in `wanted`: with m = deg_y f and n = deg_y g as
/// [`PolyRing::subresultant_chain`](sunzi_poly::PolyRing::subresultant_chain) defines them. Both are not 0, and j ≤ min(m, n).
///
/// Every prime's image is right, so that none is dropped. For total degrees m and n a prime takes about (mn)² products in vector
/// lanes, and there are about (m·log‖g‖ + n·log‖f‖)/29 of them, whichever S_j there are. Threads share primes and points.
///
/// ```
/// use sunzi_solve::{ChainOptions, subresultant_y};
///
/// // Both circles meet at x = 2, y = ±1.
/// let (f, g) = ("x^2 + y^2 - 5".parse()?, "(x - 3)^2 + y^2 - 2".parse()?);
/// let known = subresultant_y(&f, &g, &[0, 1], ChainOptions::new())?;
/// assert_eq!(known.value[0], "(6x - 12)^2".parse()?);
/// assert_eq!(known.value[1].to_string(), "-6*x + 12");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`SolveError::NoSubresultant`]; [`SolveError::FewPrimes`]; too little memory.
pub fn subresultant_y(
    f: &BivariatePoly<IBig>,
    g: &BivariatePoly<IBig>,
    wanted: &[usize],
    how: ChainOptions,
) -> Result<Known<Vec<BivariatePoly<IBig>>>, SolveError> {
    let demand = Demand::new(f, g, wanted)?;
    let mut known = Known::exactly(Vec::new());
    if !demand.inner.is_empty() {
        let run = Run::new(f, g, demand.inner.clone())?;
        known = run.compute(&Processor(InstructionSet::detect()), how.early)?;
    }
    let ring = IntegerPolyRing::new();
    let one = Poly::new(vec![IBig::ONE]);
    let top = || top_subresultant(f, g, &one, |a, b| ring.mul(a, b));
    Ok(known.map(|computed| demand.answer(wanted, computed, top)))
}

/// What is to be computed modulo as many primes as it takes.
pub(super) struct Run {
    problem: Problem,
    lens: [Vec<usize>; 2],
    coefficients: Vec<IBig>,
    /// Primes that have roots of unity for all points, and how many of them prove the result.
    primes: Vec<u64>,
}

impl Run {
    pub(super) fn new(
        f: &BivariatePoly<IBig>,
        g: &BivariatePoly<IBig>,
        wanted: Vec<usize>,
    ) -> Result<Self, SolveError> {
        let bits = wanted
            .iter()
            .map(|&j| subresultant_bits(f, g, j))
            .fold(0.0, f64::max);
        let problem = Problem::new(f, g, wanted);
        let coefficients = [f, g].into_iter().flat_map(BivariatePoly::rows);
        // Residues, and integers of as many words; before primes are searched for.
        let size = problem.shape.rows_out() as f64 * problem.count as f64;
        Budget::system().require((size * (bits / 29.0 + 2.0) * 16.0) as u64)?;
        let primes = primes(points::two_adicity(problem.count), bits);
        Ok(Self {
            lens: [f, g].map(|f| f.rows().iter().map(Poly::len).collect()),
            coefficients: coefficients
                .flat_map(|row| row.coefficients().iter().cloned())
                .collect(),
            primes: primes.ok_or(SolveError::FewPrimes { bits: bits as u64 })?,
            problem,
        })
    }

    /// The images modulo some of the primes.
    fn images(
        &self,
        engine: &dyn ChainImages,
        primes: &[u64],
        work: &Work,
    ) -> Result<Vec<Vec<u64>>, SolveError> {
        engine.images(&Batch {
            problem: &self.problem,
            lens: [&self.lens[0], &self.lens[1]],
            primes,
            residues: &residues(&self.coefficients, primes),
            work,
        })
    }

    /// The subresultants; not proved if fewer primes did than the bound asks for.
    pub(super) fn compute(
        &self,
        engine: &dyn ChainImages,
        early: Option<usize>,
    ) -> Result<Known<Vec<BivariatePoly<IBig>>>, SolveError> {
        let (all, needed) = (&self.primes, self.primes.len());
        let known = |value, primes: usize| Known {
            value: assemble(&self.problem, value),
            proved: primes >= needed,
            primes,
            dropped: 0,
        };
        let Some(unchanged) = early else {
            let images = self.images(engine, all, &Work::new(needed as u64, "primes"))?;
            return Ok(known(Reconstruction::new(all).signed_all(&images), needed));
        };
        let work = Work::at_most(needed as u64, "primes");
        let mut images = Vec::new();
        let mut value: Vec<IBig> = Vec::new();
        while images.len() < needed {
            let used = images.len();
            let more = unchanged.max(used / 4).min(needed - used);
            let primes = &all[used..used + more];
            let found = self.images(engine, primes, &work)?;
            let unchanged = used > 0 && residues(&value, primes) == found;
            images.extend(found);
            if unchanged && more >= early.unwrap_or(0) {
                break;
            }
            value = Reconstruction::new(&all[..images.len()]).signed_all(&images);
        }
        Ok(known(value, images.len()))
    }
}

#[cfg(test)]
impl Run {
    pub(super) fn primes(&self) -> &[u64] {
        &self.primes
    }

    /// With the first of them only.
    pub(super) fn with_primes(mut self, count: usize) -> Self {
        self.primes.truncate(count);
        self
    }
}

/// Primes whose product is more than twice 2^`bits`; with roots of unity of order 2^`two_adicity`, as long as there are some.
/// `None` if all of them are not enough.
fn primes(two_adicity: u32, bits: f64) -> Option<Vec<u64>> {
    let first: &[u64] = if two_adicity <= FIRST_ADICITY {
        &FIRST
    } else {
        &[]
    };
    let all = first
        .iter()
        .map(|below| LIMIT - (below << FIRST_ADICITY) + 1);
    let all = all.chain(searched(two_adicity).skip(first.len()));
    let mut product = 0.0;
    let mut primes = Vec::new();
    for prime in all {
        primes.push(prime);
        product += (prime as f64).log2() * (1.0 - 1e-12);
        if product > bits + 1.0 {
            return Some(primes);
        }
    }
    None
}

/// All primes, in an order that for small orders of roots is the same.
fn searched(two_adicity: u32) -> impl Iterator<Item = u64> {
    let levels = [two_adicity.max(FIRST_ADICITY), two_adicity, 1];
    (0..levels.len()).flat_map(move |place| {
        let new = move |prime: &u64| {
            levels[..place]
                .iter()
                .all(|level| prime % (1 << level) != 1)
        };
        ntt_primes(PRIME_BITS, levels[place]).filter(new)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_primes_are_those_that_are_found() {
        let count = FIRST.len() + 5;
        for two_adicity in [4, FIRST_ADICITY, FIRST_ADICITY + 1] {
            let found = primes(two_adicity, 29.99 * count as f64).unwrap();
            assert!(found.len() > FIRST.len());
            assert!(
                searched(two_adicity)
                    .take(found.len())
                    .eq(found.iter().copied())
            );
            assert!(found.iter().all(|prime| prime % (1 << two_adicity) == 1));
        }
    }

    #[test]
    fn every_prime_comes_once_those_with_roots_first() {
        let two_adicity = 20;
        let with_roots: Vec<u64> = ntt_primes(PRIME_BITS, two_adicity).collect();
        let mut found: Vec<u64> = searched(two_adicity)
            .take(with_roots.len() + 1000)
            .collect();
        assert_eq!(found[..with_roots.len()], with_roots);
        found.sort_unstable();
        assert!(found.is_sorted_by(|a, b| a < b));
    }
}
