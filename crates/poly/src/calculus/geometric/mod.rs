//! Values at geometric progressions, and polynomials from them.
//!
//! **Problem.** f(s·q^j) for j < n; f of degree below n from these. **Algorithms.** With C(i, 2) =
//! i(i − 1)/2, values are one product with the powers q^C(i,2), as ij = C(i + j, 2) − C(i, 2) − C(j, 2)
//! (`evaluate`). The coefficients are two products with one series, by way of Newton's basis, in which
//! divided differences have closed forms (`interpolate`).
//!
//! **Floor.** Evaluation takes 3 transforms of l + n points for l coefficients and n points; interpolation
//! 5 of 2n points.

mod evaluate;
mod interpolate;

use crate::error::PolyError;
use crate::multiplier::CoefficientField;
use crate::ring::PolyRing;

impl<F: CoefficientField> PolyRing<F> {
    fn require_progression(&self, start: F::Elem, ratio: F::Elem) -> Result<(), PolyError> {
        self.require_element(0, start)?;
        self.require_element(1, ratio)
    }
}
