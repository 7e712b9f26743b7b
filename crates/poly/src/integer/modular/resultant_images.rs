//! Resultants over the integers whose images are computed in parts.

use super::euclid::SylvesterImages;
use super::resultant_problem::Problem;
use crate::{Poly, PolyError};
use std::ops::Range;
use sunzi_integer::{Integer, mul_limbs};
use sunzi_machine::memory::Budget;
use sunzi_machine::threads::Work;
use sunzi_rns::images::{
    Fingerprint, Images, NumberedPrimes, Part, PartsError, put_together, room,
};
use sunzi_rns::{MOST_LANES, WordPrimes, primes_above};

/// The images of a resultant over the integers, modulo primes below 2^50.
///
/// [`Images`] says how they are computed in parts; a prime that divides both leading coefficients tells nothing.
/// [`IntegerResultant`](crate::IntegerResultant) computes the same images on one machine.
///
/// ```
/// use sunzi::images::Images;
/// use sunzi::solve::{ResultantImages, resultant};
///
/// let (f, g) = ("10^40*x^3 - 2*x + 1".parse()?, "7*x^2 - 10^30".parse()?);
/// let job = ResultantImages::new(&f, &g);
/// let (low, high) = (job.compute(0..5)?, job.compute(5..job.needed())?);
/// assert_eq!(job.combine(&[high, low]), Ok(resultant(&f, &g)?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ResultantImages {
    problem: Problem,
    needed: u64,
    fingerprint: u128,
    primes: NumberedPrimes,
}

impl ResultantImages {
    /// Those of the resultant of two polynomials, with the conventions of [`resultant`](crate::resultant).
    pub fn new(f: &Poly<Integer>, g: &Poly<Integer>) -> Self {
        let [of_f, of_g] = [f, g].map(|f| f.coefficients().iter());
        let problem = Problem::new(f, g);
        let needed = |_| primes_above(problem.bits.saturating_add(1)) as u64;
        Self {
            needed: problem.primitive().map_or(0, needed),
            problem,
            fingerprint: Fingerprint::of("resultant").with(of_f).with(of_g).finish(),
            primes: NumberedPrimes::default(),
        }
    }
}

impl Images for ResultantImages {
    type Value = Integer;
    type Error = PolyError;

    fn fingerprint(&self) -> u128 {
        self.fingerprint
    }

    fn needed(&self) -> u64 {
        self.needed
    }

    /// A prime a lane.
    fn together(&self) -> u64 {
        MOST_LANES as u64
    }

    fn compute(&self, numbers: Range<u64>) -> Result<Part, PolyError> {
        let count = room(&numbers, 1)?;
        let primes = self
            .primes
            .from_number(numbers.start, count, WordPrimes::new);
        let images = match self.problem.primitive() {
            Some([f, g]) => {
                let work = Work::new(count as u64, "primes");
                SylvesterImages::new(f, g).resultants(&primes, &work)?
            }
            None => vec![None; primes.len()],
        };
        Ok(Part {
            fingerprint: self.fingerprint,
            first: numbers.start,
            images,
        })
    }

    fn combine(&self, parts: &[Part]) -> Result<Integer, PartsError> {
        let job = (self.fingerprint, self.needed);
        let values: Vec<Integer> = put_together(job, 1, WordPrimes::new(), parts, mul_limbs)?;
        Budget::system().require(self.problem.factor_bytes())?;
        let factor = self.problem.factor();
        Ok(match self.problem.primitive() {
            None => factor,
            Some(_) => values.into_iter().next().unwrap_or_default() * factor,
        })
    }
}
