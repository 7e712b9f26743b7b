//! Determinants of matrices that no group of threads shares: panels of rows, one after the other.

use super::plan::PanelShape;
use crate::backend::{Argument, Launch};
use crate::buffer::Buffer;
use crate::device::Device;
use crate::error::GpuError;
use crate::field::{POWERS, ResidueWord, SUMS, Scale, field_source};
use crate::program::{Kernel, Source};
use crate::stream::Stream;

/// The kernels.
const PANELS: &str = include_str!("panels.cl");

/// Words that are kept of a matrix's determinant so far.
const STATE: usize = 4;

/// The program.
pub(crate) fn source<E: ResidueWord>(shape: &PanelShape, spare: bool) -> Source<'static> {
    field_source::<E>("determinants of large matrices", shape.threads(), spare)
        .define("ROWS", shape.rows)
        .define("SIDE", shape.side)
        .part(SUMS)
        .part(POWERS)
        .part(PANELS)
}

/// Elimination by panels of rows.
#[derive(Debug)]
pub(super) struct Panels {
    device: Device,
    shape: PanelShape,
    begin: Kernel,
    panel: Kernel,
    solve: Kernel,
    update: Kernel,
    end: Kernel,
}

/// Matrices that are computed with together, and what is kept of them.
struct Work<'a, E: ResidueWord> {
    fields: &'a Buffer<E>,
    order: usize,
    /// How many, the number of the first one, and how many there are for each prime.
    count: usize,
    first: usize,
    each: usize,
    entries: Buffer<E>,
    columns: Buffer<u32>,
    state: Buffer<E>,
    /// The transformations of panels, and panels transformed by them.
    transforms: Buffer<E>,
    solved: Buffer<E>,
}

impl Panels {
    pub(super) fn new<E: ResidueWord>(
        device: &Device,
        shape: PanelShape,
        spare: bool,
    ) -> Result<Self, GpuError> {
        let program = device.program(&source::<E>(&shape, spare))?;
        Ok(Self {
            device: device.clone(),
            shape,
            begin: program.kernel("determinant_begin")?,
            panel: program.kernel("determinant_panel")?,
            solve: program.kernel("determinant_solve")?,
            update: program.kernel("determinant_update")?,
            end: program.kernel("determinant_end")?,
        })
    }

    /// How rows are cut.
    pub(super) const fn shape(&self) -> PanelShape {
        self.shape
    }

    /// Computes the determinants of `count` matrices, of which there are `each` for each prime, as many at a time as the
    /// memory holds; what they are computed in is freed at the end.
    pub(super) fn run<E: ResidueWord>(
        &self,
        stream: &Stream,
        fields: &Buffer<E>,
        order: usize,
        (from, from_first): (&Buffer<E>, usize),
        (to, to_first): (&mut Buffer<E>, usize),
        (count, each): (usize, usize),
    ) -> Result<(), GpuError> {
        let bytes = self.shape.working_bytes::<E>(order);
        let matrix = (order * order * size_of::<E>()) as u64;
        let fit =
            (self.device.memory_free() / bytes).min(self.device.info().largest_buffer / matrix);
        let fit = usize::try_from(fit).unwrap_or(usize::MAX);
        if fit == 0 {
            return Err(self.device.out_of_memory(bytes));
        }
        let together = fit.min(count);
        let rows = self.shape.rows;
        let mut work = Work {
            fields,
            order,
            count: together,
            first: 0,
            each,
            entries: self.device.buffer(together * order * order)?,
            columns: self.device.buffer(together * order)?,
            state: self.device.buffer(together * STATE)?,
            transforms: self.device.buffer(together * rows * rows)?,
            solved: self.device.buffer(together * rows * order)?,
        };
        while work.first < count {
            work.count = together.min(count - work.first);
            let from_first = from_first + work.first * order * order;
            self.begin(stream, &mut work, (from, from_first))?;
            for done in (0..order).step_by(rows) {
                self.panel(stream, &mut work, done)?;
                if done + rows < order {
                    self.update(stream, &mut work, done + rows)?;
                }
            }
            self.end(stream, &work, (&mut *to, to_first + work.first))?;
            work.first += work.count;
        }
        Ok(())
    }

