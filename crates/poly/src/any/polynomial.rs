//! Polynomials without a type parameter.

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;

use sunzi_field::{Rows, WordRows, any_operations};

use crate::error::PolyError;
use crate::poly::Poly;

/// A polynomial over some field, made by an [`AnyPolyRing`](super::AnyPolyRing); clones share its coefficients.
///
/// ```
/// use sunzi::field::AnyField;
/// use sunzi::poly::AnyPolyRing;
///
/// let ring = AnyPolyRing::new(&AnyField::modulo_word(101)?);
/// let f = ring.polynomial(vec![3, 0, 5, 0])?; // 5x² + 3
/// assert_eq!(f.len(), 3);
/// assert_eq!(*f.rows(), [3, 0, 5]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct AnyPoly(Arc<dyn Coefficients>);

struct Over<F: Rows>(Poly<F::Elem>);

any_operations! {
    [Any + Send + Sync + UnwindSafe + RefUnwindSafe] Coefficients for [F: Rows] Over<F> as AnyPoly;

    /// The number of coefficients: the degree plus one, 0 for the zero polynomial.
    #[allow(clippy::len_without_is_empty)] // As of `Poly`.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The rows of all coefficients, from the constant term upward; the last one is not zero.
    #[must_use]
    pub fn rows(&self) -> Cow<'_, [u64]> {
        F::rows(self.0.coefficients())
    }

    /// The same where they lie, in words of the field's size.
    ///
    /// ```
    /// use sunzi::field::{AnyField, WordRows};
    /// use sunzi::poly::AnyPolyRing;
    ///
    /// let ring = AnyPolyRing::new(&AnyField::modulo_word(101)?);
    /// let f = ring.polynomial_of(WordRows::Words64(&[3, 0, 5, 0]))?;
    /// assert_eq!(f.words(), WordRows::Words32(&[3, 0, 5]));
    /// # Ok::<(), sunzi::Error>(())
    /// ```
    #[must_use]
    pub fn words(&self) -> WordRows<'_> {
        F::words(self.0.coefficients())
    }
}

impl AnyPoly {
    /// A polynomial over a field of this type.
    pub fn new<F: Rows>(polynomial: Poly<F::Elem>) -> Self {
        Self(Arc::new(Over::<F>(polynomial)))
    }

    /// The same with its type. Only the type is looked at: a polynomial over a field of the same type with another prime
    /// gives unspecified results in a ring, as one of [`PolyRing`](crate::PolyRing) does.
    ///
    /// # Errors
    /// [`PolyError::OtherField`] if it is over a field of another type.
    pub fn over<F: Rows>(&self) -> Result<&Poly<F::Elem>, PolyError> {
        let coefficients: &dyn Any = &*self.0;
        let typed = coefficients.downcast_ref::<Over<F>>();
        typed.map(|over| &over.0).ok_or(PolyError::OtherField)
    }
}

impl fmt::Debug for AnyPoly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AnyPoly").field(&self.rows()).finish()
    }
}

/// The elements of rows that are copied, or which one is none: the last one, too, if it is not whole.
pub(super) fn copied<F: Rows>(field: &F, rows: WordRows<'_>) -> Result<Vec<F::Elem>, usize> {
    if !rows.len().is_multiple_of(F::WIDTH) {
        return Err(rows.len() / F::WIDTH);
    }
    let mut elements = vec![field.zero(); rows.len() / F::WIDTH];
    field.copy_rows(rows, &mut elements)?;
    Ok(elements)
}

/// The elements that rows stand for, or which one is none: the last one, too, if it is not whole.
pub(super) fn elements<F: Rows>(field: &F, rows: Vec<u64>) -> Result<Vec<F::Elem>, usize> {
    if !rows.len().is_multiple_of(F::WIDTH) {
        return Err(rows.len() / F::WIDTH);
    }
    let elements = F::from_rows(rows);
    match elements
        .iter()
        .position(|&element| !field.is_canonical(element))
    {
        Some(index) => Err(index),
        None => Ok(elements),
    }
}
