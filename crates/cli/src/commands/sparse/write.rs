//! Matrices as files.

use crate::args::sparse::WrittenForm;
use crate::error::Failure;
use crate::output::Output;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::path::Path;
use sunzi::linalg::sparse::CsrMatrix;
use sunzi::linalg::sparse::matrix_market::{self, Symmetry, ValueKind, Written};

/// How a Matrix Market file is written.
pub struct Form {
    /// One of two entries that mirror each other.
    symmetric: bool,
    /// As gzip does.
    packed: bool,
}

impl Form {
    /// What was asked for, and what the name of the file says.
    pub fn new(wanted: WrittenForm, file: Option<&Path>) -> Self {
        Self {
            symmetric: wanted.symmetric,
            packed: file.is_some_and(|file| file.extension().is_some_and(|end| end == "gz")),
        }
    }
}

/// Writes a matrix as a Matrix Market file.
pub fn write_matrix<E: Written + Copy>(
    matrix: &CsrMatrix<E>,
    form: &Form,
    comment: &str,
    output: &mut Output,
) -> Result<(), Failure> {
    let symmetry = match form.symmetric {
        true => Symmetry::of(matrix),
        false => Symmetry::General,
    };
    if form.symmetric && symmetry == Symmetry::General {
        return Err(Failure::Computation(
            "the matrix to be written is neither symmetric nor skew-symmetric: leave out --symmetric"
                .to_owned(),
        ));
    }
    output.fill(|out| {
        if !form.packed {
            return matrix_market::write_as(out, matrix, symmetry, comment);
        }
        let mut packed = GzEncoder::new(out, Compression::default());
        matrix_market::write_as(&mut packed, matrix, symmetry, comment)?;
        packed.finish().map(|_| ())
    })
}

/// Writes the entries of a matrix as JSON: `[row, column, value]`, counted from 1, without a value in a
/// pattern.
pub fn write_entries<E: Written + Copy>(
    matrix: &CsrMatrix<E>,
    output: &mut Output,
) -> Result<(), Failure> {
    let mut text = Vec::new();
    let mut separator = "";
    for (row, column, value) in matrix.triplets() {
        text.clear();
        let (row, column) = (u64::from(row) + 1, u64::from(column) + 1);
        text.extend(format!("{separator}[{row},{column}").bytes());
        if E::KIND != ValueKind::Pattern {
            text.push(b',');
            // Writing to memory has no errors, and all values are finite.
            let _ = value.write(&mut text);
        }
        text.push(b']');
        output.write(&text)?;
        separator = ",\n";
    }
    Ok(())
}
