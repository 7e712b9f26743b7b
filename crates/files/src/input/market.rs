//! Matrix Market files, read for as long as there is memory.

use super::source::Source;
use crate::error::{Failure, Place, reason};
use crate::memory;
use crate::progress::Progress;
use std::cell::Cell;
use std::io::{self, Read};
use sunzi_linalg::sparse::SparseError;
use sunzi_linalg::sparse::matrix_market::{MatrixMarketError, Problem, Values};

/// What may be read.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// What an entry takes of the memory, without the digits of large integers.
    pub bytes_per_entry: u64,
    /// All that may be taken.
    pub max_memory: Option<u64>,
}

/// Reads a matrix by `parse`, which gets the bytes of the file, and `values` that count themselves.
pub fn read<V, M, P>(source: Source, values: &V, budget: Budget, parse: P) -> Result<M, Failure>
where
    V: Values,
    P: for<'a> FnOnce(Watched<'a>, &Counted<'a, V>) -> Result<M, MatrixMarketError>,
{
    let limit = Limit {
        name: source.name.clone(),
        budget,
        bytes: Cell::new(0),
        failure: Cell::new(None),
    };
    let watched = Watched {
        progress: Progress::new(source.size),
        source,
        limit: &limit,
    };
    let counted = Counted {
        values,
        limit: &limit,
    };
    let found = parse(watched, &counted);
    if let Some(failure) = limit.failure.take() {
        return Err(failure);
    }
    let matrix = found.map_err(|error| refusal(&limit.name, error))?;
    limit.check()?;
    Ok(matrix)
}

/// What is wrong with a file, as this program says it.
fn refusal(name: &str, error: MatrixMarketError) -> Failure {
    let problem = match error.problem {
        Problem::Matrix(SparseError::Memory(_)) => {
            let (line, problem) = (error.line, error.problem);
            return Failure::Computation(format!("{name}, line {line}: {problem}"));
        }
        Problem::Read(error) => format!("the file cannot be read: {}", reason(&error)),
        problem => problem.to_string(),
    };
    Failure::Input {
        place: Place {
            file: name.to_owned(),
            line: Some(error.line),
            column: error.column,
        },
        problem,
    }
}

/// What the entries that have been read take of the memory.
struct Limit {
    /// The file.
    name: String,
    budget: Budget,
    bytes: Cell<u64>,
    /// Why there is no reading on.
    failure: Cell<Option<Failure>>,
}

impl Limit {
    fn check(&self) -> Result<(), Failure> {
        let needed = self.bytes.get();
        memory::check(&self.name, "matrix", needed, needed, self.budget.max_memory)
    }

    #[inline]
    fn entry(&self, heap_bytes: u64) -> u64 {
        self.budget.bytes_per_entry.saturating_add(heap_bytes)
    }

    #[inline]
    fn count(&self, heap_bytes: u64) {
        let more = self.bytes.get().saturating_add(self.entry(heap_bytes));
        self.bytes.set(more);
    }

    #[inline]
    fn uncount(&self, heap_bytes: u64) {
        let less = self.bytes.get().saturating_sub(self.entry(heap_bytes));
        self.bytes.set(less);
    }
}

/// Values that are counted.
pub struct Counted<'a, V> {
    values: &'a V,
    limit: &'a Limit,
}

impl<V: Values> Counted<'_, V> {
    #[inline]
    fn count(&self, value: V::Value) -> V::Value {
        self.limit.count(self.values.heap_bytes(&value));
        value
    }
}

impl<V: Values> Values for Counted<'_, V> {
    type Value = V::Value;

    #[inline]
    fn real(&self, text: &str) -> Result<V::Value, Problem> {
        self.values.real(text).map(|value| self.count(value))
    }

    #[inline]
    fn integer(&self, text: &str) -> Result<V::Value, Problem> {
        self.values.integer(text).map(|value| self.count(value))
    }

    #[inline]
    fn zero(&self) -> V::Value {
        self.values.zero()
    }

    #[inline]
    fn one(&self) -> V::Value {
        self.count(self.values.one())
    }

    #[inline]
    fn is_zero(&self, value: &V::Value) -> bool {
        let left_out = self.values.is_zero(value);
        if left_out {
            self.limit.uncount(self.values.heap_bytes(value));
        }
        left_out
    }

    #[inline]
    fn negated(&self, value: &V::Value) -> V::Value {
        self.values.negated(value)
    }

    #[inline]
    fn sum(&self, a: V::Value, b: V::Value) -> V::Value {
        self.values.sum(a, b)
    }

    #[inline]
    fn heap_bytes(&self, value: &V::Value) -> u64 {
        self.values.heap_bytes(value)
    }

    #[inline]
    fn is_valid(&self, sum: &V::Value) -> bool {
        self.values.is_valid(sum)
    }
}

/// Bytes that a progress bar counts while they are read, for as long as there is memory.
pub struct Watched<'a> {
    source: Source,
    progress: Progress,
    limit: &'a Limit,
}

impl Read for Watched<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if let Err(failure) = self.limit.check() {
            self.limit.failure.set(Some(failure));
            return Err(io::Error::other("there is not enough memory"));
        }
        let count = self.source.bytes.read(bytes)?;
        self.progress.at(self.source.bytes.taken(), "reading");
        Ok(count)
    }
}
