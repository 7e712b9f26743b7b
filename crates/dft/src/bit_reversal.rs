//! The bit-reversal permutation, tile by tile: of elements of any type, and in vector registers.
//!
//! A position is read as (a, m, c), with a and c of a few bits; its element goes to (c', m', a'), a prime for
//! reversed bits. The elements of one m form a tile, which goes through a buffer or through registers, so that
//! every row is read and written once, whole (L. Carter and K. Gatlin, *Towards an optimal bit-reversal
//! permutation program*, 1998).

use sunzi_field::lanes::{Lanes, LanesTask};

/// Tiles of `2^LOG_TILE` by `2^LOG_TILE` elements: rows of about a cache line.
const LOG_TILE: u32 = 4;

/// The number whose `bits` low bits are those of `i < 2^bits`, reversed.
#[inline(always)]
pub const fn reversed(i: usize, bits: u32) -> usize {
    if bits == 0 {
        0
    } else {
        i.reverse_bits() >> (usize::BITS - bits)
    }
}

/// Exchanges every two elements whose positions have reversed bits; the length is a power of two. Here a and c
/// have `LOG_TILE` bits.
pub fn permute<T: Copy>(data: &mut [T]) {
    let log_len = data.len().trailing_zeros();
    if log_len <= 2 * LOG_TILE {
        for i in 0..data.len() {
            let j = reversed(i, log_len);
            if i < j {
                data.swap(i, j);
            }
        }
        return;
    }
    let tile = 1usize << LOG_TILE;
    let middle = log_len - 2 * LOG_TILE;
    let stride = data.len() / tile;
    let mut buffer = [[data[0]; 1 << LOG_TILE]; 1 << LOG_TILE];
    for m in 0..1usize << middle {
        let mirrored = reversed(m, middle);
        if m > mirrored {
            continue;
        }
        for (a, row) in buffer.iter_mut().enumerate() {
            let at = a * stride + m * tile;
            row.copy_from_slice(&data[at..at + tile]);
        }
        // The tile of m' takes the buffer; what it held goes to the buffer, row by row.
        for (a, row) in buffer.iter_mut().enumerate() {
            for (c, element) in row.iter_mut().enumerate() {
                let at = reversed(c, LOG_TILE) * stride + mirrored * tile;
                std::mem::swap(&mut data[at + reversed(a, LOG_TILE)], element);
            }
        }
        if m < mirrored {
            // buffer[a][c] was at (c', m', a'), so it goes to (a, m, c).
            for (a, row) in buffer.iter().enumerate() {
                let at = a * stride + m * tile;
                data[at..at + tile].copy_from_slice(row);
            }
        }
    }
}

/// Exchanges the tiles of m and m' for the m of a range.
///
/// Here a and c have log L bits. For given m the words form a square block of L·L, one row for each a, which
/// becomes the block of m' by a transposition in registers and by taking rows in reversed order.
///
/// `data` holds `2^log_len` words, at least a square block, and m is below their number by squares; tasks
/// that run at the same time have different m.
pub(crate) struct ReverseTiles<W> {
    pub(crate) data: *mut W,
    pub(crate) log_len: u32,
    pub(crate) from: usize,
    pub(crate) count: usize,
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
