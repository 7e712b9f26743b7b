//! Sparse matrices of Matrix Market files, their numbers kept as they are.

use super::market::{self, Budget};
use super::source::Source;
use crate::error::Failure;
use crate::memory;
use std::path::Path;
use sunzi_linalg::sparse::CsrMatrix;
use sunzi_linalg::sparse::matrix_market::{self, Places, Problem, Reals, ValueKind, Values};

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

/// Reads a matrix, whose values become what `values` makes of them; no more memory may be taken than `max_memory`.
pub fn read<V: Values>(
    path: &Path,
    max_memory: Option<u64>,
    values: &V,
) -> Result<Input<V::Value>, Failure>
where
    V::Value: Copy,
{
    let source = Source::open(path)?;
    let name = source.name.clone();
    // An entry is there with its place, and twice while it is sorted into its row.
    let sorted = size_of::<u32>() + size_of::<V::Value>();
    let entry = size_of::<(u32, u32, V::Value)>() + 2 * sorted;
    let budget = Budget {
        bytes_per_entry: entry as u64,
        max_memory,
    };
    let (kind, matrix) = market::read(source, values, budget, |bytes, values| {
        let file = matrix_market::Reader::open(bytes)?;
        Ok((file.header().values, file.sparse(values)?))
    })?;
    let lines = 8 * (matrix.rows() as u64 + matrix.columns() as u64);
    let digits: u64 = matrix
        .values()
        .iter()
        .map(|value| values.heap_bytes(value))
        .sum();
    let needed = lines.saturating_add(entry as u64 * matrix.nnz() as u64 + digits);
    memory::check(&name, "matrix", needed, needed, max_memory)?;
    Ok(Input { name, kind, matrix })
}

/// Reads a matrix as one of floating point numbers.
pub fn read_reals(path: &Path, max_memory: Option<u64>) -> Result<Input<f64>, Failure> {
    read(path, max_memory, &Reals)
}

/// Reads the places of a matrix.
pub fn read_places(path: &Path, max_memory: Option<u64>) -> Result<Input<()>, Failure> {
    read(path, max_memory, &Places)
}

/// Reads a matrix of any kind, and the name of its file.
pub fn read_any(path: &Path, max_memory: Option<u64>) -> Result<(String, Matrix), Failure> {
    let Input { name, kind, matrix } = read(path, max_memory, &AsTheyAre)?;
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
