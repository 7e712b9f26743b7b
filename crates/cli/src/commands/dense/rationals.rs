//! Dense matrices of rational numbers.

use super::input::{Entries, read_integer, read_number};
use dashu_int::IBig;
use dashu_ratio::RBig;
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
    type Value = RBig;

    fn real(&self, text: &str) -> Result<RBig, Problem> {
        read_number(self, text)
    }

    fn integer(&self, text: &str) -> Result<RBig, Problem> {
        read_integer(self, text)
    }

    fn zero(&self) -> RBig {
        RBig::ZERO
    }

    fn one(&self) -> RBig {
        RBig::ONE
    }

    /// Dense matrices keep their zeros.
    fn is_zero(&self, _entry: &RBig) -> bool {
        false
    }

    fn negated(&self, entry: &RBig) -> RBig {
        -entry.clone()
    }

    fn sum(&self, a: RBig, b: RBig) -> RBig {
        a + b
    }

    fn heap_bytes(&self, entry: &RBig) -> u64 {
        Integers.heap_bytes(entry.numerator()) + Integers.heap_bytes(entry.denominator().as_ibig())
    }
}

impl Entries for ExactEntries {
    fn read(&self, word: &[u8]) -> Result<RBig, LineError> {
        self.numbers.read(word)
    }

    fn working_bytes(&self) -> u64 {
        // Beside quotients: integers, and residues modulo the primes of a block.
        (size_of::<IBig>() + 64) as u64
    }
}
