//! What can be done with vectors of elements, block by block.

use super::arithmetic::{Arithmetic, Complement, Multiplier};
use super::blocks::{Lines, Same, cut_lines, pack_block, store_reduced, unpack_canonical};
use super::{Constants, LANES, Line};
use crate::Digits;
use crate::simd::{Simd, SimdTask};

/// What is done with every block of a vector, and a second one.
pub(super) trait BlockOperation<const K: usize> {
    /// `x ← x ∘ y`, for the lanes from `lane` on.
    fn apply<S: Simd>(&self, arithmetic: &Arithmetic<S>, x: &mut [Line], y: &[Line], lane: usize);
}

/// A product of the lanes of two blocks.
pub(super) struct Multiply;

impl<const K: usize> BlockOperation<K> for Multiply {
    #[inline(always)]
    fn apply<S: Simd>(&self, arithmetic: &Arithmetic<S>, x: &mut [Line], y: &[Line], lane: usize) {
        let mut digits = cut_lines::<S, K>(arithmetic, x, lane);
        let mut multiplier = Multiplier::new(arithmetic.simd());
        let y = Lines { lines: y, lane };
        arithmetic.multiplier(y, Complement::Twice, &mut multiplier);
        arithmetic.multiply(&mut digits, &multiplier, Complement::Twice);
        store_reduced(arithmetic, digits, x, lane);
    }
}

/// A sum or a difference.
pub(super) struct Combine {
    pub(super) subtract: bool,
}

impl<const K: usize> BlockOperation<K> for Combine {
    #[inline(always)]
    fn apply<S: Simd>(&self, arithmetic: &Arithmetic<S>, x: &mut [Line], y: &[Line], lane: usize) {
        let mut digits = cut_lines::<S, K>(arithmetic, x, lane);
        let others = cut_lines::<S, K>(arithmetic, y, lane);
        for (digit, other) in digits.iter_mut().zip(others) {
            *digit = match self.subtract {
                false => arithmetic.add(*digit, other),
                true => arithmetic.sub(*digit, other),
            };
        }
        arithmetic.lift_sums(&mut digits);
        store_reduced(arithmetic, digits, x, lane);
    }
}

/// A product with one element.
pub(super) struct Scale<const K: usize>(pub(super) Digits<K>);

impl<const K: usize> BlockOperation<K> for Scale<K> {
    #[inline(always)]
    fn apply<S: Simd>(&self, arithmetic: &Arithmetic<S>, x: &mut [Line], _: &[Line], lane: usize) {
        let mut digits = cut_lines::<S, K>(arithmetic, x, lane);
        let mut multiplier = Multiplier::new(arithmetic.simd());
        arithmetic.multiplier(Same(&self.0.0), Complement::Once, &mut multiplier);
        arithmetic.multiply(&mut digits, &multiplier, Complement::Once);
        store_reduced(arithmetic, digits, x, lane);
    }
}

/// A product with r^power, for powers below 2K.
pub(super) struct Rotate {
    pub(super) power: usize,
}

impl<const K: usize> BlockOperation<K> for Rotate {
    #[inline(always)]
    fn apply<S: Simd>(&self, arithmetic: &Arithmetic<S>, x: &mut [Line], _: &[Line], lane: usize) {
        let simd = arithmetic.simd();
        let digits = cut_lines::<S, K>(arithmetic, x, lane);
        let zeros = [simd.splat64(0); 2];
        let mut rotated = [zeros; K];
        for (index, digit) in digits.into_iter().enumerate() {
            let place = (index + self.power) % (2 * K);
            rotated[place % K] = match place < K {
                true => digit,
                false => arithmetic.sub(zeros, digit),
            };
        }
        arithmetic.lift_sums(&mut rotated);
        store_reduced(arithmetic, rotated, x, lane);
    }
}

/// One operation on all blocks of vectors; the second may be empty.
pub(super) struct EachBlock<'a, O, const K: usize> {
    pub(super) constants: &'a Constants,
    pub(super) operation: O,
    pub(super) x: &'a mut [Line],
    pub(super) y: &'a [Line],
}

impl<O: BlockOperation<K>, const K: usize> SimdTask for EachBlock<'_, O, K> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let arithmetic = Arithmetic::new(simd, self.constants);
        let mut others = self.y.chunks_exact(K);
        for x in self.x.chunks_exact_mut(K) {
            let y = others.next().unwrap_or_default();
            for lane in (0..LANES).step_by(S::LANES) {
                self.operation.apply(&arithmetic, x, y, lane);
            }
        }
    }
}

/// `x[i] = x[i]·y[i]` for canonical elements in whole blocks.
pub(in super::super) struct MultiplyElements<'a, const K: usize> {
    pub(in super::super) constants: &'a Constants,
    pub(in super::super) x: &'a mut [Digits<K>],
    pub(in super::super) y: &'a [Digits<K>],
}

impl<const K: usize> SimdTask for MultiplyElements<'_, K> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let arithmetic = Arithmetic::new(simd, self.constants);
        let mut blocks = [[Line::default(); K]; 2];
        let mut multiplier = Multiplier::<S, K>::new(simd);
        let factors = self.y.chunks_exact(LANES);
        for (elements, others) in self.x.chunks_exact_mut(LANES).zip(factors) {
            let [x, y] = &mut blocks;
            pack_block(simd, elements, x);
            pack_block(simd, others, y);
            for lane in (0..LANES).step_by(S::LANES) {
                let mut digits = cut_lines::<S, K>(&arithmetic, x, lane);
                let y = Lines { lines: y, lane };
                arithmetic.multiplier(y, Complement::Once, &mut multiplier);
                arithmetic.multiply(&mut digits, &multiplier, Complement::Once);
                store_reduced(&arithmetic, digits, x, lane);
            }
            unpack_canonical(&arithmetic, self.constants.radix, x, elements);
        }
    }
}
