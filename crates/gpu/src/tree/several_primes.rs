//! Transforms of a tree's vectors modulo any prime: over the integers, by transforms modulo several primes of 31 bits.
//!
//! Coefficients are canonical, so that those of a product of 2d points, and of the sum of two, are below 4 d p²; primes with a
//! product above that determine them.

use super::plan::TreePlan;
use crate::ntt::NttContext;
use crate::products::CoefficientForm;
use crate::residues::basis::ResidueBasis;
use crate::residues::combine::CombineModuloContext;
use crate::residues::project::{Polynomials, ProjectContext};
use crate::word::Word;
use sunzi_device::{Buffer, GpuError, Stream};

/// Transforms modulo several primes of 31 bits.
#[derive(Debug)]
pub(super) struct SeveralPrimes {
    plan: TreePlan,
    primes: usize,
    /// Words of 32 bits of an element.
    width: usize,
    project: ProjectContext,
    combine: CombineModuloContext,
    /// For each level, where its vectors begin, 2N elements of them at most, and how long each is.
    spans: Vec<Buffer<u32>>,
    transforms: Vec<NttContext>,
}

impl SeveralPrimes {
    /// For trees modulo a prime, elements of which have one word of 32 bits or two.
    pub(super) fn new(
        stream: &Stream,
        (prime, width): (u64, usize),
        plan: TreePlan,
        basis: &ResidueBasis,
    ) -> Result<Self, GpuError> {
        let device = stream.device();
        let form = CoefficientForm {
            words: width,
            signed: false,
        };
        let threads = device.info().independent_threads();
        let mut spans = Vec::with_capacity(plan.levels() + 1);
        let mut transforms = Vec::with_capacity(plan.levels() + 1);
        for level in 0..=plan.levels() {
            let log_points = plan.log_points(level);
            let starts = (0..(2 * plan.padded()) >> log_points).map(|number| number << log_points);
            let numbers = starts.flat_map(|start| [start as u32, 1 << log_points]);
            spans.push(device.filled(stream, &numbers.collect::<Vec<_>>())?);
            transforms.push(NttContext::for_primes(
                device,
                Word::U32,
                basis.primes(),
                log_points,
            )?);
        }
        Ok(Self {
            plan,
            primes: basis.len(),
            width,
            project: ProjectContext::new(stream, basis, form, threads)?,
            combine: CombineModuloContext::new(stream, basis, prime, width, threads)?,
            spans,
            transforms,
        })
    }

    /// The transforms of a level.
    pub(super) fn level(&self, level: usize) -> &NttContext {
        &self.transforms[level]
    }

    /// The values of `batch` vectors modulo each prime.
    pub(super) fn forward(
        &self,
        stream: &Stream,
        level: usize,
        vectors: &Buffer<u32>,
        batch: usize,
    ) -> Result<Buffer<u32>, GpuError> {
        let log_points = self.plan.log_points(level);
        let device = stream.device();
        let mut values = device.buffer(self.primes * (batch << log_points))?;
        let polynomials = Polynomials {
            coefficients: vectors,
            spans: &self.spans[level],
        };
        let place = (0, batch);
        self.project
            .run(stream, &mut values, polynomials, log_points, batch, place)?;
        self.transforms[level].forward(stream, &mut values, 0, batch)?;
        Ok(values)
    }

    /// Vectors from their values.
    pub(super) fn inverse(
        &self,
        stream: &Stream,
        level: usize,
        mut values: Buffer<u32>,
        batch: usize,
    ) -> Result<Buffer<u32>, GpuError> {
        self.transforms[level].inverse(stream, &mut values, 0, batch)?;
        let count = batch << self.plan.log_points(level);
        let mut words = stream.device().buffer(count * self.width)?;
        self.combine
            .run(stream, &mut words, &values, count, count)?;
        Ok(words)
    }
}
