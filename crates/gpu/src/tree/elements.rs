//! Trees over primes r^k + 1.

use super::arithmetic::{Arithmetic, Part, Transforms};
use super::context::SubproductTree;
use super::plan::TreePlan;
use crate::backend::Argument;
use crate::big_prime::BigPrimeContext;
use crate::big_prime::context::{DIGITS, ELEMENTS};
use crate::big_prime::plan::step_threads;
use crate::buffer::Buffer;
use crate::device::Device;
use crate::error::GpuError;
use crate::program::{Kernel, Source};
use crate::stream::Stream;
use sunzi_field::{Digits, Field, GeneralizedFermat, TwoAdicField};

/// The kernels.
const TREE: &str = include_str!("elements.cl");

/// The program, for all primes.
pub(crate) fn source(threads: usize) -> Source<'static> {
    Source::new("subproduct trees modulo r^k + 1", threads)
        .part(DIGITS)
        .part(ELEMENTS)
        .part(TREE)
}

/// Arithmetic modulo r^K + 1, on elements of K digits. Leaves have one point.
#[derive(Debug)]
pub struct Elements<const K: usize> {
    plan: TreePlan,
    /// Of a group.
    threads: usize,
    kernels: Kernels,
    /// Of 2, 4, 8 … 2N points.
    transforms: Vec<BigPrimeContext<K>>,
}

/// The kernels of the program.
#[derive(Debug)]
struct Kernels {
    part: Kernel,
    spread: Kernel,
    products: Kernel,
    down: Kernel,
    upper: Kernel,
    up: Kernel,
    values: Kernel,
    derivative: Kernel,
}

impl<const K: usize> SubproductTree<Elements<K>> {
    /// The tree over `count` points of a field modulo r^K + 1, canonical elements from the one on that is given.
    ///
    /// ```
    /// use sunzi_field::GeneralizedFermat;
    /// use sunzi_gpu::{Device, Selection, tree::SubproductTree};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let Ok(device) = Device::open(Selection::Any) else { return Ok(()) };
    /// let field = GeneralizedFermat::<4>::new((1 << 59) + (1 << 58) + (1 << 11))?; // P4
    /// let stream = device.stream()?;
    /// let points = device.filled(&stream, &[2, 0, 0, 0, 3, 0, 0, 0])?;
    /// let tree = SubproductTree::of_elements(&device, &stream, &field, (&points, 0), 2)?;
    /// let f = device.filled(&stream, &[5, 0, 0, 0, 7, 0, 0, 0])?; // 7x + 5
    /// let mut values = device.buffer(8)?;
    /// tree.evaluate(&stream, (&f, 0), 2, (&mut values, 0))?;
    /// let mut found = [0; 8];
    /// stream.read(&values, &mut found)?;
    /// assert_eq!(found, [19, 0, 0, 0, 26, 0, 0, 0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`GpuError::Shape`] for a field that devices do not [know](BigPrimeContext::knows), one without roots of unity for so
    /// many points ([`TreePlan::fits_big_prime`]), and no points or more than 2^27; [`GpuError::Limits`] where groups of the
    /// device have too few threads; [`GpuError::OutOfMemory`] before anything is computed; errors of the device.
    pub fn of_elements(
        device: &Device,
        stream: &Stream,
        field: &GeneralizedFermat<K>,
        (points, first): (&Buffer<u64>, usize),
        count: usize,
    ) -> Result<Self, GpuError> {
        let plan = TreePlan::of_elements(count).check::<u64>(device.info())?;
        points.check_rows("points", first.saturating_mul(K), count, K)?;
        if !BigPrimeContext::knows(field) || !plan.fits_big_prime(field.two_adicity()) {
            return Err(GpuError::Shape(format!(
                "a tree over {count} points modulo {}^{K}+1 takes a radix that devices know and roots of unity of order {}",
                field.radix(),
                2 * plan.padded()
            )));
        }
        let threads = step_threads(device.info(), K)?;
        plan.check_memory(device, plan.bytes_of_elements(K), K * size_of::<u64>())?;
        let arithmetic = Elements::new(device, field, plan, threads)?;
        Self::over(device, stream, arithmetic, (points, first), plan)
    }
}

