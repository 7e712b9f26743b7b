//! Subresultants modulo many primes: a batch primes × points.
//!
//! What computes such a batch is behind one trait: here it is the processor, which takes one prime after the other on each
//! thread, all points of a prime in vectors, so that what belongs to a prime stays in a cache.

use super::modular_subresultants::Problem;
use super::points::Points;
use super::{BivariatePoly, BivariateRing};
use crate::{Poly, PolyError};
use sunzi_field::Fp32;
use sunzi_machine::{
    InstructionSet,
    threads::{Threads, Work},
};

/// Products of residues from which threads share a batch.
const PARALLEL: usize = 1 << 17;

/// Two polynomials modulo some primes below 2^31.
pub struct Batch<'a> {
    pub(super) problem: &'a Problem,
    /// Coefficients in x of each coefficient in y of the first polynomial, then of the second: their numbers.
    pub(super) lens: [&'a [usize]; 2],
    pub(super) primes: &'a [u64],
    /// For each prime all residues, in the order of `lens`.
    pub(super) residues: &'a [Vec<u64>],
    /// Where primes are counted.
    pub(super) work: &'a Work,
}

impl Batch<'_> {
    /// Both operands modulo a prime.
    pub(super) fn operands(&self, index: usize) -> [Vec<Poly<u32>>; 2] {
        let mut residues = self.residues[index].iter().map(|&residue| residue as u32);
        self.lens.map(|lens| {
            let row = |&len: &usize| Poly::new(residues.by_ref().take(len).collect());
            lens.iter().map(row).collect()
        })
    }
}

/// What computes subresultants modulo many primes.
pub trait ChainImages: Sync {
    /// For each prime of the batch the coefficients of powers of x below [`Problem::count`] of each coefficient in y of each
    /// subresultant in demand. Each prime is counted in the batch's work.
    ///
    /// # Errors
    /// Too little memory, or what a device says.
    fn images(&self, batch: &Batch<'_>) -> Result<Vec<Vec<u64>>, PolyError>;
}

/// This processor.
#[derive(Clone, Copy, Debug)]
pub struct Processor(pub InstructionSet);

impl ChainImages for Processor {
    fn images(&self, batch: &Batch<'_>) -> Result<Vec<Vec<u64>>, PolyError> {
        let (primes, products) = (batch.primes.len(), batch.problem.products());
        let threads = Threads::when(products.saturating_mul(primes) >= PARALLEL);
        // Few primes leave threads for points.
        let inner =
            Threads::when(products >= PARALLEL && primes < 4 * sunzi_machine::threads::count());
        threads.try_map(0..primes, |index| {
            let image = self.image(batch, index, inner)?;
            batch.work.done(1);
            Ok(image)
        })
    }
}

impl Processor {
    fn image(
        self,
        batch: &Batch<'_>,
        index: usize,
        threads: Threads,
    ) -> Result<Vec<u64>, PolyError> {
        let problem = batch.problem;
        let ring = BivariateRing::with_kernel(Fp32::new(batch.primes[index] as u32)?, self.0);
        let points = Points::new(ring.coefficients(), problem.count, problem.transforms)?;
        let subresultants = ring.image(problem, &points, batch.operands(index), threads)?;
        let mut image = Vec::with_capacity(problem.shape.rows_out() * problem.count);
        for (subresultant, &j) in subresultants.iter().zip(problem.shape.wanted()) {
            for k in 0..=j {
                let start = image.len();
                let row = subresultant.row(k).map_or(&[][..], Poly::coefficients);
                image.extend(row.iter().map(|&residue| u64::from(residue)));
                debug_assert!(image.len() - start <= problem.count);
                image.resize(start + problem.count, 0);
            }
        }
        Ok(image)
    }
}

/// The subresultants of which these are the coefficients, in the order of [`ChainImages::images`].
pub(super) fn assemble<E: Default + PartialEq>(
    problem: &Problem,
    coefficients: Vec<E>,
) -> Vec<BivariatePoly<E>> {
    let mut coefficients = coefficients.into_iter();
    let subresultant = |&j: &usize| {
        let row = |_| Poly::new(coefficients.by_ref().take(problem.count).collect());
        BivariatePoly::new((0..=j).map(row).collect())
    };
    problem.shape.wanted().iter().map(subresultant).collect()
}
