//! The polynomial that has given values at the points of a tree.

use std::collections::HashMap;

use sunzi_field::FieldError;
use sunzi_integer::Natural;

use super::levels::{Level, for_each_chunk};
use super::{SubproductTree, leaf};
use crate::error::PolyError;
use crate::multiplier::CoefficientField;
use crate::poly::Poly;

impl<F: CoefficientField> SubproductTree<F> {
    /// The polynomial of degree below n, the number of points, that has the i-th value at the i-th point.
    ///
    /// The first call evaluates the derivative of the product of all x − u at all points; the others save
    /// that. Takes O(M(n)·log n) operations.
    ///
    /// # Errors
    /// [`PolyError::RepeatedPoint`] names the first point that is equal to an earlier one;
    /// [`PolyError::ValueCount`] unless there are as many values as points; [`PolyError::OutOfMemory`].
    pub fn interpolate(&self, values: &[F::Elem]) -> Result<Poly<F::Elem>, PolyError> {
        (F::compiled().interpolate)(self, values)
    }

    /// The same, of which `Compiled` has the instances.
    pub(crate) fn interpolate_here(&self, values: &[F::Elem]) -> Result<Poly<F::Elem>, PolyError> {
        if values.len() != self.len() {
            return Err(PolyError::ValueCount {
                points: self.len(),
                values: values.len(),
            });
        }
        let mut weighted = self.weights()?.to_vec();
        self.ring.field().mul_assign_slice(&mut weighted, values);
        self.combine(&weighted)
    }

    /// The sum of `factors[i]·M/(x − u_i)`, M the product of all x − u ("linear combination").
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::poly::{PolyRing, SubproductTree};
    ///
    /// let ring = PolyRing::new(Fp32::new(101)?);
    /// let tree = SubproductTree::new(&ring, &[1, 2])?;
    /// assert_eq!(tree.linear_combination(&[3, 4])?.coefficients(), [91, 7]); // 3(x − 2) + 4(x − 1)
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::ValueCount`] unless there are as many factors as points; [`PolyError::OutOfMemory`].
    pub fn linear_combination(&self, factors: &[F::Elem]) -> Result<Poly<F::Elem>, PolyError> {
        (F::compiled().linear_combination)(self, factors)
    }

    /// The same, of which `Compiled` has the instances.
    pub(crate) fn linear_combination_here(
        &self,
        factors: &[F::Elem],
    ) -> Result<Poly<F::Elem>, PolyError> {
        match factors.len() == self.len() {
            true => self.combine(factors),
            false => Err(PolyError::ValueCount {
                points: self.len(),
                values: factors.len(),
            }),
        }
    }

    /// 1/M'(u) for all points u.
    fn weights(&self) -> Result<&[F::Elem], PolyError> {
        if let Some(weights) = self.weights.get() {
            return Ok(weights);
        }
        let mut weights = self.evaluate(&self.ring.derivative(&self.product()))?;
        match self.ring.field().batch_inv(&mut weights) {
            Ok(()) => Ok(self.weights.get_or_init(|| weights)),
            Err(FieldError::ZeroInverse { index }) => Err(self.repeated(index)),
            Err(_) => Err(self.repeated(0)),
        }
    }

    /// The first point that is equal to an earlier one; the one of that index has an equal.
    fn repeated(&self, index: usize) -> PolyError {
        let mut seen: HashMap<Natural, usize> = HashMap::new();
        for (second, &point) in self.points.iter().enumerate() {
            let point = self.ring.field().to_integer(point);
            if let Some(&first) = seen.get(&point) {
                return PolyError::RepeatedPoint { first, second };
            }
            seen.insert(point, second);
        }
        PolyError::RepeatedPoint {
            first: index,
            second: index,
        }
    }

    fn combine(&self, factors: &[F::Elem]) -> Result<Poly<F::Elem>, PolyError> {
        let field = self.ring.field();
        let Some(leaves) = self.levels.first() else {
            return Ok(Poly::zero());
        };
        let mut sums = vec![field.zero(); self.len()];
        for_each_chunk(
            &self.ring,
            &mut sums,
            leaves.span,
            leaves.span,
            &|node, out| {
                let range = leaves.range(node);
                leaf::numerator(field, out, &self.points[range.clone()], &factors[range]);
                Ok(())
            },
        )?;
        for level in &self.levels[..self.levels.len() - 1] {
            self.ascend(level, &mut sums)?;
        }
        sums.reverse();
        Ok(Poly::new(sums))
    }

    /// From the numerators over the nodes of a level to those over the nodes above, in place: n/A + m/B =
    /// (n·B + m·A)/(A·B).
    fn ascend(&self, level: &Level<F>, sums: &mut [F::Elem]) -> Result<(), PolyError> {
        let multiplier = self.ring.multiplier();
        let points = level.transform;
        for_each_chunk(&self.ring, sums, 2 * level.span, points, &|node, sums| {
            let left = 2 * node;
            if !level.is_paired(left) {
                return Ok(());
            }
            let words = multiplier.value_words(points);
            let mut values = vec![Default::default(); 2 * words];
            let (first, second) = values.split_at_mut(words);
            multiplier.evaluate(first, points, &sums[..level.span])?;
            multiplier.evaluate(second, points, &sums[level.span..])?;
            let pairs = [
                [&*first, level.values(left + 1)],
                [&*second, level.values(left)],
            ];
            multiplier.sum_products(sums, points, &pairs)
        })
    }
}
