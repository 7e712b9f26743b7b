//! The transform of one length, ready to run.

use super::input_output::{Form, Input, Output, Scale};
use super::pass::{Items, LastPass, Pass, Scratch, StageInput, StageOutput, Stopwatch};
use super::stages::{LANES, MOST_POINTS, Stages};
use super::tables::{Tables, weights};
use crate::bit_reversal;
use crate::plan::DftPlan;
use crate::problem::{Algorithm, Convolution, Direction, Ordering};
use crate::scalar::ScalarTransform;
use crate::transform::{StepTimes, Transform};
use std::any::Any;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use sunzi_field::generalized_fermat::packed::number::run_from_four;
use sunzi_field::generalized_fermat::packed::{Constants, Line, Packed};
use sunzi_field::{Digits, Field, GeneralizedFermat, with_digits};
use sunzi_machine::{Grain, InstructionSet, threads::Threads};

/// Words of a vector from which threads share it.
const PARALLEL_WORDS: usize = 1 << 13;

/// Bytes of a vector from which stages go in pairs, tile by tile: two of them fill the last cache, of which this core has a part.
/// Below, the wide strides of tiles cost more than they save, and for blocks of four digits at all lengths: measured.
const PAIRED_BYTES: usize = 1 << 24;

/// The fewest digits of such blocks.
const PAIRED_DIGITS: usize = 8;

/// Bytes of a tile at most: half of the cache of a core.
const TILE_BYTES: usize = 1 << 19;

/// Transforms of one length over one field.
#[derive(Debug)]
struct Rotations<const K: usize> {
    field: GeneralizedFermat<K>,
    set: InstructionSet,
    constants: Constants,
    /// Whether sums of digits in base cases fit in signed words.
    in_words: bool,
    stages: Stages,
    tables: Tables<K>,
    points: usize,
    grain: Grain,
    inverse_scale: Scale,
    /// For negacyclic products: powers of a root of order 2N, and their inverses.
    weights: Option<[Packed<K>; 2]>,
    /// Pairs of working vectors that no transform uses now.
    buffers: Mutex<Vec<[Vec<Line>; 2]>>,
    /// Working memory of stages that no thread uses now.
    scratch: Mutex<Vec<Scratch>>,
}

/// A transform that is running: how many threads share it, and where its times go.
#[derive(Clone, Copy)]
struct Run<'a> {
    threads: usize,
    times: Option<&'a Mutex<StepTimes>>,
}

impl Run<'_> {
    /// Parts into which `items` are cut: twice as many as threads, so that one that is delayed does
    /// not hold up the others.
    fn parts(&self, items: usize) -> usize {
        match self.threads {
            1 => 1,
            threads => (2 * threads).min(items),
        }
    }

    /// Does a part of the work with a clock, whose times it records.
    fn timed(&self, work: impl FnOnce(&mut Stopwatch)) {
        let mut clock = Stopwatch::new(self.times.is_some());
        work(&mut clock);
        if let Some(times) = self.times {
            let mut times = times.lock().unwrap_or_else(PoisonError::into_inner);
            times.add(clock.times());
        }
    }

    /// Calls `f` with ranges that make up the items, on as many threads as there are.
    fn share(&self, items: usize, f: impl Fn(Range<usize>, &mut Stopwatch) + Sync) {
        let parts = self.parts(items);
        if parts == 1 {
            return self.timed(|clock| f(0..items, clock));
        }
        let bound = |part: usize| items * part / parts;
        let part = |part| self.timed(|clock| f(bound(part)..bound(part + 1), clock));
        Threads::all().each(0..parts, part);
    }
}

/// A transform for what `plan` says: by rotations if there are enough points and the field's digits suit
/// vectors, or one that takes one element at a time.
///
/// Its type is found at run time, so that it is compiled once, in this crate, and not in every crate that makes
/// a context.
pub(super) fn transform<const K: usize>(
    field: &GeneralizedFermat<K>,
    plan: &DftPlan,
    table_limit: usize,
) -> Option<Arc<dyn Transform<GeneralizedFermat<K>>>> {
    let transform = any_transform(field, K, plan, table_limit)?;
    let transform = transform.downcast::<Arc<dyn Transform<GeneralizedFermat<K>>>>();
    transform.ok().map(|transform| *transform)
}

