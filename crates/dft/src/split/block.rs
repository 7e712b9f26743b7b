//! Transforms of blocks that fit the first-level cache, and single passes over longer ones:
//! the parts of a transform that are compiled once for each instruction set.

use super::import_export::{LastScale, export_pass, map};
use super::quarters::{load_columns, store_columns};
use super::tables::View;
use sunzi_field::lanes::{Lanes, LanesTask};

/// The form in which values lie in memory between a forward and an inverse transform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Private residues, square blocks transposed: nothing to do.
    Lazy,
    /// Canonical residues, square blocks transposed.
    Canonical,
    /// Canonical residues in bit-reversed order.
    BitReversed,
}

/// Transforms the `len` points at `data`, block `index` of its level, to their last level.
///
/// `data` holds `len` words that nothing else uses meanwhile, a power of two and at least a square,
/// and `view` is of tables that reach this block: what [`Tables::check_block`] has found.
///
/// [`Tables::check_block`]: super::tables::Tables::check_block
pub(crate) struct ForwardBlock<W> {
    pub(crate) data: *mut W,
    pub(crate) len: usize,
    pub(crate) index: usize,
    pub(crate) view: View<W>,
    /// Whether points come as canonical residues.
    pub(crate) import: bool,
    /// The form in which values leave.
    pub(crate) form: Form,
}

/// Undoes [`ForwardBlock`] up to a factor `len`.
pub(crate) struct InverseBlock<W> {
    pub(crate) data: *mut W,
    pub(crate) len: usize,
    pub(crate) index: usize,
    pub(crate) view: View<W>,
    /// The form in which values come.
    pub(crate) form: Form,
    /// What points are multiplied by that leave as canonical residues.
    pub(crate) export: Option<LastScale<W>>,
}

/// One pass over a block cut into four: two levels of butterflies at positions
/// `[0, count)` of each quarter.
///
/// Each quarter holds `count` words that nothing else uses meanwhile, a multiple of two vectors, and
/// `view` is of tables that reach the whole block, likewise.
pub(crate) struct ForwardPass<W> {
    pub(crate) quarters: [*mut W; 4],
    pub(crate) count: usize,
    pub(crate) index: usize,
    pub(crate) view: View<W>,
}

/// Undoes [`ForwardPass`] up to a factor 4.
pub(crate) struct InversePass<W> {
    pub(crate) quarters: [*mut W; 4],
    pub(crate) count: usize,
    pub(crate) index: usize,
    pub(crate) view: View<W>,
}

/// Two levels of forward butterflies.
///
/// # Safety
/// As [`ForwardPass`] says of its fields.
#[inline(always)]
pub(super) unsafe fn forward_pass<L: Lanes>(
    lanes: L,
    at: [*mut L::Word; 4],
    count: usize,
    index: usize,
    view: View<L::Word>,
) {
    // SAFETY: the quarters hold `count` words each, an even number of vectors, so two end by `count`; the
    // block's halves are blocks 2·index and 2·index + 1 of the next level, which the tables reach.
    unsafe {
        let t = [
            view.root(lanes, index),
            view.root(lanes, 2 * index),
            view.root(lanes, 2 * index + 1),
        ];
        for i in (0..count).step_by(2 * L::LANES) {
            let x = load_columns(lanes, at, i);
            store_columns(lanes, at, i, lanes.forward4(x, t));
        }
    }
}

/// Two levels of inverse butterflies.
///
/// # Safety
/// As [`ForwardPass`] says of its fields.
#[inline(always)]
pub(super) unsafe fn inverse_pass<L: Lanes>(
    lanes: L,
    at: [*mut L::Word; 4],
    count: usize,
    index: usize,
    view: View<L::Word>,
) {
    // SAFETY: the quarters hold `count` words each, an even number of vectors, so two end by `count`; the
    // tables reach the block and its two halves.
    unsafe {
        let inverses = view.inverses(index);
        let t = [
            inverses.root(lanes, 1, 0),
            inverses.root(lanes, 2, 0),
            inverses.root(lanes, 2, 1),
        ];
        for i in (0..count).step_by(2 * L::LANES) {
            let z = load_columns(lanes, at, i);
            store_columns(lanes, at, i, lanes.inverse4(z, t));
        }
    }
}

/// Repeats the body for four values of a variable: a loop that stays unrolled, so that rows can
/// stay in registers and nothing is predicted wrongly.
macro_rules! four_times {
    ($i:ident => $body:block) => {{
        let $i = 0;
        $body
    }
    {
        let $i = 1;
        $body
    }
    {
        let $i = 2;
        $body
    }
    {
        let $i = 3;
        $body
    }};
}

