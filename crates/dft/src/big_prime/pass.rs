//! Stages carried out: base cases on tiles of blocks, each followed by what its values are multiplied
//! by.

use super::base_case::{Rows, StridedPoints, row_lines, transform};
use super::input_output::{Input, Output, ReadBlock, WriteBlock};
use super::stages::{LANES, LastStage, MOST_POINTS, Stage};
use crate::transform::StepTimes;
use std::mem::MaybeUninit;
use std::time::Instant;
use sunzi_field::generalized_fermat::packed::arithmetic::{
    Arithmetic, Digit, Limbs, Room, Sums, WordDigit, Workspace,
};
use sunzi_field::generalized_fermat::packed::blocks::{Lines, Same, store_sums};
use sunzi_field::generalized_fermat::packed::number::{DigitTask, Number};
use sunzi_field::generalized_fermat::packed::operations::{multiply, multiply_lines, rotated};
use sunzi_field::generalized_fermat::packed::{Constants, Line};
use sunzi_machine::simd::{Simd, SimdTask};

/// A step of [`StepTimes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Permutation,
    BaseCase,
    Twiddle,
}

/// A clock that [`Stopwatch::lap`] stops at the end of every step; if it is off, it takes no time.
#[derive(Debug)]
pub(super) struct Stopwatch {
    last: Option<Instant>,
    times: StepTimes,
}

impl Stopwatch {
    pub(super) fn new(is_on: bool) -> Self {
        Self {
            last: is_on.then(Instant::now),
            times: StepTimes::default(),
        }
    }

    /// The time since the last call, or since the clock was made, was spent on `step`.
    #[inline(always)]
    pub(super) fn lap(&mut self, step: Step) {
        if let Some(last) = self.last {
            self.record(step, last);
        }
    }

    #[cold]
    fn record(&mut self, step: Step, last: Instant) {
        let now = Instant::now();
        self.last = Some(now);
        let spent = now - last;
        match step {
            Step::Permutation => self.times.permutation += spent,
            Step::BaseCase => self.times.base_case += spent,
            Step::Twiddle => self.times.twiddle += spent,
        }
    }

    /// What was spent.
    pub(super) fn times(&self) -> StepTimes {
        self.times
    }
}

/// What the values of a stage are multiplied by.
#[derive(Clone, Copy)]
pub(super) enum Factors<'a> {
    /// Nothing.
    None,
    /// Value k of column p by `r^(step·⌊p/width⌋·k)`.
    Rotation { step: usize, width: usize },
    /// Value k of column p by element `p·count + ⌊q/stride⌋ + k·(s/stride)`, K words each.
    Elements {
        words: &'a [u64],
        count: usize,
        stride: usize,
    },
    /// Value k of column p by the block `(q + k·s)·columns + p`.
    Blocks(&'a [Line]),
    /// By products of powers.
    Computed(Computed<'a>),
}

/// What factors are computed from.
#[derive(Clone, Copy)]
pub(super) struct Computed<'a> {
    /// Value j of column p, j = q + k·s, is multiplied by `ω^(unit·p·⌊j/stride⌋)`,
    pub unit: usize,
    pub stride: usize,
    /// whose exponent is the sum of one of the first `2^log_low` and a multiple of that number,
    pub low: &'a [u64],
    pub high: &'a [u64],
    pub log_low: u32,
    /// and in lane l by `ω^(l·j)`, from two tables as well.
    pub lanes: Option<[&'a [Line]; 2]>,
}

impl Computed<'_> {
    /// Multiplies value j of column p, which is in `to` already.
    #[inline(always)]
    fn apply<S: Simd, N: Number>(
        &self,
        arithmetic: &Arithmetic<S>,
        work: &mut Workspace<'_, S, N>,
        (p, j): (usize, usize),
        to: &mut [Line],
        lane: usize,
    ) {
        let digits = to.len();
        let elements = (self.low.len() / digits) * (self.high.len() / digits);
        let exponent = (self.unit * p * (j / self.stride)) & (elements - 1);
        let parts = [
            (self.low, exponent & ((1 << self.log_low) - 1)),
            (self.high, exponent >> self.log_low),
        ];
        for (words, index) in parts {
            if index > 0 {
                let factor = Same(&words[index * digits..][..digits]);
                multiply_lines(arithmetic, to, factor, work, lane);
            }
        }
        let Some([low, high]) = self.lanes else {
            return;
        };
        let count = low.len() / digits;
        for (lines, index) in [(low, j % count), (high, j / count)] {
            if index > 0 {
                let lines = &lines[index * digits..][..digits];
                multiply_lines(arithmetic, to, Lines::new(lines, lane), work, lane);
            }
        }
    }
}

