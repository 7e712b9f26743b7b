//! Determinants of matrices that no group of threads shares: panels of rows, one after the other.

use super::plan::PanelConfig;
use crate::field::{POWERS, ResidueWord, SUMS, Scale, field_source};
use crate::work::sum_of;
use sunzi_device::parameters::Note;
use sunzi_device::{Buffer, Device, GpuError, Kernel, Launch, Source, Stream, Work, kernel};

/// The kernels.
const PANELS: &str = include_str!("panels.cl");

kernel! {
    /// Copies of matrices of n rows, the first of which is number `first` of `each` for each prime.
    struct Begin<'a, E: ResidueWord> for "determinant_begin" {
        a: &'a mut Buffer<E> [count * n * n],
        columns: &'a mut Buffer<u32> [count * n],
        state: &'a mut Buffer<E> [count * STATE as u128],
        from: &'a Buffer<E> [from_first + count * n * n],
        from_first: u64,
        n: u32,
        count: u32,
        first: u32,
        each: u32,
        scale: Scale,
        fields: &'a Buffer<E>,
    }
    work(k, _launch) {
        let entries = u64::from(k.count) * u64::from(k.n) * u64::from(k.n);
        Work {
            bytes: 2 * entries * size_of::<E>() as u64,
            multiplications: entries * sum_of::<E>(1),
            barriers: 0,
        }
    }
}

kernel! {
    /// The columns of a panel and its transformation: a group has a matrix.
    struct Panel<'a, E: ResidueWord> for "determinant_panel" in launch {
        state: &'a mut Buffer<E> [launch.groups() * STATE as u128],
        columns: &'a mut Buffer<u32> [launch.groups() * n],
        transform: &'a mut Buffer<E>,
        a: &'a Buffer<E> [launch.groups() * n * n],
        n: u32,
        done: u32,
        first: u32,
        each: u32,
        scale: Scale,
        fields: &'a Buffer<E>,
        rows: Note<usize>,
    }
    work(k, launch) {
        let (rows, batch) = (k.rows.0, launch.groups[0] as u64);
        let own = rows.min((k.n - k.done) as usize);
        // Step c leaves the columns behind it in the window, and all of the transformation.
        let steps = (0..own).map(|c| ((own - 1) * (own - c - 1 + rows)) as u64);
        Work {
            bytes: (size_of::<E>() * own * (own + rows)) as u64 * batch,
            multiplications: steps.sum::<u64>() * sum_of::<E>(2) * batch,
            barriers: own + 3,
        }
    }
}

kernel! {
    /// A transformed panel right of itself: a group has a tile.
    struct Solve<'a, E: ResidueWord> for "determinant_solve" in launch {
        solved: &'a mut Buffer<E>,
        columns: &'a Buffer<u32> [launch.groups() / tiles * n],
        transform: &'a Buffer<E>,
        a: &'a Buffer<E> [launch.groups() / tiles * n * n],
        n: u32,
        done: u32,
        tiles: u32,
        first: u32,
        each: u32,
        fields: &'a Buffer<E>,
        rows: Note<usize>,
        tile: Note<usize>,
    }
    work(k, launch) {
        let (rows, left) = (k.rows.0, (k.n - k.done) as usize);
        let batch = (launch.groups[0] / k.tiles as usize) as u64;
        let met = launch.groups[0] * k.tile.0;
        Work {
            bytes: (size_of::<E>() * rows * (2 * left + rows)) as u64 * batch,
            multiplications: (met * rows) as u64 * sum_of::<E>(rows),
            barriers: 1,
        }
    }
}

kernel! {
    /// What a panel leaves of the rows below it: a group has a tile.
    struct Update<'a, E: ResidueWord> for "determinant_update" in launch {
        a: &'a mut Buffer<E> [launch.groups() / (tiles * tiles) * n * n],
        columns: &'a Buffer<u32> [launch.groups() / (tiles * tiles) * n],
        solved: &'a Buffer<E>,
        n: u32,
        done: u32,
        tiles: u32,
        first: u32,
        each: u32,
        fields: &'a Buffer<E>,
        rows: Note<usize>,
        tile: Note<usize>,
    }
    work(k, launch) {
        let (rows, left) = (k.rows.0, (k.n - k.done) as usize);
        let batch = launch.groups[0] as u64 / u64::from(k.tiles * k.tiles);
        let met = launch.groups[0] * k.tile.0 * k.tile.0;
        Work {
            bytes: (size_of::<E>() * 2 * left * (left + rows)) as u64 * batch,
            multiplications: met as u64 * sum_of::<E>(rows),
            barriers: 1,
        }
    }
}

kernel! {
    /// The determinants, as residues.
    struct End<'a, E: ResidueWord> for "determinant_end" {
        to: &'a mut Buffer<E> [to_first + count],
        to_first: u64,
        state: &'a Buffer<E> [count * STATE as u128],
        count: u32,
        first: u32,
        each: u32,
        scale: Scale,
        fields: &'a Buffer<E>,
    }
    work(k, _launch) {
        Work {
            bytes: 2 * u64::from(k.count) * size_of::<E>() as u64,
            ..Work::default()
        }
    }
}

/// Words that are kept of a matrix's determinant so far.
const STATE: usize = 4;

