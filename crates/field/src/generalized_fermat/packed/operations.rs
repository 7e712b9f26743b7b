//! What can be done with vectors of elements, block by block.

use std::mem::MaybeUninit;

use super::arithmetic::{Arithmetic, Complement, Digit, Limbs};
use super::blocks::{Lines, Same, cut_lines, pack_block, store_reduced, unpack_canonical};
use super::{Constants, LANES, Line};
use crate::Digits;
use crate::simd::{Simd, SimdTask};

/// What is done with every element x of a vector, and the element y of a second one at the same place.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operation<'a> {
    /// `x + y`
    Add,
    /// `x − y`
    Subtract,
    /// `x·y`
    Multiply,
    /// A product with one canonical element.
    Scale(&'a [u64]),
    /// A product with r^power, for powers below 2K.
    Rotate(usize),
}

impl Operation<'_> {
    /// For the lanes of a block from `lane` on.
    #[inline(always)]
    fn apply<S: Simd, const K: usize>(
        self,
        arithmetic: &Arithmetic<S>,
        x: &mut [Line],
        y: &[Line],
        lane: usize,
    ) {
        let mut digits = cut_lines::<S, K>(arithmetic, x, lane);
        match self {
            Self::Add | Self::Subtract => {
                let others = cut_lines::<S, K>(arithmetic, y, lane);
                for (digit, other) in digits.iter_mut().zip(others) {
                    *digit = match self {
                        Self::Add => arithmetic.add(*digit, other),
                        _ => arithmetic.sub(*digit, other),
                    };
                }
                arithmetic.lift_sums(&mut digits);
            }
            Self::Multiply => {
                let y = Lines { lines: y, lane };
                return multiply::<S, K>(arithmetic, &digits, y, Complement::Twice, x, lane);
            }
            Self::Scale(factor) => {
                let y = Same(factor);
                return multiply::<S, K>(arithmetic, &digits, y, Complement::Once, x, lane);
            }
            Self::Rotate(power) => {
                rotate(arithmetic, &mut digits, power);
                arithmetic.lift_sums(&mut digits);
            }
        }
        store_reduced(arithmetic, digits, x, lane);
    }
}

/// `to = x·y` for the lanes from `lane` on; the digits of x are positive.
#[inline(always)]
pub fn multiply<S: Simd, const K: usize>(
    arithmetic: &Arithmetic<S>,
    x: &[Limbs<S>; K],
    y: impl Digit<S>,
    complement: Complement,
    to: &mut [Line],
    lane: usize,
) {
    let mut room = MaybeUninit::uninit();
    let multiplier = arithmetic.multiplier(y, complement, &mut room);
    let mut product = [[arithmetic.simd().splat64(0); 2]; K];
    arithmetic.multiply(x, multiplier, complement, &mut product);
    store_reduced(arithmetic, product, to, lane);
}

/// `value·r^power`, for sums: the digits move up, and from r^K on change their sign.
#[inline(always)]
pub fn rotate<S: Simd, const K: usize>(
    arithmetic: &Arithmetic<S>,
    value: &mut [Limbs<S>; K],
    power: usize,
) {
    let power = power % (2 * K);
    if power == 0 {
        return;
    }
    let zeros = [arithmetic.simd().splat64(0); 2];
    let before = *value;
    let wrapped = power % K;
    for (digit, &from) in value[wrapped..].iter_mut().zip(&before) {
        *digit = match power < K {
            true => from,
            false => arithmetic.sub(zeros, from),
        };
    }
    for (digit, &from) in value.iter_mut().zip(&before[K - wrapped..]) {
        *digit = match power < K {
            true => arithmetic.sub(zeros, from),
            false => from,
        };
    }
}

/// One operation on all blocks of vectors; the second may be empty.
pub(super) struct EachBlock<'a, const K: usize> {
    pub(super) constants: &'a Constants,
    pub(super) operation: Operation<'a>,
    pub(super) x: &'a mut [Line],
    pub(super) y: &'a [Line],
}

impl<const K: usize> SimdTask for EachBlock<'_, K> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let arithmetic = Arithmetic::new(simd, self.constants);
        let mut others = self.y.chunks_exact(K);
        for x in self.x.chunks_exact_mut(K) {
            let y = others.next().unwrap_or_default();
            for lane in (0..LANES).step_by(S::LANES) {
                self.operation.apply::<S, K>(&arithmetic, x, y, lane);
            }
        }
    }
}

/// `x[i] = x[i]·y[i]` for canonical elements in whole blocks.
pub(super) struct MultiplyElements<'a, const K: usize> {
    pub(super) constants: &'a Constants,
    pub(super) x: &'a mut [Digits<K>],
    pub(super) y: &'a [Digits<K>],
}

impl<const K: usize> SimdTask for MultiplyElements<'_, K> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let arithmetic = Arithmetic::new(simd, self.constants);
        let mut blocks = [[Line::default(); K]; 2];
        let factors = self.y.chunks_exact(LANES);
        for (elements, others) in self.x.chunks_exact_mut(LANES).zip(factors) {
            let [x, y] = &mut blocks;
            pack_block(simd, elements, x);
            pack_block(simd, others, y);
            for lane in (0..LANES).step_by(S::LANES) {
                let digits = cut_lines::<S, K>(&arithmetic, x, lane);
                let y = Lines { lines: y, lane };
                multiply(&arithmetic, &digits, y, Complement::Once, x, lane);
            }
            unpack_canonical(&arithmetic, self.constants.radix, x, elements);
        }
    }
}
