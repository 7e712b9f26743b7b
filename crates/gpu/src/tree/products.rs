//! Products of transforms of a tree, modulo one prime or several.

use super::plan::TreePlan;
use super::words::source;
use crate::backend::{Argument, Launch};
use crate::buffer::Buffer;
use crate::device::Device;
use crate::error::GpuError;
use crate::field::{Modulus, ResidueWord, Scale, field_table};
use crate::program::Kernel;
use crate::stream::Stream;

/// The kernels that multiply the values of a level's nodes: modulo the first prime, then modulo the second …
#[derive(Debug)]
pub(super) struct Products<E: ResidueWord> {
    device: Device,
    plan: TreePlan,
    primes: usize,
    fields: Buffer<E>,
    products: Kernel,
    down: Kernel,
    up: Kernel,
}

impl<E: ResidueWord> Products<E> {
    pub(super) fn new(
        device: &Device,
        stream: &Stream,
        moduli: &[Modulus],
        plan: TreePlan,
    ) -> Result<Self, GpuError> {
        let spare = moduli.iter().all(Modulus::is_spare::<E>);
        let program = device.program(&source::<E>(plan.leaf, spare))?;
        Ok(Self {
            device: device.clone(),
            plan,
            primes: moduli.len(),
            fields: field_table(stream, moduli, 0)?,
            products: program.kernel("tree_products")?,
            down: program.kernel("tree_down")?,
            up: program.kernel("tree_up")?,
        })
    }

    /// The products of neighbours.
    pub(super) fn products(
        &self,
        stream: &Stream,
        level: usize,
        from: &Buffer<E>,
    ) -> Result<Buffer<E>, GpuError> {
        self.run(stream, &self.products, level, self.plan.padded(), &[from])
    }

    /// Each node's vector times the other child's.
    pub(super) fn down(
        &self,
        stream: &Stream,
        level: usize,
        from: &Buffer<E>,
        nodes: &Buffer<E>,
    ) -> Result<Buffer<E>, GpuError> {
        let length = 2 * self.plan.padded();
        self.run(stream, &self.down, level, length, &[from, nodes])
    }

    /// Each child's vector times the other child, added up.
    pub(super) fn up(
        &self,
        stream: &Stream,
        level: usize,
        from: &Buffer<E>,
        nodes: &Buffer<E>,
    ) -> Result<Buffer<E>, GpuError> {
        let length = self.plan.padded();
        self.run(stream, &self.up, level, length, &[from, nodes])
    }

    /// Submits a kernel, with a thread for each of N words modulo each prime, which writes `length` words modulo each.
    fn run(
        &self,
        stream: &Stream,
        kernel: &Kernel,
        level: usize,
        length: usize,
        from: &[&Buffer<E>],
    ) -> Result<Buffer<E>, GpuError> {
        let n = self.plan.padded();
        let mut to = self.device.buffer(self.primes * length)?;
        let mut arguments = vec![(&mut to).into()];
        arguments.extend(from.iter().map(|&buffer| Argument::of(buffer)));
        arguments.extend([
            Argument::U32(n as u32),
            Argument::U32(self.plan.log_points(level)),
            Scale::ProductOne.into(),
            (&self.fields).into(),
        ]);
        let threads = self.plan.leaf;
        let launch = Launch::rows(n.div_ceil(threads) as u64, self.primes, threads, 0)?;
        // SAFETY: the arguments are those of the kernel, for N words modulo each prime of what nodes have, and twice as many of
        // what children have.
        unsafe { stream.launch(kernel, launch, &arguments)? };
        Ok(to)
    }
}