/// An `Arc<dyn Transform>` over the field with this number of digits.
fn any_transform(
    field: &dyn Any,
    digits: usize,
    plan: &DftPlan,
    table_limit: usize,
) -> Option<Box<dyn Any>> {
    fn erased<const K: usize>(
        transform: impl Transform<GeneralizedFermat<K>> + 'static,
    ) -> Option<Box<dyn Any>> {
        let transform: Arc<dyn Transform<GeneralizedFermat<K>>> = Arc::new(transform);
        Some(Box::new(transform))
    }
    match plan.algorithm() {
        // Of two digits, the cycle of rotations is shorter than a block.
        Algorithm::Rotations => with_digits!(
            digits,
            K >= 4 => erased(Rotations::<K>::new(field.downcast_ref()?, plan, table_limit)?),
            _ => None
        ),
        _ => with_digits!(
            digits,
            K => {
                let field = field.downcast_ref::<GeneralizedFermat<K>>()?;
                erased(ScalarTransform::new(field, plan).ok()?)
            },
            _ => None
        ),
    }
}

impl<const K: usize> Rotations<K> {
    /// For what `plan` says, if there are enough points and the field's digits suit vectors.
    fn new(field: &GeneralizedFermat<K>, plan: &DftPlan, table_limit: usize) -> Option<Self> {
        let log_n = plan.log_points();
        let constants = *field.constants()?;
        let stages = Stages::new(log_n, K)?;
        let negacyclic = plan.convolution() == Convolution::Negacyclic;
        if negacyclic && log_n < 2 * LANES.trailing_zeros() {
            // Coefficients do not stand where their weights do.
            return None;
        }
        Some(Self {
            field: field.clone(),
            set: plan.kernel(),
            tables: Tables::new(field, &stages, log_n, table_limit),
            stages,
            in_words: constants.fit_in_words(MOST_POINTS.min(2 * K)),
            constants,
            points: 1 << log_n,
            grain: plan.grain(),
            inverse_scale: inverse_of_power_of_two(field.radix(), log_n, K),
            weights: negacyclic.then(|| weights(field, log_n)),
            buffers: Mutex::default(),
            scratch: Mutex::default(),
        })
    }

    /// Blocks of a vector; where there are fewer points, the last stage leaves value k + M·j, M = N/8, in
    /// lane k of block j.
    fn blocks(&self) -> usize {
        (self.points / LANES).max(LANES)
    }

    fn is_small(&self) -> bool {
        self.points < LANES * LANES
    }