impl<const K: usize> Elements<K> {
    fn new(
        device: &Device,
        field: &GeneralizedFermat<K>,
        plan: TreePlan,
        threads: usize,
    ) -> Result<Self, GpuError> {
        let program = device.program(&source(threads))?;
        let kernel = |name| program.kernel(name);
        let batch = |level| (2 * plan.padded()) >> plan.log_points(level);
        let longest = BigPrimeContext::new(device, field, plan.log_points(plan.levels()), 1)?;
        let others =
            (0..plan.levels()).map(|level| longest.beside(plan.log_points(level), batch(level)));
        let mut transforms = others.collect::<Result<Vec<_>, _>>()?;
        transforms.push(longest);
        Ok(Self {
            plan,
            threads,
            transforms,
            kernels: Kernels {
                part: kernel("element_part")?,
                spread: kernel("element_spread")?,
                products: kernel("element_products")?,
                down: kernel("element_down")?,
                upper: kernel("element_upper")?,
                up: kernel("element_up")?,
                values: kernel("element_values")?,
                derivative: kernel("element_derivative")?,
            },
        })
    }

    /// Any of the transforms, for products.
    fn products_of_elements(&self) -> &BigPrimeContext<K> {
        &self.transforms[self.plan.levels()]
    }

    /// What all kernels are told after their own arguments.
    fn radix(&self) -> impl Iterator<Item = Argument> {
        let radix = self.products_of_elements().radix();
        radix.into_iter().chain([K.trailing_zeros().into()])
    }

    /// Submits a kernel with a thread for each digit of `count` elements.
    ///
    /// # Safety
    /// The arguments are those of the kernel, but for the radix, and it stays inside their buffers.
    unsafe fn launch(
        &self,
        stream: &Stream,
        kernel: &Kernel,
        count: usize,
        own: &[Argument],
    ) -> Result<(), GpuError> {
        let arguments: Vec<_> = own.iter().copied().chain(self.radix()).collect();
        let launch = BigPrimeContext::<K>::launch_steps(self.threads, count)?;
        // SAFETY: as the caller says.
        unsafe { stream.launch(kernel, launch, &arguments) }
    }

    /// Submits a kernel that multiplies the values of a level's nodes, and writes `length` elements.
    fn products_by(
        &self,
        stream: &Stream,
        kernel: &Kernel,
        level: usize,
        length: usize,
        from: &[&Buffer<u64>],
    ) -> Result<Buffer<u64>, GpuError> {
        let n = self.plan.padded();
        let mut to = stream.device().buffer(K * length)?;
        let mut arguments = vec![(&mut to).into()];
        arguments.extend(from.iter().map(|&buffer| Argument::of(buffer)));
        arguments.extend([
            Argument::U32(n as u32),
            Argument::U32(self.plan.log_points(level)),
        ]);
        // SAFETY: the arguments are those of the kernel, for N elements of what nodes have, and twice as many of what children
        // have.
        unsafe { self.launch(stream, kernel, n, &arguments)? };
        Ok(to)
    }

