//! Stages carried out: base cases on tiles of blocks, each followed by what its values are multiplied
//! by.

use super::base_case::{Known, Rows, StridedPoints, transform};
use super::input_output::{Input, Output};
use super::stages::{LANES, LastStage, MOST_POINTS, Stage};
use crate::transform::StepTimes;
use std::time::Instant;
use sunzi_field::generalized_fermat::packed::arithmetic::{
    Arithmetic, Digit, Limbs, Sums, WordDigit,
};
use sunzi_field::generalized_fermat::packed::blocks::{Lines, Same, store_sums};
use sunzi_field::generalized_fermat::packed::operations::{multiply, multiply_lines, rotate};
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
    fn apply<S: Simd, const K: usize>(
        &self,
        arithmetic: &Arithmetic<S>,
        (p, j): (usize, usize),
        to: &mut [Line],
        lane: usize,
    ) {
        let elements = (self.low.len() / K) * (self.high.len() / K);
        let exponent = (self.unit * p * (j / self.stride)) & (elements - 1);
        let parts = [
            (self.low, exponent & ((1 << self.log_low) - 1)),
            (self.high, exponent >> self.log_low),
        ];
        for (words, index) in parts {
            if index > 0 {
                let factor = Same(&words[index * K..][..K]);
                multiply_lines::<S, K>(arithmetic, to, factor, lane);
            }
        }
        let Some([low, high]) = self.lanes else {
            return;
        };
        let count = low.len() / K;
        for (lines, index) in [(low, j % count), (high, j / count)] {
            if index > 0 {
                let lines = &lines[index * K..][..K];
                multiply_lines::<S, K>(arithmetic, to, Lines { lines, lane }, lane);
            }
        }
    }
}

/// Where a stage has its points from.
#[derive(Clone, Copy)]
pub(super) enum StageInput<'a, const K: usize> {
    /// The first stage.
    Caller(Input<'a, K>),
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
    unsafe fn block<'a, const K: usize>(self, place: usize) -> &'a mut [Line] {
        assert!((place + 1) * K <= self.lines, "a block of the vector");
        // SAFETY: K lines within the vector, as just checked, to which nothing else refers, as this function asks.
        unsafe { std::slice::from_raw_parts_mut(self.start.add(place * K), K) }
    }
}

// SAFETY: an address of plain words, through which only `block` leads, which asks that its block is nobody else's:
// item (p, q) of a stage has the blocks q + s·(radix·p + k), and no other item has one of them.
unsafe impl Send for StageOutput {}
// SAFETY: a shared reference to the address gives no more than a copy of it.
unsafe impl Sync for StageOutput {}

/// The working memory of a thread in a stage.
#[derive(Debug)]
pub(super) struct Scratch<const K: usize> {
    middle: Vec<Line>,
    values: Vec<Line>,
    /// The points of a base case, as blocks.
    points: Vec<Line>,
}

impl<const K: usize> Scratch<K> {
    pub(super) fn new() -> Self {
        let lines = |count| vec![Line::default(); count];
        Self {
            middle: lines(Rows::<Known<K>>::lines(MOST_POINTS)),
            values: lines(Rows::<Known<K>>::lines(MOST_POINTS)),
            points: lines(MOST_POINTS * K),
        }
    }
}

/// Some items of a stage: item p·s + q is column p, number q.
pub(super) struct Pass<'a, const K: usize> {
    pub constants: &'a Constants,
    /// Whether sums of digits fit in signed words.
    pub in_words: bool,
    pub from: StageInput<'a, K>,
    pub to: StageOutput,
    pub stage: Stage,
    pub factors: Factors<'a>,
    pub items: std::ops::Range<usize>,
    pub scratch: &'a mut Scratch<K>,
    pub clock: &'a mut Stopwatch,
}

impl<S: Simd, const K: usize> SimdTask<S> for Pass<'_, K> {
    type Output = ();

    #[inline(always)]
    fn run(self, simd: S) {
        match self.in_words {
            true => self.run_with::<S, WordDigit<S::Vector>>(simd),
            false => self.run_with::<S, Limbs<S>>(simd),
        }
    }
}

