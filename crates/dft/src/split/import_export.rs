//! The first and the last step of a transform, fused with its passes: canonical residues come in
//! where a vector is first read, and go out, in the order asked for, where it is last written.

use super::quarters::{load_columns, store_columns};
use super::tables::View;
use sunzi_field::lanes::{Lanes, LanesTask};

/// The first pass of a transform: two levels on `count` canonical points of each quarter. What is asked of
/// the fields is what [`ForwardPass`](super::block::ForwardPass) asks.
pub(crate) struct ImportPass<W> {
    pub(crate) quarters: [*mut W; 4],
    pub(crate) count: usize,
    pub(crate) index: usize,
    pub(crate) view: View<W>,
}

/// The factor of an inverse transform, and the multipliers of its last two levels times that
/// factor: of four results, only one takes a product more.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LastScale<W> {
    /// The prepared factor s.
    pub(crate) factor: [W; 2],
    /// The prepared multipliers −s/t of blocks i, 2i, 2i + 1, i the index of the whole vector.
    pub(crate) roots: [[W; 2]; 3],
}

/// The last pass of an inverse transform: two levels, and `scale` times that as canonical points.
/// What is asked of the fields is what [`InversePass`](super::block::InversePass) asks.
pub(crate) struct ExportPass<W> {
    pub(crate) quarters: [*mut W; 4],
    pub(crate) count: usize,
    pub(crate) index: usize,
    pub(crate) view: View<W>,
    pub(crate) scale: LastScale<W>,
}

/// # Safety
/// `data` holds `count` words, a multiple of L::LANES.
#[inline(always)]
pub(super) unsafe fn map<L: Lanes>(
    lanes: L,
    data: *mut L::Word,
    count: usize,
    f: impl Fn(L::Vector) -> L::Vector,
) {
    for i in (0..count).step_by(L::LANES) {
        // SAFETY: vectors from multiples of L on end by `count`, which this function asks for.
        unsafe { lanes.store(data.add(i), f(lanes.load(data.add(i)))) }
    }
}

impl<W: Copy> LanesTask<W> for ImportPass<W> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<Word = W>>(self, lanes: L) {
        // SAFETY: the quarters hold `count` words, a multiple of two vectors, and the tables reach the block
        // and its halves, as for a `ForwardPass`.
        unsafe {
            let t = [
                self.view.root(lanes, self.index),
                self.view.root(lanes, 2 * self.index),
                self.view.root(lanes, 2 * self.index + 1),
            ];
            for i in (0..self.count).step_by(2 * L::LANES) {
                let mut x = load_columns(lanes, self.quarters, i);
                for v in x.as_flattened_mut() {
                    *v = lanes.import(*v);
                }
                store_columns(lanes, self.quarters, i, lanes.forward4(x, t));
            }
        }
    }
}

impl<W: Copy> LanesTask<W> for ExportPass<W> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<Word = W>>(self, lanes: L) {
        // SAFETY: what the fields are documented to be.
        unsafe {
            export_pass(
                lanes,
                self.quarters,
                self.count,
                self.index,
                self.view,
                &self.scale,
            );
        }
    }
}

/// The last two levels of inverse butterflies.
///
/// # Safety
/// As [`ExportPass`] says of its fields.
#[inline(always)]
pub(super) unsafe fn export_pass<L: Lanes>(
    lanes: L,
    quarters: [*mut L::Word; 4],
    count: usize,
    index: usize,
    view: View<L::Word>,
    scale: &LastScale<L::Word>,
) {
    // SAFETY: the quarters hold `count` words, a multiple of two vectors, and the tables reach the block,
    // as for an `InversePass`.
    unsafe {
        let t = view.inverses(index).root(lanes, 1, 0);
        let [root, root_0, root_1] = &scale.roots;
        let st = lanes.twiddle(root);
        let st0 = lanes.twiddle(root_0);
        let st1 = lanes.twiddle(root_1);
        let factor = lanes.twiddle(&scale.factor);
        for i in (0..count).step_by(2 * L::LANES) {
            let [a, b] = load_columns(lanes, quarters, i);
            let (a0, a1) = lanes.inverse(a[0], a[1], st0);
            let (b0, b1) = lanes.inverse(b[0], b[1], st0);
            let (a2, a3) = lanes.inverse(a[2], a[3], st1);
            let (b2, b3) = lanes.inverse(b[2], b[3], st1);
            let (a0, a2) = lanes.inverse(a0, a2, st);
            let (b0, b2) = lanes.inverse(b0, b2, st);
            let (a1, a3) = lanes.inverse(a1, a3, t);
            let (b1, b3) = lanes.inverse(b1, b3, t);
            let columns = [
                [
                    lanes.export(a0, factor),
                    lanes.canonical(a1),
                    lanes.canonical(a2),
                    lanes.canonical(a3),
                ],
                [
                    lanes.export(b0, factor),
                    lanes.canonical(b1),
                    lanes.canonical(b2),
                    lanes.canonical(b3),
                ],
            ];
            store_columns(lanes, quarters, i, columns);
        }
    }
}
