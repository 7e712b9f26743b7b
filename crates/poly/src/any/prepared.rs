//! What is computed once for many polynomials or vectors, without a type parameter.

use std::fmt;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;

use sunzi_dft::{Direction, Ordering};
use sunzi_field::{AnyField, FieldError, Rows, WordRows, WordRowsMut, any_operations};

use super::polynomial::{AnyPoly, copied, elements};
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

    /// The rows of the values at the points, in words of the field's size.
    ///
    /// # Errors
    /// As [`AnySubproductTree::evaluate`]; [`PolyError::Field`] if there are not as many rows as points, or words of another size.
    pub fn evaluate_into(&self, f: &AnyPoly, values: WordRowsMut<'_>) -> Result<(), PolyError> {
        let found = values.len();
        let wrong = || FieldError::row_size::<F>(found, self.len());
        let values = F::in_words(values).filter(|values| values.len() == self.len());
        values.ok_or_else(wrong)?.copy_from_slice(&self.evaluate(f.over::<F>()?)?);
        Ok(())
    }

    /// The polynomial of least degree with values at the points, which are given by rows in words of any size.
    ///
    /// # Errors
    /// As [`AnySubproductTree::interpolate`].
    pub fn interpolate_words(&self, values: WordRows<'_>) -> Result<AnyPoly, PolyError> {
        let outside = |index| PolyError::CoefficientOutside { index };
        let values = copied(self.ring().field(), values).map_err(outside)?;
        Ok(AnyPoly::new::<F>(self.interpolate(&values)?))
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
/// use sunzi::field::AnyField;
/// use sunzi::transform::{AnyDft, Direction};
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

    /// Transforms vectors that lie one after the other, in place, as rows in words of the field's size: 32 bits for primes below 2^31,
    /// else 64 ([`AnyField::word_bits`]). Words that are no rows of the field give unspecified values.
    ///
    /// ```
    /// use sunzi::field::AnyField;
    /// use sunzi::transform::{AnyDft, Direction, Ordering};
    ///
    /// let plan = AnyDft::new(&AnyField::modulo_word(31)?, 3)?;
    /// let mut vectors = [1, 2, 3, 0, 1, 0u32];
    /// plan.transform_batch((&mut vectors[..]).into(), Direction::Forward, Ordering::Natural)?;
    /// assert_eq!(vectors, [6, 4, 24, 1, 25, 5]);
    /// # Ok::<(), sunzi::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`AnyLengthDft::transform_batch`]; [`PolyError::Field`] if words have another size.
    pub fn transform_batch(&self, rows: WordRowsMut<'_>, direction: Direction, ordering: Ordering) -> Result<(), PolyError> {
        let found = rows.len();
        let vectors = F::in_words(rows).ok_or_else(|| FieldError::row_size::<F>(found, found / F::WIDTH))?;
        self.transform_batch(vectors, direction, ordering)
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
