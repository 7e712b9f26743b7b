//! A subproduct tree, and how it is made.

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
use std::sync::OnceLock;

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

/// The tree of products of x − u over points u modulo an odd prime, below 2^31 in `u32` and below 2^63 in `u64`.
///
/// It may be used on any stream of its device, by several threads at a time.
///
/// ```
/// use sunzi_gpu::{Device, Selection, tree::SubproductTree};
/// # fn main() -> Result<(), sunzi_gpu::GpuError> {
/// # let Ok(device) = Device::open(Selection::Any) else { return Ok(()) };
/// let stream = device.stream()?;
/// let points = device.filled(&stream, &[0u32, 1, 2])?;
/// let tree = SubproductTree::new(&device, &stream, 469_762_049, (&points, 0), 3)?;
/// let f = device.filled(&stream, &[5, 0, 1])?; // x² + 5
/// let (mut values, mut again) = (device.buffer(3)?, device.buffer(3)?);
/// tree.evaluate(&stream, (&f, 0), 3, (&mut values, 0))?;
/// tree.interpolate(&stream, (&values, 0), (&mut again, 0))?;
/// let mut found = [[0; 3]; 2];
/// stream.read(&values, &mut found[0])?;
/// stream.read(&again, &mut found[1])?;
/// assert_eq!(found, [[5, 6, 9], [5, 0, 1]]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct SubproductTree<E: ResidueWord> {
    pub(super) device: Device,
    pub(super) plan: TreePlan,
    pub(super) fields: Buffer<E>,
    pub(super) kernels: Kernels,
    /// Of 2, 4, 8 … leaves' points, up to 2N.
    pub(super) transforms: Vec<NttContext<E>>,
    pub(super) points: Buffer<E>,
    pub(super) leaves: Buffer<E>,
    /// From the leaves upward, without the root: the transforms of nodes at twice as many points as they cover.
    pub(super) levels: Vec<Buffer<E>>,
    /// The coefficients of the root, without the leading 1; the constant term may be 1 more.
    pub(super) root: Buffer<E>,
    /// The transform at 2N points of 1 over the reversed root, to N terms.
    pub(super) inverse: Buffer<E>,
    /// The root's derivative at the points, or one of those that are equal, when first wanted.
    pub(super) weights: OnceLock<Result<Buffer<E>, usize>>,
}

/// The kernels of the program.
#[derive(Debug)]
pub(super) struct Kernels {
    part: Kernel,
    leaves: Kernel,
    spread: Kernel,
    products: Kernel,
    inverse: Kernel,
    pub(super) down: Kernel,
    pub(super) upper: Kernel,
    pub(super) up: Kernel,
    pub(super) values: Kernel,
    pub(super) derivative: Kernel,
    pub(super) weights: Kernel,
}

/// The elements of a vector that [`SubproductTree::part`] takes.
#[derive(Clone, Copy)]
pub(super) struct Part {
    /// The first of them, and how many; those beyond are 0.
    pub(super) first: usize,
    pub(super) count: usize,
    pub(super) order: Order,
    pub(super) negated: bool,
    /// Whether the first one becomes 1.
    pub(super) lead: bool,
}

/// Whether element j is number j, or number s − j.
#[derive(Clone, Copy)]
pub(super) enum Order {
    Forward,
    Backward(usize),
}

impl Part {
    /// These elements, as they are.
    pub(super) const fn of(first: usize, count: usize) -> Self {
        Self {
            first,
            count,
            order: Order::Forward,
            negated: false,
            lead: false,
        }
    }

    /// Those elements from number `shift` backwards.
    pub(super) const fn backward(first: usize, count: usize, shift: usize) -> Self {
        Self {
            order: Order::Backward(shift),
            ..Self::of(first, count)
        }
    }
}

