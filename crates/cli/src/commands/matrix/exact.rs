//! Matrices of rational numbers.

use super::numbers::{Found, Numbers, Refused};
use super::task::{Pair, Single, Task};
use crate::commands::dense::input::{self, Input, Purpose, digits_of};
use crate::commands::dense::rationals::ExactEntries;
use crate::report::Seconds;
use std::path::Path;
use sunzi::Rational;
use sunzi::{
    matrix::{DenseMatrix, MatrixError, RationalElimination, Solution},
    memory::Budget,
};
use sunzi_files::failure::Failure;
use sunzi_files::numbers::rationals::RationalText;
use sunzi_files::results::Results;
use sunzi_files::style::Style;

/// Rational numbers.
pub struct Exact {
    entries: ExactEntries,
    text: RationalText,
}

impl Exact {
    /// With empty tables, which long numbers fill.
    pub fn new() -> Self {
        Self {
            entries: ExactEntries::new(),
            text: RationalText::new(),
        }
    }
}

impl Numbers for Exact {
    type Matrix = DenseMatrix<Rational>;

    fn arithmetic(&self) -> (&'static str, Option<String>) {
        ("exact", None)
    }

    fn read(
        &self,
        file: &Path,
        purpose: Purpose,
        seconds: &mut Seconds,
    ) -> Result<Input<Self::Matrix>, Failure> {
        input::read(file, purpose, &self.entries, seconds)
    }

    fn shape(&self, matrix: &Self::Matrix) -> (usize, usize) {
        (matrix.rows(), matrix.columns())
    }

    fn bytes(&self, matrix: &Self::Matrix) -> u64 {
        self.entry_bytes() * matrix.entries().len() as u64 + digits_of(matrix, &self.entries)
    }

    fn entry_bytes(&self) -> u64 {
        size_of::<Rational>() as u64
    }

    fn compute(
        &self,
        task: Task<Self::Matrix>,
        budget: Budget,
    ) -> Result<Found<Self::Matrix>, Refused> {
        let elimination = RationalElimination::new().within(budget);
        let found = match task {
            Task::Single(Single::Rank, matrix) => Found {
                matrix: None,
                rank: Some(elimination.rank(&matrix)?),
            },
            Task::Single(Single::Inverse, matrix) => Found {
                rank: Some(matrix.rows()),
                matrix: Some(elimination.inverse(&matrix)?),
            },
            Task::Single(Single::Nullspace, matrix) => {
                let basis = elimination.nullspace(&matrix)?;
                Found {
                    rank: Some(basis.rows() - basis.columns()),
                    matrix: Some(basis),
                }
            }
            Task::Single(Single::Rref, matrix) => {
                let (form, pivots) = elimination.reduced_row_echelon_form(&matrix)?;
                Found {
                    matrix: Some(form),
                    rank: Some(pivots.len()),
                }
            }
            Task::Pair(Pair::Solve, [matrix, right]) => {
                let Solution { matrix, rank } = elimination.solve(&matrix, &right)?;
                Found {
                    matrix: Some(matrix),
                    rank: Some(rank),
                }
            }
            Task::Pair(Pair::Mul, [left, right]) => Found {
                matrix: Some(elimination.product(&left, &right)?),
                rank: None,
            },
        };
        Ok(found)
    }

    fn write(
        &self,
        matrix: &Self::Matrix,
        json: bool,
        results: &mut Results,
    ) -> Result<(), Failure> {
        self.text.write_matrix(matrix, Style::new(json), results)
    }
}

impl From<MatrixError> for Refused {
    fn from(error: MatrixError) -> Self {
        match error {
            MatrixError::Memory(error) => Self::Memory(error),
            error => Self::Other(error.to_string()),
        }
    }
}
