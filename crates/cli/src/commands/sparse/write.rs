//! Matrices as files.

use crate::args::Common;
use clap::Args;
use sunzi::sparse::{
    CsrMatrix,
    matrix_market::{self, Symmetry, ValueKind, WriteValue},
};
use sunzi_files::failure::Failure;
use sunzi_files::results::Results;

/// How a matrix is written.
#[derive(Clone, Copy, Debug, Args)]
pub struct WrittenForm {
    /// Write one of two entries that mirror each other: a symmetric or skew-symmetric file, the latter without zeros
    /// on its diagonal
    #[arg(long)]
    pub symmetric: bool,
}

/// How a Matrix Market file is written.
pub struct Form {
    /// One of two entries that mirror each other.
    symmetric: bool,
}

impl Form {
    /// What was asked for.
    pub fn new(wanted: WrittenForm, common: &Common) -> Result<Self, Failure> {
        if common.json && wanted.symmetric {
            return Err(Failure::Usage(
                "--symmetric is for Matrix Market files: leave it out, or --json".to_owned(),
            ));
        }
        Ok(Self {
            symmetric: wanted.symmetric,
        })
    }

    /// The symmetry that a matrix, named in sentences, is written with. Refuses one that cannot be written so.
    pub fn symmetry<E: WriteValue + Copy>(
        &self,
        name: &str,
        matrix: &CsrMatrix<E>,
    ) -> Result<Symmetry, Failure> {
        if !self.symmetric {
            return Ok(Symmetry::General);
        }
        match Symmetry::of(matrix) {
            Symmetry::General => Err(Failure::Computation(format!(
                "{name}: the matrix is neither symmetric nor skew-symmetric: leave out --symmetric"
            ))),
            symmetry => Ok(symmetry),
        }
    }
}

/// Writes a matrix that has a symmetry as a Matrix Market file.
pub fn write_matrix<E: WriteValue + Copy>(
    matrix: &CsrMatrix<E>,
    symmetry: Symmetry,
    comment: &str,
    results: &mut Results,
) -> Result<(), Failure> {
    results.fill(|out| matrix_market::write(out, matrix, symmetry, comment))
}

/// Writes the entries of a matrix as JSON: `[row, column, value]`, counted from 1, without a value in a
/// pattern; integers, which may be long, are texts.
pub fn write_entries<E: WriteValue + Copy>(
    matrix: &CsrMatrix<E>,
    results: &mut Results,
) -> Result<(), Failure> {
    let mut text = Vec::new();
    for (row, column, value) in matrix.iter() {
        text.clear();
        let (row, column) = (u64::from(row) + 1, u64::from(column) + 1);
        text.extend(format!("[{row},{column}").bytes());
        // Writing to memory has no errors, and all values are finite.
        match E::KIND {
            ValueKind::Pattern => {}
            ValueKind::Real => {
                text.push(b',');
                let _ = value.write(&mut text);
            }
            ValueKind::Integer => {
                text.extend_from_slice(b",\"");
                let _ = value.write(&mut text);
                text.push(b'"');
            }
        }
        text.push(b']');
        results.push(&text)?;
    }
    Ok(())
}