impl<E: ResidueWord> SubproductTree<E> {
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
        let bytes = plan.bytes::<E>(device.info())?;
        let longest = (2 * plan.padded() * size_of::<E>()) as u64;
        if bytes > device.memory_free() || longest > device.info().largest_buffer {
            return Err(device.out_of_memory(bytes));
        }
        let leaf = plan.leaf;
        let program = device.program(&source::<E>(leaf, modulus.is_spare::<E>()))?;
        let kernel = |name| program.kernel(name);
        let kernels = Kernels {
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
        };
        let transforms =
            (0..=plan.levels()).map(|level| NttContext::new(device, prime, plan.log_points(level)));
        let mut tree = Self {
            device: device.clone(),
            plan,
            fields: field_table(stream, &[modulus], 0)?,
            kernels,
            transforms: transforms.collect::<Result<_, _>>()?,
            // What these are is computed below.
            points: device.buffer(1)?,
            leaves: device.buffer(1)?,
            levels: Vec::with_capacity(plan.levels()),
            root: device.buffer(1)?,
            inverse: device.buffer(1)?,
            weights: OnceLock::new(),
        };
        tree.grow(stream, (points, first))?;
        tree.invert(stream)?;
        // Other streams may use it from now on.
        stream.finish()?;
        Ok(tree)
    }

    /// How it is laid out.
    pub const fn plan(&self) -> TreePlan {
        self.plan
    }

    /// Leaves, and all levels up to the root.
    fn grow(
        &mut self,
        stream: &Stream,
        (points, first): (&Buffer<E>, usize),
    ) -> Result<(), GpuError> {
        let n = self.plan.padded();
        let mut padded = self.device.buffer(n)?;
        self.part(
            stream,
            (&mut padded, 0),
            n,
            points,
            Part::of(first, self.plan.points),
        )?;
        let mut leaves = self.device.buffer(n)?;
        self.combine_leaves(stream, &mut leaves, &padded, None)?;
        let mut node = self.device.buffer(n)?;
        stream.copy((&leaves, 0), (&mut node, 0), n)?;
        for level in 0..self.plan.levels() {
            let mut values = self.device.buffer(2 * n)?;
            self.spread(stream, &mut values, &node, level, true)?;
            let (transform, log_n) = self.transform(level);
            transform.forward(stream, &mut values, 0, (2 * n) >> log_n)?;
            let mut arguments = vec![(&mut node).into(), (&values).into()];
            arguments.extend(self.vectors(log_n));
            // SAFETY: the arguments are those of the kernel, for N words of N/n vectors, and twice as many.
            unsafe { stream.launch(&self.kernels.products, self.each(n)?, &arguments)? };
            transform.inverse(stream, &mut node, 0, n >> log_n)?;
            self.levels.push(values);
        }
        (self.points, self.leaves, self.root) = (padded, leaves, node);
        Ok(())
    }

    /// The inverse of the reversed root.
    fn invert(&mut self, stream: &Stream) -> Result<(), GpuError> {
        let (n, leaf) = (self.plan.padded(), self.plan.leaf);
        let [mut reversed, mut inverse, mut error, mut known, mut step] = {
            let buffer = || self.device.buffer(n);
            [buffer()?, buffer()?, buffer()?, buffer()?, buffer()?]
        };
        let of_root = Part {
            lead: true,
            ..Part::backward(0, n, n)
        };
        self.part(stream, (&mut reversed, 0), n, &self.root, of_root)?;
        let arguments = [
            (&mut inverse).into(),
            (&reversed).into(),
            Scale::ProductOne.into(),
            (&self.fields).into(),
        ];
        let launch = Launch::new(1, leaf, 0)?;
        // SAFETY: the arguments are those of the kernel, which reads and writes as many words as a leaf has points.
        unsafe { stream.launch(&self.kernels.inverse, launch, &arguments)? };
        for level in 0..self.plan.levels() {
            // From h terms to 2h: what the inverse lacks is -e times it, where it times the series is 1 + e x^h + …
            let h = leaf << level;
            let (transform, _) = self.transform(level);
            self.part(
                stream,
                (&mut error, 0),
                2 * h,
                &reversed,
                Part::of(0, 2 * h),
            )?;
            self.part(stream, (&mut known, 0), 2 * h, &inverse, Part::of(0, h))?;
            transform.forward(stream, &mut error, 0, 1)?;
            transform.forward(stream, &mut known, 0, 1)?;
            transform.pointwise(stream, &mut error, 0, &known, 0, 1, 1)?;
            transform.inverse(stream, &mut error, 0, 1)?;
            self.part(stream, (&mut step, 0), 2 * h, &error, Part::of(h, h))?;
            transform.forward(stream, &mut step, 0, 1)?;
            transform.pointwise(stream, &mut step, 0, &known, 0, 1, 1)?;
            transform.inverse(stream, &mut step, 0, 1)?;
            let negated = Part {
                negated: true,
                ..Part::of(0, h)
            };
            self.part(stream, (&mut inverse, h), h, &step, negated)?;
        }
        let mut values = self.device.buffer(2 * n)?;
        self.part(stream, (&mut values, 0), 2 * n, &inverse, Part::of(0, n))?;
        let (transform, _) = self.transform(self.plan.levels());
        transform.forward(stream, &mut values, 0, 1)?;
        self.inverse = values;
        Ok(())
    }

    /// The transforms of vectors that two nodes of a level become, the leaves' being 0, and log2 of their length.
    pub(super) fn transform(&self, level: usize) -> (&NttContext<E>, u32) {
        (&self.transforms[level], self.plan.log_points(level))
    }

    /// A thread for each of `count` elements.
    pub(super) fn each(&self, count: usize) -> Result<Launch, GpuError> {
        let threads = self.plan.leaf;
        Launch::new(count.div_ceil(threads) as u64, threads, 0)
    }

    /// What kernels are told that multiply vectors of 2^`log_n` words, N in all.
    pub(super) fn vectors(&self, log_n: u32) -> [Argument; 4] {
        [
            Argument::U32(self.plan.padded() as u32),
            Argument::U32(log_n),
            Scale::ProductOne.into(),
            (&self.fields).into(),
        ]
    }

    /// Submits the copy of a part of a vector to `length` elements.
    pub(super) fn part(
        &self,
        stream: &Stream,
        (to, to_first): (&mut Buffer<E>, usize),
        length: usize,
        from: &Buffer<E>,
        part: Part,
    ) -> Result<(), GpuError> {
        let (shift, backwards) = match part.order {
            Order::Forward => (0, false),
            Order::Backward(shift) => (shift, true),
        };
        let arguments = [
            to.into(),
            Argument::U64(to_first as u64),
            Argument::U32(length as u32),
            from.into(),
            Argument::U64(part.first as u64),
            Argument::U32(part.count as u32),
            Argument::U32(shift as u32),
            Argument::U32(backwards.into()),
            Argument::U32(part.negated.into()),
            Argument::U32(part.lead.into()),
            (&self.fields).into(),
        ];
        // SAFETY: the arguments are those of the kernel, which reads `count` elements from `first` on, and writes `length`: both
        // are there, as callers know.
        unsafe { stream.launch(&self.kernels.part, self.each(length)?, &arguments) }
    }

    /// Submits the leaves over points, or their sums with factors.
    pub(super) fn combine_leaves(
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

    /// Submits the spreading of a level's polynomials to vectors twice as long.
    pub(super) fn spread(
        &self,
        stream: &Stream,
        to: &mut Buffer<E>,
        from: &Buffer<E>,
        level: usize,
        monic: bool,
    ) -> Result<(), GpuError> {
        let n = self.plan.padded();
        let log_d = self.plan.log_points(level) - 1;
        let arguments = [
            to.into(),
            from.into(),
            Argument::U32(n as u32),
            Argument::U32(log_d),
            Argument::U32(monic.into()),
            Argument::U32((monic && level > 0).into()),
            (&self.fields).into(),
        ];
        // SAFETY: the arguments are those of the kernel, for N words, and twice as many.
        unsafe { stream.launch(&self.kernels.spread, self.each(n)?, &arguments) }
    }
}
