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
use super::modular_subresultants::{Demand, Problem, top_subresultant};
use super::points;
use crate::{IntegerPolyRing, Poly, PolyError};
use sunzi_field::primality::ntt_primes;
use sunzi_integer::Integer;
use sunzi_integer::mul_limbs;
use sunzi_machine::{InstructionSet, memory::Budget, threads::Work};
use sunzi_rns::early::{EarlyTermination, PrimePool};
use sunzi_rns::{Known, Primes, gather, residues};

/// Bits of the primes: three products fit where one of greater residues does.
pub const PRIME_BITS: u32 = 30;
pub const LIMIT: u64 = 1 << PRIME_BITS;

/// Factors 2 of p − 1 that primes have at first, whether points need them or not.
pub const FIRST_ADICITY: u32 = 13;
/// The first primes are LIMIT + 1 less these multiples of 2^FIRST_ADICITY: most results need no more, and none has to find these.
pub const FIRST: [u64; 32] = [
    6, 9, 11, 12, 21, 32, 38, 54, 62, 68, 74, 84, 87, 108, 119, 138, 147, 149, 152, 153, 177, 186,
    191, 203, 219, 227, 243, 258, 266, 272, 279, 284,
];

/// How many primes of 30 bits are 1 modulo 2, 4, 8, …: counted one by one. They are drawn from for early termination.
pub const COUNTS: [u64; 24] = [
    26_207_278, 13_103_462, 6_551_387, 3_275_608, 1_637_913, 818_729, 409_418, 204_706, 102_377,
    51_175, 25_624, 12_770, 6_347, 3_134, 1_583, 784, 395, 211, 109, 56, 30, 12, 6, 1,
];

/// Primes for each that may divide a difference: where there are fewer, too many of those drawn would have to agree.
const AMPLE: u64 = 64;

/// The primes of 30 bits whose fields have roots of unity of order 2^`two_adicity`, if there are any.
pub fn pool(two_adicity: u32) -> Option<PrimePool> {
    let two_adicity = two_adicity.max(1);
    let count = *COUNTS.get(two_adicity as usize - 1)?;
    let class = (1, 1 << two_adicity);
    Some(PrimePool::new(LIMIT / 2, LIMIT, class, count))
}

/// How subresultants over the integers are to be known.
///
/// ```
/// use sunzi::solve::ChainOptions;
///
/// let proved = ChainOptions::new();
/// let most_probable = ChainOptions::new().early(1234);
/// assert_ne!(proved, most_probable);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChainOptions {
    early: Option<EarlyTermination>,
}

impl ChainOptions {
    /// Proved by a bound.
    pub fn new() -> Self {
        Self::default()
    }

    /// Modulo primes of 30 bits that are drawn by this seed, until some of them have changed nothing: as many as make a wrong value
    /// less probable than 2^−[`ERROR_BITS`](sunzi_rns::early::ERROR_BITS), for all that is computed with these options together. The
    /// result is then not proved, unless the bound was reached.
    #[must_use]
    pub fn early(self, seed: u128) -> Self {
        Self {
            early: Some(EarlyTermination::new(seed)),
        }
    }

    /// The options for the next part of a result: each draws primes of its own.
    pub fn part(&mut self) -> Self {
        Self {
            early: self.early.as_mut().map(EarlyTermination::part),
        }
    }
}

/// The resultant of f and g with respect to y, a polynomial in x: the determinant of their Sylvester matrix, in which rows of f
/// come first. Conventions are those of [`PolyRing::resultant`](crate::PolyRing::resultant): of two polynomials of degree 0 in
/// y it is 1, of 0 and any other 0.
///
/// ```
/// use sunzi::solve::{ChainOptions, resultant_y};
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
    f: &BivariatePoly<Integer>,
    g: &BivariatePoly<Integer>,
    how: ChainOptions,
) -> Result<Known<Poly<Integer>>, PolyError> {
    let degrees = [f, g].map(BivariatePoly::degree_y);
    if degrees.contains(&None) {
        return Ok(Known::exactly(Poly::zero()));
    }
    Ok(subresultant_y(f, g, &[0], how)?.map(resultant_of))
}

/// The subresultants S_j of f and g with respect to y, for each j in `wanted`: with m = deg_y f and n = deg_y g as
/// [`PolyRing::subresultant_chain`](crate::PolyRing::subresultant_chain) defines them. Both are not 0, and j ≤ min(m, n).
///
/// Every prime's image is right, so that none is dropped. For total degrees m and n a prime takes about (mn)² products in vector
/// lanes, and there are about (m·log‖g‖ + n·log‖f‖)/29 of them, whichever S_j there are. Threads share primes and points.
///
/// ```
/// use sunzi::solve::{ChainOptions, subresultant_y};
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
/// [`PolyError::NoSubresultant`]; [`PolyError::FewPrimes`]; too little memory.
pub fn subresultant_y(
    f: &BivariatePoly<Integer>,
    g: &BivariatePoly<Integer>,
    wanted: &[usize],
    how: ChainOptions,
) -> Result<Known<Vec<BivariatePoly<Integer>>>, PolyError> {
    let demand = Demand::new(f, g, wanted)?;
    let mut known = Known::exactly(Vec::new());
    if !demand.inner.is_empty() {
        let run = Run::new(f, g, demand.inner.clone())?;
        known = run.compute(&Processor(InstructionSet::detect()), how.early)?;
    }
    Ok(known.map(|computed| demand.answer(wanted, computed, || top(f, g))))
}

