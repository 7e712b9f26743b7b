//! The transform of one length, ready to run.

use super::base_case::Rows;
use super::ends::{Pack, Pointwise, Unpack};
use super::pass::{Blocks, LastPass, Pass, Scale};
use super::stages::{LANES, MOST_POINTS, Stages};
use super::tables::{Tables, weights};
use super::times::{Step, StepTimes, Stopwatch};
use crate::bit_reversal;
use crate::engine::Engine;
use crate::scalar::ScalarEngine;
use crate::{Algorithm, Convolution, Direction, Ordering, Recipe};
use rayon::prelude::*;
use std::any::Any;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use sunzi_field::generalized_fermat::packed::{Constants, Line, Packed};
use sunzi_field::lanes::Kernel;
use sunzi_field::simd::InstructionSet;
use sunzi_field::{Digits, Field, GeneralizedFermat};

/// Words of a vector from which threads share it.
const PARALLEL_WORDS: usize = 1 << 13;

/// Transforms of one length over one field.
#[derive(Debug)]
struct Rotations<const K: usize> {
    field: GeneralizedFermat<K>,
    set: InstructionSet,
    constants: Constants,
    stages: Stages,
    tables: Tables<K>,
    points: usize,
    inverse_scale: Scale,
    /// For negacyclic products: powers of a root of order 2N, and their inverses.
    weights: Option<[Packed<K>; 2]>,
    /// Pairs of working vectors that no transform uses now.
    buffers: Mutex<Vec<[Vec<Line>; 2]>>,
    /// Working memory of stages that no thread uses now.
    scratch: Mutex<Vec<Vec<Line>>>,
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
        (0..parts).into_par_iter().for_each(part);
    }
}

/// An engine for what `recipe` says: by rotations if there are enough points and the field's digits suit
/// vectors, or one that takes one element at a time.
///
/// The types are told apart at run time, so that engines are compiled in this crate, once, and not
/// wherever a plan is made.
pub(super) fn engine<const K: usize>(
    field: &GeneralizedFermat<K>,
    recipe: &Recipe,
    table_limit: usize,
) -> Option<Arc<dyn Engine<GeneralizedFermat<K>>>> {
    let engine = any_engine(field, K, recipe, table_limit)?;
    let engine = engine.downcast::<Arc<dyn Engine<GeneralizedFermat<K>>>>();
    engine.ok().map(|engine| *engine)
}

/// An `Arc<dyn Engine>` over the field of so many digits.
fn any_engine(
    field: &dyn Any,
    digits: usize,
    recipe: &Recipe,
    table_limit: usize,
) -> Option<Box<dyn Any>> {
    macro_rules! among {
        ($($k:literal)*) => {
            match digits {
                $($k => {
                    let field = field.downcast_ref::<GeneralizedFermat<$k>>()?;
                    let engine: Arc<dyn Engine<GeneralizedFermat<$k>>> = match recipe.algorithm() {
                        Algorithm::Rotations => Arc::new(Rotations::new(field, recipe, table_limit)?),
                        _ => Arc::new(ScalarEngine::new(field, recipe).ok()?),
                    };
                    Some(Box::new(engine))
                })*
                // Of two digits, the cycle of rotations is shorter than a block.
                2 if recipe.algorithm() != Algorithm::Rotations => {
                    let field = field.downcast_ref::<GeneralizedFermat<2>>()?;
                    let engine = ScalarEngine::new(field, recipe).ok()?;
                    let engine: Arc<dyn Engine<GeneralizedFermat<2>>> = Arc::new(engine);
                    Some(Box::new(engine))
                }
                _ => None,
            }
        };
    }
    among!(4 8 16 32 64 128 256)
}

