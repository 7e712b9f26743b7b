//! Sparse matrices of Matrix Market files, their numbers kept as they are.

use super::market;
use super::source::Source;
use crate::failure::Failure;
use crate::memory;
use std::cell::RefCell;
use std::path::Path;
use sunzi_integer::Integer;
use sunzi_machine::memory::Budget;
use sunzi_sparse::{
    CsrMatrix,
    matrix_market::{Integers, Places, Problem, Reals, ValueKind, Values},
};

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
pub enum Matrix<'a> {
    /// Floating point numbers.
    Real(CsrMatrix<f64>),
    /// Integers of a word.
    Integer(CsrMatrix<i64>),
    /// Integers, some of which are longer.
    Long(CsrMatrix<&'a Integer>),
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

/// Reads a matrix of any kind, and the name of its file. If there are integers that no word holds, all are put into `long`.
pub fn read_any<'a>(
    path: &Path,
    budget: Budget,
    long: &'a mut Vec<Integer>,
) -> Result<(String, Matrix<'a>), Failure> {
    let numbers = AsTheyAre::default();
    let Input { name, kind, matrix } = read(path, budget, &numbers)?;
    let real = |number: &Number| match *number {
        Number::Real(value) => value,
        _ => 1.0,
    };
    let word = |number: &Number| match *number {
        Number::Integer(value) => value,
        _ => 1,
    };
    let is_long = |number: &Number| matches!(number, Number::Long(_));
    let matrix = match kind {
        ValueKind::Real => Matrix::Real(matrix.map(real)),
        ValueKind::Integer if !matrix.values().iter().any(is_long) => {
            Matrix::Integer(matrix.map(word))
        }
        ValueKind::Integer => {
            let size = size_of::<Integer>() + size_of::<&Integer>();
            let digits = matrix
                .values()
                .iter()
                .map(|number| numbers.heap_bytes(number));
            let needed = (size * matrix.nnz()) as u64 + digits.sum::<u64>();
            memory::check(&name, "matrix", needed, budget)?;
            *long = matrix
                .values()
                .iter()
                .map(|number| numbers.exact(number))
                .collect();
            let mut next = long.iter();
            Matrix::Long(matrix.map(|_| next.next().expect("an integer for each entry")))
        }
        ValueKind::Pattern => Matrix::Pattern(matrix.pattern()),
    };
    Ok((name, matrix))
}

/// A number of a file. An integer is a word if one holds it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Number {
    Real(f64),
    Integer(i64),
    /// The index of an integer that no word holds.
    Long(usize),
    /// That of a pattern.
    One,
}

/// Reads numbers as the file has them.
#[derive(Default)]
struct AsTheyAre {
    long: RefCell<Vec<Integer>>,
}

impl AsTheyAre {
    fn number(&self, value: Integer) -> Number {
        match i64::try_from(&value) {
            Ok(word) => Number::Integer(word),
            Err(_) => {
                let mut long = self.long.borrow_mut();
                long.push(value);
                Number::Long(long.len() - 1)
            }
        }
    }

    /// The value of an integer.
    fn exact(&self, number: &Number) -> Integer {
        match *number {
            Number::Integer(value) => Integer::from(value),
            Number::Long(index) => self.long.borrow()[index].clone(),
            Number::Real(_) | Number::One => Integer::ONE,
        }
    }
}

impl Values for AsTheyAre {
    type Value = Number;

    fn real(&self, text: &str) -> Result<Number, Problem> {
        Reals.real(text).map(Number::Real)
    }

    fn integer(&self, text: &str) -> Result<Number, Problem> {
        match text.parse() {
            Ok(value) => Ok(Number::Integer(value)),
            Err(_) => Integers.integer(text).map(|value| self.number(value)),
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
            Number::One => Number::One,
            Number::Integer(_) | Number::Long(_) => self.number(-self.exact(value)),
        }
    }

    fn sum(&self, a: Number, b: Number) -> Number {
        match (a, b) {
            (Number::Real(a), Number::Real(b)) => Number::Real(a + b),
            // A place of a pattern is there or not.
            (Number::One, Number::One) => Number::One,
            _ => self.number(self.exact(&a) + self.exact(&b)),
        }
    }

    fn are_equal(&self, a: &Number, b: &Number) -> bool {
        match (a, b) {
            (Number::Long(_), Number::Long(_)) => self.exact(a) == self.exact(b),
            _ => a == b,
        }
    }

    /// Those of its digits, twice: sums at one place leave both terms where they are.
    fn heap_bytes(&self, value: &Number) -> u64 {
        match value {
            Number::Long(index) => {
                let long = &self.long.borrow()[*index];
                2 * (size_of::<Integer>() as u64 + Integers.heap_bytes(long))
            }
            _ => 0,
        }
    }

    fn is_valid(&self, sum: &Number) -> bool {
        match sum {
            Number::Real(value) => value.is_finite(),
            Number::Integer(_) | Number::Long(_) | Number::One => true,
        }
    }
}
