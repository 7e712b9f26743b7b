//! Kernels on a tile: some columns of a matrix, whose rows lie one after the other.
//!
//! A tile of n rows of c points is a vector of n·c points, and a transform of it that stops at blocks of c points
//! has transformed its columns: each level takes the same multipliers as it would for one column. So nothing is
//! transposed, whatever lanes there are.

use super::block::{forward_halves, forward_pass, inverse_halves, inverse_pass, quarters};
use super::tables::View;
use sunzi_field::lanes::{Lanes, LanesTask};

/// Rows whose products with powers are independent of each other: a product waits for the one before it.
pub(crate) const CHAINS: usize = 2;

/// Which way rows go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// To a tile, from canonical residues to the private form.
    In,
    /// From a tile, back to canonical residues.
    Out,
}

/// What row i and column j of a tile is multiplied by: `start[i, j]` for the first [`CHAINS`] rows, and then what
/// it was that many rows before, times `step[j]`. All are canonical, over the arithmetic's product factor.
#[derive(Clone, Copy)]
pub(crate) struct Twist<W> {
    /// [`CHAINS`] rows of as many words as the tile has columns.
    pub(crate) start: *const W,
    /// One row.
    pub(crate) step: *const W,
}

/// Moves rows into a tile or out of it, and multiplies them.
///
/// Each of `height` rows, a power of two and at least [`CHAINS`], has `width` words, a multiple of two vectors, as
/// each row of the tile has; nothing else uses them meanwhile.
pub(crate) struct MoveRows<W> {
    pub(crate) rows: *const *mut W,
    pub(crate) tile: *mut W,
    pub(crate) height: usize,
    pub(crate) width: usize,
    pub(crate) way: Way,
    /// Whether row i is that of the tile with the bits of i reversed.
    pub(crate) is_reversed: bool,
    pub(crate) twist: Option<Twist<W>>,
}

/// The `len / width` rows at `data`, block `index` of its level, in the private form.
///
/// `data` holds `len` words that nothing else uses meanwhile, a power of two times `width`, which is a multiple of
/// two vectors; the tables of `view` have multipliers for blocks of `width` points.
#[derive(Clone, Copy)]
pub(crate) struct Rows<W> {
    pub(crate) data: *mut W,
    pub(crate) len: usize,
    pub(crate) width: usize,
    pub(crate) index: usize,
    pub(crate) view: View<W>,
}

/// Transforms the columns of rows, to bit-reversed order.
pub(crate) struct ForwardRows<W>(pub(crate) Rows<W>);

/// Undoes [`ForwardRows`] up to a factor, the number of rows.
pub(crate) struct InverseRows<W>(pub(crate) Rows<W>);

impl<W: Copy> MoveRows<W> {
    /// Where a row comes from, and where it goes to.
    ///
    /// # Safety
    /// `i` is below `height`.
    #[inline(always)]
    unsafe fn places(&self, i: usize) -> [*mut W; 2] {
        let reversed = i.reverse_bits() >> (self.height.leading_zeros() + 1);
        let place = if self.is_reversed { reversed } else { i };
        // SAFETY: row i of `height`, and of the tile one that is below `height`, too, with i's bits reversed.
        let (row, of_tile) = unsafe { (*self.rows.add(i), self.tile.add(place * self.width)) };
        match self.way {
            Way::In => [row, of_tile],
            Way::Out => [of_tile, row],
        }
    }

    /// # Safety
    /// A vector is readable at `from`.
    #[inline(always)]
    unsafe fn load<L: Lanes<Word = W>>(&self, lanes: L, from: *const W) -> L::Vector {
        // SAFETY: what this function asks for.
        let vector = unsafe { lanes.load(from) };
        match self.way {
            Way::In => lanes.import(vector),
            Way::Out => vector,
        }
    }

    /// # Safety
    /// A vector is writable at `to`.
    #[inline(always)]
    unsafe fn store<L: Lanes<Word = W>>(&self, lanes: L, to: *mut W, vector: L::Vector) {
        let vector = match self.way {
            Way::In => vector,
            Way::Out => lanes.canonical(vector),
        };
        // SAFETY: what this function asks for.
        unsafe { lanes.store(to, vector) }
    }

