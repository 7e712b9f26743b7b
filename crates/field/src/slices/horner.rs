//! Values of one polynomial at many points, by the rule of Horner in every lane.

use super::Elementwise;
use super::montgomery104::{LiftedFactor, Montgomery104};
use crate::word_modulus::WordModulus;
use sunzi_machine::simd::{Simd, SimdTask, Word, dispatch};

/// How values are multiplied by points, each of which is used many times.
pub trait PointProduct<T: Word>: Copy {
    /// A vector of points, prepared.
    type Point<S: Simd>: Copy;

    fn prepare<S: Simd>(self, simd: S, points: S::Vector) -> Self::Point<S>;
    fn multiply<S: Simd>(self, simd: S, values: S::Vector, points: Self::Point<S>) -> S::Vector;
    fn element(self, value: T, point: T) -> T;
}

/// By the operation that multiplies slices.
#[derive(Clone, Copy)]
pub struct ElementwiseProduct<M>(pub M);

impl<T: Word, M: Elementwise<T>> PointProduct<T> for ElementwiseProduct<M> {
    type Point<S: Simd> = S::Vector;

    #[inline(always)]
    fn prepare<S: Simd>(self, _: S, points: S::Vector) -> S::Vector {
        points
    }

    #[inline(always)]
    fn multiply<S: Simd>(self, simd: S, values: S::Vector, points: S::Vector) -> S::Vector {
        self.0.vector(simd, values, points)
    }

    #[inline(always)]
    fn element(self, value: T, point: T) -> T {
        self.0.element(value, point)
    }
}

/// In digits of 52 bits.
#[derive(Clone, Copy)]
pub struct MontgomeryProduct<'a>(pub &'a WordModulus, pub Montgomery104);

impl PointProduct<u64> for MontgomeryProduct<'_> {
    type Point<S: Simd> = LiftedFactor<S::Vector>;

    #[inline(always)]
    fn prepare<S: Simd>(self, simd: S, points: S::Vector) -> LiftedFactor<S::Vector> {
        // Lifted twice, of which the product takes back one.
        let lift = self.1.lift(self.0, self.1.lifting_factor());
        let lift = LiftedFactor::split(simd, simd.splat64(lift));
        LiftedFactor::split(simd, self.1.sum_of_products(simd, [points], [lift]))
    }

    #[inline(always)]
    fn multiply<S: Simd>(
        self,
        simd: S,
        values: S::Vector,
        points: LiftedFactor<S::Vector>,
    ) -> S::Vector {
        self.1.sum_of_products(simd, [values], [points])
    }

    #[inline(always)]
    fn element(self, value: u64, point: u64) -> u64 {
        self.0.mul(value, point)
    }
}

/// Vectors of points at a time: their products do not wait for each other.
const ROWS: usize = 4;

/// `values[i] = Σ coefficients[j]·points[i]^j`.
pub struct Horner<'a, T, M, A> {
    pub multiply: M,
    pub add: A,
    pub values: &'a mut [T],
    pub coefficients: &'a [T],
    pub points: &'a [T],
}

impl<T: Word, M: PointProduct<T>, A: Elementwise<T>> Horner<'_, T, M, A> {
    /// For `R` vectors of points.
    #[inline(always)]
    fn rows<S: Simd, const R: usize>(&mut self, simd: S, start: usize) {
        let lanes = simd.lanes_of::<T>();
        let mut points = [self.multiply.prepare(simd, simd.splat64(0)); R];
        for (row, points) in points.iter_mut().enumerate() {
            let loaded = simd.load(&self.points[start + row * lanes..]);
            *points = self.multiply.prepare(simd, loaded);
        }
        let mut values = [simd.splat64(0); R];
        for &coefficient in self.coefficients.iter().rev() {
            let coefficient = coefficient.splat(simd);
            for (value, &point) in values.iter_mut().zip(&points) {
                let product = self.multiply.multiply(simd, *value, point);
                *value = self.add.vector(simd, product, coefficient);
            }
        }
        for (row, value) in values.into_iter().enumerate() {
            simd.store(&mut self.values[start + row * lanes..], value);
        }
    }
}

impl<S: Simd, T: Word, M: PointProduct<T>, A: Elementwise<T>> SimdTask<S> for Horner<'_, T, M, A> {
    type Output = ();

    #[inline(always)]
    fn run(mut self, simd: S) {
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
pub fn evaluate<T: Word, M: PointProduct<T>, A: Elementwise<T>>(
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