    /// The inverses of elements, none of which is 0: products of two, and of those, up to one, which the host inverts; and
    /// down again.
    fn inverses(
        &self,
        stream: &Stream,
        elements: Buffer<u64>,
        count: usize,
    ) -> Result<Buffer<u64>, GpuError> {
        let products = self.products_of_elements();
        let device = stream.device();
        // Element i < h is multiplied by element h + i; an odd one is left for the next round.
        let mut rounds = vec![(elements, count)];
        while let Some((last, count @ 2..)) = rounds.last() {
            let (half, next) = (count / 2, count.div_ceil(2));
            let mut folded = device.buffer(K * next)?;
            stream.copy((last, 0), (&mut folded, 0), K * half)?;
            stream.copy(
                (last, K * 2 * half),
                (&mut folded, K * half),
                K * (next - half),
            )?;
            products.multiply_elements(stream, (&mut folded, 0), (last, half), half)?;
            rounds.push((folded, next));
        }
        let field = products.field();
        let mut one = [0; K];
        let mut inverses = device.buffer(K)?;
        if let Some((last, _)) = rounds.pop() {
            stream.read(&last, &mut one)?;
            let inverse = field.inv(Digits(one)).unwrap_or(field.zero());
            stream.write(&mut inverses, &inverse.0)?;
        }
        for (round, count) in rounds.into_iter().rev() {
            let half = count / 2;
            let mut all = device.buffer(K * count)?;
            stream.copy((&inverses, 0), (&mut all, 0), K * half)?;
            stream.copy((&inverses, 0), (&mut all, K * half), K * half)?;
            stream.copy(
                (&inverses, K * half),
                (&mut all, K * 2 * half),
                K * (count - 2 * half),
            )?;
            products.multiply_elements(stream, (&mut all, 0), (&round, half), half)?;
            products.multiply_elements(stream, (&mut all, half), (&round, 0), half)?;
            inverses = all;
        }
        Ok(inverses)
    }
}

impl<const K: usize> Arithmetic for Elements<K> {
    type Word = u64;
    type Transforms = Self;

    const WIDTH: usize = K;

    fn transforms(&self) -> &Self {
        self
    }

    fn part(
        &self,
        stream: &Stream,
        (to, to_first): (&mut Buffer<u64>, usize),
        length: usize,
        from: &Buffer<u64>,
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
        ];
        // SAFETY: the arguments are those of the kernel, which reads `count` elements from `first` on, and writes `length`: both
        // are there, as callers know.
        unsafe { self.launch(stream, &self.kernels.part, length, &arguments) }
    }

    /// The leaf of a point u is x − u, its sum the factor.
    fn leaves(
        &self,
        stream: &Stream,
        to: &mut Buffer<u64>,
        points: &Buffer<u64>,
        factors: Option<&Buffer<u64>>,
    ) -> Result<(), GpuError> {
        let n = self.plan.padded();
        let negated = Part {
            negated: factors.is_none(),
            ..Part::of(0, n)
        };
        self.part(stream, (to, 0), n, factors.unwrap_or(points), negated)
    }

    fn spread(
        &self,
        stream: &Stream,
        to: &mut Buffer<u64>,
        from: &Buffer<u64>,
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
        ];
        // SAFETY: the arguments are those of the kernel, for N elements, and twice as many.
        unsafe { self.launch(stream, &self.kernels.spread, n, &arguments) }
    }

    /// The first term is 1.
    fn invert_leaf(
        &self,
        stream: &Stream,
        to: &mut Buffer<u64>,
        from: &Buffer<u64>,
    ) -> Result<(), GpuError> {
        self.part(stream, (to, 0), 1, from, Part::of(0, 1))
    }

    fn upper(
        &self,
        stream: &Stream,
        level: usize,
        to: &mut Buffer<u64>,
        from: &Buffer<u64>,
    ) -> Result<(), GpuError> {
        let n = self.plan.padded();
        let arguments = [
            to.into(),
            from.into(),
            Argument::U32(n as u32),
            Argument::U32(self.plan.log_points(level) - 1),
            K.trailing_zeros().into(),
        ];
        let launch = BigPrimeContext::<K>::launch_steps(self.threads, n)?;
        // SAFETY: the arguments are those of the kernel, for 2N elements, of which it writes N.
        unsafe { stream.launch(&self.kernels.upper, launch, &arguments) }
    }

    /// What comes down to the leaf of one point is the value there.
    fn values(
        &self,
        stream: &Stream,
        (to, to_first): (&mut Buffer<u64>, usize),
        down: &Buffer<u64>,
        _: &Buffer<u64>,
        points: &Buffer<u64>,
        rest: bool,
    ) -> Result<(), GpuError> {
        let count = self.plan.points;
        if !rest {
            return self.part(stream, (to, to_first), count, down, Part::of(0, count));
        }
        let arguments = [
            to.into(),
            Argument::U64(to_first as u64),
            Argument::U32(count as u32),
            down.into(),
            points.into(),
            Argument::U32(self.plan.padded().ilog2()),
        ];
        // SAFETY: the arguments are those of the kernel, which reads and writes an element for each point, all there as the
        // caller checked.
        unsafe { self.launch(stream, &self.kernels.values, count, &arguments) }
    }

    fn derivative(
        &self,
        stream: &Stream,
        to: &mut Buffer<u64>,
        root: &Buffer<u64>,
    ) -> Result<(), GpuError> {
        let (n, points) = (self.plan.padded(), self.plan.points);
        let arguments = [
            to.into(),
            root.into(),
            Argument::U32(n as u32),
            Argument::U32((n - points) as u32),
        ];
        // SAFETY: the arguments are those of the kernel, which reads N elements and writes one for each point.
        unsafe { self.launch(stream, &self.kernels.derivative, points, &arguments) }
    }

    /// Their inverses.
    fn prepare_weights(
        &self,
        stream: &Stream,
        weights: Buffer<u64>,
    ) -> Result<Result<Buffer<u64>, usize>, GpuError> {
        let count = self.plan.points;
        let mut found = vec![0; K * count];
        stream.read(&weights, &mut found)?;
        let zero = found
            .chunks(K)
            .position(|digits| digits.iter().all(|&digit| digit == 0));
        match zero {
            Some(zero) => Ok(Err(zero)),
            None => Ok(Ok(self.inverses(stream, weights, count)?)),
        }
    }

    fn divide(
        &self,
        stream: &Stream,
        to: &mut Buffer<u64>,
        (values, first): (&Buffer<u64>, usize),
        weights: &Buffer<u64>,
    ) -> Result<(), GpuError> {
        let count = self.plan.points;
        let part = Part::of(first, count);
        self.part(stream, (&mut *to, 0), self.plan.padded(), values, part)?;
        let products = self.products_of_elements();
        products.multiply_elements(stream, (to, 0), (weights, 0), count)
    }
}