    /// The columns of two vectors, `at` on.
    ///
    /// # Safety
    /// `at` is a multiple of two vectors below `width`.
    #[inline(always)]
    unsafe fn twisted<L: Lanes<Word = W>>(&self, lanes: L, at: usize, twist: Twist<W>) {
        let both = [at, at + L::LANES];
        // SAFETY: two vectors from `at` on lie in every row: those of `start`, `step`, the tile and outside of it.
        unsafe {
            let step = [
                lanes.import(lanes.load(twist.step.add(both[0]))),
                lanes.import(lanes.load(twist.step.add(both[1]))),
            ];
            let first = twist.start;
            let second = first.add(self.width);
            let mut powers = [
                [
                    lanes.import(lanes.load(first.add(both[0]))),
                    lanes.import(lanes.load(first.add(both[1]))),
                ],
                [
                    lanes.import(lanes.load(second.add(both[0]))),
                    lanes.import(lanes.load(second.add(both[1]))),
                ],
            ];
            for i in (0..self.height).step_by(CHAINS) {
                for (chain, powers) in powers.iter_mut().enumerate() {
                    let [from, to] = self.places(i + chain);
                    for ((power, step), at) in powers.iter_mut().zip(step).zip(both) {
                        let product = lanes.mul(self.load(lanes, from.add(at)), *power);
                        self.store(lanes, to.add(at), product);
                        *power = lanes.mul(*power, step);
                    }
                }
            }
        }
    }
}

impl<W: Copy> LanesTask<W> for MoveRows<W> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<Word = W>>(self, lanes: L) {
        // SAFETY: `height` rows of `width` words, a multiple of two vectors, and as many of the tile.
        unsafe {
            if let Some(twist) = self.twist {
                for at in (0..self.width).step_by(2 * L::LANES) {
                    self.twisted(lanes, at, twist);
                }
                return;
            }
            for i in 0..self.height {
                let [from, to] = self.places(i);
                for at in (0..self.width).step_by(L::LANES) {
                    self.store(lanes, to.add(at), self.load(lanes, from.add(at)));
                }
            }
        }
    }
}

impl<W: Copy> LanesTask<W> for ForwardRows<W> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<Word = W>>(self, lanes: L) {
        let Rows {
            data, width, view, ..
        } = self.0;
        let (mut len, mut first, mut count) = (self.0.len, self.0.index, 1);
        // SAFETY: `len` words, cut into equal blocks, which are as long as a row at least, and a row is a multiple
        // of two vectors; of each the tables have the multipliers (see `Rows`).
        unsafe {
            while len >= 4 * width {
                for block in 0..count {
                    let at = quarters(data.add(block * len), len / 4);
                    forward_pass(lanes, at, len / 4, first + block, view);
                }
                (len, first, count) = (len / 4, first * 4, count * 4);
            }
            if len > width {
                let half = len / 2;
                for block in 0..count {
                    let low = data.add(block * len);
                    forward_halves(lanes, low, low.add(half), half, first + block, view);
                }
            }
        }
    }
}

impl<W: Copy> LanesTask<W> for InverseRows<W> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<Word = W>>(self, lanes: L) {
        let Rows {
            data,
            width,
            index: first,
            view,
            ..
        } = self.0;
        let (mut len, mut count) = (width, self.0.len / width);
        // SAFETY: as for `ForwardRows`.
        unsafe {
            if count.trailing_zeros() % 2 == 1 {
                let half = len;
                (len, count) = (2 * len, count / 2);
                for block in 0..count {
                    let (low, index) = (data.add(block * len), first * count + block);
                    inverse_halves(lanes, low, low.add(half), half, index, view);
                }
            }
            while count > 1 {
                (len, count) = (4 * len, count / 4);
                for block in 0..count {
                    let at = quarters(data.add(block * len), len / 4);
                    inverse_pass(lanes, at, len / 4, first * count + block, view);
                }
            }
        }
    }
}
