//! What products of matrices and vectors are computed in.

use std::path::Path;
use sunzi::{
    field::{AnyField, Rows},
    memory::Budget,
    sparse::{
        AnySparseMatrix, CsrMatrix, ModularProduct,
        matrix_market::{ResidueRows, Residues},
    },
};
use sunzi_files::failure::Failure;
use sunzi_files::input::sparse::{self, Input};
use sunzi_files::input::{LineError, vector};
use sunzi_files::listing;
use sunzi_files::numbers::rationals::{self, RationalText};
use sunzi_files::numbers::residues::{Residues as ResidueText, quotient};
use sunzi_files::results::Results;
use sunzi_files::style::{Style, quoted};

/// Numbers that a matrix and a vector hold, and their product.
pub trait Arithmetic: Sync {
    /// Values of a matrix that has been read.
    type Value: Copy;
    /// What else belongs to such a matrix.
    type Rest;
    /// A matrix that can be multiplied.
    type Factor;
    /// Entries of vectors consist of these.
    type Part: Copy + Send + Sync;

    /// Reads the matrix.
    fn read_matrix(
        &self,
        path: &Path,
        budget: Budget,
    ) -> Result<(Input<Self::Value>, Self::Rest), Failure>;

    /// Makes it a factor, or says what is wrong with it.
    fn factor(
        &self,
        matrix: CsrMatrix<Self::Value>,
        rest: Self::Rest,
    ) -> Result<Self::Factor, String>;

    /// Appends an entry of the vector.
    fn read(&self, content: &[u8], parts: &mut Vec<Self::Part>) -> Result<(), LineError>;

    /// The parts of the entry 1.
    fn one(&self) -> Vec<Self::Part>;

    /// The prime, in decimal.
    fn modulus(&self) -> Option<&str>;

    fn product(&self, matrix: &Self::Factor, x: &[Self::Part]) -> Result<Vec<Self::Part>, String>;

    /// Whether a product has an entry of this part: floating point ends somewhere.
    fn is_valid(&self, _part: &Self::Part) -> bool {
        true
    }

    /// Writes the product.
    fn write(&self, parts: &[Self::Part], json: bool, results: &mut Results)
    -> Result<(), Failure>;
}

/// Floating point numbers.
pub struct Doubles {
    text: RationalText,
}

impl Doubles {
    pub fn new() -> Self {
        Self {
            text: RationalText::new(),
        }
    }
}

impl Arithmetic for Doubles {
    type Value = f64;
    type Rest = ();
    type Factor = CsrMatrix<f64>;
    type Part = f64;

    fn read_matrix(&self, path: &Path, budget: Budget) -> Result<(Input<f64>, ()), Failure> {
        Ok((sparse::read_reals(path, budget)?, ()))
    }

    fn factor(&self, matrix: CsrMatrix<f64>, (): ()) -> Result<CsrMatrix<f64>, String> {
        Ok(matrix)
    }

    fn read(&self, content: &[u8], parts: &mut Vec<f64>) -> Result<(), LineError> {
        let number = self.text.read_float(content);
        parts.push(number.map_err(|error| vector::hinted(content, "number", error))?);
        Ok(())
    }

    fn one(&self) -> Vec<f64> {
        vec![1.0]
    }

    fn modulus(&self) -> Option<&str> {
        None
    }

    fn product(&self, matrix: &CsrMatrix<f64>, x: &[f64]) -> Result<Vec<f64>, String> {
        matrix.mul_vector(x).map_err(|error| error.to_string())
    }

    fn is_valid(&self, part: &f64) -> bool {
        part.is_finite()
    }

    fn write(&self, parts: &[f64], _json: bool, results: &mut Results) -> Result<(), Failure> {
        rationals::write_floats(parts, results)
    }
}

/// Residues modulo a prime below 2^63.
pub struct Words<F> {
    field: F,
    text: ResidueText,
}