    fn run<'a>(&self, times: Option<&'a Mutex<StepTimes>>) -> Run<'a> {
        let threads = match self.points * K >= self.grain.of(PARALLEL_WORDS) {
            true => sunzi_machine::threads::count(),
            false => 1,
        };
        Run { threads, times }
    }

    /// Calls `f` with the working memory of a stage.
    fn with_scratch(&self, f: impl FnOnce(&mut Scratch)) {
        let lock = || self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = lock().pop();
        let mut scratch = kept.unwrap_or_else(|| Scratch::new(K));
        f(&mut scratch);
        lock().push(scratch);
    }

    /// Calls `f` with two working vectors.
    fn with_buffers<T>(&self, f: impl FnOnce(&mut [Vec<Line>; 2]) -> T) -> T {
        let lock = || self.buffers.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = lock().pop();
        let new = || vec![Line::default(); self.blocks() * K];
        let mut buffers = kept.unwrap_or_else(|| [new(), new()]);
        let result = f(&mut buffers);
        lock().push(buffers);
        result
    }

    /// All stages but the last one; returns the buffer with what they leave.
    fn run_stages<'b>(
        &self,
        run: Run<'_>,
        input: Input<'_>,
        [first, second]: &'b mut [Vec<Line>; 2],
    ) -> &'b [Line] {
        let (mut from, mut to) = (first, second);
        let mut index = 0;
        while index < self.stages.stages.len() {
            let stage_input = match index {
                0 => StageInput::Caller(input),
                _ => StageInput::Blocks(from),
            };
            let stage_output = StageOutput::new(to);
            index += match self.makes_a_pair(index) {
                true => self.run_pair(run, index, stage_input, stage_output),
                false => self.run_stage(run, index, stage_input, stage_output),
            };
            (from, to) = (to, from);
        }
        from
    }

    /// Whether stage `index` and the next go tile by tile: where vectors are longer than caches, but tiles are not.
    fn makes_a_pair(&self, index: usize) -> bool {
        let Some([first, second]) = self.stages.stages.get(index..index + 2) else {
            return false;
        };
        let bytes = |blocks: usize| blocks * K * size_of::<Line>();
        K >= PAIRED_DIGITS
            && bytes(self.blocks()) >= self.grain.of(PAIRED_BYTES)
            && bytes(first.radix * second.radix) <= TILE_BYTES
    }

    /// One stage; returns how many that is.
    fn run_stage(
        &self,
        run: Run<'_>,
        index: usize,
        from: StageInput<'_>,
        to: StageOutput,
    ) -> usize {
        let stage = self.stages.stages[index];
        run.share(stage.stride * stage.columns, |items, clock| {
            self.with_scratch(|scratch| {
                self.run_pass(index, (from, to), Items::Range(items), scratch, clock);
            });
        });
        1
    }

    /// Two stages, tile by tile; returns how many these are.
    ///
    /// With s, R and m of the first and R' and m' of the second, tile (p', q), p' < m', q < s, has the first one's items of columns p' + m'·i,
    /// i < R', which write what the second one's items of column p' and numbers q + s·k, k < R, read.
    fn run_pair(&self, run: Run<'_>, index: usize, from: StageInput<'_>, to: StageOutput) -> usize {
        let [first, second] = [0, 1].map(|next| self.stages.stages[index + next]);
        let stride = first.stride;
        run.share(stride * second.columns, |tiles, clock| {
            self.with_scratch(|scratch| {
                let mut tile = std::mem::take(&mut scratch.tile);
                tile.resize(first.radix * second.radix * K, Line::default());
                for number in tiles {
                    let (p, q) = (number / stride, number % stride);
                    let columns = Items::ToTile {
                        p,
                        step: second.columns,
                        q,
                        count: second.radix,
                    };
                    let inner = StageOutput::new(&mut tile);
                    self.run_pass(index, (from, inner), columns, scratch, clock);
                    let rows = Items::FromTile {
                        p,
                        q,
                        step: stride,
                        count: first.radix,
                    };
                    let inner = StageInput::Blocks(&tile);
                    self.run_pass(index + 1, (inner, to), rows, scratch, clock);
                }
                scratch.tile = tile;
            });
        });
        2
    }

    /// Some items of a stage, by the kernel of its instruction set.
    fn run_pass(
        &self,
        index: usize,
        (from, to): (StageInput<'_>, StageOutput),
        items: Items,
        scratch: &mut Scratch,
        clock: &mut Stopwatch,
    ) {
        let stage = self.stages.stages[index];
        let pass = Pass {
            constants: &self.constants,
            in_words: self.in_words,
            from,
            to,
            stage,
            factors: self.tables.factors(index, &stage),
            items,
            scratch,
            clock,
        };
        run_from_four(self.set, K, pass);
    }

    /// The last stage.
    fn run_last_stage(&self, run: Run<'_>, from: &[Line], output: Output<'_>) {
        let stage = self.stages.last;
        let constants = &self.constants;
        run.share(self.blocks() / stage.radix, |items, clock| {
            self.with_scratch(|scratch| {
                let pass = LastPass {
                    constants,
                    in_words: self.in_words,
                    from,
                    output,
                    stage,
                    items,
                    scratch,
                    clock,
                };
                run_from_four(self.set, K, pass);
            });
        });
    }

    /// Canonical coefficients, as the first stage of a forward transform reads them.
    fn coefficients<'a>(&'a self, vector: &'a [Digits<K>]) -> Input<'a> {
        Input {
            vector: Digits::words_of(vector),
            form: Form::Elements,
            factors: self.weights(0).map(Line::words),
        }
    }

    /// From canonical elements to canonical elements in natural order.
    fn transform_natural(&self, run: Run<'_>, data: &mut [Digits<K>], direction: Direction) {
        self.with_buffers(|buffers| match direction {
            Direction::Forward => {
                let lines = self.run_stages(run, self.coefficients(data), buffers);
                self.values_to(run, lines, data, Form::Elements);
            }
            Direction::Inverse => {
                let values = Input {
                    vector: Digits::words_of(data),
                    form: Form::Elements,
                    factors: None,
                };
                let lines = self.run_stages(run, values, buffers);
                self.coefficients_to(run, lines, data);
            }
        });
    }

    /// The last stage of a forward transform.
    fn values_to(&self, run: Run<'_>, lines: &[Line], data: &mut [Digits<K>], form: Form) {
        let scale = Scale::default();
        if !self.is_small() {
            return self.run_last_stage(
                run,
                lines,
                Output::new(
                    Digits::words_of_mut(data),
                    K,
                    self.points,
                    form,
                    &scale,
                    None,
                ),
            );
        }
        self.gather(run, lines, &scale, data);
    }

    /// The last stage of an inverse transform, to the first canonical elements.
    fn coefficients_to(&self, run: Run<'_>, lines: &[Line], data: &mut [Digits<K>]) {
        let scale = &self.inverse_scale;
        if !self.is_small() {
            let output = Output::new(
                Digits::words_of_mut(data),
                K,
                self.points,
                Form::Backwards,
                scale,
                self.weights(1),
            );
            return self.run_last_stage(run, lines, output);
        }
        let mut all = [Digits([0; K]); LANES * LANES];
        let all = &mut all[..self.points];
        self.gather(run, lines, scale, all);
        all[1..].reverse();
        data.copy_from_slice(&all[..data.len()]);
    }

    /// The last stage for few points, which leaves value k + M·j, M = N/8, in lane k of block j.
    fn gather(&self, run: Run<'_>, lines: &[Line], scale: &Scale, data: &mut [Digits<K>]) {
        let mut values = [Digits([0; K]); LANES * LANES];
        let count = values.len();
        let output = Output::new(
            Digits::words_of_mut(&mut values),
            K,
            count,
            Form::Elements,
            scale,
            None,
        );
        self.run_last_stage(run, lines, output);
        let full = self.points / LANES;
        for (index, element) in data.iter_mut().enumerate() {
            *element = values[index / full * LANES + index % full];
        }
    }

    /// What makes transforms negacyclic: by what elements are multiplied before a forward one, and after
    /// an inverse one.
    fn weights(&self, which: usize) -> Option<&[Line]> {
        self.weights.as_ref().map(|weights| weights[which].lines())
    }
}

