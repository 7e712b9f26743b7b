//! Trees over primes of a word.

use super::arithmetic::{Arithmetic, Part, Transforms};
use super::context::SubproductTree;
use super::one_prime::OnePrime;
use super::plan::TreePlan;
use super::several_primes::SeveralPrimes;
use crate::backend::{Argument, Launch};
use crate::buffer::Buffer;
use crate::device::Device;
use crate::error::GpuError;
use crate::field::{
    Modulus, POWERS, ResidueWord, SUMS, Scale, field_source, field_table, is_double,
};
use crate::program::{Kernel, Source};
use crate::stream::Stream;
use std::fmt::Debug;

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
        source::<u32>(256, false),
        source::<u32>(256, true),
        source::<u64>(256, false),
        source::<u64>(256, true),
    ]
}

/// Arithmetic modulo an odd prime of a word, with transforms modulo that prime, or modulo several others.
#[derive(Debug)]
pub struct Words<E: ResidueWord, T = OnePrime<E>> {
    plan: TreePlan,
    fields: Buffer<E>,
    kernels: Kernels,
    transforms: T,
}

/// The kernels of the program.
#[derive(Debug)]
struct Kernels {
    part: Kernel,
    leaves: Kernel,
    spread: Kernel,
    inverse: Kernel,
    upper: Kernel,
    values: Kernel,
    derivative: Kernel,
    weights: Kernel,
}

impl<E: ResidueWord + Debug> SubproductTree<Words<E>> {
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
        points: (&Buffer<E>, usize),
        plan: TreePlan,
    ) -> Result<Self, GpuError> {
        let plan = plan.check::<E>(device.info())?;
        let modulus = checked::<E>(device, prime, points, plan)?;
        if !plan.fits(prime) {
            return Err(GpuError::Shape(format!(
                "a tree over {} points takes a prime with roots of unity of order {}: {prime} - 1 has no such factor",
                plan.points,
                2 * plan.padded()
            )));
        }
        plan.check_memory(device, plan.bytes::<E>(device.info())?, size_of::<E>())?;
        let transforms = OnePrime::new(device, stream, modulus, plan)?;
        let arithmetic = Words::with_transforms(device, stream, modulus, plan, transforms)?;
        Self::over(device, stream, arithmetic, points, plan)
    }
}

impl<E: ResidueWord + Debug> SubproductTree<Words<E, SeveralPrimes>> {
    /// The same modulo any odd prime in the word's range: products are computed modulo several primes of 31 bits that have
    /// roots of unity, and put together again. By what [`tree_counts`](crate::tuning::tree_counts) counts that takes two to three
    /// times as long as with roots of its own.
    ///
    /// ```
    /// use sunzi_gpu::{Device, Selection, tree::SubproductTree};
    /// # fn main() -> Result<(), sunzi_gpu::GpuError> {
    /// # let Ok(device) = Device::open(Selection::Any) else { return Ok(()) };
    /// let stream = device.stream()?;
    /// let points = device.filled(&stream, &[0u32, 1, 2])?;
    /// let tree = SubproductTree::by_several_primes(&device, &stream, 1_000_000_007, (&points, 0), 3)?;
    /// let f = device.filled(&stream, &[5, 0, 1])?; // x² + 5
    /// let mut values = device.buffer(3)?;
    /// tree.evaluate(&stream, (&f, 0), 3, (&mut values, 0))?;
    /// let mut found = [0; 3];
    /// stream.read(&values, &mut found)?;
    /// assert_eq!(found, [5, 6, 9]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`SubproductTree::new`], but for roots of unity; [`GpuError::TooFewPrimes`] for more points than there are primes
    /// for.
    pub fn by_several_primes(
        device: &Device,
        stream: &Stream,
        prime: u64,
        points: (&Buffer<E>, usize),
        count: usize,
    ) -> Result<Self, GpuError> {
        let plan = TreePlan::for_device(device.info(), count);
        Self::by_several_primes_with_plan(device, stream, prime, points, plan)
    }

    /// In a given way.
    ///
    /// # Errors
    /// As [`SubproductTree::by_several_primes`], and [`GpuError::Shape`] for leaves beyond the device's limits.
    pub fn by_several_primes_with_plan(
        device: &Device,
        stream: &Stream,
        prime: u64,
        points: (&Buffer<E>, usize),
        plan: TreePlan,
    ) -> Result<Self, GpuError> {
        let plan = plan.check::<E>(device.info())?;
        let modulus = checked::<E>(device, prime, points, plan)?;
        let bytes = plan.bytes_by_several_primes::<E>(device.info(), prime)?;
        let primes = plan.basis(prime)?.len();
        plan.check_memory(device, bytes, primes * size_of::<u32>())?;
        let transforms = SeveralPrimes::new::<E>(device, stream, prime, plan)?;
        let arithmetic = Words::with_transforms(device, stream, modulus, plan, transforms)?;
        Self::over(device, stream, arithmetic, points, plan)
    }
}

/// The prime of a tree over points that are there.
fn checked<E: ResidueWord>(
    device: &Device,
    prime: u64,
    (points, first): (&Buffer<E>, usize),
    plan: TreePlan,
) -> Result<Modulus, GpuError> {
    points.check_rows("points", first, plan.points, 1)?;
    if is_double::<E>() {
        return Err(GpuError::Shape(
            "a tree takes residues in integers, `u32` or `u64`".to_owned(),
        ));
    }
    Modulus::new::<E>(device, prime)
}

impl<E: ResidueWord, T> Words<E, T> {
    fn with_transforms(
        device: &Device,
        stream: &Stream,
        modulus: Modulus,
        plan: TreePlan,
        transforms: T,
    ) -> Result<Self, GpuError> {
        let program = device.program(&source::<E>(plan.leaf, modulus.is_spare::<E>()))?;
        let kernel = |name| program.kernel(name);
        Ok(Self {
            plan,
            fields: field_table(stream, &[modulus], 0)?,
            kernels: Kernels {
                part: kernel("tree_part")?,
                leaves: kernel("tree_leaves")?,
                spread: kernel("tree_spread")?,
                inverse: kernel("tree_inverse")?,
                upper: kernel("tree_upper")?,
                values: kernel("tree_values")?,
                derivative: kernel("tree_derivative")?,
                weights: kernel("tree_weights")?,
            },
            transforms,
        })
    }

    /// A thread for each of `count` elements.
    fn each(&self, count: usize) -> Result<Launch, GpuError> {
        let threads = self.plan.leaf;
        Launch::new(count.div_ceil(threads) as u64, threads, 0)
    }
}

impl<E: ResidueWord + Debug, T: Transforms<E>> Arithmetic for Words<E, T> {
    type Word = E;
    type Transforms = T;

    const WIDTH: usize = 1;

    fn transforms(&self) -> &T {
        &self.transforms
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