/// Where a stage has its points from.
#[derive(Clone, Copy)]
pub(super) enum StageInput<'a> {
    /// The first stage.
    Caller(Input<'a>),
    /// The vector that the stage before wrote.
    Blocks(&'a [Line]),
}

/// A vector that several threads write, each at places of its own.
#[derive(Clone, Copy)]
pub(super) struct StageOutput {
    start: *mut Line,
    lines: usize,
}

impl StageOutput {
    pub(super) fn new(lines: &mut [Line]) -> Self {
        Self {
            start: lines.as_mut_ptr(),
            lines: lines.len(),
        }
    }

    /// Block `place`.
    ///
    /// # Safety
    /// Nothing else refers to it, and the vector is still there.
    #[inline(always)]
    unsafe fn block<'a>(self, place: usize, digits: impl Number) -> &'a mut [Line] {
        let count = digits.get();
        assert!((place + 1) * count <= self.lines, "a block of the vector");
        // SAFETY: K lines within the vector, as just checked, to which nothing else refers, as this function asks.
        unsafe { std::slice::from_raw_parts_mut(self.start.add(place * count), count) }
    }
}

// SAFETY: an address of plain words, through which only `block` leads, which asks that its block is nobody else's:
// item (p, q) of a stage has the blocks q + s·(radix·p + k), and no other item has one of them.
unsafe impl Send for StageOutput {}
// SAFETY: a shared reference to the address gives no more than a copy of it.
unsafe impl Sync for StageOutput {}

/// The working memory of a thread in a stage.
#[derive(Debug)]
pub(super) struct Scratch {
    middle: Vec<Line>,
    values: Vec<Line>,
    /// The points of a base case, as blocks.
    points: Vec<Line>,
    /// What lies between two stages that are done tile by tile.
    pub(super) tile: Vec<Line>,
}

impl Scratch {
    pub(super) fn new(digits: usize) -> Self {
        let lines = |count| vec![Line::default(); count];
        Self {
            middle: lines(row_lines(MOST_POINTS, digits)),
            values: lines(row_lines(MOST_POINTS, digits)),
            points: lines(MOST_POINTS * digits),
            tile: Vec::new(),
        }
    }
}

/// The items of a stage that a pass takes, and where their points and values lie.
#[derive(Clone)]
pub(super) enum Items {
    /// Items p·s + q, from one vector to another.
    Range(std::ops::Range<usize>),
    /// `count` items, of columns `p`, `p + step` …, number q, from a vector to a tile: value k of item n is block k·`count` + n.
    ToTile {
        p: usize,
        step: usize,
        q: usize,
        count: usize,
    },
    /// `count` items of column p, numbers `q`, `q + step` …, from a tile to a vector: point i of item n is block n·R + i.
    FromTile {
        p: usize,
        q: usize,
        step: usize,
        count: usize,
    },
}

impl Items {
    fn len(&self) -> usize {
        match self {
            Self::Range(range) => range.len(),
            Self::ToTile { count, .. } | Self::FromTile { count, .. } => *count,
        }
    }

    /// The column p and the number q < s of item n.
    #[inline(always)]
    fn place(&self, n: usize, stride: usize) -> (usize, usize) {
        match *self {
            Self::Range(ref range) => ((range.start + n) / stride, (range.start + n) % stride),
            Self::ToTile { p, step, q, .. } => (p + step * n, q),
            Self::FromTile { p, q, step, .. } => (p, q + step * n),
        }
    }

    /// Where value k of item n, at (p, q), is written.
    #[inline(always)]
    fn target(&self, n: usize, (p, q): (usize, usize), k: usize, stage: &Stage) -> usize {
        match *self {
            Self::ToTile { count, .. } => k * count + n,
            _ => q + stage.stride * (stage.radix * p + k),
        }
    }
}

/// Some items of a stage.
pub(super) struct Pass<'a> {
    pub constants: &'a Constants,
    /// Whether sums of digits fit in signed words.
    pub in_words: bool,
    pub from: StageInput<'a>,
    pub to: StageOutput,
    pub stage: Stage,
    pub factors: Factors<'a>,
    pub items: Items,
    pub scratch: &'a mut Scratch,
    pub clock: &'a mut Stopwatch,
}

impl DigitTask for Pass<'_> {
    #[inline(always)]
    fn run<S: Simd, N: Number>(self, simd: S, digits: N) {
        match self.in_words {
            true => self.run_with::<S, WordDigit<S::Vector>, N>(simd, digits),
            false => self.run_with::<S, Limbs<S>, N>(simd, digits),
        }
    }
}

