//! The same over a field that is known at run time only.

use super::{Bands, Decimation};
use crate::context::DftField;
use crate::problem::{DftError, Direction};
use std::fmt;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;
use sunzi_field::{AnyField, Rows, WordRows, WordRowsMut, any_operations, with_field};
use sunzi_machine::memory::Budget;

/// A transform by columns and rows, over a field found at run time: [`Bands`] on rows of words of the field's size
/// ([`AnyField::word_bits`]). Clones share the tables.
///
/// ```
/// use sunzi::field::AnyField;
/// use sunzi::memory::Budget;
/// use sunzi::transform::{AnyBands, Direction};
///
/// let bands = AnyBands::new(&AnyField::modulo_word(97)?, 1, 4, Budget::system())?;
/// let mut rows = [1, 2, 3, 4u32];
/// bands.rows((&mut rows[..]).into(), Direction::Forward)?;
/// assert_eq!(rows, [10, 51, 95, 42]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct AnyBands(Arc<dyn Operations>);

impl AnyBands {
    /// As [`Bands::new`].
    ///
    /// # Errors
    /// As [`Bands::new`].
    pub fn new(
        field: &AnyField,
        height: usize,
        width: usize,
        budget: Budget,
    ) -> Result<Self, DftError> {
        Ok(with_field!(field, field => Self(Arc::new(Bands::new(field, height, width, budget)?))))
    }

    /// As [`Bands::working_bytes`].
    #[must_use]
    pub fn working_bytes(field: &AnyField, height: usize, width: usize) -> u64 {
        with_field!(field, field => of_type(field, height, width))
    }
}

/// Names the type of a field.
fn of_type<F: DftField>(_: &F, height: usize, width: usize) -> u64 {
    Bands::<F>::working_bytes(height, width)
}

/// An error where words have another size, or do not fill the last row.
fn expect_words<T>(elements: Option<T>, found: usize, width: usize) -> Result<T, DftError> {
    elements.ok_or(DftError::Shape {
        expected: found.next_multiple_of(width),
        found,
    })
}

any_operations! {
    [fmt::Debug + Send + Sync + UnwindSafe + RefUnwindSafe] Operations for [F: DftField + Rows] Bands<F> as AnyBands;

    /// As [`Bands::columns`].
    ///
    /// # Errors
    /// As [`Bands::columns`]; [`DftError::Shape`] where words have another size, too.
    pub fn columns(&self, band: WordRowsMut<'_>, first: usize, direction: Direction, decimation: Decimation)
        -> Result<(), DftError>
    {
        let found = band.len();
        self.columns(expect_words(F::in_words(band), found, F::WIDTH)?, first, direction, decimation)
    }

    /// As [`Bands::rows`].
    ///
    /// # Errors
    /// As [`AnyBands::columns`].
    pub fn rows(&self, band: WordRowsMut<'_>, direction: Direction) -> Result<(), DftError> {
        let found = band.len();
        self.rows(expect_words(F::in_words(band), found, F::WIDTH)?, direction)
    }

    /// As [`Bands::multiply_rows`].
    ///
    /// # Errors
    /// As [`Bands::multiply_rows`]; [`DftError::Shape`] where words have another size, too.
    pub fn multiply_rows(&self, a: WordRowsMut<'_>, b: Option<WordRowsMut<'_>>) -> Result<(), DftError> {
        let found = a.len();
        let a = expect_words(F::in_words(a), found, F::WIDTH)?;
        let b = match b {
            Some(b) => Some(expect_words(F::in_words(b), found, F::WIDTH)?),
            None => None,
        };
        self.multiply_rows(a, b)
    }

    /// As [`Bands::transpose`].
    ///
    /// # Errors
    /// As [`Bands::transpose`]; [`DftError::Shape`] where words have another size, too.
    pub fn transpose(&self, from: WordRows<'_>, to: WordRowsMut<'_>, width: usize) -> Result<(), DftError> {
        let (given, found) = (from.len(), to.len());
        let from = expect_words(F::of_words(from), given, F::WIDTH)?;
        self.transpose(from, expect_words(F::in_words(to), found, F::WIDTH)?, width)
    }

    /// As [`Bands::evaluate`], with rows of elements for u, v and what is found.
    ///
    /// # Errors
    /// As [`Bands::evaluate`]; [`DftError::Shape`] where words have another size, too.
    pub fn evaluate(&self, matrix: WordRows<'_>, width: usize, at: [&[u64]; 2]) -> Result<Vec<u64>, DftError> {
        let found = matrix.len();
        let matrix = expect_words(F::of_words(matrix), found, F::WIDTH)?;
        let mut row = Vec::new();
        F::push_row(self.evaluate(matrix, width, at.map(F::from_row))?, &mut row);
        Ok(row)
    }
}
