//! Matrices of Matrix Market files, their numbers kept as they are.

use crate::args::sparse::MatrixFile;
use crate::report::{Seconds, timed};
use sunzi::linalg::sparse::CsrMatrix;
use sunzi::linalg::sparse::matrix_market::{self, Problem, Reals, ValueKind, Values};
use sunzi_files::error::Failure;
use sunzi_files::input::market::{self, Budget};
use sunzi_files::input::source::Source;
use sunzi_files::memory;

/// A matrix and the file that it comes from.
pub struct Input<E> {
    /// The name of the file in sentences.
    pub name: String,
    /// What numbers the file names.
    pub kind: ValueKind,
    pub matrix: CsrMatrix<E>,
}

/// A matrix whose numbers are of the kind that its file names.
pub enum Matrix {
    Real(CsrMatrix<f64>),
    Integer(CsrMatrix<i64>),
    Pattern(CsrMatrix<()>),
}

/// Does to a matrix of any kind what is the same for all.
macro_rules! of_any_kind {
    ($matrix:expr, $bound:pat => $body:expr) => {
        match $matrix {
            $crate::commands::sparse::matrix::Matrix::Real($bound) => $body,
            $crate::commands::sparse::matrix::Matrix::Integer($bound) => $body,
            $crate::commands::sparse::matrix::Matrix::Pattern($bound) => $body,
        }
    };
}
pub(super) use of_any_kind;

/// Reads a matrix, whose values become what `values` makes of them.
pub fn read<V: Values>(
    file: &MatrixFile,
    values: &V,
    seconds: &mut Seconds,
) -> Result<Input<V::Value>, Failure>
where
    V::Value: Copy,
{
    let source = Source::open(&file.file)?;
    let name = source.name.clone();
    // An entry is there with its place, and twice while it is sorted into its row.
    let sorted = size_of::<u32>() + size_of::<V::Value>();
    let entry = size_of::<(u32, u32, V::Value)>() + 2 * sorted;
    let budget = Budget {
        bytes_per_entry: entry as u64,
        max_memory: file.memory.bytes,
    };
    let (kind, matrix) = timed(&mut seconds.reading, || {
        market::read(source, values, budget, |bytes, values| {
            let file = matrix_market::Reader::open(bytes)?;
            Ok((file.header().values, file.sparse(values)?))
        })
    })?;
    let lines = 8 * (matrix.rows() as u64 + matrix.columns() as u64);
    let needed = lines.saturating_add(entry as u64 * matrix.nnz() as u64);
    memory::check(&name, "matrix", needed, needed, file.memory.bytes)?;
    Ok(Input { name, kind, matrix })
}

/// Reads a matrix of any kind.
pub fn read_any(file: &MatrixFile, seconds: &mut Seconds) -> Result<(String, Matrix), Failure> {
    let Input { name, kind, matrix } = read(file, &AsTheyAre, seconds)?;
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
