//! What happens to each point by itself: products, and the way into and out of the private form.
//!
//! In every task here, each pointer is to `count` words, a multiple of a vector, of which what is written is
//! used by nothing else meanwhile. The methods of `SplitContext` that make them check the lengths.

use sunzi_field::lanes::{Lanes, LanesTask};

/// `a ← c·a·b` on `count` points, with c the arithmetic's product factor.
pub(crate) struct Pointwise<W> {
    pub(crate) a: *mut W,
    pub(crate) b: *const W,
    pub(crate) count: usize,
}

impl<W: Copy> LanesTask<W> for Pointwise<W> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<Word = W>>(self, lanes: L) {
        // SAFETY: both hold `count` words, a multiple of L, so vectors end by `count`.
        unsafe {
            for i in (0..self.count).step_by(L::LANES) {
                let product = lanes.mul(lanes.load(self.a.add(i)), lanes.load(self.b.add(i)));
                lanes.store(self.a.add(i), product);
            }
        }
    }
}

/// `out ← c·Σ a·b` over `T` pairs (a, b), one or two, on `count` points, with c the arithmetic's product factor.
pub(crate) struct SumOfProducts<W, const T: usize> {
    pub(crate) out: *mut W,
    pub(crate) pairs: [[*const W; 2]; T],
    pub(crate) count: usize,
}

impl<W: Copy, const T: usize> LanesTask<W> for SumOfProducts<W, T> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<Word = W>>(self, lanes: L) {
        // SAFETY: all hold `count` words, a multiple of L, so vectors end by `count`.
        unsafe {
            for i in (0..self.count).step_by(L::LANES) {
                let [a, b] = self.pairs[0];
                let mut sum = lanes.mul(lanes.load(a.add(i)), lanes.load(b.add(i)));
                for [a, b] in self.pairs.into_iter().skip(1) {
                    let product = lanes.mul(lanes.load(a.add(i)), lanes.load(b.add(i)));
                    sum = lanes.add(sum, product);
                }
                lanes.store(self.out.add(i), sum);
            }
        }
    }
}

/// `a ← c·a²` on `count` points.
pub(crate) struct Square<W> {
    pub(crate) a: *mut W,
    pub(crate) count: usize,
}

impl<W: Copy> LanesTask<W> for Square<W> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<Word = W>>(self, lanes: L) {
        // SAFETY: `count` words, a multiple of L, so vectors end by `count`.
        unsafe {
            for i in (0..self.count).step_by(L::LANES) {
                let value = lanes.load(self.a.add(i));
                lanes.store(self.a.add(i), lanes.mul(value, value));
            }
        }
    }
}

/// Brings `count` canonical residues to the arithmetic's own form.
pub(crate) struct Import<W> {
    pub(crate) data: *mut W,
    pub(crate) count: usize,
}

impl<W: Copy> LanesTask<W> for Import<W> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<Word = W>>(self, lanes: L) {
        // SAFETY: `count` words, a multiple of L, so vectors end by `count`.
        unsafe {
            for i in (0..self.count).step_by(L::LANES) {
                lanes.store(self.data.add(i), lanes.import(lanes.load(self.data.add(i))));
            }
        }
    }
}

/// Brings `count` points back to canonical residues, times `factor/c^products`, with c the
/// arithmetic's product factor.
pub(crate) struct Export<W> {
    pub(crate) data: *mut W,
    pub(crate) count: usize,
    /// Prepared multiplier.
    pub(crate) scale: [W; 2],
}

impl<W: Copy> LanesTask<W> for Export<W> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<Word = W>>(self, lanes: L) {
        // SAFETY: `count` words, a multiple of L, so vectors end by `count`.
        unsafe {
            let t = lanes.twiddle(&self.scale);
            for i in (0..self.count).step_by(L::LANES) {
                lanes.store(
                    self.data.add(i),
                    lanes.export(lanes.load(self.data.add(i)), t),
                );
            }
        }
    }
}