/// A double level of butterflies on two times four rows; `$method` is `forward4` or `inverse4`.
macro_rules! double_level {
    ($lanes:ident, $method:ident, $rows:ident, $a:expr, $b:expr, $t:expr) => {
        let [i, j, k, l]: [usize; 4] = $a;
        let [m, n, o, p]: [usize; 4] = $b;
        [
            [$rows[i], $rows[j], $rows[k], $rows[l]],
            [$rows[m], $rows[n], $rows[o], $rows[p]],
        ] = $lanes.$method(
            [
                [$rows[i], $rows[j], $rows[k], $rows[l]],
                [$rows[m], $rows[n], $rows[o], $rows[p]],
            ],
            $t,
        );
    };
}

/// All levels of forward butterflies between the vectors of a block; `twiddle(c, k)` is the
/// multiplier of part k where the block is cut into c parts.
#[inline(always)]
fn forward_levels<L: Lanes>(
    lanes: L,
    rows: &mut [L::Vector],
    twiddle: impl Fn(usize, usize) -> L::Twiddle,
) {
    match L::LANES {
        16 => {
            let t = [twiddle(1, 0), twiddle(2, 0), twiddle(2, 1)];
            double_level!(lanes, forward4, rows, [0, 4, 8, 12], [1, 5, 9, 13], t);
            double_level!(lanes, forward4, rows, [2, 6, 10, 14], [3, 7, 11, 15], t);
            four_times!(k => {
                let (i, t) = (4 * k, twiddle(4, k));
                (rows[i], rows[i + 2]) = lanes.forward(rows[i], rows[i + 2], t);
                (rows[i + 1], rows[i + 3]) = lanes.forward(rows[i + 1], rows[i + 3], t);
            });
            four_times!(k => {
                let (i, t) = (4 * k, [twiddle(8, 2 * k), twiddle(8, 2 * k + 1)]);
                (rows[i], rows[i + 1]) = lanes.forward(rows[i], rows[i + 1], t[0]);
                (rows[i + 2], rows[i + 3]) = lanes.forward(rows[i + 2], rows[i + 3], t[1]);
            });
        }
        8 => {
            let t = [twiddle(1, 0), twiddle(2, 0), twiddle(2, 1)];
            double_level!(lanes, forward4, rows, [0, 2, 4, 6], [1, 3, 5, 7], t);
            four_times!(k => {
                let t = twiddle(4, k);
                (rows[2 * k], rows[2 * k + 1]) = lanes.forward(rows[2 * k], rows[2 * k + 1], t);
            });
        }
        4 => {
            let t = [twiddle(1, 0), twiddle(2, 0), twiddle(2, 1)];
            let (a, c) = lanes.forward(rows[0], rows[2], t[0]);
            let (b, d) = lanes.forward(rows[1], rows[3], t[0]);
            (rows[0], rows[1]) = lanes.forward(a, b, t[1]);
            (rows[2], rows[3]) = lanes.forward(c, d, t[2]);
        }
        _ => debug_assert_eq!(L::LANES, 1),
    }
}

/// Undoes [`forward_levels`] up to a factor L::LANES.
#[inline(always)]
fn inverse_levels<L: Lanes>(
    lanes: L,
    rows: &mut [L::Vector],
    twiddle: impl Fn(usize, usize) -> L::Twiddle,
) {
    match L::LANES {
        16 => {
            four_times!(k => {
                let (i, t) = (4 * k, [twiddle(8, 2 * k), twiddle(8, 2 * k + 1)]);
                (rows[i], rows[i + 1]) = lanes.inverse(rows[i], rows[i + 1], t[0]);
                (rows[i + 2], rows[i + 3]) = lanes.inverse(rows[i + 2], rows[i + 3], t[1]);
            });
            four_times!(k => {
                let (i, t) = (4 * k, twiddle(4, k));
                (rows[i], rows[i + 2]) = lanes.inverse(rows[i], rows[i + 2], t);
                (rows[i + 1], rows[i + 3]) = lanes.inverse(rows[i + 1], rows[i + 3], t);
            });
            let t = [twiddle(1, 0), twiddle(2, 0), twiddle(2, 1)];
            double_level!(lanes, inverse4, rows, [0, 4, 8, 12], [1, 5, 9, 13], t);
            double_level!(lanes, inverse4, rows, [2, 6, 10, 14], [3, 7, 11, 15], t);
        }
        8 => {
            four_times!(k => {
                let t = twiddle(4, k);
                (rows[2 * k], rows[2 * k + 1]) = lanes.inverse(rows[2 * k], rows[2 * k + 1], t);
            });
            let t = [twiddle(1, 0), twiddle(2, 0), twiddle(2, 1)];
            double_level!(lanes, inverse4, rows, [0, 2, 4, 6], [1, 3, 5, 7], t);
        }
        4 => {
            let t = [twiddle(1, 0), twiddle(2, 0), twiddle(2, 1)];
            let (a, b) = lanes.inverse(rows[0], rows[1], t[1]);
            let (c, d) = lanes.inverse(rows[2], rows[3], t[2]);
            (rows[0], rows[2]) = lanes.inverse(a, c, t[0]);
            (rows[1], rows[3]) = lanes.inverse(b, d, t[0]);
        }
        _ => debug_assert_eq!(L::LANES, 1),
    }
}

