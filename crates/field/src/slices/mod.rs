//! Element-wise operations on slices, written once for every instruction set.

mod combine;
mod horner;
mod montgomery104;
mod words32;
mod words64;

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
trait Elementwise<T: Word>: Copy {
    fn vector<S: Simd>(self, simd: S, x: S::Vector, y: S::Vector) -> S::Vector;
    fn element(self, x: T, y: T) -> T;
}

/// `x[i] = operation(x[i], y[i])`.
struct Zip<'a, T, O> {
    operation: O,
    x: &'a mut [T],
    y: &'a [T],
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
struct Map<'a, T, O> {
    operation: O,
    x: &'a mut [T],
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

/// Checks for one operation that vectors and single elements agree, on every instruction set.
#[cfg(test)]
fn check_vectors<T: Word + Eq + std::fmt::Debug, O: Elementwise<T>>(operation: O, residues: &[T]) {
    use sunzi_machine::simd::InstructionSet;

    // Every residue meets every other, and the lengths leave every remainder.
    for shift in 0..residues.len() {
        let length = residues.len() - shift % 17 % residues.len();
        let x = &residues[..length];
        let y: Vec<T> = (0..length)
            .map(|i| residues[(i + shift) % residues.len()])
            .collect();
        let expected: Vec<T> = x
            .iter()
            .zip(&y)
            .map(|(&x, &y)| operation.element(x, y))
            .collect();
        for set in InstructionSet::ALL {
            let mut zipped = x.to_vec();
            let task = Zip {
                operation,
                x: &mut zipped,
                y: &y,
            };
            if set.run(task).is_none() {
                sunzi_testkit::skip(&format!("this machine lacks {set:?}"));
                continue;
            }
            assert_eq!(zipped, expected, "{set:?}");
        }
    }
    let expected: Vec<T> = residues.iter().map(|&x| operation.element(x, x)).collect();
    for set in InstructionSet::ALL {
        let mut mapped = residues.to_vec();
        let x = &mut mapped;
        if set.run(Map { operation, x }).is_some() {
            assert_eq!(mapped, expected, "{set:?}");
        }
    }
}
