//! The bit-reversal permutation in vector registers, tile by tile.
//!
//! A position of log N bits is read as (a, m, c), with a and c of log L bits; its word goes to
//! (c', m', a'), a prime for reversed bits. For given m the words form a square block of L·L,
//! one row for each a, which becomes the block of m' by a transposition in registers and by taking
//! rows in reversed order. So every row is read and written once, whole (the idea of L. Carter and
//! K. Gatlin, *Towards an optimal bit-reversal permutation program*, 1998).

use crate::bit_reversal::{self, reversed};
use crate::compiled::TransformField;
use crate::split::{Shared, pass};
use crate::tables::Tables;
use sunzi_field::lanes::{Lanes, LanesTask};

/// Exchanges the blocks of m and m' for the m of a range.
///
/// `data` holds `2^log_len` words, at least a square block, and m is below their number by squares; tasks
/// that run at the same time have different m.
pub(crate) struct ReverseTiles<W> {
    data: *mut W,
    log_len: u32,
    from: usize,
    count: usize,
}

/// # Safety
/// From `from` on there are L rows of L readable words, `stride` words apart.
#[inline(always)]
unsafe fn load_reversed<L: Lanes>(lanes: L, from: *const L::Word, stride: usize) -> L::Block {
    // SAFETY: L rows of L words, which this function asks for.
    let mut block = unsafe { lanes.load_block(from, stride) };
    let rows = block.as_mut();
    for i in 0..L::LANES {
        let j = reversed(i, L::LANES.trailing_zeros());
        if i < j {
            rows.swap(i, j);
        }
    }
    lanes.transpose(&mut block);
    block
}

/// # Safety
/// From `to` on there are L rows of L writable words, `stride` words apart.
#[inline(always)]
unsafe fn store_reversed<L: Lanes>(lanes: L, to: *mut L::Word, stride: usize, block: L::Block) {
    for (i, &row) in block.as_ref().iter().enumerate() {
        let j = reversed(i, L::LANES.trailing_zeros());
        // SAFETY: row j < L, as the reversal of L's bits permutes the numbers below L.
        unsafe { lanes.store(to.add(j * stride), row) }
    }
}

impl<W: Copy> LanesTask<W> for ReverseTiles<W> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<Word = W>>(self, lanes: L) {
        let log_lanes = L::LANES.trailing_zeros();
        let middle = self.log_len - 2 * log_lanes;
        let stride = (1 << self.log_len) / L::LANES;
        for m in self.from..self.from + self.count {
            let mirrored = reversed(m, middle);
            if m > mirrored {
                continue;
            }
            let low = self.data.wrapping_add(m * L::LANES);
            let high = self.data.wrapping_add(mirrored * L::LANES);
            // SAFETY: rows a·N/L + m·L with a < L and m, m' < N/L² lie within the N words; m and m' have their two
            // blocks to themselves, and the greater of them does nothing.
            unsafe {
                let block = load_reversed(lanes, low, stride);
                if m < mirrored {
                    let other = load_reversed(lanes, high, stride);
                    store_reversed(lanes, low, stride, other);
                }
                store_reversed(lanes, high, stride, block);
            }
        }
    }
}

/// Exchanges every two words whose positions have reversed bits. `data` is at least a square block
/// of the tables' arithmetic.
pub(crate) fn bit_reverse<F: TransformField>(tables: &Tables<F>, data: &mut [F::Elem]) {
    let square = tables.shape().square();
    if square == 1 {
        return bit_reversal::permute(data);
    }
    assert!(data.len().is_power_of_two() && data.len() >= square);
    let log_len = data.len().trailing_zeros();
    let shared = Shared(data.as_mut_ptr());
    pass(tables, data.len() / square, |from, count| ReverseTiles {
        data: shared.at(0),
        log_len,
        from,
        count,
    });
}
