//! Polynomials modulo a prime, one a line.

use super::squarefree;
use crate::args::Common;
use crate::modulus;
use crate::operation::LineFormat;
use crate::parts;
use crate::report::{Head, files};
use clap::Args;
use serde_json::json;
use std::path::Path;
use sunzi::engine::Engine;
use sunzi::field::AnyField;
use sunzi::poly::{AnyPoly, AnyPolyRing, SquareFreeFactors};
use sunzi_files::failure::Failure;
use sunzi_files::input::LineError;
use sunzi_files::input::algebraic::Variable;
use sunzi_files::numbers::residues::Residues;
use sunzi_files::polynomials::{around, weight};
use sunzi_files::style::{Style, quoted};

/// How polynomials are read.
#[derive(Debug, Args)]
pub struct Named {
    /// How the variable of expressions is called
    #[arg(long, value_name = "NAME", default_value = "x")]
    var: Variable,
}

impl Named {
    /// The form of results.
    pub fn style(&self, common: &Common) -> Style {
        Style::new(common.json).in_variable(self.var)
    }
}

/// How polynomials are read and written.
#[derive(Debug, Args)]
pub struct Pretty {
    #[command(flatten)]
    named: Named,
    /// Write polynomials as expressions such as 3*x^2 - 2*x + 1
    #[arg(long)]
    pretty: bool,
}

impl Pretty {
    /// Whether expressions are asked for.
    pub const fn is_pretty(&self) -> bool {
        self.pretty
    }

    /// The form of results.
    pub fn style(&self, common: &Common) -> Style {
        self.named.style(common).pretty(self.pretty)
    }
}

/// What a line holds, in sentences.
pub const NOUN: &str = "polynomial";

/// Polynomials over Z/P: their ring and their text.
pub struct Polynomials {
    field: AnyField,
    ring: AnyPolyRing,
    residues: Residues,
    style: Style,
}

/// A part of what is found modulo a prime.
pub type Part = parts::Part<Value>;

/// What a part holds.
#[derive(Debug)]
pub enum Value {
    Polynomial(AnyPoly),
    /// A row of words.
    Residue(Vec<u64>),
    /// Rows, for one line each.
    Residues(Vec<u64>),
    /// The leading coefficient is a row.
    SquareFree(SquareFreeFactors<Vec<u64>, AnyPoly>),
}

impl Part {
    pub fn polynomial(name: &'static str, polynomial: AnyPoly) -> Self {
        let value = Value::Polynomial(polynomial);
        Self { name, value }
    }
}

impl Polynomials {
    /// Those modulo the prime that a text gives.
    pub fn modulo(prime: &str, style: Style) -> Result<Self, Failure> {
        let field = modulus::field(prime)?;
        Ok(Self {
            ring: AnyPolyRing::new(&field),
            residues: Residues::new(&field),
            field,
            style,
        })
    }

    /// The same, computed on the processor as an engine's tuning has it.
    pub fn by(mut self, engine: &Engine) -> Self {
        self.ring = engine.ring(&self.field);
        self
    }

    pub fn field(&self) -> &AnyField {
        &self.field
    }

    pub fn ring(&self) -> &AnyPolyRing {
        &self.ring
    }

    /// The row of a residue that stands alone in a line.
    pub fn read_residue(&self, content: &[u8]) -> Result<Vec<u64>, LineError> {
        let mut row = Vec::new();
        self.residues.read_only(content, &mut row)?;
        Ok(row)
    }

    /// The prime in decimal.
    pub fn prime(&self) -> &str {
        self.residues.prime()
    }

    /// Bytes of `count` coefficients.
    pub fn bytes_of(&self, count: usize) -> u64 {
        (count as u64).saturating_mul(self.field.element_bytes() as u64)
    }

    /// Bytes of `count` coefficients with their rows and their text, which is put together from pieces.
    pub fn written_bytes(&self, count: usize) -> u64 {
        let number = self.prime().len();
        let text = 2 * (number + around(count, self.style));
        self.bytes_of(count)
            .saturating_add((count as u64).saturating_mul((self.row_bytes() + text) as u64))
    }

    /// Bytes of a row beside those of its element: whole words are the element.
    fn row_bytes(&self) -> usize {
        match size_of::<u64>() * self.residues.width() {
            row if row == self.field.element_bytes() => 0,
            row => row,
        }
    }

    /// Writes a polynomial.
    pub fn write_polynomial(&self, polynomial: &AnyPoly, out: &mut Vec<u8>) {
        self.residues
            .write_polynomial(&polynomial.rows(), self.style, out);
    }

    fn write_residue(&self, row: &[u64], out: &mut Vec<u8>) {
        quoted(self.style, out, |out| self.residues.write(row, out));
    }

    fn write_value(&self, value: &Value, out: &mut Vec<u8>) {
        match value {
            Value::Polynomial(polynomial) => self.write_polynomial(polynomial, out),
            Value::Residue(row) => self.write_residue(row, out),
            Value::Residues(rows) => self.residues.write_values(rows, self.style, out),
            Value::SquareFree(found) => {
                let (start, end): (&[u8], &[u8]) = if self.style.json {
                    (b"{", b"}")
                } else {
                    (b"", b"")
                };
                out.extend_from_slice(start);
                squarefree::write(
                    self.style,
                    out,
                    |out| self.write_residue(&found.leading, out),
                    &found.factors,
                    |factor, out| self.write_polynomial(factor, out),
                );
                out.extend_from_slice(end);
            }
        }
    }
}

impl LineFormat for Polynomials {
    type Operand = AnyPoly;
    type Outcome = Vec<Part>;

    fn weight(&self, content: &[u8]) -> usize {
        weight(content, self.field.element_bytes() + self.row_bytes())
    }

    /// Reads a list of residues, or an expression over the integers, which is reduced.
    fn parse(&self, content: &[u8]) -> Result<AnyPoly, LineError> {
        let rows = self
            .residues
            .read_polynomial(content, self.style.variable)?;
        let polynomial = self.ring.polynomial(rows);
        polynomial.map_err(|error| LineError::new(0, error.to_string()))
    }

    fn bytes(&self, operand: &AnyPoly) -> u64 {
        self.bytes_of(operand.len())
    }

    fn write(&self, found: &Vec<Part>, out: &mut Vec<u8>) {
        parts::write(found, self.style, out, |value, out| {
            self.write_value(value, out)
        });
    }
}

/// What the JSON form tells first.
pub fn head(command: &'static str, paths: &[&Path], modulus: Option<&str>) -> Head {
    Head::new(
        command,
        json!({ "files": files(paths), "modulus": modulus }),
    )
}
