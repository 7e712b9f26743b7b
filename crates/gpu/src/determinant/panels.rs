//! Determinants of matrices that no group of threads shares: panels of rows, one after the other.

use super::plan::PanelConfig;
use crate::elements::{Elements, ElementsMut, ElementsRef};
use crate::field::{Fields, POWERS, SUMS, Scale};
use crate::work::sum_of;
use sunzi_device::parameters::Note;
use sunzi_device::{Buffer, Device, GpuError, Kernel, Launch, Source, Stream, Work, kernel};

/// The kernels.
const PANELS: &str = include_str!("panels.cl");

kernel! {
    /// Copies of matrices of n rows, the first of which is number `first` of `each` for each prime.
    unsafe struct Begin<'a> for "determinant_begin" {
        a: ElementsMut<'a> [count * n * n],
        columns: &'a mut Buffer<u32> [count * n],
        state: ElementsMut<'a> [count * STATE as u128],
        from: ElementsRef<'a> [from_first + count * n * n],
        from_first: u64,
        n: u32,
        count: u32,
        first: u32,
        each: u32,
        scale: Scale,
        fields: &'a Fields,
    }
    work(k, _launch) {
        let entries = u64::from(k.count) * u64::from(k.n) * u64::from(k.n);
        Work {
            bytes: 2 * entries * k.fields.word().bytes() as u64,
            multiplications: entries * sum_of(k.fields.word().width(), 1),
            barriers: 0,
        }
    }
}

kernel! {
    /// The columns of a panel and its transformation: a group has a matrix.
    unsafe struct Panel<'a> for "determinant_panel" in launch {
        state: ElementsMut<'a> [launch.groups() * STATE as u128],
        columns: &'a mut Buffer<u32> [launch.groups() * n],
        transform: ElementsMut<'a>,
        a: ElementsRef<'a> [launch.groups() * n * n],
        n: u32,
        done: u32,
        first: u32,
        each: u32,
        scale: Scale,
        fields: &'a Fields,
        rows: Note<usize>,
    }
    work(k, launch) {
        let (rows, batch) = (k.rows.0, launch.groups[0] as u64);
        let own = rows.min((k.n - k.done) as usize);
        // Step c leaves the columns behind it in the window, and all of the transformation.
        let steps = (0..own).map(|c| ((own - 1) * (own - c - 1 + rows)) as u64);
        Work {
            bytes: (k.fields.word().bytes() * own * (own + rows)) as u64 * batch,
            multiplications: steps.sum::<u64>() * sum_of(k.fields.word().width(), 2) * batch,
            barriers: own + 3,
        }
    }
}

kernel! {
    /// A transformed panel right of itself: a group has a tile.
    unsafe struct Solve<'a> for "determinant_solve" in launch {
        solved: ElementsMut<'a>,
        columns: &'a Buffer<u32> [launch.groups() / tiles * n],
        transform: ElementsRef<'a>,
        a: ElementsRef<'a> [launch.groups() / tiles * n * n],
        n: u32,
        done: u32,
        tiles: u32,
        first: u32,
        each: u32,
        fields: &'a Fields,
        rows: Note<usize>,
        tile: Note<usize>,
    }
    work(k, launch) {
        let (rows, left) = (k.rows.0, (k.n - k.done) as usize);
        let batch = (launch.groups[0] / k.tiles as usize) as u64;
        let met = launch.groups[0] * k.tile.0;
        Work {
            bytes: (k.fields.word().bytes() * rows * (2 * left + rows)) as u64 * batch,
            multiplications: (met * rows) as u64 * sum_of(k.fields.word().width(), rows),
            barriers: 1,
        }
    }
}

kernel! {
    /// What a panel leaves of the rows below it: a group has a tile.
    unsafe struct Update<'a> for "determinant_update" in launch {
        a: ElementsMut<'a> [launch.groups() / (tiles * tiles) * n * n],
        columns: &'a Buffer<u32> [launch.groups() / (tiles * tiles) * n],
        solved: ElementsRef<'a>,
        n: u32,
        done: u32,
        tiles: u32,
        first: u32,
        each: u32,
        fields: &'a Fields,
        rows: Note<usize>,
        tile: Note<usize>,
    }
    work(k, launch) {
        let (rows, left) = (k.rows.0, (k.n - k.done) as usize);
        let batch = launch.groups[0] as u64 / u64::from(k.tiles * k.tiles);
        let met = launch.groups[0] * k.tile.0 * k.tile.0;
        Work {
            bytes: (k.fields.word().bytes() * 2 * left * (left + rows)) as u64 * batch,
            multiplications: met as u64 * sum_of(k.fields.word().width(), rows),
            barriers: 1,
        }
    }
}

