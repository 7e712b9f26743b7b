//! From a tree to a polynomial in two variables with rational coefficients.

use sunzi_field::expression::syntax::Node;
use sunzi_integer::Integer;
use sunzi_integer::{Multiplier, text::DecimalTables};
use sunzi_machine::memory::Budget;

use super::error::ParsePolyError;
use super::expand::{self, Limits};

/// The highest degree in each of two variables.
pub const MAX_DEGREE_OF_TWO: u64 = 1 << 16;

const LIMITS: Limits = Limits {
    degree: MAX_DEGREE_OF_TWO,
    advice: "write the polynomial with smaller exponents and numbers",
};

/// A polynomial in two variables with rational coefficients, in lowest terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TwoVariables {
    /// By powers of the second variable, the coefficients of powers of the first from the constant term upward: integers.
    /// Neither ends with zeros.
    pub rows: Vec<Vec<Integer>>,
    /// The positive number by which all of them are divided.
    pub denominator: Integer,
}

impl TwoVariables {
    /// The polynomial that the tree of a text of `length` bytes stands for, of which there is room for all coefficients.
    pub fn expand(
        tree: &Node,
        length: usize,
        multiplier: &Multiplier,
        tables: &DecimalTables,
    ) -> Result<Self, ParsePolyError> {
        let found = expand::expand::<2>(tree, length, &LIMITS, multiplier, tables)?;
        let mut lengths = vec![0; expand::degrees(&found.terms)[1] as usize + 1];
        for &[i, j] in found.terms.keys() {
            let length = &mut lengths[j as usize];
            *length = (i as usize + 1).max(*length);
        }
        let count = lengths.iter().sum::<usize>() * size_of::<Integer>();
        // Whoever reads one operand reads another.
        let bytes = 2 * (count + lengths.len() * size_of::<Vec<Integer>>());
        let room = Budget::system().require(bytes as u64);
        room.map_err(|error| ParsePolyError {
            offset: 0,
            problem: error.into(),
        })?;
        let rows = lengths
            .into_iter()
            .map(|length| vec![Integer::ZERO; length]);
        let mut rows: Vec<_> = rows.collect();
        for ([i, j], coefficient) in found.terms {
            rows[j as usize][i as usize] = coefficient;
        }
        if rows == [Vec::<Integer>::new()] {
            rows.clear();
        }
        Ok(Self {
            rows,
            denominator: found.denominator,
        })
    }
}