impl<const K: usize> Transforms<u64> for Elements<K> {
    type Value = u64;

    fn forward(
        &self,
        stream: &Stream,
        level: usize,
        mut vectors: Buffer<u64>,
        batch: usize,
    ) -> Result<Buffer<u64>, GpuError> {
        self.transforms[level].forward(stream, (&mut vectors, 0), batch)?;
        Ok(vectors)
    }

    fn inverse(
        &self,
        stream: &Stream,
        level: usize,
        mut values: Buffer<u64>,
        batch: usize,
    ) -> Result<Buffer<u64>, GpuError> {
        self.transforms[level].inverse(stream, (&mut values, 0), batch)?;
        Ok(values)
    }

    fn multiply(
        &self,
        stream: &Stream,
        level: usize,
        a: &mut Buffer<u64>,
        b: &Buffer<u64>,
    ) -> Result<(), GpuError> {
        self.transforms[level].multiply(stream, (a, 0), (b, 0), 1, false)
    }

    fn products(
        &self,
        stream: &Stream,
        level: usize,
        from: &Buffer<u64>,
    ) -> Result<Buffer<u64>, GpuError> {
        let length = self.plan.padded();
        self.products_by(stream, &self.kernels.products, level, length, &[from])
    }

    fn down(
        &self,
        stream: &Stream,
        level: usize,
        from: &Buffer<u64>,
        nodes: &Buffer<u64>,
    ) -> Result<Buffer<u64>, GpuError> {
        let length = 2 * self.plan.padded();
        self.products_by(stream, &self.kernels.down, level, length, &[from, nodes])
    }

    fn up(
        &self,
        stream: &Stream,
        level: usize,
        from: &Buffer<u64>,
        nodes: &Buffer<u64>,
    ) -> Result<Buffer<u64>, GpuError> {
        let length = self.plan.padded();
        self.products_by(stream, &self.kernels.up, level, length, &[from, nodes])
    }
}
