//! Values of polynomials kept for several products.

use sunzi_field::memory;

use crate::coefficient_field::CoefficientField;
use crate::products::Products;
use crate::{PolyError, PolyRing};

/// Values of one polynomial at points of the ring's choice.
#[derive(Clone, Debug)]
pub(crate) struct Values<W> {
    points: usize,
    words: Vec<W>,
}

/// What the values of polynomials over a field are kept in.
pub(crate) type Word<F> = <<F as CoefficientField>::Products as Products<F>>::Word;

/// The values of a polynomial over a field.
pub(crate) type ValuesOf<F> = Values<Word<F>>;

impl<F: CoefficientField> PolyRing<F> {
    /// Whether products by values win where the shorter operand has `len` coefficients.
    pub(crate) fn values_win(&self, len: usize) -> bool {
        use crate::Algorithm::{Karatsuba, Plain};
        !matches!(self.plan(len, len).algorithm, Plain | Karatsuba)
    }

    /// The number of points, the cheapest, for products modulo x^N − 1 with N ≥ `cyclic`, or for
    /// products of up to `whole` coefficients.
    pub(crate) fn points_for(&self, cyclic: usize, whole: usize) -> usize {
        let wrapped = self.products.cyclic_points(cyclic);
        wrapped.min(self.products.points(whole))
    }

    /// The number of points for products modulo x^N − 1, N ≥ `len`.
    pub(crate) fn cyclic_points(&self, len: usize) -> usize {
        self.products.cyclic_points(len)
    }

    /// The values of `a` at so many points; of its residue modulo x^points − 1 if it has more
    /// coefficients, for which the points must be those of cyclic products.
    pub(crate) fn values(&self, points: usize, a: &[F::Elem]) -> Result<ValuesOf<F>, PolyError> {
        let mut words = Vec::new();
        let len = self.products.value_words(points);
        memory::require(len as u64 * size_of::<Word<F>>() as u64)?;
        words.resize(len, Default::default());
        if a.len() <= points {
            self.products.evaluate(&mut words, points, a)?;
        } else {
            let folded = self.folded(points, a);
            self.products.evaluate(&mut words, points, &folded)?;
        }
        Ok(Values { points, words })
    }

    /// `a` modulo x^n − 1: n coefficients.
    pub(crate) fn folded(&self, n: usize, a: &[F::Elem]) -> Vec<F::Elem> {
        let mut folded = vec![self.field.zero(); n];
        for piece in a.chunks(n) {
            self.field
                .add_assign_slice(&mut folded[..piece.len()], piece);
        }
        folded
    }

    /// The first coefficients of the sum of the pairs' products.
    pub(crate) fn sum_by_values<const PAIRS: usize>(
        &self,
        out: &mut [F::Elem],
        pairs: [[&ValuesOf<F>; 2]; PAIRS],
    ) -> Result<(), PolyError> {
        let points = pairs[0][0].points;
        debug_assert!(pairs.as_flattened().iter().all(|v| v.points == points));
        let pairs = pairs.map(|pair| pair.map(|values| &values.words[..]));
        self.products.sum_products(out, points, pairs)
    }
}