impl<const K: usize> Transform<GeneralizedFermat<K>> for Rotations<K> {
    fn scratch_len(&self) -> usize {
        0
    }

    fn table_bytes(&self) -> usize {
        let weights = self.weights.as_ref();
        self.tables.bytes() + weights.map_or(0, |w| 2 * size_of_val(w[0].lines()))
    }

    fn transform(
        &self,
        data: &mut [Digits<K>],
        scratch: &mut [Digits<K>],
        direction: Direction,
        ordering: Ordering,
    ) {
        self.transform_timed(data, scratch, direction, ordering, None);
    }

    fn transform_timed(
        &self,
        data: &mut [Digits<K>],
        _scratch: &mut [Digits<K>],
        direction: Direction,
        ordering: Ordering,
        times: Option<&Mutex<StepTimes>>,
    ) {
        let run = self.run(times);
        if ordering == Ordering::BitReversed && direction == Direction::Inverse {
            bit_reversal::permute(data);
        }
        self.transform_natural(run, data, direction);
        if ordering == Ordering::BitReversed && direction == Direction::Forward {
            bit_reversal::permute(data);
        }
    }

    fn evaluate(&self, data: &mut [Digits<K>], _scratch: &mut [Digits<K>]) {
        let run = self.run(None);
        if self.is_small() {
            return self.transform_natural(run, data, Direction::Forward);
        }
        self.with_buffers(|buffers| {
            let lines = self.run_stages(run, self.coefficients(data), buffers);
            self.values_to(run, lines, data, Form::Blocks);
        });
    }

    fn evaluate_first(
        &self,
        coefficients: &[Digits<K>],
        values: &mut [Digits<K>],
        _scratch: &mut [Digits<K>],
    ) {
        let run = self.run(None);
        let form = match self.is_small() {
            true => Form::Elements,
            false => Form::Blocks,
        };
        self.with_buffers(|buffers| {
            let lines = self.run_stages(run, self.coefficients(coefficients), buffers);
            self.values_to(run, lines, values, form);
        });
    }

    fn multiply(&self, values: &mut [Digits<K>], other: &[Digits<K>], _scratch: &mut [Digits<K>]) {
        let run = self.run(None);
        if self.is_small() {
            for (value, &other) in values.iter_mut().zip(other) {
                *value = self.field.mul(*value, other);
            }
            return self.transform_natural(run, values, Direction::Inverse);
        }
        self.with_buffers(|buffers| {
            let lines = self.run_stages(run, products(values, other), buffers);
            self.coefficients_to(run, lines, values);
        });
    }

    fn multiply_first(
        &self,
        out: &mut [Digits<K>],
        values: &mut [Digits<K>],
        other: &[Digits<K>],
        scratch: &mut [Digits<K>],
    ) {
        if self.is_small() {
            self.multiply(values, other, scratch);
            return out.copy_from_slice(&values[..out.len()]);
        }
        self.with_buffers(|buffers| {
            let run = self.run(None);
            let lines = self.run_stages(run, products(values, other), buffers);
            self.coefficients_to(run, lines, out);
        });
    }
}

/// Values point by point, as the first stage reads them.
fn products<'a, const K: usize>(values: &'a [Digits<K>], other: &'a [Digits<K>]) -> Input<'a> {
    Input {
        vector: Digits::words_of(values),
        form: Form::Blocks,
        factors: Some(Digits::words_of(other)),
    }
}

/// 1/2^log as words and a power of r: with 2^v the power of two in r, `1/2^v = (r/2^v)·r^−1`.
fn inverse_of_power_of_two(radix: u64, log: u32, digits: usize) -> Scale {
    let step = radix.trailing_zeros();
    let mut words = Vec::new();
    let mut left = log;
    while left > 0 {
        let bits = left.min(step);
        words.push(radix >> bits);
        left -= bits;
    }
    let power = 2 * digits * words.len() - words.len();
    Scale { words, power }
}
