//! Values of one polynomial at many points, by the rule of Horner in every lane.

use super::Elementwise;
use crate::simd::{Simd, SimdTask, Word, dispatch};

/// Vectors of points at a time: their products do not wait for each other.
const ROWS: usize = 4;

/// `values[i] = Σ coefficients[j]·points[i]^j`.
struct Horner<'a, T, M, A> {
    multiply: M,
    add: A,
    values: &'a mut [T],
    coefficients: &'a [T],
    points: &'a [T],
}

impl<T: Word, M: Elementwise<T>, A: Elementwise<T>> Horner<'_, T, M, A> {
    /// For `R` vectors of points.
    #[inline(always)]
    fn rows<S: Simd, const R: usize>(&mut self, simd: S, start: usize) {
        let lanes = simd.lanes_of::<T>();
        let mut points = [simd.splat64(0); R];
        for (row, points) in points.iter_mut().enumerate() {
            *points = simd.load(&self.points[start + row * lanes..]);
        }
        let mut values = [simd.splat64(0); R];
        for &coefficient in self.coefficients.iter().rev() {
            let coefficient = coefficient.splat(simd);
            for (value, &point) in values.iter_mut().zip(&points) {
                let product = self.multiply.vector(simd, *value, point);
                *value = self.add.vector(simd, product, coefficient);
            }
        }
        for (row, value) in values.into_iter().enumerate() {
            simd.store(&mut self.values[start + row * lanes..], value);
        }
    }
}

impl<T: Word, M: Elementwise<T>, A: Elementwise<T>> SimdTask for Horner<'_, T, M, A> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        let lanes = simd.lanes_of::<T>();
        let len = self.values.len();
        let mut start = 0;
        while start + ROWS * lanes <= len {
            self.rows::<S, ROWS>(simd, start);
            start += ROWS * lanes;
        }
        while start + lanes <= len {
            self.rows::<S, 1>(simd, start);
            start += lanes;
        }
        for i in start..len {
            let point = self.points[i];
            let steps = self.coefficients.iter().rev();
            self.values[i] = steps.fold(T::default(), |value, &coefficient| {
                let product = self.multiply.element(value, point);
                self.add.element(product, coefficient)
            });
        }
    }
}

/// `values[i] = Σ coefficients[j]·points[i]^j` with the field's product and sum.
pub(super) fn evaluate<T: Word, M: Elementwise<T>, A: Elementwise<T>>(
    (multiply, add): (M, A),
    values: &mut [T],
    coefficients: &[T],
    points: &[T],
) {
    assert_eq!(values.len(), points.len(), "slices of equal length");
    dispatch(Horner {
        multiply,
        add,
        values,
        coefficients,
        points,
    });
}
