//! Subresultants at points: a point a lane where the field has lanes, else one point after the other.

use super::BivariateField;
use super::formal;
use super::lockstep::{ChainShape, Lockstep};
use crate::{PolyError, PolyRing};
use sunzi_field::lanes::LanesField;
use sunzi_machine::InstructionSet;

/// The values of two polynomials at some points, of which the S_j are in demand.
#[derive(Debug)]
pub struct Chains<'a, F: BivariateField> {
    pub(super) ring: &'a PolyRing<F>,
    pub(super) kernel: InstructionSet,
    pub(super) shape: &'a ChainShape,
    /// Canonical values of the coefficients, a row each, those of the second polynomial behind those of the first.
    pub(super) values: &'a [F::Elem],
    /// From row to row in `values`.
    pub(super) stride: usize,
    /// A multiple of [`MAX_LANES`](sunzi_field::lanes::MAX_LANES).
    pub(super) points: usize,
}

impl<F: BivariateField> Chains<'_, F> {
    /// Coefficient by coefficient of each S_j, as many values as there are points.
    pub(super) fn one_by_one(&self) -> Result<Vec<F::Elem>, PolyError> {
        let mut out = self.zeros();
        self.redo(0..self.points, &mut out)?;
        Ok(out)
    }

    fn zeros(&self) -> Vec<F::Elem> {
        vec![self.ring.field().zero(); self.points * self.shape.rows_out()]
    }

    /// Those of some points alone.
    fn redo(
        &self,
        points: impl IntoIterator<Item = usize>,
        out: &mut [F::Elem],
    ) -> Result<(), PolyError> {
        let [m, _] = self.shape.degrees();
        for point in points {
            let values = self.values[point..].iter().step_by(self.stride);
            let at: Vec<F::Elem> = values.take(self.shape.rows_in()).copied().collect();
            let (a, b) = at.split_at(m + 1);
            let chain = formal::subresultants(self.ring, a, b, self.shape.wanted())?;
            let mut row = 0;
            for (&j, subresultant) in self.shape.wanted().iter().zip(chain) {
                let mut coefficients = subresultant.into_coefficients();
                coefficients.resize(j + 1, self.ring.field().zero());
                for coefficient in coefficients {
                    out[row * self.points + point] = coefficient;
                    row += 1;
                }
            }
        }
        Ok(())
    }
}

impl<F: BivariateField + LanesField> Chains<'_, F> {
    /// The same, a point a lane.
    pub(super) fn in_lanes(&self) -> Result<Vec<F::Elem>, PolyError> {
        let mut out = self.zeros();
        let field = self.ring.field();
        let bad = field.dispatch(
            self.kernel,
            Lockstep {
                field,
                shape: self.shape,
                values: self.values,
                stride: self.stride,
                points: self.points,
                out: &mut out,
            },
        );
        self.redo(bad, &mut out)?;
        Ok(out)
    }
}
