//! Subresultants in y over Z whose images are computed in parts.

use super::BivariatePoly;
use super::images::Processor;
use super::integer_subresultants::{COUNTS, Run, resultant_of, top};
use super::modular_subresultants::Demand;
use crate::{Poly, PolyError};
use std::ops::Range;
use sunzi_integer::{Integer, mul_limbs};
use sunzi_machine::InstructionSet;
use sunzi_machine::threads::Work;
use sunzi_rns::images::{
    Fingerprint, Images, NumberedPrimes, Part, PartsError, put_together, room,
};

/// The images of subresultants in y over the integers, modulo primes below 2^30, each of which tells something.
///
/// [`Images`] says how they are computed in parts; [`subresultant_y`](crate::subresultant_y) computes the same images on one machine.
///
/// ```
/// use sunzi::images::Images;
/// use sunzi::solve::{ChainOptions, SubresultantYImages, subresultant_y};
///
/// let (f, g) = ("10^20*x^2 + y^2 - 5".parse()?, "(x - 3)^2 + y^2 - 2".parse()?);
/// let job = SubresultantYImages::new(&f, &g, &[0, 1])?;
/// let (low, high) = (job.compute(0..2)?, job.compute(2..job.needed())?);
/// let known = subresultant_y(&f, &g, &[0, 1], ChainOptions::new())?;
/// assert_eq!(job.combine(&[high, low]), Ok(known.value));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SubresultantYImages {
    operands: [BivariatePoly<Integer>; 2],
    wanted: Vec<usize>,
    demand: Demand,
    /// None where all that is wanted takes no images.
    run: Option<Run>,
    fingerprint: u128,
    primes: NumberedPrimes,
}

impl SubresultantYImages {
    /// Those of the subresultants that [`subresultant_y`](crate::subresultant_y) computes of the same operands.
    ///
    /// # Errors
    /// As of [`subresultant_y`](crate::subresultant_y).
    pub fn new(
        f: &BivariatePoly<Integer>,
        g: &BivariatePoly<Integer>,
        wanted: &[usize],
    ) -> Result<Self, PolyError> {
        Self::of("subresultants in y", [f, g], wanted)
    }

    /// Those of a job of this name.
    fn of(
        job: &str,
        [f, g]: [&BivariatePoly<Integer>; 2],
        wanted: &[usize],
    ) -> Result<Self, PolyError> {
        let demand = Demand::new(f, g, wanted)?;
        let run = match demand.inner.is_empty() {
            true => None,
            false => Some(Run::new(f, g, demand.inner.clone())?),
        };
        Ok(Self {
            operands: [f.clone(), g.clone()],
            wanted: wanted.to_vec(),
            demand,
            run,
            fingerprint: fingerprint(job, [f, g], wanted),
            primes: NumberedPrimes::default(),
        })
    }
}

impl Images for SubresultantYImages {
    type Value = Vec<BivariatePoly<Integer>>;
    type Error = PolyError;

    fn fingerprint(&self) -> u128 {
        self.fingerprint
    }

    fn needed(&self) -> u64 {
        self.run.as_ref().map_or(0, |run| run.needed() as u64)
    }

    fn compute(&self, numbers: Range<u64>) -> Result<Part, PolyError> {
        let run = self.run.as_ref().map(|run| (run, &self.primes));
        part(run, self.fingerprint, numbers)
    }

    fn combine(&self, parts: &[Part]) -> Result<Self::Value, PartsError> {
        let job = (self.fingerprint, self.needed());
        let computed = match &self.run {
            None => {
                put_together::<Integer>(job, 0, std::iter::empty(), parts, mul_limbs)?;
                Vec::new()
            }
            Some(run) => {
                let (values, primes) = (run.values(), run.all_primes());
                run.assemble(put_together(job, values, primes, parts, mul_limbs)?)
            }
        };
        let [f, g] = &self.operands;
        Ok(self.demand.answer(&self.wanted, computed, || top(f, g)))
    }
}

