//! Transforms of a tree's vectors on all levels, of 2d points for nodes over d; and what is done to their values.

use super::field::Field;
use super::kernels::{Down, Products, Up};
use super::plan::TreePlan;
use super::several_primes::SeveralPrimes;
use crate::big_prime::BigPrimeContext;
use crate::ntt::NttContext;
use sunzi_device::{Buffer, GpuError, Kernel, Program, Stream};

/// Transforms of 2, 4, 8 … leaves' points, up to 2N, and the kernels that multiply values.
#[derive(Debug)]
pub(super) struct Transforms {
    by: By,
    neighbours: Neighbours,
}

/// By what vectors are transformed.
#[derive(Debug)]
pub(super) enum By {
    /// The prime itself, of a word.
    Prime(Vec<NttContext>),
    /// Several primes of 31 bits, where the prime lacks roots of unity.
    SeveralPrimes(Box<SeveralPrimes>),
    /// r^k + 1.
    Digits(Vec<BigPrimeContext>),
}

impl Transforms {
    pub(super) const fn new(by: By, neighbours: Neighbours) -> Self {
        Self { by, neighbours }
    }

    /// Any of the transforms of digits, for products of elements.
    pub(super) fn of_digits(&self) -> Option<&BigPrimeContext> {
        match &self.by {
            By::Digits(levels) => levels.last(),
            By::Prime(_) | By::SeveralPrimes(_) => None,
        }
    }

    /// The values of `batch` vectors of the level's length, at the beginning of a buffer.
    pub(super) fn forward(
        &self,
        stream: &Stream,
        level: usize,
        mut vectors: Buffer<u32>,
        batch: usize,
    ) -> Result<Buffer<u32>, GpuError> {
        match &self.by {
            By::Prime(of) => of[level].forward(stream, &mut vectors, 0, batch)?,
            By::Digits(of) => of[level].forward(stream, (vectors.cast_mut(), 0), batch)?,
            By::SeveralPrimes(of) => return of.forward(stream, level, &vectors, batch),
        }
        Ok(vectors)
    }

    /// Vectors from their values.
    pub(super) fn inverse(
        &self,
        stream: &Stream,
        level: usize,
        mut values: Buffer<u32>,
        batch: usize,
    ) -> Result<Buffer<u32>, GpuError> {
        match &self.by {
            By::Prime(of) => of[level].inverse(stream, &mut values, 0, batch)?,
            By::Digits(of) => of[level].inverse(stream, (values.cast_mut(), 0), batch)?,
            By::SeveralPrimes(of) => return of.inverse(stream, level, values, batch),
        }
        Ok(values)
    }

    /// Multiplies the values of a vector by those of another.
    pub(super) fn multiply(
        &self,
        stream: &Stream,
        level: usize,
        a: &mut Buffer<u32>,
        b: &Buffer<u32>,
    ) -> Result<(), GpuError> {
        match &self.by {
            By::Prime(of) => of[level].pointwise(stream, a, 0, b, 0, 1, 1),
            By::SeveralPrimes(of) => of.level(level).pointwise(stream, a, 0, b, 0, 1, 1),
            By::Digits(of) => {
                of[level].multiply(stream, (a.cast_mut(), 0), (b.cast_ref(), 0), 1, false)
            }
        }
    }

    /// Of vectors two by two, 2N elements in all: the products of neighbours.
    pub(super) fn products(
        &self,
        stream: &Stream,
        level: usize,
        from: &Buffer<u32>,
    ) -> Result<Buffer<u32>, GpuError> {
        let of = &self.neighbours;
        let (mut to, count) = (of.values(stream, 1)?, of.plan.padded());
        let parameters = Products {
            to: &mut to,
            from,
            count: count as u32,
            log_n: of.plan.log_points(level),
            field: of.field.to_multiply(),
        };
        stream.launch(&of.products, of.field.launch(count, of.primes)?, parameters)?;
        Ok(to)
    }

    /// What goes down from nodes, N elements in all, to their children: the node's vector times the other child's.
    pub(super) fn down(
        &self,
        stream: &Stream,
        level: usize,
        from: &Buffer<u32>,
        nodes: &Buffer<u32>,
    ) -> Result<Buffer<u32>, GpuError> {
        let of = &self.neighbours;
        let (mut to, count) = (of.values(stream, 2)?, of.plan.padded());
        let parameters = Down {
            to: &mut to,
            from,
            nodes,
            count: count as u32,
            log_n: of.plan.log_points(level),
            field: of.field.to_multiply(),
        };
        stream.launch(&of.down, of.field.launch(count, of.primes)?, parameters)?;
        Ok(to)
    }

    /// What goes up from children to nodes: each child's vector times the other child, added up.
    pub(super) fn up(
        &self,
        stream: &Stream,
        level: usize,
        from: &Buffer<u32>,
        nodes: &Buffer<u32>,
    ) -> Result<Buffer<u32>, GpuError> {
        let of = &self.neighbours;
        let (mut to, count) = (of.values(stream, 1)?, of.plan.padded());
        let parameters = Up {
            to: &mut to,
            from,
            nodes,
            count: count as u32,
            log_n: of.plan.log_points(level),
            field: of.field.to_multiply(),
        };
        stream.launch(&of.up, of.field.launch(count, of.primes)?, parameters)?;
        Ok(to)
    }
}

/// The kernels that multiply the values of a level's nodes: modulo the first prime, then modulo the second …
#[derive(Debug)]
pub(super) struct Neighbours {
    plan: TreePlan,
    field: Field,
    primes: usize,
    products: Kernel,
    down: Kernel,
    up: Kernel,
}

impl Neighbours {
    /// By the program of a field, or of several primes.
    pub(super) fn new(
        plan: TreePlan,
        (field, primes): (Field, usize),
        program: &Program,
    ) -> Result<Self, GpuError> {
        Ok(Self {
            plan,
            primes,
            products: field.kernel(program, "products")?,
            down: field.kernel(program, "down")?,
            up: field.kernel(program, "up")?,
            field,
        })
    }

    /// Memory for so many times N values modulo each prime.
    fn values(&self, stream: &Stream, vectors: usize) -> Result<Buffer<u32>, GpuError> {
        let values = self.primes * vectors * self.plan.padded();
        stream.device().buffer(values * self.field.width())
    }
}
