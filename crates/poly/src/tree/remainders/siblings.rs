//! Two neighbours in a tree of any polynomials: their product, and the ways from it and to it.

use crate::error::PolyError;
use crate::multiplier::CoefficientField;
use crate::ring::PolyRing;
use crate::ring::values::Values;

/// Values of two reversed monic polynomials, if products by values win.
///
/// Series and numerators are vectors of as many coefficients as the polynomial they belong to has degrees.
#[derive(Debug)]
pub(super) struct Siblings {
    degrees: [usize; 2],
    kept: Option<Kept>,
}

#[derive(Debug)]
struct Kept {
    points: usize,
    values: [Values; 2],
}

impl Siblings {
    /// Two polynomials with constant term 1, of degree above 0 before they were reversed.
    pub(super) fn new<F: CoefficientField>(
        ring: &PolyRing<F>,
        reversed: [&[F::Elem]; 2],
    ) -> Result<Self, PolyError> {
        let [left, right] = reversed;
        let degrees = [left.len() - 1, right.len() - 1];
        let kept = points(ring, degrees).map(|points| {
            Ok::<_, PolyError>(Kept {
                points,
                values: [ring.values(points, left)?, ring.values(points, right)?],
            })
        });
        Ok(Self {
            degrees,
            kept: kept.transpose()?,
        })
    }

    /// The product of both.
    pub(super) fn product<F: CoefficientField>(
        &self,
        ring: &PolyRing<F>,
        [left, right]: [&[F::Elem]; 2],
    ) -> Result<Vec<F::Elem>, PolyError> {
        let Some(Kept { points, values }) = &self.kept else {
            return ring.product(left, right);
        };
        let (field, degree) = (ring.field(), self.degree());
        let mut product = vec![field.zero(); degree + 1];
        let known = (degree + 1).min(*points);
        ring.sum_by_values(&mut product[..known], [[&values[0], &values[1]]])?;
        if known == degree {
            // The last coefficient has come back to the constant term, which is 1 without it.
            product[degree] = field.sub(product[0], field.one());
            product[0] = field.one();
        }
        Ok(product)
    }

    /// From f/(A·B), a series in 1/x from 1/x on, to f/A and f/B: that of A takes the product with B, of
    /// which the first coefficients, as many as B has degrees, are polynomial parts.
    pub(super) fn descend<F: CoefficientField>(
        &self,
        ring: &PolyRing<F>,
        reversed: [&[F::Elem]; 2],
        series: &[F::Elem],
    ) -> Result<[Vec<F::Elem>; 2], PolyError> {
        let Some(Kept { points, values }) = &self.kept else {
            let side = |side| middle_product(ring, series, reversed[1 - side], self.degrees[side]);
            return Ok([side(0)?, side(1)?]);
        };
        let own = ring.values(*points, series)?;
        let mut product = vec![ring.field().zero(); self.degree()];
        let mut side = |side: usize| {
            ring.sum_by_values(&mut product, [[&own, &values[1 - side]]])?;
            Ok::<_, PolyError>(product[self.degrees[1 - side]..].to_vec())
        };
        Ok([side(0)?, side(1)?])
    }

    /// From n/A and m/B to (n·B + m·A)/(A·B): all numerators reversed.
    pub(super) fn ascend<F: CoefficientField>(
        &self,
        ring: &PolyRing<F>,
        reversed: [&[F::Elem]; 2],
        numerators: [&[F::Elem]; 2],
    ) -> Result<Vec<F::Elem>, PolyError> {
        let Some(Kept { points, values }) = &self.kept else {
            let mut sum = ring.product(numerators[0], reversed[1])?;
            let other = ring.product(numerators[1], reversed[0])?;
            ring.field().add_assign_slice(&mut sum, &other);
            return Ok(sum);
        };
        let left = ring.values(*points, numerators[0])?;
        let right = ring.values(*points, numerators[1])?;
        let mut sum = vec![ring.field().zero(); self.degree()];
        ring.sum_by_values(&mut sum, [[&left, &values[1]], [&right, &values[0]]])?;
        Ok(sum)
    }

    fn degree(&self) -> usize {
        self.degrees[0] + self.degrees[1]
    }
}

/// The points at which products of such siblings are taken: modulo x^N − 1 as many as the product has
/// degrees, else as many as the longest product that is taken has coefficients. `None` if schoolbook products win.
fn points<F: CoefficientField>(ring: &PolyRing<F>, degrees: [usize; 2]) -> Option<usize> {
    let [least, most] = [degrees[0].min(degrees[1]), degrees[0].max(degrees[1])];
    let whole = least + 2 * most;
    ring.values_win(least)
        .then(|| ring.points_for(least + most, whole))
}

/// Words of values that siblings of such degrees keep.
pub(super) fn value_words<F: CoefficientField>(ring: &PolyRing<F>, degrees: [usize; 2]) -> usize {
    points(ring, degrees).map_or(0, |points| 2 * ring.multiplier().value_words(points))
}

/// The `len` coefficients from x^b on of the product of `series`, of b + `len` coefficients, and
/// `polynomial`, of b + 1.
fn middle_product<F: CoefficientField>(
    ring: &PolyRing<F>,
    series: &[F::Elem],
    polynomial: &[F::Elem],
    len: usize,
) -> Result<Vec<F::Elem>, PolyError> {
    let mut sum = vec![ring.field().zero(); len];
    // Of a long polynomial, pieces that are no longer than what is asked for.
    for (piece, start) in polynomial.chunks(len).zip((0..).step_by(len)) {
        let first = polynomial.len() - start - piece.len();
        let window = &series[first..][..piece.len() + len - 1];
        let product = ring.product(piece, window)?;
        let middle = &product[piece.len() - 1..][..len];
        ring.field().add_assign_slice(&mut sum, middle);
    }
    Ok(sum)
}
