//! What products of matrices and vectors are computed in.

use std::path::Path;
use sunzi::field::{AnyField, Field, Rows};
use sunzi::linalg::sparse::matrix_market::Residues;
use sunzi::linalg::sparse::{CsrMatrix, ModularProduct, SparseError};
use sunzi_files::error::Failure;
use sunzi_files::input::sparse::{self, Input};
use sunzi_files::input::{LineError, vector};
use sunzi_files::listing;
use sunzi_files::numbers::rationals::{self, RationalText};
use sunzi_files::numbers::residues::Residues as ResidueText;
use sunzi_files::results::Results;
use sunzi_files::style::{Style, quoted};
use sunzi_threads::Threads;

/// Numbers that a matrix and a vector hold, and their product.
pub trait Arithmetic: Sync {
    type Number: Copy + Send + Sync;

    /// Reads the matrix.
    fn read_matrix(
        &self,
        path: &Path,
        max_memory: Option<u64>,
    ) -> Result<Input<Self::Number>, Failure>;

    /// Reads an entry of the vector.
    fn read(&self, content: &[u8]) -> Result<Self::Number, LineError>;

    fn one(&self) -> Self::Number;

    /// The prime, in decimal.
    fn modulus(&self) -> Option<&str>;

    fn product(
        &self,
        matrix: &CsrMatrix<Self::Number>,
        x: &[Self::Number],
    ) -> Result<Vec<Self::Number>, SparseError>;

    /// Whether a product has this entry: floating point ends somewhere.
    fn is_valid(&self, _value: &Self::Number) -> bool {
        true
    }

    /// Writes the product.
    fn write(
        &self,
        values: &[Self::Number],
        json: bool,
        results: &mut Results,
    ) -> Result<(), Failure>;
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
    type Number = f64;

    fn read_matrix(&self, path: &Path, max_memory: Option<u64>) -> Result<Input<f64>, Failure> {
        sparse::read_reals(path, max_memory)
    }

    fn read(&self, content: &[u8]) -> Result<f64, LineError> {
        let number = self.text.read_float(content);
        number.map_err(|error| vector::hinted(content, "number", error))
    }

    fn one(&self) -> f64 {
        1.0
    }

    fn modulus(&self) -> Option<&str> {
        None
    }

    fn product(&self, matrix: &CsrMatrix<f64>, x: &[f64]) -> Result<Vec<f64>, SparseError> {
        matrix.mul_vector(x)
    }

    fn is_valid(&self, value: &f64) -> bool {
        value.is_finite()
    }

    fn write(&self, values: &[f64], _json: bool, results: &mut Results) -> Result<(), Failure> {
        rationals::write_floats(values, results)
    }
}

/// Residues in a field, multiplied by `product`.
pub struct Modular<F, P> {
    field: F,
    text: ResidueText,
    product: P,
}

/// Residues modulo a prime below 2^63.
pub fn of_words<F: Rows + ModularProduct>(
    modulus: &AnyField,
    field: &F,
) -> Modular<F, impl Product<F>> {
    let product =
        |field: &F, matrix: &CsrMatrix<F::Elem>, x: &[F::Elem]| matrix.mul_vector_mod(field, x);
    Modular::new(modulus, field, product)
}

/// Residues modulo a prime of many words: row by row, product by product.
pub fn of_many_words<F: Rows>(modulus: &AnyField, field: &F) -> Modular<F, impl Product<F>> {
    let product = |field: &F, matrix: &CsrMatrix<F::Elem>, x: &[F::Elem]| {
        let row = |row: usize| {
            let (columns, values) = matrix.row(row);
            let entries = columns.iter().zip(values);
            entries.fold(field.zero(), |sum, (&column, &value)| {
                field.add(sum, field.mul(value, x[column as usize]))
            })
        };
        Ok(Threads::all().map(0..matrix.rows(), row))
    };
    Modular::new(modulus, field, product)
}

/// The product of a matrix and a vector that has as many entries as the matrix has columns.
pub trait Product<F: Field>:
    Fn(&F, &CsrMatrix<F::Elem>, &[F::Elem]) -> Result<Vec<F::Elem>, SparseError> + Sync
{
}

impl<F: Field, P> Product<F> for P where
    P: Fn(&F, &CsrMatrix<F::Elem>, &[F::Elem]) -> Result<Vec<F::Elem>, SparseError> + Sync
{
}

impl<F: Rows, P> Modular<F, P> {
    fn new(modulus: &AnyField, field: &F, product: P) -> Self {
        Self {
            text: ResidueText::new(modulus, "entry"),
            field: field.clone(),
            product,
        }
    }
}

impl<F: Rows, P: Product<F>> Arithmetic for Modular<F, P> {
    type Number = F::Elem;

    fn read_matrix(&self, path: &Path, max_memory: Option<u64>) -> Result<Input<F::Elem>, Failure> {
        sparse::read(path, max_memory, &Residues(&self.field))
    }

    fn read(&self, content: &[u8]) -> Result<F::Elem, LineError> {
        let entry = self.text.read(content);
        let entry = entry.map_err(|error| vector::hinted(content, "integer", error))?;
        Ok(entry.element(&self.field))
    }

    fn one(&self) -> F::Elem {
        self.field.one()
    }

    fn modulus(&self) -> Option<&str> {
        Some(self.text.prime())
    }

    fn product(
        &self,
        matrix: &CsrMatrix<F::Elem>,
        x: &[F::Elem],
    ) -> Result<Vec<F::Elem>, SparseError> {
        (self.product)(&self.field, matrix, x)
    }

    fn write(&self, values: &[F::Elem], json: bool, results: &mut Results) -> Result<(), Failure> {
        listing::write(values.len(), results, |index, text| {
            quoted(Style::new(json), text, |text| {
                self.text.write(&F::rows(&[values[index]]), text);
            });
        })
    }
}
