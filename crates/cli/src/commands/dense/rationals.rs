//! Dense matrices of rational numbers.

use super::input::{Entries, read_integer, read_number};
use sunzi::Integer;
use sunzi::Rational;
use sunzi::sparse::matrix_market::{Integers, Problem, Values};
use sunzi_files::input::LineError;
use sunzi_files::numbers::rationals::RationalText;

/// Integers, quotients and decimals.
pub struct ExactEntries {
    numbers: RationalText,
}

impl ExactEntries {
    /// With empty tables, which long numbers fill.
    pub fn new() -> Self {
        Self {
            numbers: RationalText::new(),
        }
    }
}

impl Values for ExactEntries {
    type Value = Rational;

    fn real(&self, text: &str) -> Result<Rational, Problem> {
        read_number(self, text)
    }

    fn integer(&self, text: &str) -> Result<Rational, Problem> {
        read_integer(self, text)
    }

    fn zero(&self) -> Rational {
        Rational::ZERO
    }

    fn one(&self) -> Rational {
        Rational::ONE
    }

    /// Dense matrices keep their zeros.
    fn is_zero(&self, _entry: &Rational) -> bool {
        false
    }

    fn negated(&self, entry: &Rational) -> Rational {
        -entry.clone()
    }

    fn sum(&self, a: Rational, b: Rational) -> Rational {
        a + b
    }

    fn heap_bytes(&self, entry: &Rational) -> u64 {
        Integers.heap_bytes(entry.numerator()) + Integers.heap_bytes(&entry.denominator().into())
    }
}

impl Entries for ExactEntries {
    fn read(&self, word: &[u8]) -> Result<Rational, LineError> {
        self.numbers.read(word)
    }

    fn working_bytes(&self) -> u64 {
        // Beside quotients: integers, and residues modulo the primes of a block.
        (size_of::<Integer>() + 64) as u64
    }
}
