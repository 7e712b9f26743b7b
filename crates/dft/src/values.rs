//! Values of polynomials that a caller keeps in memory of its own, and sums of their products.
//!
//! Algorithms that multiply the same polynomials again and again (trees, matrices of polynomials)
//! transform each of them once and add products before they transform back.

use crate::convolver::{Convolver, PrivateProduct, evaluate, import};
use crate::problem::DftError;
use crate::split::pass::{SplitContext, TransformField};
use crate::split::plan::truncated_len;

/// A pair of polynomials by their values, to be multiplied.
pub type ValuePair<'a, E> = [&'a [E]; 2];

impl<F: TransformField> Convolver<F> {
    /// Points at which products of up to `len` coefficients are evaluated; `None` if the field lacks
    /// the roots of unity. From a few vectors on, at most 1/16 more than `len`, and a power of two for
    /// a power of two.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::transform::Convolver;
    ///
    /// let convolver = Convolver::new(&Fp32::new(469762049)?);
    /// assert_eq!(convolver.points_for(1 << 20), Some(1 << 20));
    /// assert!(convolver.points_for((1 << 20) + 1).unwrap() < 1_200_000);
    /// assert_eq!(convolver.points_for(1 << 27), None);
    /// # Ok::<(), sunzi::field::FieldError>(())
    /// ```
    #[must_use]
    pub fn points_for(&self, len: usize) -> Option<usize> {
        let points = (len <= self.max_len()).then(|| truncated_len(len, self.square()))?;
        (points <= self.max_len()).then_some(points)
    }

    /// Residues of the smallest transform.
    fn square(&self) -> usize {
        self.field().shape(self.kernel()).square()
    }

    /// The values of the polynomial `a`, canonical residues, at `values.len()` points, in a form and an
    /// order of the convolver's own.
    ///
    /// # Errors
    /// [`DftError::Shape`] if `a` is longer than `values`, or [`Convolver::points_for`] never gives that number
    /// of points; [`DftError::TooLong`].
    pub fn evaluate_into(&self, values: &mut [F::Elem], a: &[F::Elem]) -> Result<(), DftError> {
        let context = self.context_for(values.len())?;
        self.evaluate_by(&context, values, a.len(), |x| import(&context, x, a))
    }

    /// The same for a polynomial of `len` coefficients that the caller writes in the kernel's private
    /// form, rounded up to whole vectors.
    ///
    /// # Errors
    /// As [`Convolver::evaluate_into`].
    pub(crate) fn evaluate_private(
        &self,
        values: &mut [F::Elem],
        len: usize,
        fill: impl FnOnce(&mut [F::Elem]),
    ) -> Result<(), DftError> {
        let context = self.context_for(values.len())?;
        self.evaluate_by(&context, values, len, fill)
    }

    fn evaluate_by(
        &self,
        context: &SplitContext<F>,
        values: &mut [F::Elem],
        len: usize,
        fill: impl FnOnce(&mut [F::Elem]),
    ) -> Result<(), DftError> {
        let points = values.len();
        let expected = truncated_len(points, context.shape().square());
        if points != expected || len > points {
            let found = len.max(points);
            return Err(DftError::Shape { expected, found });
        }
        if points.is_power_of_two() {
            evaluate(context, values, len, points, fill);
        } else {
            let mut buffer = self.take_buffer(points.next_power_of_two());
            let whole = &mut buffer[..points.next_power_of_two()];
            evaluate(context, whole, len, points, fill);
            values.copy_from_slice(&whole[..points]);
            self.give_buffer(buffer);
        }
        Ok(())
    }

    /// The sum of the products of one or two pairs of polynomials, all evaluated at the same number of points: the
    /// first `out.len()` coefficients.
    ///
    /// The sum must have at most as many coefficients as there are points. Where these are a power of
    /// two N, it may have more; the coefficients are then those modulo x^N − 1.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::transform::Convolver;
    ///
    /// let convolver = Convolver::new(&Fp32::new(469762049)?);
    /// let points = convolver.points_for(2).unwrap();
    /// let values = |a: [u32; 2]| {
    ///     let mut values = vec![0; points];
    ///     convolver.evaluate_into(&mut values, &a).map(|()| values)
    /// };
    /// let [a, b, c] = [values([1, 2])?, values([3, 4])?, values([5, 6])?];
    /// let mut sum = [0; 3];
    /// convolver.sum_products(&mut sum, [[&a, &b], [&a, &c]])?; // (1 + 2x)·(8 + 10x)
    /// assert_eq!(sum, [8, 26, 20]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`DftError::Shape`] if the numbers of points differ, or [`Convolver::points_for`] never gives them, or `out`
    /// is longer.
    pub fn sum_products<const T: usize>(
        &self,
        out: &mut [F::Elem],
        pairs: [ValuePair<'_, F::Elem>; T],
    ) -> Result<(), DftError> {
        const { assert!(T == 1 || T == 2, "a sum of one product or two") };
        let context = self.context_for(pairs[0][0].len())?;
        let product = self.sum_by(&context, out.len(), pairs)?;
        self.export(&context, product, out);
        Ok(())
    }

    /// The same, left in the kernel's private form.
    ///
    /// # Errors
    /// As [`Convolver::sum_products`].
    pub(crate) fn sum_products_private<const T: usize>(
        &self,
        len: usize,
        pairs: [ValuePair<'_, F::Elem>; T],
    ) -> Result<PrivateProduct<F>, DftError> {
        const { assert!(T == 1 || T == 2, "a sum of one product or two") };
        let context = self.context_for(pairs[0][0].len())?;
        self.sum_by(&context, len, pairs)
    }

    fn sum_by<const T: usize>(
        &self,
        context: &SplitContext<F>,
        len: usize,
        pairs: [ValuePair<'_, F::Elem>; T],
    ) -> Result<PrivateProduct<F>, DftError> {
        let points = pairs[0][0].len();
        let expected = truncated_len(points, context.shape().square());
        let mut lengths = pairs.iter().flatten().map(|values| values.len());
        if let Some(found) = lengths.find(|&found| found != expected) {
            return Err(DftError::Shape { expected, found });
        }
        if len > points {
            return Err(DftError::Shape {
                expected: points,
                found: len,
            });
        }
        let mut x = self.take_buffer(points.next_power_of_two());
        context.sum_products(&mut x, &pairs, points);
        Ok(self.interpolate(context, x, points, len))
    }
}
