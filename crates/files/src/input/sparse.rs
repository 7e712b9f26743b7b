//! Sparse matrices of Matrix Market files, their numbers kept as they are.

use super::market;
use super::source::Source;
use crate::error::Failure;
use std::path::Path;
use sunzi_field::memory::Budget;
use sunzi_linalg::sparse::CsrMatrix;
use sunzi_linalg::sparse::matrix_market::{Places, Problem, Reals, ValueKind, Values};

/// A matrix and the file that it comes from.
pub struct Input<E> {
    /// The name of the file in sentences.
    pub name: String,
    /// What numbers the file names.
    pub kind: ValueKind,
    /// The matrix.
    pub matrix: CsrMatrix<E>,
}

/// A matrix whose numbers are of the kind that its file names.
pub enum Matrix {
    /// Floating point numbers.
    Real(CsrMatrix<f64>),
    /// Integers of a word.
    Integer(CsrMatrix<i64>),
    /// Places alone.
    Pattern(CsrMatrix<()>),
}

/// Reads a matrix, whose values become what `values` makes of them.
pub fn read<V: Values>(path: &Path, budget: Budget, values: &V) -> Result<Input<V::Value>, Failure>
where
    V::Value: Copy,
{
    let source = Source::open(path)?;
    let name = source.name.clone();
    let (kind, matrix) = market::read(source, budget, |file| {
        Ok((file.header().values, file.sparse(values)?))
    })?;
    Ok(Input { name, kind, matrix })
}

/// Reads a matrix as one of floating point numbers.
pub fn read_reals(path: &Path, budget: Budget) -> Result<Input<f64>, Failure> {
    read(path, budget, &Reals)
}

/// Reads the places of a matrix.
pub fn read_places(path: &Path, budget: Budget) -> Result<Input<()>, Failure> {
    read(path, budget, &Places)
}

/// Reads a matrix of any kind, and the name of its file.
pub fn read_any(path: &Path, budget: Budget) -> Result<(String, Matrix), Failure> {
    let Input { name, kind, matrix } = read(path, budget, &AsTheyAre)?;
    let real = |number: &Number| match *number {
        Number::Real(value) => value,
        Number::Integer(value) => value as f64,
        Number::One | Number::TooLarge => 1.0,
    };
    let integer = |number: &Number| match *number {
        Number::Integer(value) => value,
        _ => 1,
    };
    let matrix = match kind {
        ValueKind::Real => Matrix::Real(matrix.map(real)),
        ValueKind::Integer => Matrix::Integer(matrix.map(integer)),
        ValueKind::Pattern => Matrix::Pattern(matrix.pattern()),
    };
    Ok((name, matrix))
}

/// A number of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Number {
    Real(f64),
    Integer(i64),
    /// That of a pattern.
    One,
    /// A sum that no word holds.
    TooLarge,
}

/// Reads numbers as the file has them.
struct AsTheyAre;

impl Values for AsTheyAre {
    type Value = Number;

    fn real(&self, text: &str) -> Result<Number, Problem> {
        Reals.real(text).map(Number::Real)
    }

    fn integer(&self, text: &str) -> Result<Number, Problem> {
        match text.parse() {
            Ok(value) => Ok(Number::Integer(value)),
            // What is no integer at all is told in the same words as elsewhere.
            Err(_) => Reals
                .integer(text)
                .and_then(|_| Err(Problem::TooLarge(text.to_owned()))),
        }
    }

    fn zero(&self) -> Number {
        Number::Integer(0)
    }

    fn one(&self) -> Number {
        Number::One
    }

    fn is_zero(&self, value: &Number) -> bool {
        matches!(value, Number::Real(0.0) | Number::Integer(0))
    }

    fn negated(&self, value: &Number) -> Number {
        match *value {
            Number::Real(value) => Number::Real(-value),
            Number::Integer(value) => value
                .checked_neg()
                .map_or(Number::TooLarge, Number::Integer),
            other => other,
        }
    }

    fn sum(&self, a: Number, b: Number) -> Number {
        match (a, b) {
            (Number::Real(a), Number::Real(b)) => Number::Real(a + b),
            (Number::Integer(a), Number::Integer(b)) => {
                a.checked_add(b).map_or(Number::TooLarge, Number::Integer)
            }
            // A place of a pattern is there or not.
            (Number::One, Number::One) => Number::One,
            _ => Number::TooLarge,
        }
    }

    fn is_valid(&self, sum: &Number) -> bool {
        match sum {
            Number::Real(value) => value.is_finite(),
            Number::TooLarge => false,
            Number::Integer(_) | Number::One => true,
        }
    }
}
