//! Products of a tree's polynomials modulo any prime: over the integers, by transforms modulo several primes of 31 bits.
//!
//! Coefficients are canonical, so that those of a product of 2d points, and of the sum of two, are below 4 d p²; primes with a
//! product above that determine them.

use super::arithmetic::Transforms;
use super::plan::TreePlan;
use super::products::Products;
use crate::buffer::Buffer;
use crate::device::Device;
use crate::error::GpuError;
use crate::field::{Modulus, ResidueWord};
use crate::ntt::NttContext;
use crate::products::CoefficientForm;
use crate::residues::combine::CombineModuloContext;
use crate::residues::project::{Polynomials, ProjectContext};
use crate::stream::Stream;
use std::fmt::Debug;

/// Transforms modulo several primes of 31 bits.
#[derive(Debug)]
pub struct SeveralPrimes {
    device: Device,
    plan: TreePlan,
    primes: usize,
    project: ProjectContext,
    combine: CombineModuloContext,
    /// For each level, where its vectors begin, 2N elements of them at most, and how long each is.
    spans: Vec<Buffer<u32>>,
    transforms: Vec<NttContext<u32>>,
    products: Products<u32>,
}

impl SeveralPrimes {
    /// For trees modulo a prime in words of the type `E`.
    pub(super) fn new<E: ResidueWord>(
        device: &Device,
        stream: &Stream,
        prime: u64,
        plan: TreePlan,
    ) -> Result<Self, GpuError> {
        let basis = plan.basis(prime)?;
        let words = size_of::<E>() / size_of::<u32>();
        let form = CoefficientForm {
            words,
            signed: false,
        };
        let threads = device.info().independent_threads();
        let moduli = basis.primes().iter();
        let moduli = moduli.map(|&prime| Modulus::new::<u32>(device, prime));
        let moduli = moduli.collect::<Result<Vec<_>, _>>()?;
        let mut spans = Vec::with_capacity(plan.levels() + 1);
        let mut transforms = Vec::with_capacity(plan.levels() + 1);
        for level in 0..=plan.levels() {
            let log_points = plan.log_points(level);
            let starts = (0..(2 * plan.padded()) >> log_points).map(|number| number << log_points);
            let numbers = starts.flat_map(|start| [start as u32, 1 << log_points]);
            spans.push(device.filled(stream, &numbers.collect::<Vec<_>>())?);
            transforms.push(NttContext::for_primes(device, basis.primes(), log_points)?);
        }
        Ok(Self {
            device: device.clone(),
            plan,
            primes: basis.len(),
            project: ProjectContext::new(stream, &basis, form, threads)?,
            combine: CombineModuloContext::new(stream, &basis, prime, words, threads)?,
            spans,
            transforms,
            products: Products::new(device, stream, &moduli, plan)?,
        })
    }
}

impl<E: ResidueWord + Debug> Transforms<E> for SeveralPrimes {
    type Value = u32;

    fn forward(
        &self,
        stream: &Stream,
        level: usize,
        vectors: Buffer<E>,
        batch: usize,
    ) -> Result<Buffer<u32>, GpuError> {
        let log_points = self.plan.log_points(level);
        let mut values = self.device.buffer(self.primes * (batch << log_points))?;
        let polynomials = Polynomials {
            coefficients: &vectors.into_words(),
            spans: &self.spans[level],
        };
        let place = (0, batch);
        self.project
            .run(stream, &mut values, polynomials, log_points, batch, place)?;
        self.transforms[level].forward(stream, &mut values, 0, batch)?;
        Ok(values)
    }

    fn inverse(
        &self,
        stream: &Stream,
        level: usize,
        mut values: Buffer<u32>,
        batch: usize,
    ) -> Result<Buffer<E>, GpuError> {
        self.transforms[level].inverse(stream, &mut values, 0, batch)?;
        let count = batch << self.plan.log_points(level);
        let vectors = self.device.buffer::<E>(count)?;
        let mut words = vectors.into_words();
        self.combine
            .run(stream, &mut words, &values, count, count)?;
        Ok(words.into_elements())
    }

    fn multiply(
        &self,
        stream: &Stream,
        level: usize,
        a: &mut Buffer<u32>,
        b: &Buffer<u32>,
    ) -> Result<(), GpuError> {
        self.transforms[level].pointwise(stream, a, 0, b, 0, 1, 1)
    }

    fn products(
        &self,
        stream: &Stream,
        level: usize,
        from: &Buffer<u32>,
    ) -> Result<Buffer<u32>, GpuError> {
        self.products.products(stream, level, from)
    }

    fn down(
        &self,
        stream: &Stream,
        level: usize,
        from: &Buffer<u32>,
        nodes: &Buffer<u32>,
    ) -> Result<Buffer<u32>, GpuError> {
        self.products.down(stream, level, from, nodes)
    }

    fn up(
        &self,
        stream: &Stream,
        level: usize,
        from: &Buffer<u32>,
        nodes: &Buffer<u32>,
    ) -> Result<Buffer<u32>, GpuError> {
        self.products.up(stream, level, from, nodes)
    }
}