/// A square block in registers: log L levels across its rows, then log L levels within them.
/// It is left transposed, unless the form asks for more.
///
/// # Safety
/// `data` holds the L² words of a square, and `view` is of tables that reach square `index`.
#[inline(always)]
unsafe fn forward_square<L: Lanes>(
    lanes: L,
    data: *mut L::Word,
    index: usize,
    view: View<L::Word>,
    form: Form,
) {
    // SAFETY: a square holds L rows of L words each.
    let mut block = unsafe { lanes.load_block(data, L::LANES) };
    forward_levels(
        lanes,
        block.as_mut(),
        #[inline(always)]
        // SAFETY: the tables reach the square, so its parts.
        |parts, k| unsafe { view.root(lanes, index * parts + k) },
    );
    lanes.transpose(&mut block);
    forward_levels(
        lanes,
        block.as_mut(),
        #[inline(always)]
        // SAFETY: the tables reach the square; part k of up to L/2 has vector parts − 1 + k < L − 1.
        |parts, k| unsafe { view.square(lanes, index, parts - 1 + k) },
    );
    if form != Form::Lazy {
        for row in block.as_mut() {
            *row = lanes.canonical(*row);
        }
    }
    if form == Form::BitReversed {
        lanes.transpose(&mut block);
    }
    // SAFETY: the words that the block was read from.
    unsafe { store_block(lanes, data, &block) }
}

/// Undoes [`forward_square`] up to a factor L².
///
/// The tables hold the inverse multipliers of a square in reverse. So its rows are reversed, which
/// takes one instruction for each, and lie in reverse after the transposition, which takes none.
///
/// # Safety
/// As [`forward_square`].
#[inline(always)]
unsafe fn inverse_square<L: Lanes>(
    lanes: L,
    data: *mut L::Word,
    index: usize,
    view: View<L::Word>,
    form: Form,
) {
    let inverses = view.inverses(index);
    // SAFETY: a square holds L rows of L words each.
    let mut block = unsafe { lanes.load_block(data, L::LANES) };
    if form == Form::BitReversed {
        lanes.transpose(&mut block);
    }
    if form != Form::Lazy {
        for row in block.as_mut() {
            *row = lanes.import(*row);
        }
    }
    for row in block.as_mut() {
        *row = lanes.reverse(*row);
    }
    inverse_levels(
        lanes,
        block.as_mut(),
        #[inline(always)]
        // SAFETY: the tables reach the square, and k < parts ≤ L/2.
        |parts, k| unsafe { inverses.square(lanes, parts, k) },
    );
    lanes.transpose(&mut block);
    block.as_mut().reverse();
    inverse_levels(
        lanes,
        block.as_mut(),
        #[inline(always)]
        // SAFETY: the tables reach the square, so its parts.
        |parts, k| unsafe { inverses.root(lanes, parts, k) },
    );
    // SAFETY: the words that the block was read from.
    unsafe { store_block(lanes, data, &block) }
}

/// # Safety
/// `data` holds the L² words of a square.
#[inline(always)]
unsafe fn store_block<L: Lanes>(lanes: L, data: *mut L::Word, block: &L::Block) {
    for (i, &row) in block.as_ref().iter().enumerate() {
        // SAFETY: row i < L of the square.
        unsafe { lanes.store(data.add(i * L::LANES), row) };
    }
}

/// Quarters of the block at `data` whose quarters hold `count` words.
///
/// # Safety
/// The block holds 4·count words.
#[inline(always)]
pub(super) unsafe fn quarters<W>(data: *mut W, count: usize) -> [*mut W; 4] {
    // SAFETY: places within the block of 4·count words, which this function asks for.
    unsafe {
        [
            data,
            data.add(count),
            data.add(2 * count),
            data.add(3 * count),
        ]
    }
}

