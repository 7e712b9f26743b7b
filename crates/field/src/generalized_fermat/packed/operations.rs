//! What can be done with vectors of elements, block by block.

use std::mem::MaybeUninit;

use super::arithmetic::{
    Arithmetic, Digit, DigitVectors, Limbs, Multiplicand, Normalized, Room, Workspace,
};
use super::blocks::{Lines, Same, pack_block, store_reduced, store_sums, unpack_canonical};
use super::number::{DigitTask, Number};
use super::{Constants, LANES, Line};
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
    fn apply<S: Simd, N: Number>(
        self,
        arithmetic: &Arithmetic<S>,
        work: &mut Workspace<'_, S, N>,
        sums: &mut [Limbs<S>],
        x: &mut [Line],
        y: &[Line],
        lane: usize,
    ) {
        let simd = arithmetic.simd();
        let own = Lines::new(x, lane);
        let others = Lines::new(y, lane);
        match self {
            Self::Add | Self::Subtract => {
                for (index, sum) in sums.iter_mut().enumerate() {
                    let [a, b]: [Limbs<S>; 2] = [
                        arithmetic.cut(own.word(simd, index)),
                        arithmetic.cut(others.word(simd, index)),
                    ];
                    *sum = match self {
                        Self::Add => a.add(simd, b),
                        _ => a.sub(simd, b),
                    };
                }
            }
            Self::Multiply => return multiply_lines(arithmetic, x, others, work, lane),
            Self::Scale(factor) => return multiply_lines(arithmetic, x, Same(factor), work, lane),
            Self::Rotate(power) => rotated(arithmetic, own, power, sums),
        }
        store_sums(arithmetic, sums, work, x, lane);
    }
}

/// `to = x·y` for the lanes from `lane` on.
#[inline(always)]
pub fn multiply<S: Simd, N: Number>(
    arithmetic: &Arithmetic<S>,
    x: impl Multiplicand<S>,
    y: impl DigitVectors<S>,
    work: &mut Workspace<'_, S, N>,
    to: &mut [Line],
    lane: usize,
) {
    arithmetic.multiply(x, y, work);
    store_reduced(arithmetic, work, to, lane);
}

/// `x ← x·y` for the lanes from `lane` on.
#[inline(always)]
pub fn multiply_lines<S: Simd, N: Number>(
    arithmetic: &Arithmetic<S>,
    x: &mut [Line],
    y: impl DigitVectors<S>,
    work: &mut Workspace<'_, S, N>,
    lane: usize,
) {
    // A function of its own for each kind of factor.
    arithmetic.simd().outline(LinesTimes {
        arithmetic,
        x,
        y,
        work,
        lane,
    });
}

/// See [`multiply_lines`].
struct LinesTimes<'a, 'b, S: Simd, Y, N: Number> {
    arithmetic: &'a Arithmetic<S>,
    x: &'a mut [Line],
    y: Y,
    work: &'a mut Workspace<'b, S, N>,
    lane: usize,
}

impl<S: Simd, Y: DigitVectors<S>, N: Number> SimdTask<S> for LinesTimes<'_, '_, S, Y, N> {
    type Output = ();

    #[inline(always)]
    fn run(self, _: S) {
        let Self {
            arithmetic,
            x,
            y,
            work,
            lane,
        } = self;
        arithmetic.multiply(Normalized(Lines::new(x, lane)), y, work);
        store_reduced(arithmetic, work, x, lane);
    }
}

/// Digits of sums in every lane, by number.
pub trait SumDigits<S: Simd, D> {
    /// Digit `index`.
    fn digit(&self, arithmetic: &Arithmetic<S>, index: usize) -> D;
}

impl<S: Simd, D: Digit<S>> SumDigits<S, D> for Lines<'_> {
    #[inline(always)]
    fn digit(&self, arithmetic: &Arithmetic<S>, index: usize) -> D {
        D::of_word(arithmetic, self.word(arithmetic.simd(), index))
    }
}

/// `to = value·r^power`, for sums: the digits move up, and from r^K on change their sign.
#[inline(always)]
pub fn rotated<S: Simd, D: Digit<S>>(
    arithmetic: &Arithmetic<S>,
    value: impl SumDigits<S, D>,
    power: usize,
    to: &mut [D],
) {
    let count = to.len();
    let power = power % (2 * count);
    if power == 0 {
        for (index, digit) in to.iter_mut().enumerate() {
            *digit = value.digit(arithmetic, index);
        }
        return;
    }
    let simd = arithmetic.simd();
    let zero = D::of_word(arithmetic, simd.splat64(0));
    let wrapped = power % count;
    for (index, digit) in to[wrapped..].iter_mut().enumerate() {
        let from = value.digit(arithmetic, index);
        *digit = match power < count {
            true => from,
            false => zero.sub(simd, from),
        };
    }
    for (index, digit) in to[..wrapped].iter_mut().enumerate() {
        let from = value.digit(arithmetic, count - wrapped + index);
        *digit = match power < count {
            true => zero.sub(simd, from),
            false => from,
        };
    }
}

/// One operation on all blocks of vectors; the second may be empty where the operation takes one element.
pub(super) struct EachBlock<'a> {
    pub(super) constants: &'a Constants,
    pub(super) operation: Operation<'a>,
    pub(super) x: &'a mut [Line],
    pub(super) y: &'a [Line],
}

impl DigitTask for EachBlock<'_> {
    #[inline(always)]
    fn run<S: Simd, N: Number>(self, simd: S, digits: N) {
        let arithmetic = Arithmetic::new(simd, self.constants);
        let mut room = Room::default();
        let mut work = Workspace::new(simd, digits, &mut room);
        let mut sums = MaybeUninit::uninit();
        let sums = digits.fill(&mut sums, [simd.splat64(0); 2]);
        let mut others = self.y.chunks_exact(digits.get());
        for x in self.x.chunks_exact_mut(digits.get()) {
            let y = others.next().unwrap_or_default();
            for lane in (0..LANES).step_by(S::LANES) {
                self.operation
                    .apply(&arithmetic, &mut work, sums, x, y, lane);
            }
        }
    }
}

/// `x[i] = x[i]·y[i]` for canonical elements in whole blocks.
pub(super) struct MultiplyElements<'a> {
    pub(super) constants: &'a Constants,
    pub(super) x: &'a mut [u64],
    pub(super) y: &'a [u64],
}

impl DigitTask for MultiplyElements<'_> {
    #[inline(always)]
    fn run<S: Simd, N: Number>(self, simd: S, digits: N) {
        let arithmetic = Arithmetic::new(simd, self.constants);
        let mut room = Room::default();
        let mut work = Workspace::new(simd, digits, &mut room);
        let (mut x, mut y) = (MaybeUninit::uninit(), MaybeUninit::uninit());
        let x = digits.fill(&mut x, Line::default());
        let y = digits.fill(&mut y, Line::default());
        let words = LANES * digits.get();
        let factors = self.y.chunks_exact(words);
        for (elements, others) in self.x.chunks_exact_mut(words).zip(factors) {
            pack_block(&arithmetic, digits, elements, x);
            pack_block(&arithmetic, digits, others, y);
            for lane in (0..LANES).step_by(S::LANES) {
                let y = Lines::new(y, lane);
                multiply_lines(&arithmetic, x, y, &mut work, lane);
            }
            unpack_canonical(&arithmetic, digits, self.constants.radix, x, elements);
        }
    }
}