/// The program.
pub(crate) fn source<E: ResidueWord>(config: &PanelConfig, spare: bool) -> Source<'static> {
    field_source::<E>("determinants of large matrices", config.threads(), spare)
        .define("ROWS", config.rows)
        .define("SIDE", config.side)
        .part(SUMS)
        .part(POWERS)
        .part(PANELS)
}

/// Elimination by panels of rows.
#[derive(Debug)]
pub(super) struct Panels {
    device: Device,
    config: PanelConfig,
    begin: Kernel,
    panel: Kernel,
    solve: Kernel,
    update: Kernel,
    end: Kernel,
}

/// Matrices that are computed with together, and what is kept of them.
struct Matrices<'a, E: ResidueWord> {
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
        config: PanelConfig,
        spare: bool,
    ) -> Result<Self, GpuError> {
        let program = device.program(&source::<E>(&config, spare))?;
        Ok(Self {
            device: device.clone(),
            config,
            begin: program.kernel("determinant_begin")?,
            panel: program.kernel("determinant_panel")?,
            solve: program.kernel("determinant_solve")?,
            update: program.kernel("determinant_update")?,
            end: program.kernel("determinant_end")?,
        })
    }

    /// How rows are cut.
    pub(super) const fn config(&self) -> PanelConfig {
        self.config
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
        let bytes = self.config.working_bytes::<E>(order);
        let matrix = (order * order * size_of::<E>()) as u64;
        let fit =
            (self.device.memory_free() / bytes).min(self.device.info().largest_buffer / matrix);
        let fit = usize::try_from(fit).unwrap_or(usize::MAX);
        if fit == 0 {
            return Err(self.device.out_of_memory(bytes));
        }
        let together = fit.min(count);
        let rows = self.config.rows;
        let mut work = Matrices {
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
        work: &mut Matrices<'_, E>,
        (from, from_first): (&Buffer<E>, usize),
    ) -> Result<(), GpuError> {
        let entries = work.count * work.order * work.order;
        let parameters = Begin {
            a: &mut work.entries,
            columns: &mut work.columns,
            state: &mut work.state,
            from,
            from_first: from_first as u64,
            n: work.order as u32,
            count: work.count as u32,
            first: work.first as u32,
            each: work.each as u32,
            scale: Scale::ProductOne,
            fields: work.fields,
        };
        stream.launch(&self.begin, self.launch(entries)?, parameters)
    }

    fn panel<E: ResidueWord>(
        &self,
        stream: &Stream,
        work: &mut Matrices<'_, E>,
        done: usize,
    ) -> Result<(), GpuError> {
        let launch = Launch::new(work.count as u64, self.config.threads(), 0)?;
        let parameters = Panel {
            state: &mut work.state,
            columns: &mut work.columns,
            transform: &mut work.transforms,
            a: &work.entries,
            n: work.order as u32,
            done: done as u32,
            first: work.first as u32,
            each: work.each as u32,
            scale: Scale::ProductOne,
            fields: work.fields,
            rows: Note(self.config.rows),
        };
        stream.launch(&self.panel, launch, parameters)
    }

    /// What the panel that ends before row `done` does to the rows below it.
    fn update<E: ResidueWord>(
        &self,
        stream: &Stream,
        work: &mut Matrices<'_, E>,
        done: usize,
    ) -> Result<(), GpuError> {
        let threads = self.config.threads();
        let tiles = (work.order - done).div_ceil(self.config.tile());
        let [n, done, first, each] =
            [work.order, done, work.first, work.each].map(|number| number as u32);
        let solve = Solve {
            solved: &mut work.solved,
            columns: &work.columns,
            transform: &work.transforms,
            a: &work.entries,
            n,
            done,
            tiles: tiles as u32,
            first,
            each,
            fields: work.fields,
            rows: Note(self.config.rows),
            tile: Note(self.config.tile()),
        };
        let launch = Launch::new((work.count * tiles) as u64, threads, 0)?;
        stream.launch(&self.solve, launch, solve)?;
        let update = Update {
            a: &mut work.entries,
            columns: &work.columns,
            solved: &work.solved,
            n,
            done,
            tiles: tiles as u32,
            first,
            each,
            fields: work.fields,
            rows: Note(self.config.rows),
            tile: Note(self.config.tile()),
        };
        let launch = Launch::new((work.count * tiles * tiles) as u64, threads, 0)?;
        stream.launch(&self.update, launch, update)
    }

    fn end<E: ResidueWord>(
        &self,
        stream: &Stream,
        work: &Matrices<'_, E>,
        (to, to_first): (&mut Buffer<E>, usize),
    ) -> Result<(), GpuError> {
        let parameters = End {
            to,
            to_first: to_first as u64,
            state: &work.state,
            count: work.count as u32,
            first: work.first as u32,
            each: work.each as u32,
            scale: Scale::ProductOne,
            fields: work.fields,
        };
        stream.launch(&self.end, self.launch(work.count)?, parameters)
    }

    /// A thread for each of `count`.
    fn launch(&self, count: usize) -> Result<Launch, GpuError> {
        let threads = self.config.threads();
        Launch::new(count.div_ceil(threads) as u64, threads, 0)
    }
}