impl<W> LanesTask<W> for ForwardBlock<W>
where
    W: Copy,
{
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<Word = W>>(self, lanes: L) {
        let square = L::LANES * L::LANES;
        // SAFETY: `len` words, a power of two and at least a square, cut into equal parts: blocks, quarters,
        // halves and squares all lie within; the tables reach the block, so its parts (see the fields).
        unsafe {
            if self.import {
                map(
                    lanes,
                    self.data,
                    self.len,
                    #[inline(always)]
                    |v| lanes.import(v),
                );
            }
            let (mut len, mut first, mut count) = (self.len, self.index, 1);
            while len >= 4 * square.max(2) {
                for block in 0..count {
                    let at = quarters(self.data.add(block * len), len / 4);
                    forward_pass(lanes, at, len / 4, first + block, self.view);
                }
                (len, first, count) = (len / 4, first * 4, count * 4);
            }
            while len > square {
                let half = len / 2;
                for block in 0..count {
                    let (low, t) = (self.data.add(block * len), first + block);
                    forward_halves(lanes, low, low.add(half), half, t, self.view);
                }
                (len, first, count) = (half, first * 2, count * 2);
            }
            for block in 0..count {
                forward_square(
                    lanes,
                    self.data.add(block * square),
                    first + block,
                    self.view,
                    self.form,
                );
            }
        }
    }
}

impl<W> LanesTask<W> for InverseBlock<W>
where
    W: Copy,
{
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<Word = W>>(self, lanes: L) {
        let square = L::LANES * L::LANES;
        // SAFETY: `len` words, a power of two and at least a square, cut into equal parts: blocks, quarters,
        // halves and squares all lie within; the tables reach the block, so its parts (see the fields).
        unsafe {
            let mut len = square;
            let mut count = self.len / square;
            for block in 0..count {
                let at = self.data.add(block * square);
                inverse_square(lanes, at, self.index * count + block, self.view, self.form);
            }
            // Single vectors make no pass, and an odd number of levels leaves one over.
            while count > 1 && (len < 2 || count.trailing_zeros() % 2 == 1) {
                let half = len;
                (len, count) = (2 * len, count / 2);
                for block in 0..count {
                    let (low, t) = (self.data.add(block * len), self.index * count + block);
                    inverse_halves(lanes, low, low.add(half), half, t, self.view);
                }
            }
            let last = self.export.filter(|_| self.len >= 4 * square.max(2));
            while count > 1 + 3 * usize::from(last.is_some()) {
                (len, count) = (4 * len, count / 4);
                for block in 0..count {
                    let at = quarters(self.data.add(block * len), len / 4);
                    inverse_pass(lanes, at, len / 4, self.index * count + block, self.view);
                }
            }
            if let Some(scale) = &last {
                let at = quarters(self.data, len);
                export_pass(lanes, at, len, self.index, self.view, scale);
            } else if let Some(scale) = &self.export {
                let t = lanes.twiddle(&scale.factor);
                map(
                    lanes,
                    self.data,
                    self.len,
                    #[inline(always)]
                    |v| lanes.export(v, t),
                );
            }
        }
    }
}

/// One level of forward butterflies.
///
/// # Safety
/// Both halves hold `count` words, a multiple of L, and `view` is of tables that reach block `index`.
#[inline(always)]
pub(super) unsafe fn forward_halves<L: Lanes>(
    lanes: L,
    low: *mut L::Word,
    high: *mut L::Word,
    count: usize,
    index: usize,
    view: View<L::Word>,
) {
    // SAFETY: vectors from multiples of L on end by `count`; the tables reach the block.
    unsafe {
        let t = view.root(lanes, index);
        for i in (0..count).step_by(L::LANES) {
            let (a, b) = (lanes.load(low.add(i)), lanes.load(high.add(i)));
            let (a, b) = lanes.forward(a, b, t);
            lanes.store(low.add(i), a);
            lanes.store(high.add(i), b);
        }
    }
}

/// One level of inverse butterflies.
///
/// # Safety
/// As [`forward_halves`].
#[inline(always)]
pub(super) unsafe fn inverse_halves<L: Lanes>(
    lanes: L,
    low: *mut L::Word,
    high: *mut L::Word,
    count: usize,
    index: usize,
    view: View<L::Word>,
) {
    // SAFETY: vectors from multiples of L on end by `count`; the tables reach the block.
    unsafe {
        let t = view.inverses(index).root(lanes, 1, 0);
        for i in (0..count).step_by(L::LANES) {
            let (a, b) = (lanes.load(low.add(i)), lanes.load(high.add(i)));
            let (a, b) = lanes.inverse(a, b, t);
            lanes.store(low.add(i), a);
            lanes.store(high.add(i), b);
        }
    }
}

impl<W: Copy> LanesTask<W> for ForwardPass<W> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes<Word = W>>(self, lanes: L) {
        // SAFETY: what the fields are documented to be.
        unsafe { forward_pass(lanes, self.quarters, self.count, self.index, self.view) }
    }
}

impl<W: Copy> LanesTask<W> for InversePass<W> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes<Word = W>>(self, lanes: L) {
        // SAFETY: what the fields are documented to be.
        unsafe { inverse_pass(lanes, self.quarters, self.count, self.index, self.view) }
    }
}
