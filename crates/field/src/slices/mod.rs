//! Element-wise operations on slices, written once for every instruction set.

pub mod combine;
pub mod horner;
pub mod montgomery104;
pub mod words32;
pub mod words64;

pub(crate) use combine::{combine_32, combine_64};
pub(crate) use montgomery104::Montgomery104;
pub(crate) use words32::{
    add_assign_32, evaluate_32, mul_assign_32, neg_32, scale_32, sub_assign_32,
};
pub(crate) use words64::{
    add_assign_64, evaluate_64, mul_assign_64, neg_64, scale_64, sub_assign_64,
};

use sunzi_machine::simd::{Simd, SimdTask, Word, dispatch};

/// An operation on one element and on a vector of them, which compute the same.
pub trait Elementwise<T: Word>: Copy {
    fn vector<S: Simd>(self, simd: S, x: S::Vector, y: S::Vector) -> S::Vector;
    fn element(self, x: T, y: T) -> T;
}

/// `x[i] = operation(x[i], y[i])`.
pub struct Zip<'a, T, O> {
    pub operation: O,
    pub x: &'a mut [T],
    pub y: &'a [T],
}

impl<S: Simd, T: Word, O: Elementwise<T>> SimdTask<S> for Zip<'_, T, O> {
    type Output = ();

    #[inline(always)]
    fn run(self, simd: S) {
        let lanes = simd.lanes_of::<T>();
        let mut targets = self.x.chunks_exact_mut(lanes);
        let mut operands = self.y.chunks_exact(lanes);
        for (x, y) in (&mut targets).zip(&mut operands) {
            let value = self.operation.vector(simd, simd.load(x), simd.load(y));
            simd.store(x, value);
        }
        let rest = targets.into_remainder().iter_mut();
        for (x, &y) in rest.zip(operands.remainder()) {
            *x = self.operation.element(*x, y);
        }
    }
}

/// `x[i] = operation(x[i], ·)` for an operation that ignores its second operand.
pub struct Map<'a, T, O> {
    pub operation: O,
    pub x: &'a mut [T],
}

impl<S: Simd, T: Word, O: Elementwise<T>> SimdTask<S> for Map<'_, T, O> {
    type Output = ();

    #[inline(always)]
    fn run(self, simd: S) {
        let mut targets = self.x.chunks_exact_mut(simd.lanes_of::<T>());
        for x in &mut targets {
            let vector = simd.load(x);
            simd.store(x, self.operation.vector(simd, vector, vector));
        }
        for x in targets.into_remainder() {
            *x = self.operation.element(*x, *x);
        }
    }
}

fn zip<T: Word, O: Elementwise<T>>(operation: O, x: &mut [T], y: &[T]) {
    assert_eq!(x.len(), y.len(), "slices of equal length");
    dispatch(Zip { operation, x, y });
}

fn map<T: Word, O: Elementwise<T>>(operation: O, x: &mut [T]) {
    dispatch(Map { operation, x });
}
