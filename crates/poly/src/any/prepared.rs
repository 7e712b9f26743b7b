//! What is computed once for many polynomials or vectors, without a type parameter.

use std::fmt;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;

use sunzi_dft::Direction;
use sunzi_field::{AnyField, Rows, any_operations};

use super::polynomial::{AnyPoly, elements};
use crate::any_length::AnyLengthDft;
use crate::division::Divisor;
use crate::error::PolyError;
use crate::multiplier::CoefficientField;
use crate::tree::SubproductTree;

/// A divisor of many polynomials: a [`Divisor`].
#[derive(Clone, Debug)]
pub struct AnyDivisor(pub(super) Arc<dyn Divides>);

any_operations! {
    [fmt::Debug + Send + Sync + UnwindSafe + RefUnwindSafe] Divides for [F: CoefficientField + Rows] Divisor<F> as AnyDivisor;

    /// Quotient and remainder.
    ///
    /// # Errors
    /// As [`Divisor::divrem`]; [`PolyError::OtherField`].
    pub fn divrem(&self, a: &AnyPoly) -> Result<[AnyPoly; 2], PolyError> {
        let (quotient, remainder) = self.divrem(a.over::<F>()?)?;
        Ok([quotient, remainder].map(AnyPoly::new::<F>))
    }
}

/// Points at which polynomials are evaluated and interpolated: a [`SubproductTree`].
#[derive(Clone, Debug)]
pub struct AnySubproductTree(pub(super) Arc<dyn Points>);

any_operations! {
    [fmt::Debug + Send + Sync + UnwindSafe + RefUnwindSafe] Points for [F: CoefficientField + Rows] SubproductTree<F> as AnySubproductTree;

    /// The number of points.
    #[allow(clippy::len_without_is_empty)]
    #[must_use]
    pub fn len(&self) -> usize {
        self.len()
    }

    /// Computes what evaluations have in common; otherwise the first one does.
    ///
    /// # Errors
    /// As [`SubproductTree::prepare_evaluation`].
    pub fn prepare_evaluation(&self) -> Result<(), PolyError> {
        self.prepare_evaluation()
    }

    /// The rows of the values at the points, in their order.
    ///
    /// # Errors
    /// As [`SubproductTree::evaluate`]; [`PolyError::OtherField`].
    pub fn evaluate(&self, f: &AnyPoly) -> Result<Vec<u64>, PolyError> {
        Ok(F::into_rows(self.evaluate(f.over::<F>()?)?))
    }

    /// The polynomial of least degree with values at the points, which are given by their rows.
    ///
    /// # Errors
    /// As [`SubproductTree::interpolate`]; [`PolyError::CoefficientOutside`] for rows that are no elements.
    pub fn interpolate(&self, values: Vec<u64>) -> Result<AnyPoly, PolyError> {
        let outside = |index| PolyError::CoefficientOutside { index };
        let values = elements(self.ring().field(), values).map_err(outside)?;
        Ok(AnyPoly::new::<F>(self.interpolate(&values)?))
    }
}

/// Transforms of any length that divides p − 1: an [`AnyLengthDft`].
///
/// ```
/// use sunzi_dft::Direction;
/// use sunzi_field::AnyField;
/// use sunzi_poly::AnyDft;
///
/// let plan = AnyDft::new(&AnyField::modulo_word(31)?, 3)?;
/// assert_eq!(plan.root_of_unity(), [25]);
/// assert_eq!(plan.transform(vec![1, 2, 3], Direction::Forward)?, [6, 4, 24]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct AnyDft(pub(super) Arc<dyn Transforms>, pub(super) AnyField);

any_operations! {
    [fmt::Debug + fmt::Display + Send + Sync + UnwindSafe + RefUnwindSafe] Transforms for [F: CoefficientField + Rows] AnyLengthDft<F> as AnyDft;

    /// Points N: every vector has this length.
    #[must_use]
    pub fn points(&self) -> usize {
        self.points()
    }

    /// The row of the root of unity ω whose powers are the points.
    #[must_use]
    pub fn root_of_unity(&self) -> Vec<u64> {
        F::into_rows(vec![self.root_of_unity()])
    }

    /// The transform of the vector whose entries are these rows, as rows. Words that are no rows of the field give
    /// unspecified values.
    ///
    /// # Errors
    /// As [`AnyLengthDft::transform`].
    pub fn transform(&self, rows: Vec<u64>, direction: Direction) -> Result<Vec<u64>, PolyError> {
        let mut vector = F::from_rows(rows);
        self.transform(&mut vector, direction)?;
        Ok(F::into_rows(vector))
    }
}

impl AnyDft {
    /// The field that vectors are over.
    #[must_use]
    pub fn field(&self) -> &AnyField {
        &self.1
    }
}

impl fmt::Display for AnyDft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
