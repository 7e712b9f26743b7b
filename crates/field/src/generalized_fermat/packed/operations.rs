//! What can be done with vectors of elements, block by block.

use super::arithmetic::{Arithmetic, Digit, DigitVectors, Multiplicand, Normalized};
use super::blocks::{
    Lines, Same, cut_lines, pack_block, store_reduced, store_sums, unpack_canonical,
};
use super::{Constants, LANES, Line};
use crate::generalized_fermat::digits::Digits;
use sunzi_machine::simd::{Simd, SimdTask};

/// What is done with every element x of a vector, and the element y of a second one at the same place.
#[derive(Clone, Copy, Debug)]
pub enum Operation<'a> {
    /// `x + y`
    Add,
    /// `x − y`
    Subtract,
    /// `x·y`
    Multiply,
    /// A product with one normalized element.
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
        let simd = arithmetic.simd();
        let mut digits = cut_lines::<S, K>(arithmetic, x, lane);
        match self {
            Self::Add | Self::Subtract => {
                let others = cut_lines::<S, K>(arithmetic, y, lane);
                for (digit, other) in digits.iter_mut().zip(others) {
                    *digit = match self {
                        Self::Add => digit.add(simd, other),
                        _ => digit.sub(simd, other),
                    };
                }
            }
            Self::Multiply => {
                let y = Lines { lines: y, lane };
                return multiply_lines::<S, K>(arithmetic, x, y, lane);
            }
            Self::Scale(factor) => {
                return multiply_lines::<S, K>(arithmetic, x, Same(factor), lane);
            }
            Self::Rotate(power) => {
                rotate(arithmetic, &mut digits, power);
            }
        }
        store_sums(arithmetic, &digits, x, lane);
    }
}

/// `to = x·y` for the lanes from `lane` on.
#[inline(always)]
pub fn multiply<S: Simd, const K: usize>(
    arithmetic: &Arithmetic<S>,
    x: impl Multiplicand<S>,
    y: impl DigitVectors<S>,
    to: &mut [Line],
    lane: usize,
) {
    let mut product = [[arithmetic.simd().splat64(0); 2]; K];
    arithmetic.multiply(x, y, &mut product);
    store_reduced(arithmetic, product, to, lane);
}

/// `x ← x·y` for the lanes from `lane` on.
#[inline(always)]
pub fn multiply_lines<S: Simd, const K: usize>(
    arithmetic: &Arithmetic<S>,
    x: &mut [Line],
    y: impl DigitVectors<S>,
    lane: usize,
) {
    let mut product = [[arithmetic.simd().splat64(0); 2]; K];
    arithmetic.multiply(Normalized(Lines { lines: x, lane }), y, &mut product);
    store_reduced(arithmetic, product, x, lane);
}

/// `value·r^power`, for sums: the digits move up, and from r^K on change their sign.
#[inline(always)]
pub fn rotate<S: Simd, D: Digit<S>, const K: usize>(
    arithmetic: &Arithmetic<S>,
    value: &mut [D; K],
    power: usize,
) {
    let power = power % (2 * K);
    if power == 0 {
        return;
    }
    let simd = arithmetic.simd();
    let zero = D::of_word(arithmetic, simd.splat64(0));
    let before = *value;
    let wrapped = power % K;
    for (digit, &from) in value[wrapped..].iter_mut().zip(&before) {
        *digit = match power < K {
            true => from,
            false => zero.sub(simd, from),
        };
    }
    for (digit, &from) in value.iter_mut().zip(&before[K - wrapped..]) {
        *digit = match power < K {
            true => zero.sub(simd, from),
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

impl<S: Simd, const K: usize> SimdTask<S> for EachBlock<'_, K> {
    type Output = ();

    #[inline(always)]
    fn run(self, simd: S) {
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

impl<S: Simd, const K: usize> SimdTask<S> for MultiplyElements<'_, K> {
    type Output = ();

    #[inline(always)]
    fn run(self, simd: S) {
        let arithmetic = Arithmetic::new(simd, self.constants);
        let mut blocks = [[Line::default(); K]; 2];
        let factors = self.y.chunks_exact(LANES);
        for (elements, others) in self.x.chunks_exact_mut(LANES).zip(factors) {
            let [x, y] = &mut blocks;
            pack_block(&arithmetic, elements, x);
            pack_block(&arithmetic, others, y);
            for lane in (0..LANES).step_by(S::LANES) {
                let y = Lines { lines: y, lane };
                multiply_lines::<S, K>(&arithmetic, x, y, lane);
            }
            unpack_canonical(&arithmetic, self.constants.radix, x, elements);
        }
    }
}
