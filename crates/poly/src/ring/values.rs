//! Values of polynomials kept for several products.

use sunzi_machine::memory::Budget;

use crate::error::PolyError;
use crate::multiplier::CoefficientField;
use crate::plan::Algorithm;
use crate::ring::PolyRing;

/// Values of one polynomial at points of the ring's choice.
#[derive(Clone, Debug)]
pub(crate) struct Values {
    points: usize,
    words: Vec<u64>,
}

impl<F: CoefficientField> PolyRing<F> {
    /// Whether products by values win where the shorter operand has `len` coefficients.
    pub(crate) fn values_win(&self, len: usize) -> bool {
        let algorithm = self.plan(len, len).algorithm;
        !matches!(algorithm, Algorithm::Schoolbook | Algorithm::Karatsuba)
    }

    /// The number of points, the cheapest, for products modulo x^N − 1 with N ≥ `cyclic`, or for
    /// products of up to `whole` coefficients.
    pub(crate) fn points_for(&self, cyclic: usize, whole: usize) -> usize {
        let wrapped = self.multiplier().cyclic_points(cyclic);
        wrapped.min(self.multiplier().points(whole))
    }

    /// The number of points for products modulo x^N − 1, N ≥ `len`.
    pub(crate) fn cyclic_points(&self, len: usize) -> usize {
        self.multiplier().cyclic_points(len)
    }

    /// The values of `a` at `points` points; of its residue modulo x^points − 1 if it has more
    /// coefficients, for which the points must be those of cyclic products.
    pub(crate) fn values(&self, points: usize, a: &[F::Elem]) -> Result<Values, PolyError> {
        let mut words = Vec::new();
        let len = self.multiplier().value_words(points);
        Budget::system().require(len as u64 * size_of::<u64>() as u64)?;
        words.resize(len, Default::default());
        if a.len() <= points {
            self.multiplier().evaluate(&mut words, points, a)?;
        } else {
            let folded = self.folded(points, a);
            self.multiplier().evaluate(&mut words, points, &folded)?;
        }
        Ok(Values { points, words })
    }

    /// `a` modulo x^n − 1: n coefficients.
    pub(crate) fn folded(&self, n: usize, a: &[F::Elem]) -> Vec<F::Elem> {
        let mut folded = vec![self.field().zero(); n];
        for piece in a.chunks(n) {
            self.field()
                .add_assign_slice(&mut folded[..piece.len()], piece);
        }
        folded
    }

    /// The first coefficients of the sum of the pairs' products.
    pub(crate) fn sum_by_values<const PAIRS: usize>(
        &self,
        out: &mut [F::Elem],
        pairs: [[&Values; 2]; PAIRS],
    ) -> Result<(), PolyError> {
        let points = pairs[0][0].points;
        debug_assert!(pairs.as_flattened().iter().all(|v| v.points == points));
        let pairs = pairs.map(|[a, b]| [&a.words[..], &b.words[..]]);
        self.multiplier().sum_products(out, points, &pairs)
    }
}
