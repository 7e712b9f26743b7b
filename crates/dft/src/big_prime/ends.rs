//! Between the caller's elements and blocks of lines, and products point by point.

use super::stages::LANES;
use sunzi_field::Digits;
use sunzi_field::generalized_fermat::packed::arithmetic::{Arithmetic, Words};
use sunzi_field::generalized_fermat::packed::blocks::{pack_block, unpack_canonical};
use sunzi_field::generalized_fermat::packed::operations::multiply_lines;
use sunzi_field::generalized_fermat::packed::{Constants, Line};
use sunzi_field::simd::{Simd, SimdTask};

/// Elements into as many blocks.
pub(super) struct Pack<'a, const K: usize> {
    pub elements: &'a [Digits<K>],
    pub lines: &'a mut [Line],
}

impl<const K: usize> SimdTask for Pack<'_, K> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let blocks = self.elements.chunks_exact(LANES);
        for (elements, lines) in blocks.zip(self.lines.chunks_exact_mut(K)) {
            pack_block(simd, elements, lines);
        }
    }
}

/// Blocks into canonical elements, from the last place to the first if so said; the blocks' lines
/// change.
pub(super) struct Unpack<'a, const K: usize> {
    pub constants: &'a Constants,
    pub lines: &'a mut [Line],
    pub elements: &'a mut [Digits<K>],
    pub backwards: bool,
}

impl<const K: usize> SimdTask for Unpack<'_, K> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let arithmetic = Arithmetic::new(simd, self.constants);
        let lines = self.lines.chunks_exact_mut(K);
        if !self.backwards {
            for (elements, lines) in self.elements.chunks_exact_mut(LANES).zip(lines) {
                unpack_canonical(&arithmetic, self.constants.radix(), lines, elements);
            }
            return;
        }
        let mut block = [Digits([0; K]); LANES];
        for (elements, lines) in self.elements.rchunks_exact_mut(LANES).zip(lines) {
            unpack_canonical(&arithmetic, self.constants.radix(), lines, &mut block);
            for (element, unpacked) in elements.iter_mut().rev().zip(&block) {
                *element = *unpacked;
            }
        }
    }
}

/// `x[i] ← x[i]·y[i]` for normalized elements in blocks; those of `y` are words that need not be
/// aligned.
pub(super) struct Pointwise<'a, const K: usize> {
    pub constants: &'a Constants,
    pub x: &'a mut [Line],
    pub y: &'a [u64],
}

/// Digits of a block that lie one after the other.
#[derive(Clone, Copy)]
struct Unaligned<'a> {
    words: &'a [u64],
    lane: usize,
}

impl<S: Simd> Words<S> for Unaligned<'_> {
    #[inline(always)]
    fn word(&self, simd: S, index: usize) -> S::Vector {
        simd.load(&self.words[index * LANES + self.lane..])
    }
}

impl<const K: usize> SimdTask for Pointwise<'_, K> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let arithmetic = Arithmetic::new(simd, self.constants);
        let blocks = self.x.chunks_exact_mut(K);
        for (x, words) in blocks.zip(self.y.chunks_exact(K * LANES)) {
            for lane in (0..LANES).step_by(S::LANES) {
                multiply_lines::<S, K>(&arithmetic, x, Unaligned { words, lane }, lane);
            }
        }
    }
}