impl<const K: usize> Pass<'_, K> {
    #[inline(always)]
    fn run_with<S: Simd, D: Digit<S>>(self, simd: S) {
        let arithmetic = Arithmetic::new(simd, self.constants);
        let Stage {
            radix,
            stride,
            columns,
            ..
        } = self.stage;
        let Scratch {
            middle,
            values,
            points: tile,
        } = self.scratch;
        let (middle, values) = (Rows::<Known<K>>::new(middle), Rows::<Known<K>>::new(values));
        assert!(radix <= MOST_POINTS && self.items.end <= stride * columns);
        if let StageInput::Blocks(lines) = self.from {
            assert!(lines.len() >= radix * stride * columns * K);
        }
        for item in self.items {
            let (p, q) = (item / stride, item % stride);
            let points = match self.from {
                StageInput::Caller(input) => {
                    // The first stage: q = 0.
                    let blocks = tile[..radix * K].chunks_exact_mut(K);
                    for (i, block) in blocks.enumerate() {
                        input.read(&arithmetic, p + columns * i, block);
                    }
                    self.clock.lap(Step::Permutation);
                    StridedPoints::new(tile, 1, K)
                }
                StageInput::Blocks(lines) => {
                    StridedPoints::new(&lines[(q + stride * p) * K..], stride * columns, K)
                }
            };
            for lane in (0..LANES).step_by(S::LANES) {
                let (values, middle) = (values.at_lane(lane), middle.at_lane(lane));
                let points = points.at_lane(lane);
                // SAFETY: points q + s·(p + columns·i), i < radix, are blocks of `from`, by the lengths just checked;
                // the scratch memory has rows for the points of the largest base case.
                let values =
                    unsafe { transform::<S, D, K>(&arithmetic, radix, points, middle, values) };
                self.clock.lap(Step::BaseCase);
                for k in 0..radix {
                    let place = q + stride * (radix * p + k);
                    // SAFETY: items are (p, q) with q < s, so `place` belongs to this one alone; the last turn's
                    // block is no longer in use.
                    let to = unsafe { self.to.block::<K>(place) };
                    // SAFETY: row k is a value of the base case.
                    let mut value: [D; K] = unsafe { values.row(&arithmetic, k) };
                    let j = q + stride * k;
                    match self.factors {
                        Factors::Elements {
                            words,
                            count,
                            stride,
                        } if p > 0 && j >= stride => {
                            let words = &words[(p * count + j / stride) * K..][..K];
                            multiply::<S, K>(&arithmetic, Sums(&value), Same(words), to, lane);
                            continue;
                        }
                        Factors::Blocks(lines) if j > 0 => {
                            let lines = &lines[(j * columns + p) * K..][..K];
                            let factor = Lines { lines, lane };
                            multiply::<S, K>(&arithmetic, Sums(&value), factor, to, lane);
                            continue;
                        }
                        Factors::Rotation { step, width } => {
                            rotate(&arithmetic, &mut value, step * (p / width) * k);
                        }
                        _ => {}
                    }
                    store_sums(&arithmetic, &value, to, lane);
                    if let Factors::Computed(computed) = self.factors {
                        computed.apply::<S, K>(&arithmetic, (p, j), to, lane);
                    }
                }
                self.clock.lap(Step::Twiddle);
            }
        }
    }
}

/// Some items of the last stage: item κ takes eight neighbouring blocks.
pub(super) struct LastPass<'a, const K: usize> {
    pub constants: &'a Constants,
    /// Whether sums of digits fit in signed words.
    pub in_words: bool,
    pub from: &'a [Line],
    pub output: Output<'a, K>,
    pub stage: LastStage,
    pub items: std::ops::Range<usize>,
    pub scratch: &'a mut Scratch<K>,
    pub clock: &'a mut Stopwatch,
}

impl<S: Simd, const K: usize> SimdTask<S> for LastPass<'_, K> {
    type Output = ();

    #[inline(always)]
    fn run(self, simd: S) {
        match self.in_words {
            true => self.run_with::<S, WordDigit<S::Vector>>(simd),
            false => self.run_with::<S, Limbs<S>>(simd),
        }
    }
}

impl<const K: usize> LastPass<'_, K> {
    #[inline(always)]
    fn run_with<S: Simd, D: Digit<S>>(self, simd: S) {
        let arithmetic = Arithmetic::new(simd, self.constants);
        let LastStage { radix, step, width } = self.stage;
        let Scratch {
            middle,
            values,
            points,
        } = self.scratch;
        let (middle, values) = (Rows::<Known<K>>::new(middle), Rows::<Known<K>>::new(values));
        let count = self.from.len() / K;
        let mut block = [Line::default(); K];
        // Blocks from one of the eight columns of rows to the next.
        let stride = count / (radix / LANES);
        for item in self.items {
            let power = step * (item * LANES / width);
            for group in 0..radix / LANES {
                let from = &self.from[(item * LANES + stride * group) * K..][..LANES * K];
                transpose_rotated::<S, K>(simd, from, power, group * LANES, points);
            }
            self.clock.lap(Step::Permutation);
            let points = StridedPoints::new(points, 1, K);
            let mut rows = [values; LANES];
            for lane in (0..LANES).step_by(S::LANES) {
                let (values, middle) = (values.at_lane(lane), middle.at_lane(lane));
                let points = points.at_lane(lane);
                // SAFETY: `transpose_rotated` has put all points into the scratch memory, which has no fewer rows than places for
                // points.
                rows[lane] =
                    unsafe { transform::<S, D, K>(&arithmetic, radix, points, middle, values) };
            }
            self.clock.lap(Step::BaseCase);
            for k in 0..radix {
                let place = item + count / radix * k;
                for lane in (0..LANES).step_by(S::LANES) {
                    // SAFETY: row k is a value of the base case.
                    let value: [D; K] = unsafe { rows[lane].row(&arithmetic, k) };
                    self.output
                        .reduce(&arithmetic, (place, lane), value, &mut block);
                }
                self.clock.lap(Step::Twiddle);
                // SAFETY: block `place` belongs to this item alone.
                unsafe {
                    self.output
                        .write(&arithmetic, self.constants, place, &mut block)
                };
                self.clock.lap(Step::Permutation);
            }
        }
    }
}

/// Elements of eight blocks, which are transposed: lane l becomes block `row + l` of `points`, rotated by
/// `power·(row + l)` digits.
#[inline(always)]
fn transpose_rotated<S: Simd, const K: usize>(
    simd: S,
    from: &[Line],
    power: usize,
    row: usize,
    points: &mut [Line],
) {
    let points = &mut points[row * K..][..LANES * K];
    assert!(from.len() == LANES * K, "eight blocks");
    let mut tile = [Line::default(); LANES];
    for digit in 0..K {
        let from = from[digit..].as_ptr().cast();
        // SAFETY: one line of each of the eight blocks, and the tile.
        unsafe { simd.transpose8(from, tile.as_mut_ptr().cast(), (K * LANES, LANES)) };
        for (l, line) in tile.iter().enumerate() {
            let place = (digit + power * (row + l)) % (2 * K);
            let to = &mut points[l * K + place % K];
            if place < K {
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