impl Pass<'_> {
    #[inline(always)]
    fn run_with<S: Simd, D: Digit<S>, N: Number>(self, simd: S, digits: N) {
        let arithmetic = Arithmetic::new(simd, self.constants);
        let mut room = Room::default();
        let mut work = Workspace::new(simd, digits, &mut room);
        let mut value = MaybeUninit::uninit();
        let value = digits.fill(&mut value, D::of_word(&arithmetic, simd.splat64(0)));
        let count = digits.get();
        let Stage {
            radix,
            stride,
            columns,
            ..
        } = self.stage;
        let Scratch {
            middle,
            values,
            points: block,
            ..
        } = self.scratch;
        let items = self.items;
        if items.len() == 0 {
            return;
        }
        let (last_p, last_q) = items.place(items.len() - 1, stride);
        assert!(radix <= MOST_POINTS && last_p < columns && last_q < stride);
        assert!(middle.len().min(values.len()) >= row_lines(radix, count));
        let (middle, values) = (Rows::new(middle, digits), Rows::new(values, digits));
        let points_apart = match items {
            Items::FromTile { .. } => 1,
            _ => stride * columns,
        };
        if let StageInput::Blocks(lines) = self.from {
            let blocks = match items {
                Items::FromTile { count, .. } => radix * count,
                _ => radix * stride * columns,
            };
            assert!(lines.len() >= blocks * count);
        }
        for n in 0..items.len() {
            let (p, q) = items.place(n, stride);
            let points = match &self.from {
                StageInput::Caller(input) => {
                    // The first stage: q = 0.
                    let blocks = block[..radix * count].chunks_exact_mut(count);
                    for (i, block) in blocks.enumerate() {
                        simd.outline(ReadBlock {
                            arithmetic: &arithmetic,
                            work: &mut work,
                            digits,
                            input,
                            index: p + columns * i,
                            to: block,
                        });
                    }
                    self.clock.lap(Step::Permutation);
                    StridedPoints::new(block, 1, count)
                }
                StageInput::Blocks(lines) => {
                    let first = match items {
                        Items::FromTile { .. } => n * radix,
                        _ => q + stride * p,
                    };
                    StridedPoints::new(&lines[first * count..], points_apart, count)
                }
            };
            for lane in (0..LANES).step_by(S::LANES) {
                let (values, middle) = (values.at_lane(lane), middle.at_lane(lane));
                let points = points.at_lane(lane);
                // SAFETY: points q + s·(p + columns·i), i < radix, or n·radix + i of a tile, are blocks of `from`, by the
                // lengths just checked; the scratch memory has rows for the points of the base case.
                let values =
                    unsafe { transform::<S, D, N>(&arithmetic, radix, points, middle, values) };
                self.clock.lap(Step::BaseCase);
                for k in 0..radix {
                    let place = items.target(n, (p, q), k, &self.stage);
                    // SAFETY: items are (p, q) with q < s, so `place` belongs to this one alone, as it does in a tile, which
                    // is the thread's own; the last turn's block is no longer in use.
                    let to = unsafe { self.to.block(place, digits) };
                    // SAFETY: row k is a value of the base case, which is done.
                    let row = unsafe { values.row(k) };
                    let power = match self.factors {
                        Factors::Rotation { step, width } => step * (p / width) * k,
                        _ => 0,
                    };
                    rotated::<S, D>(&arithmetic, row, power, value);
                    let j = q + stride * k;
                    match self.factors {
                        Factors::Elements {
                            words,
                            count: elements,
                            stride,
                        } if p > 0 && j >= stride => {
                            let words = &words[(p * elements + j / stride) * count..][..count];
                            multiply(&arithmetic, Sums(value), Same(words), &mut work, to, lane);
                            continue;
                        }
                        Factors::Blocks(lines) if j > 0 => {
                            let lines = &lines[(j * columns + p) * count..][..count];
                            let factor = Lines::new(lines, lane);
                            multiply(&arithmetic, Sums(value), factor, &mut work, to, lane);
                            continue;
                        }
                        _ => {}
                    }
                    store_sums(&arithmetic, value, &mut work, to, lane);
                    if let Factors::Computed(computed) = self.factors {
                        computed.apply(&arithmetic, &mut work, (p, j), to, lane);
                    }
                }
                self.clock.lap(Step::Twiddle);
            }
        }
    }
}

/// Some items of the last stage: item κ takes eight neighbouring blocks.
pub(super) struct LastPass<'a> {
    pub constants: &'a Constants,
    /// Whether sums of digits fit in signed words.
    pub in_words: bool,
    pub from: &'a [Line],
    pub output: Output<'a>,
    pub stage: LastStage,
    pub items: std::ops::Range<usize>,
    pub scratch: &'a mut Scratch,
    pub clock: &'a mut Stopwatch,
}

