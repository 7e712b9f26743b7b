//! Trees over primes of a word.

use super::arithmetic::{Arithmetic, Part};
use super::context::SubproductTree;
use super::plan::TreePlan;
use crate::backend::{Argument, Launch};
use crate::buffer::Buffer;
use crate::device::Device;
use crate::error::GpuError;
use crate::field::{
    Modulus, POWERS, ResidueWord, SUMS, Scale, field_source, field_table, is_double,
};
use crate::ntt::NttContext;
use crate::program::{Kernel, Source};
use crate::stream::Stream;

/// The kernels.
const TREE: &str = include_str!("tree.cl");

/// The program.
pub(crate) fn source<E: ResidueWord>(leaf: usize, spare: bool) -> Source<'static> {
    field_source::<E>("subproduct trees", leaf, spare)
        .part(SUMS)
        .part(POWERS)
        .part(TREE)
}

/// Programs of every word.
pub(crate) fn sources() -> Vec<Source<'static>> {
    vec![
        source::<u32>(256, true),
        source::<u64>(256, false),
        source::<u64>(256, true),
    ]
}

/// Arithmetic modulo an odd prime.
#[derive(Debug)]
pub struct Words<E: ResidueWord> {
    plan: TreePlan,
    fields: Buffer<E>,
    kernels: Kernels,
    /// Of 2, 4, 8 … leaves' points, up to 2N.
    transforms: Vec<NttContext<E>>,
}

/// The kernels of the program.
#[derive(Debug)]
struct Kernels {
    part: Kernel,
    leaves: Kernel,
    spread: Kernel,
    products: Kernel,
    inverse: Kernel,
    down: Kernel,
    upper: Kernel,
    up: Kernel,
    values: Kernel,
    derivative: Kernel,
    weights: Kernel,
}

impl<E: ResidueWord + std::fmt::Debug> SubproductTree<Words<E>> {
    /// The tree over `count` points, canonical residues from the element on that is given, in the way that suits the device.
    ///
    /// # Errors
    /// [`GpuError::Shape`] for a number that is no odd prime in the word's range, one without roots of unity for so many
    /// points ([`TreePlan::fits`]), no points or more than 2^27, and doubles; [`GpuError::OutOfMemory`] before anything is
    /// computed; errors of the device.
    pub fn new(
        device: &Device,
        stream: &Stream,
        prime: u64,
        points: (&Buffer<E>, usize),
        count: usize,
    ) -> Result<Self, GpuError> {
        let plan = TreePlan::for_device(device.info(), count);
        Self::with_plan(device, stream, prime, points, plan)
    }

    /// In a given way.
    ///
    /// # Errors
    /// As [`SubproductTree::new`], and [`GpuError::Shape`] for leaves beyond the device's limits.
    pub fn with_plan(
        device: &Device,
        stream: &Stream,
        prime: u64,
        (points, first): (&Buffer<E>, usize),
        plan: TreePlan,
    ) -> Result<Self, GpuError> {
        let plan = plan.check(device.info())?;
        points.check_rows("points", first, plan.points, 1)?;
        let modulus = Modulus::new::<E>(device, prime)?;
        if is_double::<E>() || !plan.fits(prime) {
            return Err(GpuError::Shape(format!(
                "a tree over {} points takes residues in integers, `u32` or `u64`, modulo a prime with roots of unity of order \
                 {}: {prime} - 1 has no such factor",
                plan.points,
                2 * plan.padded()
            )));
        }
        plan.check_memory(device, plan.bytes::<E>(device.info())?, size_of::<E>())?;
        let arithmetic = Words::new(device, stream, modulus, plan)?;
        Self::over(device, stream, arithmetic, (points, first), plan)
    }
}

impl<E: ResidueWord> Words<E> {
    fn new(
        device: &Device,
        stream: &Stream,
        modulus: Modulus,
        plan: TreePlan,
    ) -> Result<Self, GpuError> {
        let program = device.program(&source::<E>(plan.leaf, modulus.is_spare::<E>()))?;
        let kernel = |name| program.kernel(name);
        let transform = |level| NttContext::new(device, modulus.prime(), plan.log_points(level));
        Ok(Self {
            plan,
            fields: field_table(stream, &[modulus], 0)?,
            kernels: Kernels {
                part: kernel("tree_part")?,
                leaves: kernel("tree_leaves")?,
                spread: kernel("tree_spread")?,
                products: kernel("tree_products")?,
                inverse: kernel("tree_inverse")?,
                down: kernel("tree_down")?,
                upper: kernel("tree_upper")?,
                up: kernel("tree_up")?,
                values: kernel("tree_values")?,
                derivative: kernel("tree_derivative")?,
                weights: kernel("tree_weights")?,
            },
            transforms: (0..=plan.levels())
                .map(transform)
                .collect::<Result<_, _>>()?,
        })
    }