    fn begin<E: ResidueWord>(
        &self,
        stream: &Stream,
        work: &mut Work<'_, E>,
        (from, from_first): (&Buffer<E>, usize),
    ) -> Result<(), GpuError> {
        let entries = work.count * work.order * work.order;
        let mut arguments = vec![
            (&mut work.entries).into(),
            (&mut work.columns).into(),
            (&mut work.state).into(),
            from.into(),
            Argument::U64(from_first as u64),
            Argument::U32(work.order as u32),
            Argument::U32(work.count as u32),
        ];
        arguments.extend(work.primes_and_scale());
        // SAFETY: the arguments are those of the kernel, which copies `count` matrices, all there as the caller checked.
        unsafe { stream.launch(&self.begin, self.launch(entries)?, &arguments) }
    }

    fn panel<E: ResidueWord>(
        &self,
        stream: &Stream,
        work: &mut Work<'_, E>,
        done: usize,
    ) -> Result<(), GpuError> {
        let launch = Launch::new(work.count as u64, self.shape.threads(), 0)?;
        let mut arguments = vec![
            (&mut work.state).into(),
            (&mut work.columns).into(),
            (&mut work.transforms).into(),
            (&work.entries).into(),
            Argument::U32(work.order as u32),
            Argument::U32(done as u32),
        ];
        arguments.extend(work.primes_and_scale());
        // SAFETY: the arguments are those of the kernel: a group has a matrix, and `done` is below its order.
        unsafe { stream.launch(&self.panel, launch, &arguments) }
    }

    /// What the panel that ends before row `done` does to the rows below it.
    fn update<E: ResidueWord>(
        &self,
        stream: &Stream,
        work: &mut Work<'_, E>,
        done: usize,
    ) -> Result<(), GpuError> {
        let threads = self.shape.threads();
        let tiles = (work.order - done).div_ceil(self.shape.tile());
        let mut sizes = vec![
            Argument::U32(work.order as u32),
            Argument::U32(done as u32),
            Argument::U32(tiles as u32),
        ];
        sizes.extend(work.primes());
        sizes.push(work.fields.into());
        let mut solve = vec![
            (&mut work.solved).into(),
            (&work.columns).into(),
            (&work.transforms).into(),
            (&work.entries).into(),
        ];
        solve.extend(&sizes);
        let launch = Launch::new((work.count * tiles) as u64, threads, 0)?;
        // SAFETY: the arguments are those of the kernel, whose groups have tiles of `count` matrices from column `done` on.
        unsafe { stream.launch(&self.solve, launch, &solve)? };
        let mut update = vec![
            (&mut work.entries).into(),
            (&work.columns).into(),
            (&work.solved).into(),
        ];
        update.extend(&sizes);
        let launch = Launch::new((work.count * tiles * tiles) as u64, threads, 0)?;
        // SAFETY: the same, from row `done` on.
        unsafe { stream.launch(&self.update, launch, &update) }
    }

    fn end<E: ResidueWord>(
        &self,
        stream: &Stream,
        work: &Work<'_, E>,
        (to, to_first): (&mut Buffer<E>, usize),
    ) -> Result<(), GpuError> {
        let mut arguments = vec![
            to.into(),
            Argument::U64(to_first as u64),
            (&work.state).into(),
            Argument::U32(work.count as u32),
        ];
        arguments.extend(work.primes_and_scale());
        // SAFETY: the arguments are those of the kernel, which writes `count` words, all there as the caller checked.
        unsafe { stream.launch(&self.end, self.launch(work.count)?, &arguments) }
    }

    /// A thread for each of `count`.
    fn launch(&self, count: usize) -> Result<Launch, GpuError> {
        let threads = self.shape.threads();
        Launch::new(count.div_ceil(threads) as u64, threads, 0)
    }
}

impl<E: ResidueWord> Work<'_, E> {
    /// By what kernels find the prime of a matrix.
    fn primes(&self) -> [Argument; 2] {
        [self.first, self.each].map(|number| Argument::U32(number as u32))
    }

    /// The same, and what kernels take residues into their form by.
    fn primes_and_scale(&self) -> [Argument; 4] {
        let [first, each] = self.primes();
        [first, each, Scale::ProductOne.into(), self.fields.into()]
    }
}
