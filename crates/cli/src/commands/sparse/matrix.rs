//! Matrices of Matrix Market files, their numbers kept as they are.

use crate::args::sparse::MatrixFile;
use crate::error::{Failure, Place};
use crate::input::source::Source;
use crate::memory;
use crate::progress::Progress;
use crate::report::{Seconds, timed};
use std::cell::Cell;
use std::io::{self, Read};
use sunzi::linalg::sparse::matrix_market::{self, MatrixMarketError, Problem, Reals, ValueKind, Values};
use sunzi::linalg::sparse::{CsrMatrix, SparseError};

/// A matrix and the file that it comes from.
pub struct Input<E> {
    /// The name of the file in sentences.
    pub name: String,
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
    // An entry is there with its place, and once more in its row.
    let entry = size_of::<(u32, u32, V::Value)>() + size_of::<(u32, V::Value)>();
    let limit = Limit {
        name: name.clone(),
        bytes_per_entry: entry as u64,
        max_memory: file.memory.bytes,
        entries: Cell::new(0),
        failure: Cell::new(None),
    };
    let found = timed(&mut seconds.reading, || {
        let watched = Watched {
            progress: Progress::new(source.size),
            source,
            read: 0,
            limit: &limit,
        };
        let counted = Counted {
            values,
            limit: &limit,
        };
        matrix_market::read(watched, &counted)
    });
    if let Some(failure) = limit.failure.take() {
        return Err(failure);
    }
    let matrix = found.map_err(|error| refusal(&name, error))?;
    limit.check()?;
    Ok(Input { name, matrix })
}

/// What is wrong with a file, as this program says it.
pub fn refusal(name: &str, error: MatrixMarketError) -> Failure {
    match error.problem {
        Problem::Matrix(SparseError::Memory(_)) => {
            Failure::Computation(format!("{name}, line {}: {}", error.line, error.problem))
        }
        problem => Failure::Input {
            place: Place {
                file: name.to_owned(),
                line: Some(error.line),
                column: error.column,
            },
            problem: problem.to_string(),
        },
    }
}

/// Reads a matrix of any kind.
pub fn read_any(file: &MatrixFile, seconds: &mut Seconds) -> Result<(String, Matrix), Failure> {
    let kept = AsTheyAre::default();
    let Input { name, matrix } = read(file, &kept, seconds)?;
    let real = |number: &Number| match *number {
        Number::Real(value) => value,
        Number::Integer(value) => value as f64,
        Number::One | Number::TooLarge => 1.0,
    };
    let integer = |number: &Number| match *number {
        Number::Integer(value) => value,
        _ => 1,
    };
    let matrix = match kept.kind.get() {
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

/// Reads numbers of the kind that the file names, and tells that kind.
struct AsTheyAre {
    kind: Cell<ValueKind>,
}

impl Default for AsTheyAre {
    fn default() -> Self {
        Self {
            kind: Cell::new(ValueKind::Real),
        }
    }
}

impl Values for AsTheyAre {
    type Value = Number;

    fn real(&self, text: &str) -> Result<Number, Problem> {
        Reals.real(text).map(Number::Real)
    }

    fn integer(&self, text: &str) -> Result<Number, Problem> {
        self.kind.set(ValueKind::Integer);
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
        self.kind.set(ValueKind::Pattern);
        Number::One
    }

    fn is_zero(&self, value: &Number) -> bool {
        matches!(value, Number::Real(0.0) | Number::Integer(0))
    }

    fn negated(&self, value: &Number) -> Number {
        match *value {
            Number::Real(value) => Number::Real(-value),
            Number::Integer(value) => value.checked_neg().map_or(Number::TooLarge, Number::Integer),
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

/// What the entries that have been read take of the memory.
struct Limit {
    /// The file.
    name: String,
    bytes_per_entry: u64,
    max_memory: Option<u64>,
    entries: Cell<u64>,
    /// Why there is no reading on.
    failure: Cell<Option<Failure>>,
}

impl Limit {
    fn check(&self) -> Result<(), Failure> {
        let needed = self.bytes_per_entry.saturating_mul(self.entries.get());
        memory::check(&self.name, "matrix", needed, needed, self.max_memory)
    }

    fn count(&self) {
        self.entries.set(self.entries.get() + 1);
    }
}

/// Values that are counted.
struct Counted<'a, V> {
    values: &'a V,
    limit: &'a Limit,
}

impl<V: Values> Values for Counted<'_, V> {
    type Value = V::Value;

    fn real(&self, text: &str) -> Result<V::Value, Problem> {
        self.limit.count();
        self.values.real(text)
    }

    fn integer(&self, text: &str) -> Result<V::Value, Problem> {
        self.limit.count();
        self.values.integer(text)
    }

    fn zero(&self) -> V::Value {
        self.values.zero()
    }

    fn one(&self) -> V::Value {
        self.limit.count();
        self.values.one()
    }

    fn is_zero(&self, value: &V::Value) -> bool {
        self.values.is_zero(value)
    }

    fn negated(&self, value: &V::Value) -> V::Value {
        self.values.negated(value)
    }

    fn sum(&self, a: V::Value, b: V::Value) -> V::Value {
        self.values.sum(a, b)
    }

    fn is_valid(&self, sum: &V::Value) -> bool {
        self.values.is_valid(sum)
    }
}

/// Bytes that a progress bar counts while they are read, for as long as there is memory.
struct Watched<'a> {
    source: Source,
    progress: Progress,
    read: u64,
    limit: &'a Limit,
}

impl Read for Watched<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if let Err(failure) = self.limit.check() {
            self.limit.failure.set(Some(failure));
            return Err(io::Error::other("there is not enough memory"));
        }
        let count = self.source.bytes.read(bytes)?;
        self.read += count as u64;
        self.progress.at(self.read, "reading");
        Ok(count)
    }
}