    /// A thread for each of `count` elements.
    fn each(&self, count: usize) -> Result<Launch, GpuError> {
        let threads = self.plan.leaf;
        Launch::new(count.div_ceil(threads) as u64, threads, 0)
    }

    /// What kernels are told that multiply vectors of the level's length, N words in all.
    fn vectors(&self, level: usize) -> [Argument; 4] {
        [
            Argument::U32(self.plan.padded() as u32),
            Argument::U32(self.plan.log_points(level)),
            Scale::ProductOne.into(),
            (&self.fields).into(),
        ]
    }
}

impl<E: ResidueWord + std::fmt::Debug> Arithmetic for Words<E> {
    type Word = E;

    const WIDTH: usize = 1;

    fn transform(
        &self,
        stream: &Stream,
        level: usize,
        data: &mut Buffer<E>,
        batch: usize,
        backward: bool,
    ) -> Result<(), GpuError> {
        let transform = &self.transforms[level];
        match backward {
            false => transform.forward(stream, data, 0, batch),
            true => transform.inverse(stream, data, 0, batch),
        }
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

    fn part(
        &self,
        stream: &Stream,
        (to, to_first): (&mut Buffer<E>, usize),
        length: usize,
        from: &Buffer<E>,
        part: Part,
    ) -> Result<(), GpuError> {
        let (shift, backwards) = part.shift();
        let arguments = [
            to.into(),
            Argument::U64(to_first as u64),
            Argument::U32(length as u32),
            from.into(),
            Argument::U64(part.first as u64),
            Argument::U32(part.count as u32),
            Argument::U32(shift),
            Argument::U32(backwards),
            Argument::U32(part.negated.into()),
            Argument::U32(part.lead.into()),
            (&self.fields).into(),
        ];
        // SAFETY: the arguments are those of the kernel, which reads `count` elements from `first` on, and writes `length`: both
        // are there, as callers know.
        unsafe { stream.launch(&self.kernels.part, self.each(length)?, &arguments) }
    }

    fn leaves(
        &self,
        stream: &Stream,
        to: &mut Buffer<E>,
        points: &Buffer<E>,
        factors: Option<&Buffer<E>>,
    ) -> Result<(), GpuError> {
        let arguments = [
            to.into(),
            points.into(),
            factors.unwrap_or(points).into(),
            Argument::U32(factors.is_some().into()),
            Scale::ProductOne.into(),
            (&self.fields).into(),
        ];
        let launch = self.each(self.plan.padded())?;
        // SAFETY: the arguments are those of the kernel, for N words of each buffer.
        unsafe { stream.launch(&self.kernels.leaves, launch, &arguments) }
    }

    fn spread(
        &self,
        stream: &Stream,
        to: &mut Buffer<E>,
        from: &Buffer<E>,
        level: usize,
        monic: bool,
    ) -> Result<(), GpuError> {
        let n = self.plan.padded();
        let arguments = [
            to.into(),
            from.into(),
            Argument::U32(n as u32),
            Argument::U32(self.plan.log_points(level) - 1),
            Argument::U32(monic.into()),
            Argument::U32((monic && level > 0).into()),
            (&self.fields).into(),
        ];
        // SAFETY: the arguments are those of the kernel, for N words, and twice as many.
        unsafe { stream.launch(&self.kernels.spread, self.each(n)?, &arguments) }
    }

    fn products(
        &self,
        stream: &Stream,
        level: usize,
        to: &mut Buffer<E>,
        from: &Buffer<E>,
    ) -> Result<(), GpuError> {
        let mut arguments = vec![to.into(), from.into()];
        arguments.extend(self.vectors(level));
        let launch = self.each(self.plan.padded())?;
        // SAFETY: the arguments are those of the kernel, for N words of products, and twice as many.
        unsafe { stream.launch(&self.kernels.products, launch, &arguments) }
    }

    fn invert_leaf(
        &self,
        stream: &Stream,
        to: &mut Buffer<E>,
        from: &Buffer<E>,
    ) -> Result<(), GpuError> {
        let arguments = [
            to.into(),
            from.into(),
            Scale::ProductOne.into(),
            (&self.fields).into(),
        ];
        let launch = Launch::new(1, self.plan.leaf, 0)?;
        // SAFETY: the arguments are those of the kernel, which reads and writes as many words as a leaf has points.
        unsafe { stream.launch(&self.kernels.inverse, launch, &arguments) }
    }

    fn down(
        &self,
        stream: &Stream,
        level: usize,
        to: &mut Buffer<E>,
        from: &Buffer<E>,
        nodes: &Buffer<E>,
    ) -> Result<(), GpuError> {
        let mut arguments = vec![to.into(), from.into(), nodes.into()];
        arguments.extend(self.vectors(level));
        let launch = self.each(self.plan.padded())?;
        // SAFETY: the arguments are those of the kernel, for N words of vectors and 2N of their children and factors.
        unsafe { stream.launch(&self.kernels.down, launch, &arguments) }
    }

    fn upper(
        &self,
        stream: &Stream,
        level: usize,
        to: &mut Buffer<E>,
        from: &Buffer<E>,
    ) -> Result<(), GpuError> {
        let n = self.plan.padded();
        let arguments = [
            to.into(),
            from.into(),
            Argument::U32(n as u32),
            Argument::U32(self.plan.log_points(level) - 1),
        ];
        // SAFETY: the arguments are those of the kernel, for 2N words, of which it writes N.
        unsafe { stream.launch(&self.kernels.upper, self.each(n)?, &arguments) }
    }

    fn up(
        &self,
        stream: &Stream,
        level: usize,
        to: &mut Buffer<E>,
        from: &Buffer<E>,
        nodes: &Buffer<E>,
    ) -> Result<(), GpuError> {
        let mut arguments = vec![to.into(), from.into(), nodes.into()];
        arguments.extend(self.vectors(level));
        let launch = self.each(self.plan.padded())?;
        // SAFETY: the arguments are those of the kernel, for N words of sums and 2N of vectors and factors.
        unsafe { stream.launch(&self.kernels.up, launch, &arguments) }
    }

    fn values(
        &self,
        stream: &Stream,
        (to, to_first): (&mut Buffer<E>, usize),
        down: &Buffer<E>,
        leaves: &Buffer<E>,
        points: &Buffer<E>,
        rest: bool,
    ) -> Result<(), GpuError> {
        let n = self.plan.padded();
        let arguments = [
            to.into(),
            Argument::U64(to_first as u64),
            Argument::U32(self.plan.points as u32),
            down.into(),
            leaves.into(),
            points.into(),
            Argument::U32(n.ilog2()),
            Argument::U32(rest.into()),
            Scale::ProductOne.into(),
            (&self.fields).into(),
        ];
        // SAFETY: the arguments are those of the kernel, which reads N words and writes one for each point, all there as the
        // caller checked.
        unsafe { stream.launch(&self.kernels.values, self.each(n)?, &arguments) }
    }

    fn derivative(
        &self,
        stream: &Stream,
        to: &mut Buffer<E>,
        root: &Buffer<E>,
    ) -> Result<(), GpuError> {
        let (n, points) = (self.plan.padded(), self.plan.points);
        let arguments = [
            to.into(),
            root.into(),
            Argument::U32(n as u32),
            Argument::U32((n - points) as u32),
            Scale::ProductOne.into(),
            (&self.fields).into(),
        ];
        // SAFETY: the arguments are those of the kernel, which reads N words and writes one for each point.
        unsafe { stream.launch(&self.kernels.derivative, self.each(points)?, &arguments) }
    }

    fn prepare_weights(
        &self,
        stream: &Stream,
        weights: Buffer<E>,
    ) -> Result<Result<Buffer<E>, usize>, GpuError> {
        let mut found = vec![E::from_residue(0); self.plan.points];
        stream.read(&weights, &mut found)?;
        let zero = found.iter().position(|weight| weight.residue() == 0);
        Ok(zero.map_or(Ok(weights), Err))
    }

    fn divide(
        &self,
        stream: &Stream,
        to: &mut Buffer<E>,
        (values, first): (&Buffer<E>, usize),
        weights: &Buffer<E>,
    ) -> Result<(), GpuError> {
        let n = self.plan.padded();
        let arguments = [
            to.into(),
            Argument::U32(n as u32),
            values.into(),
            Argument::U64(first as u64),
            weights.into(),
            Argument::U32(self.plan.points as u32),
            Scale::ProductOne.into(),
            (&self.fields).into(),
        ];
        // SAFETY: the arguments are those of the kernel, which reads a word for each point and writes N, all there as the caller
        // checked.
        unsafe { stream.launch(&self.kernels.weights, self.each(n)?, &arguments) }
    }
}
