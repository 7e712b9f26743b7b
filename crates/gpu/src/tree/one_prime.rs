//! Products of a tree's polynomials by transforms modulo the prime itself.

use super::arithmetic::Transforms;
use super::plan::TreePlan;
use super::products::Products;
use crate::buffer::Buffer;
use crate::device::Device;
use crate::error::GpuError;
use crate::field::{Modulus, ResidueWord};
use crate::ntt::NttContext;
use crate::stream::Stream;
use std::fmt::Debug;

/// Transforms modulo a prime that has roots of unity.
#[derive(Debug)]
pub struct OnePrime<E: ResidueWord> {
    /// Of 2, 4, 8 … leaves' points, up to 2N.
    transforms: Vec<NttContext<E>>,
    products: Products<E>,
}

impl<E: ResidueWord> OnePrime<E> {
    pub(super) fn new(
        device: &Device,
        stream: &Stream,
        modulus: Modulus,
        plan: TreePlan,
    ) -> Result<Self, GpuError> {
        let transform = |level| NttContext::new(device, modulus.prime(), plan.log_points(level));
        Ok(Self {
            transforms: (0..=plan.levels())
                .map(transform)
                .collect::<Result<_, _>>()?,
            products: Products::new(device, stream, &[modulus], plan)?,
        })
    }
}

impl<E: ResidueWord + Debug> Transforms<E> for OnePrime<E> {
    type Value = E;

    fn forward(
        &self,
        stream: &Stream,
        level: usize,
        mut vectors: Buffer<E>,
        batch: usize,
    ) -> Result<Buffer<E>, GpuError> {
        self.transforms[level].forward(stream, &mut vectors, 0, batch)?;
        Ok(vectors)
    }

    fn inverse(
        &self,
        stream: &Stream,
        level: usize,
        mut values: Buffer<E>,
        batch: usize,
    ) -> Result<Buffer<E>, GpuError> {
        self.transforms[level].inverse(stream, &mut values, 0, batch)?;
        Ok(values)
    }

    fn multiply(
        &self,
        stream: &Stream,
        level: usize,
        a: &mut Buffer<E>,
        b: &Buffer<E>,
    ) -> Result<(), GpuError> {
        self.transforms[level].pointwise(stream, a, 0, b, 0, 1, 1)
    }

    fn products(
        &self,
        stream: &Stream,
        level: usize,
        from: &Buffer<E>,
    ) -> Result<Buffer<E>, GpuError> {
        self.products.products(stream, level, from)
    }

    fn down(
        &self,
        stream: &Stream,
        level: usize,
        from: &Buffer<E>,
        nodes: &Buffer<E>,
    ) -> Result<Buffer<E>, GpuError> {
        self.products.down(stream, level, from, nodes)
    }

    fn up(
        &self,
        stream: &Stream,
        level: usize,
        from: &Buffer<E>,
        nodes: &Buffer<E>,
    ) -> Result<Buffer<E>, GpuError> {
        self.products.up(stream, level, from, nodes)
    }
}
