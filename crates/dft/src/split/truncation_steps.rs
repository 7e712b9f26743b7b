//! The kernels of truncated transforms: single levels of butterflies of which only a part is known or
//! wanted, and reduction of a long polynomial modulo x^s − t.

use super::block::{forward_halves, inverse_halves};
use super::tables::View;
use sunzi_field::lanes::{Lanes, LanesTask};

/// Columns that are summed at a time: each sum waits for its products.
const COLUMNS: usize = 4;

/// One level of butterflies on `count` points of each half of a block.
///
/// Both halves hold `count` words that nothing else uses meanwhile, a multiple of a vector, and `view` is
/// of tables that reach the block.
pub(crate) struct HalvesPass<W> {
    pub(crate) low: *mut W,
    pub(crate) high: *mut W,
    pub(crate) count: usize,
    pub(crate) index: usize,
    pub(crate) view: View<W>,
    pub(crate) step: HalvesStep,
}

/// What a [`HalvesPass`] does with `(a, b)`, the points of the low and of the high half.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum HalvesStep {
    /// `(a + t·b, a − t·b)`.
    Forward,
    /// `(a + t·b, b)`: the low half's butterflies only.
    ForwardLow,
    /// `(a + b, (a − b)/t)`.
    Inverse,
    /// Half of that, for block 0, where t = 1.
    InverseHalved,
    /// With a twice the low half's sum and b known, both scaled alike: `(2a − t·b, a − t·b)`.
    KnownHigh,
    /// `(2a − t·b, b)`.
    LowFromSum,
    /// `((a + t·b)/2, b)`: the sum that two known points have.
    SumOfKnown,
}

impl<W: Copy> LanesTask<W> for HalvesPass<W> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<Word = W>>(self, lanes: L) {
        // SAFETY: both halves hold `count` words, so vectors from multiples of L on end by `count`; the tables
        // reach the block (`SplitContext::halves` has checked both).
        unsafe {
            match self.step {
                HalvesStep::Forward => {
                    forward_halves(
                        lanes, self.low, self.high, self.count, self.index, self.view,
                    );
                }
                HalvesStep::Inverse => {
                    inverse_halves(
                        lanes, self.low, self.high, self.count, self.index, self.view,
                    );
                }
                step => {
                    let t = self.view.root(lanes, self.index);
                    let half = self.view.half(lanes);
                    for i in (0..self.count).step_by(L::LANES) {
                        let (low, high) = (self.low.add(i), self.high.add(i));
                        let (a, b) = (lanes.load(low), lanes.load(high));
                        let product = lanes.scale(b, t);
                        match step {
                            HalvesStep::KnownHigh => {
                                let difference = lanes.sub(a, product);
                                lanes.store(low, lanes.add(a, difference));
                                lanes.store(high, difference);
                            }
                            HalvesStep::LowFromSum => {
                                lanes.store(low, lanes.sub(lanes.add(a, a), product));
                            }
                            HalvesStep::InverseHalved => {
                                lanes.store(low, lanes.scale(lanes.add(a, b), half));
                                lanes.store(high, lanes.scale(lanes.sub(a, b), half));
                            }
                            HalvesStep::SumOfKnown => {
                                lanes.store(low, lanes.scale(lanes.add(a, product), half));
                            }
                            _ => lanes.store(low, lanes.add(a, product)),
                        }
                    }
                }
            }
        }
    }
}

/// Sums `Σ_k t^k·from[i + k·stride]` over `rows` ≥ 1 rows, for `count` positions i.
///
/// `from` holds `count` words of each row, which nothing writes meanwhile, and `to` as many that nothing
/// else uses; `count` is a multiple of a vector, and `view` is of tables that reach the block of t.
pub(crate) struct Fold<W> {
    pub(crate) from: *const W,
    pub(crate) to: *mut W,
    pub(crate) stride: usize,
    pub(crate) rows: usize,
    pub(crate) count: usize,
    /// The index of the multiplier t.
    pub(crate) index: usize,
    pub(crate) view: View<W>,
    pub(crate) step: FoldStep<W>,
}

/// What happens with a sum at position i; constants are table entries.
#[derive(Clone, Copy)]
pub(crate) enum FoldStep<W> {
    /// `to[i] ← sum`.
    Store,
    /// `to[i] ← c·sum`.
    StoreScaled([W; 2]),
    /// `to[i] ← c·to[i] + sum`.
    AddToScaled([W; 2]),
    /// `to[i] ← c·to[i] − t·sum`.
    SubtractFromScaled([W; 2]),
}

impl<W: Copy> LanesTask<W> for Fold<W> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<Word = W>>(self, lanes: L) {
        // SAFETY: positions below `count`, a multiple of L (`SplitContext::fold` has checked the lengths).
        unsafe {
            let whole = self.count - self.count % (COLUMNS * L::LANES);
            for i in (0..whole).step_by(COLUMNS * L::LANES) {
                self.columns::<L, COLUMNS>(lanes, i);
            }
            for i in (whole..self.count).step_by(L::LANES) {
                self.columns::<L, 1>(lanes, i);
            }
        }
    }
}

impl<W: Copy> Fold<W> {
    /// `N` neighbouring vectors of positions from i on.
    ///
    /// # Safety
    /// Their last position is below `count`, and the fields are as [`Fold`] says.
    #[inline(always)]
    unsafe fn columns<L: Lanes<Word = W>, const N: usize>(&self, lanes: L, i: usize) {
        // SAFETY: `N` vectors from i on of each row and of `to`, which end by `count`; the tables reach the block.
        unsafe {
            let t = self.view.root(lanes, self.index);
            let mut row = self.from.add(i + (self.rows - 1) * self.stride);
            let mut sums = [lanes.load(row); N];
            for (column, sum) in sums.iter_mut().enumerate().skip(1) {
                *sum = lanes.load(row.add(column * L::LANES));
            }
            for _ in 1..self.rows {
                row = row.sub(self.stride);
                for (column, sum) in sums.iter_mut().enumerate() {
                    let next = lanes.load(row.add(column * L::LANES));
                    *sum = lanes.add(next, lanes.scale(*sum, t));
                }
            }
            for (column, &sum) in sums.iter().enumerate() {
                let to = self.to.add(i + column * L::LANES);
                let value = match &self.step {
                    FoldStep::Store => sum,
                    FoldStep::StoreScaled(c) => lanes.scale(sum, lanes.twiddle(c)),
                    FoldStep::AddToScaled(c) => {
                        let c = lanes.twiddle(c);
                        lanes.add(lanes.scale(lanes.load(to), c), sum)
                    }
                    FoldStep::SubtractFromScaled(c) => {
                        let c = lanes.twiddle(c);
                        lanes.sub(lanes.scale(lanes.load(to), c), lanes.scale(sum, t))
                    }
                };
                lanes.store(to, value);
            }
        }
    }
}