kernel! {
    /// The determinants, as residues.
    unsafe struct End<'a> for "determinant_end" {
        to: ElementsMut<'a> [to_first + count],
        to_first: u64,
        state: ElementsRef<'a> [count * STATE as u128],
        count: u32,
        first: u32,
        each: u32,
        scale: Scale,
        fields: &'a Fields,
    }
    work(k, _launch) {
        Work {
            bytes: 2 * u64::from(k.count) * k.fields.word().bytes() as u64,
            ..Work::default()
        }
    }
}

/// Words that are kept of a matrix's determinant so far.
const STATE: usize = 4;

/// The program.
fn source(fields: &Fields, config: &PanelConfig) -> Source<'static> {
    fields
        .source("determinants of large matrices", config.threads())
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
struct Matrices<'a> {
    fields: &'a Fields,
    order: usize,
    /// How many, the number of the first one, and how many there are for each prime.
    count: usize,
    first: usize,
    each: usize,
    entries: Elements,
    columns: Buffer<u32>,
    state: Elements,
    /// The transformations of panels, and panels transformed by them.
    transforms: Elements,
    solved: Elements,
}

impl Panels {
    pub(super) fn new(
        device: &Device,
        fields: &Fields,
        config: PanelConfig,
    ) -> Result<Self, GpuError> {
        let program = device.program(&source(fields, &config))?;
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
    pub(super) fn run(
        &self,
        stream: &Stream,
        fields: &Fields,
        order: usize,
        (from, from_first): (ElementsRef<'_>, usize),
        (mut to, to_first): (ElementsMut<'_>, usize),
        (count, each): (usize, usize),
    ) -> Result<(), GpuError> {
        let word = fields.word();
        let bytes = self.config.working_bytes(word, order);
        let matrix = (order * order * word.bytes()) as u64;
        let fit =
            (self.device.memory_free() / bytes).min(self.device.info().largest_buffer / matrix);
        let fit = usize::try_from(fit).unwrap_or(usize::MAX);
        if fit == 0 {
            return Err(self.device.out_of_memory(bytes));
        }
        let together = fit.min(count);
        let rows = self.config.rows;
        let elements = |len| Elements::uninit(&self.device, len, word.width());
        let mut work = Matrices {
            fields,
            order,
            count: together,
            first: 0,
            each,
            entries: elements(together * order * order)?,
            columns: self.device.buffer(together * order)?,
            state: elements(together * STATE)?,
            transforms: elements(together * rows * rows)?,
            solved: elements(together * rows * order)?,
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
            self.end(stream, &work, (to.as_mut(), to_first + work.first))?;
            work.first += work.count;
        }
        Ok(())
    }

    fn begin(
        &self,
        stream: &Stream,
        work: &mut Matrices<'_>,
        (from, from_first): (ElementsRef<'_>, usize),
    ) -> Result<(), GpuError> {
        let entries = work.count * work.order * work.order;
        let parameters = Begin {
            a: work.entries.as_mut(),
            columns: &mut work.columns,
            state: work.state.as_mut(),
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

    fn panel(&self, stream: &Stream, work: &mut Matrices<'_>, done: usize) -> Result<(), GpuError> {
        let launch = Launch::new(work.count as u64, self.config.threads(), 0)?;
        let parameters = Panel {
            state: work.state.as_mut(),
            columns: &mut work.columns,
            transform: work.transforms.as_mut(),
            a: work.entries.as_ref(),
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
    fn update(
        &self,
        stream: &Stream,
        work: &mut Matrices<'_>,
        done: usize,
    ) -> Result<(), GpuError> {
        let threads = self.config.threads();
        let tiles = (work.order - done).div_ceil(self.config.tile());
        let [n, done, first, each] =
            [work.order, done, work.first, work.each].map(|number| number as u32);
        let solve = Solve {
            solved: work.solved.as_mut(),
            columns: &work.columns,
            transform: work.transforms.as_ref(),
            a: work.entries.as_ref(),
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
            a: work.entries.as_mut(),
            columns: &work.columns,
            solved: work.solved.as_ref(),
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

    fn end(
        &self,
        stream: &Stream,
        work: &Matrices<'_>,
        (to, to_first): (ElementsMut<'_>, usize),
    ) -> Result<(), GpuError> {
        let parameters = End {
            to,
            to_first: to_first as u64,
            state: work.state.as_ref(),
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
