//! Matrices modulo a prime.

use super::numbers::{Found, Numbers, Refused};
use super::task::{Pair, Single, Task};
use crate::commands::dense::input::{Input, Purpose};
use crate::commands::dense::residues;
use crate::modulus;
use crate::report::Seconds;
use std::path::Path;
use sunzi::{
    field::AnyField,
    matrix::{AnyDenseMatrix, AnyEliminated},
    memory::Budget,
};
use sunzi_files::failure::Failure;
use sunzi_files::numbers::residues::Residues;
use sunzi_files::results::Results;
use sunzi_files::style::Style;

/// Residues modulo one prime.
pub struct Modular {
    field: AnyField,
    text: Residues,
}

impl Modular {
    /// Those modulo the prime that a text names.
    pub fn new(prime: &str) -> Result<Self, Failure> {
        let field = modulus::field(prime)?;
        let text = Residues::new(&field);
        Ok(Self { field, text })
    }
}

impl Numbers for Modular {
    type Matrix = AnyDenseMatrix;

    fn arithmetic(&self) -> (&'static str, Option<String>) {
        ("modular", Some(self.text.prime().to_owned()))
    }

    fn read(
        &self,
        file: &Path,
        purpose: Purpose,
        seconds: &mut Seconds,
    ) -> Result<Input<AnyDenseMatrix>, Failure> {
        residues::read(file, purpose, &self.field, seconds)
    }

    fn shape(&self, matrix: &AnyDenseMatrix) -> (usize, usize) {
        matrix.shape()
    }

    fn bytes(&self, matrix: &AnyDenseMatrix) -> u64 {
        let (rows, columns) = matrix.shape();
        self.entry_bytes() * rows as u64 * columns as u64
    }

    fn entry_bytes(&self) -> u64 {
        self.field.element_bytes() as u64
    }

    fn compute(
        &self,
        task: Task<AnyDenseMatrix>,
        _budget: Budget,
    ) -> Result<Found<AnyDenseMatrix>, Refused> {
        let found = match task {
            Task::Single(Single::Rank, matrix) => matrix.rank().map(|rank| Found {
                matrix: None,
                rank: Some(rank),
            }),
            Task::Single(Single::Inverse, matrix) => matrix.inverse().map(Found::from),
            Task::Single(Single::Nullspace, matrix) => matrix.nullspace().map(Found::from),
            Task::Single(Single::Rref, matrix) => {
                matrix.reduced_row_echelon_form().map(Found::from)
            }
            Task::Pair(Pair::Solve, [matrix, right]) => matrix.solve_any(&right).map(Found::from),
            Task::Pair(Pair::Mul, [left, right]) => left.product(&right).map(|product| Found {
                matrix: Some(product),
                rank: None,
            }),
        };
        found.map_err(|error| Refused::Other(error.to_string()))
    }

    fn write(
        &self,
        matrix: &AnyDenseMatrix,
        json: bool,
        results: &mut Results,
    ) -> Result<(), Failure> {
        let words = matrix.words();
        self.text
            .write_matrix(&words, matrix.shape(), Style::new(json), results)
    }
}

impl From<AnyEliminated> for Found<AnyDenseMatrix> {
    fn from(found: AnyEliminated) -> Self {
        Self {
            matrix: Some(found.matrix),
            rank: Some(found.rank),
        }
    }
}