/// The images of the resultant with respect to y of two polynomials over the integers, modulo primes below 2^30, each of which tells
/// something.
///
/// [`Images`] says how they are computed in parts; [`resultant_y`](crate::resultant_y) computes the same images on one machine.
///
/// ```
/// use sunzi::images::Images;
/// use sunzi::solve::ResultantYImages;
///
/// let job = ResultantYImages::new(&"x^2 + y^2 - 5".parse()?, &"10^9*x*y - 2".parse()?)?;
/// let parts = [job.compute(1..job.needed())?, job.compute(0..1)?];
/// assert_eq!(job.combine(&parts)?, "10^18*x^4 - 5*10^18*x^2 + 4".parse()?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ResultantYImages {
    /// None where an operand is 0.
    chain: Option<SubresultantYImages>,
    fingerprint: u128,
}

impl ResultantYImages {
    /// Those of the resultant of two polynomials, with the conventions of [`resultant_y`](crate::resultant_y).
    ///
    /// # Errors
    /// As of [`resultant_y`](crate::resultant_y).
    pub fn new(f: &BivariatePoly<Integer>, g: &BivariatePoly<Integer>) -> Result<Self, PolyError> {
        const JOB: &str = "resultant in y";
        let chain = match f.is_zero() || g.is_zero() {
            true => None,
            false => Some(SubresultantYImages::of(JOB, [f, g], &[0])?),
        };
        Ok(Self {
            chain,
            fingerprint: fingerprint(JOB, [f, g], &[0]),
        })
    }
}

impl Images for ResultantYImages {
    type Value = Poly<Integer>;
    type Error = PolyError;

    fn fingerprint(&self) -> u128 {
        self.fingerprint
    }

    fn needed(&self) -> u64 {
        self.chain.as_ref().map_or(0, Images::needed)
    }

    fn compute(&self, numbers: Range<u64>) -> Result<Part, PolyError> {
        let chain = self.chain.as_ref();
        let run = chain.and_then(|chain| Some((chain.run.as_ref()?, &chain.primes)));
        part(run, self.fingerprint, numbers)
    }

    fn combine(&self, parts: &[Part]) -> Result<Poly<Integer>, PartsError> {
        match &self.chain {
            Some(chain) => Ok(resultant_of(chain.combine(parts)?)),
            None => {
                let job = (self.fingerprint, 0);
                put_together::<Integer>(job, 0, std::iter::empty(), parts, mul_limbs)?;
                Ok(Poly::zero())
            }
        }
    }
}

/// Of a job of this name with these operands.
fn fingerprint(job: &str, operands: [&BivariatePoly<Integer>; 2], wanted: &[usize]) -> u128 {
    let wanted: Vec<Integer> = wanted.iter().map(|&j| j.into()).collect();
    let mut all = Fingerprint::of(job).with(wanted.iter());
    for operand in operands {
        // The number of rows tells where the next operand begins.
        all = all.with([Integer::from(operand.rows().len())].iter());
        for row in operand.rows() {
            all = all.with(row.coefficients().iter());
        }
    }
    all.finish()
}

/// The images of these numbers; without a run primes tell nothing.
fn part(
    run: Option<(&Run, &NumberedPrimes)>,
    fingerprint: u128,
    numbers: Range<u64>,
) -> Result<Part, PolyError> {
    // All primes, whatever roots of unity they have.
    const COUNT: u64 = COUNTS[0];
    if numbers.end > COUNT {
        return Err(PolyError::NoSuchImage {
            number: numbers.end - 1,
            count: COUNT,
        });
    }
    let count = room(&numbers, run.map_or(0, |(run, _)| run.values()))?;
    let images = match run {
        None => vec![None; count],
        Some((run, primes)) => {
            let primes = primes.from_number(numbers.start, count, || run.all_primes());
            let work = Work::new(count as u64, "primes");
            let processor = Processor(InstructionSet::detect());
            let images = run.images(&processor, &primes, &work)?;
            images.into_iter().map(Some).collect()
        }
    };
    Ok(Part {
        fingerprint,
        first: numbers.start,
        images,
    })
}
