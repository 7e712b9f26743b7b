//! Dense matrices modulo a prime.

use super::input::{self, Entries, Input, Purpose, read_integer, read_number};
use crate::report::Seconds;
use std::path::Path;
use sunzi::{
    field::{AnyField, Field, Fp32, Fp64, Rows},
    matrix::{AnyDenseMatrix, DenseMatrix, MatrixError, MatrixField},
    sparse::matrix_market::{Problem, ResidueRows, Values},
};
use sunzi_files::failure::Failure;
use sunzi_files::input::LineError;
use sunzi_files::numbers::residues::{Residues, quotient};

/// Reads a matrix modulo the prime of a field, which has to be square if its purpose needs that.
pub fn read(
    file: &Path,
    purpose: Purpose,
    field: &AnyField,
    seconds: &mut Seconds,
) -> Result<Input<AnyDenseMatrix>, Failure> {
    fn words<F: MatrixField + Rows>(
        (file, purpose, any): (&Path, Purpose, &AnyField),
        field: &F,
        seconds: &mut Seconds,
    ) -> Result<Input<AnyDenseMatrix>, Failure> {
        let entries = WordEntries {
            text: Residues::new(any),
            field,
        };
        let Input { name, matrix } = input::read(file, purpose, &entries, seconds)?;
        made(name, AnyDenseMatrix::over::<F>(any, matrix))
    }
    if let Some(word) = field.over::<Fp32>() {
        words((file, purpose, field), word, seconds)
    } else if let Some(word) = field.over::<Fp64>() {
        words((file, purpose, field), word, seconds)
    } else {
        let entries = RowEntries::new(field);
        let Input { name, matrix } = input::read(file, purpose, &entries, seconds)?;
        made(name, entries.matrix(matrix))
    }
}

fn made(
    name: String,
    matrix: Result<AnyDenseMatrix, MatrixError>,
) -> Result<Input<AnyDenseMatrix>, Failure> {
    match matrix {
        Ok(matrix) => Ok(Input { name, matrix }),
        Err(error) => Err(Failure::Computation(format!("{name}: {error}"))),
    }
}

/// Entries modulo a prime below 2^63.
struct WordEntries<'a, F> {
    field: &'a F,
    text: Residues,
}

impl<F: Field> Values for WordEntries<'_, F> {
    type Value = F::Elem;

    fn real(&self, text: &str) -> Result<F::Elem, Problem> {
        read_number(self, text)
    }

    fn integer(&self, text: &str) -> Result<F::Elem, Problem> {
        read_integer(self, text)
    }

    fn zero(&self) -> F::Elem {
        self.field.zero()
    }

    fn one(&self) -> F::Elem {
        self.field.one()
    }

    /// Dense matrices keep their zeros.
    fn is_zero(&self, _entry: &F::Elem) -> bool {
        false
    }

    fn negated(&self, entry: &F::Elem) -> F::Elem {
        self.field.neg(*entry)
    }

    fn sum(&self, a: F::Elem, b: F::Elem) -> F::Elem {
        self.field.add(a, b)
    }
}

impl<F: Field> Entries for WordEntries<'_, F> {
    fn read(&self, word: &[u8]) -> Result<F::Elem, LineError> {
        let field = self.field;
        self.text.read(word, |numerator, denominator| {
            quotient(field, numerator, denominator)
        })
    }
}

/// Entries modulo a prime r^k + 1: indices of rows of words, whose type is the same for all k.
struct RowEntries {
    text: Residues,
    field: AnyField,
    rows: ResidueRows,
}

impl RowEntries {
    fn new(field: &AnyField) -> Self {
        Self {
            text: Residues::new(field),
            field: field.clone(),
            rows: ResidueRows::new(field),
        }
    }

    fn matrix(self, indices: DenseMatrix<u32>) -> Result<AnyDenseMatrix, MatrixError> {
        AnyDenseMatrix::of_rows(&self.field, indices, self.rows.into_rows())
    }
}

impl Values for RowEntries {
    type Value = u32;

    fn real(&self, text: &str) -> Result<u32, Problem> {
        read_number(self, text)
    }

    fn integer(&self, text: &str) -> Result<u32, Problem> {
        read_integer(self, text)
    }

    fn zero(&self) -> u32 {
        self.rows.zero()
    }

    fn one(&self) -> u32 {
        self.rows.one()
    }

    /// Dense matrices keep their zeros.
    fn is_zero(&self, _entry: &u32) -> bool {
        false
    }

    fn negated(&self, entry: &u32) -> u32 {
        self.rows.negated(entry)
    }

    fn sum(&self, a: u32, b: u32) -> u32 {
        self.rows.sum(a, b)
    }

    fn are_equal(&self, a: &u32, b: &u32) -> bool {
        self.rows.are_equal(a, b)
    }
}

impl Entries for RowEntries {
    fn read(&self, word: &[u8]) -> Result<u32, LineError> {
        self.text.read(word, |numerator, denominator| {
            self.rows.quotient(numerator, denominator)
        })
    }

    /// Those of a row: one that has no row yet, 0 among others, gets its own.
    fn bytes(&self) -> u64 {
        self.field.element_bytes() as u64
    }
}