impl<const K: usize> Rotations<K> {
    /// For what `recipe` says, if there are enough points and the field's digits suit vectors.
    fn new(field: &GeneralizedFermat<K>, recipe: &Recipe, table_limit: usize) -> Option<Self> {
        let log_n = recipe.log_points();
        let constants = *field.constants()?;
        let stages = Stages::new(log_n, K)?;
        let negacyclic = recipe.convolution() == Convolution::Negacyclic;
        if negacyclic && log_n < 2 * LANES.trailing_zeros() {
            // Coefficients do not stand where their weights do.
            return None;
        }
        Some(Self {
            field: field.clone(),
            set: match recipe.kernel() {
                Kernel::Portable => InstructionSet::Portable,
                Kernel::Avx2 => InstructionSet::Avx2,
                Kernel::Avx512 => InstructionSet::Avx512,
            },
            tables: Tables::new(field, &stages, log_n, table_limit),
            stages,
            constants,
            points: 1 << log_n,
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
        let threads = match self.points * K >= PARALLEL_WORDS {
            true => rayon::current_num_threads(),
            false => 1,
        };
        Run { threads, times }
    }

    /// Calls `f` with the working memory of a stage.
    fn with_scratch(&self, f: impl FnOnce(&mut [Line])) {
        let lock = || self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = lock().pop();
        let rows = 2 * Rows::<K>::lines(MOST_POINTS);
        let mut scratch = kept.unwrap_or_else(|| vec![Line::default(); rows]);
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

    /// Blocks in each part of a vector that threads share.
    fn blocks_per_part(&self, run: Run<'_>) -> usize {
        let blocks = self.points / LANES;
        blocks.div_ceil(run.parts(blocks))
    }

    fn pack(&self, run: Run<'_>, elements: &[Digits<K>], lines: &mut [Line]) {
        let pack = |(elements, lines): (&[Digits<K>], &mut [Line])| {
            run.timed(|clock| {
                self.set.run_or_portable(Pack { elements, lines });
                clock.lap(Step::Permutation);
            });
        };
        if run.threads == 1 {
            return pack((elements, lines));
        }
        let blocks = self.blocks_per_part(run);
        let elements = elements.par_chunks(blocks * LANES);
        elements
            .zip(lines.par_chunks_mut(blocks * K))
            .for_each(pack);
    }

    /// The same where the last stage leaves blocks that are not full.
    fn unpack_small(&self, lines: &mut [Line], elements: &mut [Digits<K>], backwards: bool) {
        let mut all = [Digits([0; K]); LANES * LANES];
        self.set.run_or_portable(Unpack {
            constants: &self.constants,
            lines,
            elements: &mut all,
            backwards: false,
        });
        let full = self.points / LANES;
        for (index, element) in elements.iter_mut().enumerate() {
            let from = match backwards {
                false => index,
                true => (self.points - index) % self.points,
            };
            *element = all[from / full * LANES + from % full];
        }
    }

    fn unpack(
        &self,
        run: Run<'_>,
        lines: &mut [Line],
        elements: &mut [Digits<K>],
        backwards: bool,
    ) {
        if self.is_small() {
            return self.unpack_small(lines, elements, backwards);
        }
        let unpack = |(elements, lines): (&mut [Digits<K>], &mut [Line])| {
            run.timed(|clock| {
                self.set.run_or_portable(Unpack {
                    constants: &self.constants,
                    lines,
                    elements,
                    backwards,
                });
                clock.lap(Step::Permutation);
            });
        };
        let blocks = self.blocks_per_part(run);
        if !backwards {
            if run.threads == 1 {
                return unpack((elements, lines));
            }
            let elements = elements.par_chunks_mut(blocks * LANES);
            return elements
                .zip(lines.par_chunks_mut(blocks * K))
                .for_each(unpack);
        }
        // Element i belongs at N − i. So those of block 0 but the first are the last ones, and the others
        // follow block by block from the end.
        let (first, lines) = lines.split_at_mut(K);
        let mut block = [Digits([0; K]); LANES];
        unpack((&mut block, first));
        let (start, elements) = elements.split_at_mut(1);
        let (elements, end) = elements.split_at_mut(self.points - LANES);
        // The block was unpacked backwards.
        end.copy_from_slice(&block[..LANES - 1]);
        start[0] = block[LANES - 1];
        if run.threads == 1 {
            return unpack((elements, lines));
        }
        let elements = elements.par_rchunks_mut(blocks * LANES);
        elements
            .zip(lines.par_chunks_mut(blocks * K))
            .for_each(unpack);
    }

    /// `x[i] ← x[i]·y[i]`.
    fn multiply_points(&self, run: Run<'_>, x: &mut [Line], y: &[u64]) {
        let multiply = |(x, y): (&mut [Line], &[u64])| {
            run.timed(|clock| {
                let constants = &self.constants;
                self.set.run_or_portable(Pointwise::<K> { constants, x, y });
                clock.lap(Step::Twiddle);
            });
        };
        if run.threads == 1 {
            return multiply((x, y));
        }
        let blocks = self.blocks_per_part(run);
        let y = y.par_chunks(blocks * K * LANES);
        x.par_chunks_mut(blocks * K).zip(y).for_each(multiply);
    }

    /// All stages, from the first buffer on; returns the buffer with the values, which are multiplied
    /// by `scale`.
    fn join<'b>(
        &self,
        run: Run<'_>,
        [first, second]: &'b mut [Vec<Line>; 2],
        scale: &Scale,
    ) -> &'b mut [Line] {
        let (mut from, mut to) = (first, second);
        let constants = &self.constants;
        for (index, &stage) in self.stages.stages.iter().enumerate() {
            let blocks = Blocks::<K>::new(from, to);
            let factors = self.tables.factors(index, &stage);
            run.share(stage.stride * stage.columns, |items, clock| {
                self.with_scratch(|scratch| {
                    self.set.run_or_portable(Pass {
                        constants,
                        blocks,
                        stage,
                        factors,
                        items,
                        scratch,
                        clock,
                    });
                });
            });
            (from, to) = (to, from);
        }
        let stage = self.stages.last;
        let count = self.blocks();
        let blocks = Blocks::<K>::new(from, to);
        run.share(count / stage.radix, |items, clock| {
            self.with_scratch(|scratch| {
                self.set.run_or_portable(LastPass {
                    constants,
                    blocks,
                    stage,
                    count,
                    scale,
                    items,
                    scratch,
                    clock,
                });
            });
        });
        to
    }

    /// From canonical elements to canonical elements in natural order.
    fn transform_natural(&self, run: Run<'_>, data: &mut [Digits<K>], direction: Direction) {
        self.with_buffers(|buffers| {
            self.pack(run, data, &mut buffers[0]);
            match direction {
                Direction::Forward => {
                    self.weigh(run, &mut buffers[0], 0);
                    let values = self.join(run, buffers, &Scale::default());
                    self.unpack(run, values, data, false);
                }
                Direction::Inverse => self.back(run, buffers, data),
            }
        });
    }

    /// From values in the first buffer to canonical coefficients.
    fn back(&self, run: Run<'_>, buffers: &mut [Vec<Line>; 2], data: &mut [Digits<K>]) {
        let coefficients = self.join(run, buffers, &self.inverse_scale);
        self.weigh(run, coefficients, 1);
        self.unpack(run, coefficients, data, true);
    }

    /// Multiplies by the weights of a negacyclic transform, or by their inverses.
    fn weigh(&self, run: Run<'_>, lines: &mut [Line], which: usize) {
        if let Some(weights) = &self.weights {
            self.multiply_points(run, lines, words_of(weights[which].lines()));
        }
    }
}

/// The words of lines, one after the other.
fn words_of(lines: &[Line]) -> &[u64] {
    // SAFETY: a line is eight words, without padding.
    unsafe { std::slice::from_raw_parts(lines.as_ptr().cast(), lines.len() * LANES) }
}

impl<const K: usize> Engine<GeneralizedFermat<K>> for Rotations<K> {
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
            self.pack(run, data, &mut buffers[0]);
            self.weigh(run, &mut buffers[0], 0);
            let values = self.join(run, buffers, &Scale::default());
            // The lines' words as they stand, in the place of as many elements.
            for (element, words) in data.iter_mut().zip(words_of(values).chunks_exact(K)) {
                element.0.copy_from_slice(words);
            }
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
            let words = Digits::words_of(values).chunks_exact(LANES);
            for (line, words) in buffers[0].iter_mut().zip(words) {
                line.0.copy_from_slice(words);
            }
            self.multiply_points(run, &mut buffers[0], Digits::words_of(other));
            self.back(run, buffers, values);
        });
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