impl<F: Rows> Words<F> {
    /// Those of a field, which is `modulus`, too.
    pub fn new(modulus: &AnyField, field: &F) -> Self {
        Self {
            text: ResidueText::new(modulus),
            field: field.clone(),
        }
    }
}

impl<F: Rows + ModularProduct> Arithmetic for Words<F> {
    type Value = F::Elem;
    type Rest = ();
    type Factor = CsrMatrix<F::Elem>;
    type Part = F::Elem;

    fn read_matrix(&self, path: &Path, budget: Budget) -> Result<(Input<F::Elem>, ()), Failure> {
        Ok((sparse::read(path, budget, &Residues(&self.field))?, ()))
    }

    fn factor(&self, matrix: CsrMatrix<F::Elem>, (): ()) -> Result<CsrMatrix<F::Elem>, String> {
        Ok(matrix)
    }

    fn read(&self, content: &[u8], parts: &mut Vec<F::Elem>) -> Result<(), LineError> {
        if let Some(word) = ResidueText::short(content) {
            parts.push(self.field.from_u64(word));
            return Ok(());
        }
        let residue =
            |numerator: &_, denominator: &_| quotient(&self.field, numerator, denominator);
        let entry = self.text.read(content, residue);
        parts.push(entry.map_err(|error| vector::hinted(content, "integer", error))?);
        Ok(())
    }

    fn one(&self) -> Vec<F::Elem> {
        vec![self.field.one()]
    }

    fn modulus(&self) -> Option<&str> {
        Some(self.text.prime())
    }

    fn product(&self, matrix: &CsrMatrix<F::Elem>, x: &[F::Elem]) -> Result<Vec<F::Elem>, String> {
        let product = matrix.mul_vector_mod(&self.field, x);
        product.map_err(|error| error.to_string())
    }

    fn write(&self, parts: &[F::Elem], json: bool, results: &mut Results) -> Result<(), Failure> {
        listing::write(parts.len(), results, |index, text| {
            quoted(Style::new(json), text, |text| {
                self.text.write(&F::rows(&[parts[index]]), text);
            });
        })
    }
}

/// Residues modulo a prime from 2^63 on, as rows of words: their type is the same for all fields.
pub struct ManyWords {
    field: AnyField,
    text: ResidueText,
}

impl ManyWords {
    /// Those of a field.
    pub fn new(field: &AnyField) -> Self {
        Self {
            field: field.clone(),
            text: ResidueText::new(field),
        }
    }
}

impl Arithmetic for ManyWords {
    /// The index of a row.
    type Value = u32;
    /// The rows.
    type Rest = Vec<u64>;
    type Factor = AnySparseMatrix;
    type Part = u64;

    fn read_matrix(&self, path: &Path, budget: Budget) -> Result<(Input<u32>, Vec<u64>), Failure> {
        let values = ResidueRows::new(&self.field);
        let input = sparse::read(path, budget, &values)?;
        Ok((input, values.into_rows()))
    }

    fn factor(&self, matrix: CsrMatrix<u32>, rows: Vec<u64>) -> Result<AnySparseMatrix, String> {
        AnySparseMatrix::new(&self.field, matrix, rows).map_err(|error| error.to_string())
    }

    fn read(&self, content: &[u8], parts: &mut Vec<u64>) -> Result<(), LineError> {
        let entry = self.text.read_row(content, parts);
        entry.map_err(|error| vector::hinted(content, "integer", error))
    }

    fn one(&self) -> Vec<u64> {
        let mut row = Vec::new();
        self.field.push_u64(1, &mut row);
        row
    }

    fn modulus(&self) -> Option<&str> {
        Some(self.text.prime())
    }

    fn product(&self, matrix: &AnySparseMatrix, x: &[u64]) -> Result<Vec<u64>, String> {
        matrix.mul_vector(x).map_err(|error| error.to_string())
    }

    fn write(&self, parts: &[u64], json: bool, results: &mut Results) -> Result<(), Failure> {
        self.text.write_results(parts, Style::new(json), results)
    }
}
