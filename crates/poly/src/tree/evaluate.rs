//! Values of polynomials at all points of a tree.

use super::levels::{Level, for_each_chunk};
use super::{RootInverse, SubproductTree};
use crate::error::PolyError;
use crate::multiplier::CoefficientField;
use crate::poly::Poly;
use sunzi_machine::threads::Threads;

impl<F: CoefficientField> SubproductTree<F> {
    /// The values of `f` at all points, in their order.
    ///
    /// The first call inverts the root; the others save that, too. Takes O(M(n)·log n) operations for n
    /// points and a polynomial that is not longer, and two products of n by n for every further n
    /// coefficients. Nodes of a level are shared between threads, or the transforms in them.
    ///
    /// # Errors
    /// [`PolyError::OutOfMemory`].
    pub fn evaluate(&self, f: &Poly<F::Elem>) -> Result<Vec<F::Elem>, PolyError> {
        (F::compiled().evaluate)(self, f)
    }

    /// The same, of which `Compiled` has the instances.
    pub(crate) fn evaluate_here(&self, f: &Poly<F::Elem>) -> Result<Vec<F::Elem>, PolyError> {
        let field = self.ring.field();
        let n = self.len();
        if n == 0 {
            return Ok(Vec::new());
        }
        if f.len() > n {
            let remainder = self.ring.divrem(f, &self.product())?.1;
            return self.evaluate(&remainder);
        }
        if let [_] = &self.levels[..] {
            let mut values = vec![field.zero(); n];
            field.evaluate_slice(&mut values, f.coefficients(), &self.points);
            return Ok(values);
        }
        let mut series = self.root_series(f.coefficients())?;
        let mut levels = self.levels.iter().rev().skip(1);
        levels.try_for_each(|level| self.descend(level, &mut series))?;
        self.finish(series)
    }

    /// The values of many polynomials at all points: one vector for each of them.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::poly::{Poly, PolyRing, SubproductTree};
    ///
    /// let ring = PolyRing::new(Fp32::new(101)?);
    /// let tree = SubproductTree::new(&ring, &[1, 2])?;
    /// let values = tree.evaluate_all(&[Poly::new(vec![3]), Poly::new(vec![0, 1])])?;
    /// assert_eq!(values, [[3, 3], [1, 2]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`SubproductTree::evaluate`].
    pub fn evaluate_all(
        &self,
        polynomials: &[Poly<F::Elem>],
    ) -> Result<Vec<Vec<F::Elem>>, PolyError> {
        self.prepare_evaluation()?;
        Threads::all().try_map(polynomials, |f| self.evaluate(f))
    }

    /// Computes what evaluations have in common. Otherwise the first evaluation does so, and if several begin
    /// together on threads of the caller, each of them does.
    ///
    /// # Errors
    /// [`PolyError::OutOfMemory`].
    pub fn prepare_evaluation(&self) -> Result<(), PolyError> {
        (F::compiled().prepare_evaluation)(self)
    }

    /// The same, of which `Compiled` has the instances.
    pub(crate) fn prepare_evaluation_here(&self) -> Result<(), PolyError> {
        match self.levels.len() {
            0 | 1 => Ok(()), // A leaf at most is evaluated by the rule of Horner.
            _ => self.root_inverse().map(drop),
        }
    }

    /// 1 over the root, reversed, to as many terms as there are points.
    fn root_inverse(&self) -> Result<&RootInverse<F>, PolyError> {
        if let Some(inverse) = self.root_inverse.get() {
            return Ok(inverse);
        }
        let (ring, n) = (&self.ring, self.len());
        let series = ring.inverse_series(&self.root(), n)?;
        let inverse = if ring.values_win(n) {
            let points = ring.points_for(2 * n - 1, 2 * n - 1);
            RootInverse::Values(points, ring.values(points, &series)?)
        } else {
            RootInverse::Series(series)
        };
        Ok(self.root_inverse.get_or_init(|| inverse))
    }

    /// f/M as a series in 1/x, from 1/x on: as many terms as there are points.
    fn root_series(&self, f: &[F::Elem]) -> Result<Vec<F::Elem>, PolyError> {
        let reversed: Vec<F::Elem> = f.iter().rev().copied().collect();
        let mut series = vec![self.ring.field().zero(); self.len()];
        let known = &mut series[self.len() - f.len()..];
        match self.root_inverse()? {
            RootInverse::Series(inverse) => {
                known.copy_from_slice(&self.ring.low_product(&reversed, inverse, f.len())?);
            }
            RootInverse::Values(points, inverse) => {
                let values = self.ring.values(*points, &reversed)?;
                self.ring.sum_by_values(known, [[&values, inverse]])?;
            }
        }
        Ok(series)
    }

    /// From f/A for the nodes A of the level above, in place, to those of this level.
    ///
    /// With A = B·C, of degrees s and r, f/B = f/A·C: of the product of f/A, s + r terms, and C reversed,
    /// the terms from r on, s of them; the others are polynomial parts, or depend on what is not known.
    fn descend(&self, level: &Level<F>, series: &mut [F::Elem]) -> Result<(), PolyError> {
        let (field, multiplier) = (self.ring.field(), self.ring.multiplier());
        let (span, points) = (level.span, level.transform);
        for_each_chunk(&self.ring, series, 2 * span, points, &|node, series| {
            let left = 2 * node;
            if !level.is_paired(left) {
                return Ok(());
            }
            let degrees = [level.degree(left), level.degree(left + 1)];
            let mut values = vec![Default::default(); multiplier.value_words(points)];
            multiplier.evaluate(&mut values, points, series)?;
            let mut product = vec![field.zero(); degrees[0] + degrees[1]];
            let (first, second) = series.split_at_mut(degrees[0]);
            for (side, out) in [first, second].into_iter().enumerate() {
                let sibling = level.values(left + 1 - side);
                multiplier.sum_products(&mut product, points, &[[&values, sibling]])?;
                out.copy_from_slice(&product[degrees[1 - side]..][..out.len()]);
            }
            Ok(())
        })
    }

    /// From f/A for the leaves A to the values: times A, the series gives the remainder, reversed.
    fn finish(&self, mut series: Vec<F::Elem>) -> Result<Vec<F::Elem>, PolyError> {
        let field = self.ring.field();
        let leaves = &self.levels[0];
        for_each_chunk(
            &self.ring,
            &mut series,
            leaves.span,
            leaves.span,
            &|leaf, series| {
                let range = leaves.range(leaf);
                let polynomial = leaves.polynomial(field.one(), leaf);
                let len = series.len();
                let mut remainder = self.ring.low_product(series, &polynomial, len)?;
                remainder.reverse();
                field.evaluate_slice(series, &remainder, &self.points[range]);
                Ok(())
            },
        )?;
        Ok(series)
    }
}