impl DigitTask for LastPass<'_> {
    #[inline(always)]
    fn run<S: Simd, N: Number>(self, simd: S, digits: N) {
        match self.in_words {
            true => self.run_with::<S, WordDigit<S::Vector>, N>(simd, digits),
            false => self.run_with::<S, Limbs<S>, N>(simd, digits),
        }
    }
}

impl LastPass<'_> {
    #[inline(always)]
    fn run_with<S: Simd, D: Digit<S>, N: Number>(self, simd: S, digits: N) {
        let arithmetic = Arithmetic::new(simd, self.constants);
        let mut room = Room::default();
        let mut work = Workspace::new(simd, digits, &mut room);
        let mut value = MaybeUninit::uninit();
        let value = digits.fill(&mut value, D::of_word(&arithmetic, simd.splat64(0)));
        let (mut block, mut spare) = (MaybeUninit::uninit(), MaybeUninit::uninit());
        let block = digits.fill(&mut block, Line::default());
        let spare = digits.fill(&mut spare, Line::default());
        let count = digits.get();
        let LastStage { radix, step, width } = self.stage;
        let Scratch {
            middle,
            values,
            points,
            ..
        } = self.scratch;
        assert!(middle.len().min(values.len()) >= row_lines(radix, count));
        let (middle, values) = (Rows::new(middle, digits), Rows::new(values, digits));
        let blocks = self.from.len() / count;
        // Blocks from one of the eight columns of rows to the next.
        let stride = blocks / (radix / LANES);
        for item in self.items {
            let power = step * (item * LANES / width);
            for group in 0..radix / LANES {
                let from = (item * LANES + stride * group) * count;
                simd.outline(TransposeRotated {
                    digits,
                    from: &self.from[from..][..LANES * count],
                    power,
                    row: group * LANES,
                    points,
                });
            }
            self.clock.lap(Step::Permutation);
            let points = StridedPoints::new(points, 1, count);
            let mut rows = [values; LANES];
            for lane in (0..LANES).step_by(S::LANES) {
                let (values, middle) = (values.at_lane(lane), middle.at_lane(lane));
                let points = points.at_lane(lane);
                // SAFETY: `TransposeRotated` has put all points into the scratch memory, which has rows for the points of
                // the base case.
                rows[lane] =
                    unsafe { transform::<S, D, N>(&arithmetic, radix, points, middle, values) };
            }
            self.clock.lap(Step::BaseCase);
            for k in 0..radix {
                let place = item + blocks / radix * k;
                for lane in (0..LANES).step_by(S::LANES) {
                    // SAFETY: row k is a value of the base case, which is done.
                    let row = unsafe { rows[lane].row(k) };
                    rotated::<S, D>(&arithmetic, row, self.output.rotation(), value);
                    self.output
                        .reduce(&arithmetic, &mut work, (place, lane), value, block);
                }
                self.clock.lap(Step::Twiddle);
                // SAFETY: block `place` belongs to this item alone.
                let write = unsafe {
                    WriteBlock::new(
                        &arithmetic,
                        self.constants,
                        digits,
                        &self.output,
                        place,
                        block,
                        spare,
                    )
                };
                simd.outline(write);
                self.clock.lap(Step::Permutation);
            }
        }
    }
}

/// Elements of eight blocks, which are transposed: lane l becomes block `row + l` of `points`, rotated by
/// `power·(row + l)` digits.
struct TransposeRotated<'a, N> {
    digits: N,
    from: &'a [Line],
    power: usize,
    row: usize,
    points: &'a mut [Line],
}

impl<S: Simd, N: Number> SimdTask<S> for TransposeRotated<'_, N> {
    type Output = ();

    #[inline(always)]
    fn run(self, simd: S) {
        let count = self.digits.get();
        let row = self.row;
        let points = &mut self.points[row * count..][..LANES * count];
        assert!(self.from.len() == LANES * count, "eight blocks");
        let mut tile = [Line::default(); LANES];
        for digit in 0..count {
            let from = self.from[digit..].as_ptr().cast();
            // SAFETY: one line of each of the eight blocks, and the tile.
            unsafe { simd.transpose8(from, tile.as_mut_ptr().cast(), (count * LANES, LANES)) };
            for (l, line) in tile.iter().enumerate() {
                // K is a power of two.
                let place = (digit + self.power * (row + l)) & (2 * count - 1);
                let to = &mut points[l * count + (place & (count - 1))];
                if place < count {
                    *to = *line;
                    continue;
                }
                for lane in (0..LANES).step_by(S::LANES) {
                    let word = simd.load(&line.0[lane..]);
                    simd.store(&mut to.0[lane..], simd.sub64(simd.splat64(0), word));
                }
            }
        }
    }
}
