//! Stages carried out: base cases on tiles of blocks, each followed by what its values are multiplied
//! by.

use super::base_case::{Rows, Words, transform};
use super::stages::{LANES, LastStage, Stage};
use super::times::{Step, Stopwatch};
use sunzi_field::generalized_fermat::packed::arithmetic::{Arithmetic, Limbs, Sums};
use sunzi_field::generalized_fermat::packed::blocks::{Lines, Same, store_reduced};
use sunzi_field::generalized_fermat::packed::operations::{multiply, multiply_lines, rotate};
use sunzi_field::generalized_fermat::packed::{Constants, Line};
use sunzi_field::simd::{Simd, SimdTask};

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

/// Vectors that several threads read and write, each at places of its own.
#[derive(Clone, Copy)]
pub(super) struct Blocks<const K: usize> {
    from: *const Line,
    to: *mut Line,
}

impl<const K: usize> Blocks<K> {
    /// From all of one vector to all of another.
    pub(super) fn new(from: &[Line], to: &mut [Line]) -> Self {
        assert_eq!(from.len(), to.len(), "vectors of equal length");
        Self {
            from: from.as_ptr(),
            to: to.as_mut_ptr(),
        }
    }
}

// SAFETY: the passes of one stage read `from` only, and every block of `to` is written by the item
// that it belongs to.
unsafe impl<const K: usize> Send for Blocks<K> {}
// SAFETY: as above.
unsafe impl<const K: usize> Sync for Blocks<K> {}

/// Some items of a stage: item p·s + q is column p, number q.
pub(super) struct Pass<'a, const K: usize> {
    pub constants: &'a Constants,
    pub blocks: Blocks<K>,
    pub stage: Stage,
    pub factors: Factors<'a>,
    pub items: std::ops::Range<usize>,
    /// Two times the rows of a base case.
    pub scratch: &'a mut [Line],
    pub clock: &'a mut Stopwatch,
}

impl<const K: usize> SimdTask for Pass<'_, K> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let arithmetic = Arithmetic::new(simd, self.constants);
        let Stage {
            radix,
            stride,
            columns,
            ..
        } = self.stage;
        let (middle, values) = self.scratch.split_at_mut(Rows::<K>::lines(radix));
        for item in self.items {
            let (p, q) = (item / stride, item % stride);
            for lane in (0..LANES).step_by(S::LANES) {
                let from = self.blocks.from.wrapping_add((q + stride * p) * K);
                let points = Words::<K> {
                    start: from.cast::<u64>().wrapping_add(lane),
                    stride: stride * columns,
                };
                let values = Rows::<K>::new(values, lane);
                let middle = Rows::<K>::new(middle, lane);
                // SAFETY: all points are blocks of `from`; the rows are in the scratch memory.
                let values = unsafe { transform(&arithmetic, radix, points, middle, values) };
                self.clock.lap(Step::BaseCase);
                for k in 0..radix {
                    let place = q + stride * (radix * p + k);
                    let to = self.blocks.to.wrapping_add(place * K);
                    // SAFETY: block `place` belongs to this item alone.
                    let to = unsafe { std::slice::from_raw_parts_mut(to, K) };
                    // SAFETY: row k is a value of the base case.
                    let mut value = unsafe { values.row(simd, k) };
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
                            arithmetic.lift_sums(&mut value);
                        }
                        _ => arithmetic.lift_sums(&mut value),
                    }
                    store_reduced(&arithmetic, value, to, lane);
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
    pub blocks: Blocks<K>,
    pub stage: LastStage,
    /// Blocks in all, at least as many as the stage has points.
    pub count: usize,
    /// What all values are multiplied by.
    pub scale: &'a Scale,
    pub items: std::ops::Range<usize>,
    pub scratch: &'a mut [Line],
    pub clock: &'a mut Stopwatch,
}

/// A product of words and a power of r.
#[derive(Clone, Debug, Default)]
pub(super) struct Scale {
    pub words: Vec<u64>,
    pub power: usize,
}

impl<const K: usize> SimdTask for LastPass<'_, K> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let arithmetic = Arithmetic::new(simd, self.constants);
        let LastStage { radix, step, width } = self.stage;
        let (middle, values) = self.scratch.split_at_mut(Rows::<K>::lines(radix));
        // Blocks from one of the eight columns of rows to the next.
        let stride = self.count / (radix / LANES);
        for item in self.items {
            let power = step * (item * LANES / width);
            for group in 0..radix / LANES {
                let from = (item * LANES + stride * group) * K;
                let from = self.blocks.from.wrapping_add(from);
                // SAFETY: eight blocks from there on are those of this group, and `values` has as
                // many rows as there are points.
                unsafe { turn::<S, K>(&arithmetic, from, power, group * LANES, values) };
            }
            self.clock.lap(Step::Permutation);
            for lane in (0..LANES).step_by(S::LANES) {
                let values = Rows::<K>::new(values, lane);
                let middle = Rows::<K>::new(middle, lane);
                // SAFETY: the rows are in the scratch memory; there the points were put.
                let values = unsafe { transform(&arithmetic, radix, values, middle, values) };
                self.clock.lap(Step::BaseCase);
                for k in 0..radix {
                    let place = item + self.count / radix * k;
                    let to = self.blocks.to.wrapping_add(place * K);
                    // SAFETY: block `place` belongs to this item alone.
                    let to = unsafe { std::slice::from_raw_parts_mut(to, K) };
                    // SAFETY: row k is a value of the base case.
                    let mut value = unsafe { values.row(simd, k) };
                    rotate(&arithmetic, &mut value, self.scale.power);
                    for &word in &self.scale.words {
                        rescale(&arithmetic, &mut value, word);
                    }
                    arithmetic.lift_sums(&mut value);
                    store_reduced(&arithmetic, value, to, lane);
                }
                self.clock.lap(Step::Twiddle);
            }
        }
    }
}

/// `value·word`, normalized.
#[inline(always)]
fn rescale<S: Simd, const K: usize>(
    arithmetic: &Arithmetic<S>,
    value: &mut [Limbs<S>; K],
    word: u64,
) {
    arithmetic.multiply_by_word(value, arithmetic.simd().splat64(word));
    arithmetic.reduce(value);
    for digit in value {
        *digit = arithmetic.settled(*digit);
    }
}

/// Elements of eight blocks, which are transposed: lane l becomes row `row + l` of `rows`, rotated by
/// `power·(row + l)` digits.
///
/// # Safety
/// The blocks can be read, and `rows` has `row + 8` rows.
#[inline(always)]
unsafe fn turn<S: Simd, const K: usize>(
    arithmetic: &Arithmetic<S>,
    from: *const Line,
    power: usize,
    row: usize,
    rows: &mut [Line],
) {
    let simd = arithmetic.simd();
    let zeros = [simd.splat64(0); 2];
    let mut tile = [Line::default(); LANES];
    for digit in 0..K {
        let from = from.wrapping_add(digit).cast();
        // SAFETY: one line of each of the eight blocks, and the tile.
        unsafe { simd.transpose8(from, tile.as_mut_ptr().cast(), (K * LANES, LANES)) };
        for (l, line) in tile.iter().enumerate() {
            let place = (digit + power * (row + l)) % (2 * K);
            for lane in (0..LANES).step_by(S::LANES) {
                let mut limbs = arithmetic.cut(simd.load(&line.0[lane..]));
                if place >= K {
                    limbs = arithmetic.sub(zeros, limbs);
                }
                let rows = Rows::<K>::new(rows, lane);
                // SAFETY: a row that exists.
                unsafe { rows.store(simd, row + l, place % K, limbs) };
            }
        }
    }
}
