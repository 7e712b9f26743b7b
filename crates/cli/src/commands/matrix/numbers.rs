//! What entries of matrices are: what commands need of them.

use super::task::Task;
use crate::commands::dense::input::{Input, Purpose};
use crate::report::Seconds;
use std::path::Path;
use sunzi::memory::{Budget, OutOfMemory};
use sunzi_files::failure::Failure;
use sunzi_files::results::Results;

/// Numbers of one kind, and matrices of them.
pub trait Numbers {
    /// A matrix.
    type Matrix;

    /// The name of the arithmetic in figures, and the modulus in decimal if there is one.
    fn arithmetic(&self) -> (&'static str, Option<String>);

    /// Reads a matrix.
    fn read(
        &self,
        file: &Path,
        purpose: Purpose,
        seconds: &mut Seconds,
    ) -> Result<Input<Self::Matrix>, Failure>;

    /// Rows and columns.
    fn shape(&self, matrix: &Self::Matrix) -> (usize, usize);

    /// The bytes that a matrix takes.
    fn bytes(&self, matrix: &Self::Matrix) -> u64;

    /// About how many bytes an entry takes at least.
    fn entry_bytes(&self) -> u64;

    /// Does the work.
    fn compute(
        &self,
        task: Task<Self::Matrix>,
        budget: Budget,
    ) -> Result<Found<Self::Matrix>, Refused>;

    /// Writes a matrix.
    fn write(
        &self,
        matrix: &Self::Matrix,
        json: bool,
        results: &mut Results,
    ) -> Result<(), Failure>;
}

/// What was found.
pub struct Found<M> {
    /// A matrix, unless the rank alone is wanted.
    pub matrix: Option<M>,
    /// The rank of the matrix that was eliminated, if one was.
    pub rank: Option<usize>,
}

/// Why nothing was found.
pub enum Refused {
    Memory(OutOfMemory),
    /// A sentence.
    Other(String),
}
