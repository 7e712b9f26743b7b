//! Matrices as files.

use crate::args::Common;
use crate::args::sparse::WrittenForm;
use crate::error::Failure;
use crate::results::Results;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{BufWriter, IntoInnerError};
use sunzi::linalg::sparse::CsrMatrix;
use sunzi::linalg::sparse::matrix_market::{self, Symmetry, ValueKind, Written};

/// Bytes that are collected before they are packed.
const PACKED_AT_ONCE: usize = 1 << 16;

/// How a Matrix Market file is written.
pub struct Form {
    /// One of two entries that mirror each other.
    symmetric: bool,
    /// As gzip does.
    packed: bool,
}

impl Form {
    /// What was asked for, and what the name of the file says.
    pub fn new(wanted: WrittenForm, common: &Common) -> Result<Self, Failure> {
        let file = common.output.as_deref();
        let packed = file.is_some_and(|file| file.extension().is_some_and(|end| end == "gz"));
        if common.json && wanted.symmetric {
            return Err(Failure::Usage(
                "--symmetric is for Matrix Market files: leave it out, or --json".to_owned(),
            ));
        }
        if common.json && packed {
            return Err(Failure::Usage(
                "--json is not packed: give -o a name that does not end in .gz".to_owned(),
            ));
        }
        Ok(Self {
            symmetric: wanted.symmetric,
            packed,
        })
    }

    /// The symmetry that a matrix, named in sentences, is written with. Refuses one that cannot be written so.
    pub fn symmetry<E: Written + Copy>(
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
pub fn write_matrix<E: Written + Copy>(
    matrix: &CsrMatrix<E>,
    symmetry: Symmetry,
    form: &Form,
    comment: &str,
    results: &mut Results,
) -> Result<(), Failure> {
    results.fill(|out| {
        if !form.packed {
            return matrix_market::write_as(out, matrix, symmetry, comment);
        }
        let packed = GzEncoder::new(out, Compression::default());
        let mut packed = BufWriter::with_capacity(PACKED_AT_ONCE, packed);
        matrix_market::write_as(&mut packed, matrix, symmetry, comment)?;
        let packed = packed.into_inner().map_err(IntoInnerError::into_error)?;
        packed.finish().map(|_| ())
    })
}

/// Writes the entries of a matrix as JSON: `[row, column, value]`, counted from 1, without a value in a
/// pattern.
pub fn write_entries<E: Written + Copy>(
    matrix: &CsrMatrix<E>,
    results: &mut Results,
) -> Result<(), Failure> {
    let mut text = Vec::new();
    for (row, column, value) in matrix.triplets() {
        text.clear();
        let (row, column) = (u64::from(row) + 1, u64::from(column) + 1);
        text.extend(format!("[{row},{column}").bytes());
        if E::KIND != ValueKind::Pattern {
            text.push(b',');
            // Writing to memory has no errors, and all values are finite.
            let _ = value.write(&mut text);
        }
        text.push(b']');
        results.push(&text)?;
    }
    Ok(())
}