/// The subresultant of the lesser degree in y.
pub(super) fn top(
    f: &BivariatePoly<Integer>,
    g: &BivariatePoly<Integer>,
) -> BivariatePoly<Integer> {
    let one = Poly::new(vec![Integer::ONE]);
    top_subresultant(f, g, &one, |a, b| IntegerPolyRing::new().mul(a, b))
}

/// The polynomial in x that S_0 is.
pub(super) fn resultant_of(subresultants: Vec<BivariatePoly<Integer>>) -> Poly<Integer> {
    let first = subresultants.into_iter().next();
    let rows = first.map(BivariatePoly::into_rows);
    rows.unwrap_or_default().pop().unwrap_or_default()
}

/// What is to be computed modulo as many primes as it takes.
#[derive(Clone, Debug)]
pub struct Run {
    problem: Problem,
    lens: [Vec<usize>; 2],
    coefficients: Vec<Integer>,
    /// Primes that have roots of unity for all points, and how many of them prove the result.
    primes: Vec<u64>,
    /// No coefficient is above 2^bits.
    bits: f64,
}

impl Run {
    pub fn new(
        f: &BivariatePoly<Integer>,
        g: &BivariatePoly<Integer>,
        wanted: Vec<usize>,
    ) -> Result<Self, PolyError> {
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
            primes: primes.ok_or(PolyError::FewPrimes { bits: bits as u64 })?,
            bits,
            problem,
        })
    }

    /// All primes that have images, in their order.
    pub(super) fn all_primes(&self) -> impl Iterator<Item = u64> + use<> {
        all_primes(points::two_adicity(self.problem.count))
    }

    /// So many of them prove the result.
    pub(super) fn needed(&self) -> usize {
        self.primes.len()
    }

    /// Coefficients of all subresultants together.
    pub(super) fn values(&self) -> usize {
        self.problem.shape.rows_out() * self.problem.count
    }

    /// The subresultants with these coefficients.
    pub(super) fn assemble(&self, coefficients: Vec<Integer>) -> Vec<BivariatePoly<Integer>> {
        assemble(&self.problem, coefficients)
    }

    /// The images modulo some of the primes.
    pub(super) fn images(
        &self,
        engine: &dyn ChainImages,
        primes: &[u64],
        work: &Work,
    ) -> Result<Vec<Vec<u64>>, PolyError> {
        engine.images(&Batch {
            problem: &self.problem,
            lens: [&self.lens[0], &self.lens[1]],
            primes,
            residues: &residues(&self.coefficients, primes),
            work,
        })
    }

    /// The subresultants; not proved if fewer primes did than the bound asks for.
    pub fn compute(
        &self,
        engine: &dyn ChainImages,
        early: Option<EarlyTermination>,
    ) -> Result<Known<Vec<BivariatePoly<Integer>>>, PolyError> {
        let ordered = || Primes::ordered(self.primes.iter().copied(), self.primes.len());
        let primes = early
            .and_then(|how| self.draw(&how))
            .unwrap_or_else(ordered);
        let known = gather(primes.of_slow_images(), mul_limbs, &mut |primes, work| {
            let images = self.images(engine, primes, work)?;
            Ok::<_, PolyError>(images.into_iter().map(Some).collect())
        })?;
        Ok(known.map(|values| self.assemble(values)))
    }

    /// Primes for early termination; those with roots of unity if there are enough that few of them can divide a difference.
    fn draw(&self, how: &EarlyTermination) -> Option<Primes<'static>> {
        // Differences of values that are not proved are twice the bound at most.
        let most = self.bits + 1.0;
        let ample = |pool: &PrimePool| pool.count() / AMPLE >= pool.most_dividing(most);
        let with_roots = pool(points::two_adicity(self.problem.count)).filter(ample);
        let pool = with_roots.or_else(|| pool(1))?;
        Primes::drawn(&pool, self.bits, 0.0, how)
    }
}

#[cfg(feature = "internals")]
impl Run {
    pub fn primes(&self) -> &[u64] {
        &self.primes
    }

    /// With the first of them only.
    pub fn with_primes(mut self, count: usize) -> Self {
        self.primes.truncate(count);
        self
    }
}

/// Primes whose product is more than twice 2^`bits`; with roots of unity of order 2^`two_adicity`, as long as there are some.
/// `None` if all of them are not enough.
pub fn primes(two_adicity: u32, bits: f64) -> Option<Vec<u64>> {
    let mut product = 0.0;
    let mut primes = Vec::new();
    for prime in all_primes(two_adicity) {
        primes.push(prime);
        product += (prime as f64).log2() * (1.0 - 1e-12);
        if product > bits + 1.0 {
            return Some(primes);
        }
    }
    None
}

/// The primes of [`searched`], the first of which are not searched for.
pub(super) fn all_primes(two_adicity: u32) -> impl Iterator<Item = u64> {
    let first: &[u64] = if two_adicity <= FIRST_ADICITY {
        &FIRST
    } else {
        &[]
    };
    let known = first
        .iter()
        .map(|below| LIMIT - (below << FIRST_ADICITY) + 1);
    known.chain(searched(two_adicity).skip(first.len()))
}

/// All primes, in an order that for small orders of roots is the same.
pub fn searched(two_adicity: u32) -> impl Iterator<Item = u64> {
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
