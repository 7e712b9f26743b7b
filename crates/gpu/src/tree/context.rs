//! A subproduct tree, and how it is made.

use super::arithmetic::{Arithmetic, Part, Transforms};
use super::plan::TreePlan;
use crate::buffer::Buffer;
use crate::device::Device;
use crate::error::GpuError;
use crate::stream::Stream;
use std::sync::OnceLock;

/// The tree of products of x − u over points u in a field: modulo an odd prime of a word ([`Words`](super::Words)), or modulo
/// r^k + 1 ([`Elements`](super::Elements)).
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
pub struct SubproductTree<A: Arithmetic> {
    pub(super) device: Device,
    pub(super) plan: TreePlan,
    pub(super) arithmetic: A,
    pub(super) points: Buffer<A::Word>,
    pub(super) leaves: Buffer<A::Word>,
    /// From the leaves upward, without the root: the transforms of nodes at twice as many points as they cover.
    pub(super) levels: Vec<Buffer<Value<A>>>,
    /// The coefficients of the root, without the leading 1; the constant term may be 1 more.
    pub(super) root: Buffer<A::Word>,
    /// The transform at 2N points of 1 over the reversed root, to N terms.
    pub(super) inverse: Buffer<Value<A>>,
    /// The root's derivative at the points, or one of those that are equal, when first wanted.
    pub(super) weights: OnceLock<Result<Buffer<A::Word>, usize>>,
}

/// What values of transforms are kept in.
pub(super) type Value<A> =
    <<A as Arithmetic>::Transforms as Transforms<<A as Arithmetic>::Word>>::Value;

impl<A: Arithmetic> SubproductTree<A> {
    /// The tree over points that are there, in a way and with memory that were checked.
    pub(super) fn over(
        device: &Device,
        stream: &Stream,
        arithmetic: A,
        (points, first): (&Buffer<A::Word>, usize),
        plan: TreePlan,
    ) -> Result<Self, GpuError> {
        let mut tree = Self {
            device: device.clone(),
            plan,
            arithmetic,
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
        Ok(tree)
    }

    /// How it is laid out.
    pub const fn plan(&self) -> TreePlan {
        self.plan
    }

    /// Memory for so many elements.
    pub(super) fn buffer(&self, elements: usize) -> Result<Buffer<A::Word>, GpuError> {
        self.device.buffer(elements * A::WIDTH)
    }

    /// Vectors of a level that N elements are.
    pub(super) fn vectors(&self, level: usize) -> usize {
        self.plan.padded() >> self.plan.log_points(level)
    }

    /// Leaves, and all levels up to the root.
    fn grow(
        &mut self,
        stream: &Stream,
        (points, first): (&Buffer<A::Word>, usize),
    ) -> Result<(), GpuError> {
        let n = self.plan.padded();
        let arithmetic = &self.arithmetic;
        let mut padded = self.buffer(n)?;
        let part = Part::of(first, self.plan.points);
        arithmetic.part(stream, (&mut padded, 0), n, points, part)?;
        let mut leaves = self.buffer(n)?;
        arithmetic.leaves(stream, &mut leaves, &padded, None)?;
        let mut node = self.buffer(n)?;
        stream.copy((&leaves, 0), (&mut node, 0), n * A::WIDTH)?;
        let transforms = arithmetic.transforms();
        for level in 0..self.plan.levels() {
            let mut spread = self.buffer(2 * n)?;
            let vectors = self.vectors(level);
            arithmetic.spread(stream, &mut spread, &node, level, true)?;
            drop(node);
            let values = transforms.forward(stream, level, spread, 2 * vectors)?;
            let products = transforms.products(stream, level, &values)?;
            node = transforms.inverse(stream, level, products, vectors)?;
            self.levels.push(values);
        }
        (self.points, self.leaves, self.root) = (padded, leaves, node);
        Ok(())
    }

    /// The inverse of the reversed root.
    fn invert(&mut self, stream: &Stream) -> Result<(), GpuError> {
        let (n, leaf) = (self.plan.padded(), self.plan.leaf);
        let arithmetic = &self.arithmetic;
        let transforms = arithmetic.transforms();
        let (mut reversed, mut inverse) = (self.buffer(n)?, self.buffer(n)?);
        let of_root = Part {
            lead: true,
            ..Part::backward(0, n, n)
        };
        arithmetic.part(stream, (&mut reversed, 0), n, &self.root, of_root)?;
        arithmetic.invert_leaf(stream, &mut inverse, &reversed)?;
        for level in 0..self.plan.levels() {
            // From h terms to 2h: what the inverse lacks is -e times it, where it times the series is 1 + e x^h + …
            let h = leaf << level;
            let (mut series, mut known) = (self.buffer(2 * h)?, self.buffer(2 * h)?);
            let of_series = Part::of(0, 2 * h);
            arithmetic.part(stream, (&mut series, 0), 2 * h, &reversed, of_series)?;
            arithmetic.part(stream, (&mut known, 0), 2 * h, &inverse, Part::of(0, h))?;
            let known = transforms.forward(stream, level, known, 1)?;
            let mut error = transforms.forward(stream, level, series, 1)?;
            transforms.multiply(stream, level, &mut error, &known)?;
            let error = transforms.inverse(stream, level, error, 1)?;
            let mut step = self.buffer(2 * h)?;
            arithmetic.part(stream, (&mut step, 0), 2 * h, &error, Part::of(h, h))?;
            drop(error);
            let mut step = transforms.forward(stream, level, step, 1)?;
            transforms.multiply(stream, level, &mut step, &known)?;
            let step = transforms.inverse(stream, level, step, 1)?;
            let negated = Part {
                negated: true,
                ..Part::of(0, h)
            };
            arithmetic.part(stream, (&mut inverse, h), h, &step, negated)?;
        }
        let mut padded = self.buffer(2 * n)?;
        arithmetic.part(stream, (&mut padded, 0), 2 * n, &inverse, Part::of(0, n))?;
        self.inverse = transforms.forward(stream, self.plan.levels(), padded, 1)?;
        Ok(())
    }
}
