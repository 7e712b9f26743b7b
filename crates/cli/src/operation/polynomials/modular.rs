//! What is done with polynomials modulo a prime.

use super::super::{Operation, Words};
use super::weight;
use sunzi::engine::{Batch, EngineError};
use sunzi::field::AnyField;
use sunzi::poly::{AnyPoly, AnyPolyRing, PolyError};
use sunzi_files::input::{LineError, algebraic, coefficients};
use sunzi_files::numbers::residues::Residues;
use sunzi_files::polynomials as text;
use sunzi_files::style::{Style, quoted};

/// Polynomials over Z/P: their ring and their text.
pub struct Polynomials {
    ring: AnyPolyRing,
    residues: Residues,
    /// Bytes of a coefficient.
    element_bytes: usize,
}

/// What is computed of N polynomials modulo a prime.
pub trait Computation<const N: usize>: Sync {
    /// How sentences and figures speak of it.
    fn words(&self) -> &Words;

    /// As [`Operation::held_bytes`].
    fn held_bytes(&self) -> u64 {
        0
    }

    /// As [`Operation::preparation_bytes`], by the operands' lengths.
    fn preparation_bytes(&self, _over: &Polynomials, _repeated: [Option<usize>; N]) -> u64 {
        0
    }

    /// Prepares what goes with every line of the other files, where something does.
    fn prepare(
        &self,
        _over: &Polynomials,
        _repeated: [Option<&AnyPoly>; N],
    ) -> Result<(), PolyError> {
        Ok(())
    }

    /// As [`Operation::compute`].
    fn compute(
        &self,
        over: &Polynomials,
        rows: &[[&AnyPoly; N]],
    ) -> Result<Batch<Vec<Part>>, EngineError>;

    /// The most coefficients and values that all parts together have, by the operands' lengths.
    fn found(&self, lengths: [usize; N]) -> usize;

    /// About how many bytes it takes beside operands and parts.
    fn scratch_bytes(&self, over: &Polynomials, lengths: [usize; N]) -> u64;

    /// As [`Operation::algorithm`].
    fn algorithm(&self, _over: &Polynomials, _lengths: [usize; N]) -> Option<&'static str> {
        None
    }

    /// As [`Operation::explain`].
    fn explain(&self, _over: &Polynomials, lengths: [usize; N]) -> String {
        let lengths = lengths.map(|length| length.to_string());
        format!("{} coefficients", lengths.join(" and "))
    }
}

/// A part of what is found: a line of text, or a member of a JSON object where there are several.
#[derive(Debug)]
pub struct Part {
    /// The name of the member.
    pub name: &'static str,
    pub value: Value,
}

/// What a part holds.
#[derive(Debug)]
pub enum Value {
    Polynomial(AnyPoly),
    /// A row of words.
    Residue(Vec<u64>),
    /// Rows, for one line each.
    Residues(Vec<u64>),
}

impl Part {
    pub fn polynomial(name: &'static str, polynomial: AnyPoly) -> Self {
        let value = Value::Polynomial(polynomial);
        Self { name, value }
    }
}

/// A computation, and the text of its operands and outcome.
pub struct Modular<'a, const N: usize> {
    pub polynomials: &'a Polynomials,
    pub computation: &'a dyn Computation<N>,
    pub style: Style,
}

impl Polynomials {
    pub fn new(field: &AnyField) -> Self {
        Self {
            ring: AnyPolyRing::new(field),
            residues: Residues::new(field, "coefficient"),
            element_bytes: field.element_bytes(),
        }
    }

    pub fn ring(&self) -> &AnyPolyRing {
        &self.ring
    }

    /// Bytes of so many coefficients.
    pub fn bytes(&self, count: usize) -> u64 {
        (count as u64).saturating_mul(self.element_bytes as u64)
    }

    /// Words of a coefficient's row.
    pub fn width(&self) -> usize {
        self.residues.width()
    }

    /// The prime in decimal.
    pub fn prime(&self) -> &str {
        self.residues.prime()
    }

    /// Reads a list of residues, or an expression over the integers, which is reduced.
    fn parse(&self, content: &[u8]) -> Result<AnyPoly, LineError> {
        let rows = match coefficients::is_algebraic(content) {
            true => self.parse_expression(content)?,
            false => coefficients::parse_rows(content, self.width(), |word, rows| {
                self.residues.read_row(word, rows)
            })?,
        };
        let polynomial = self.ring.polynomial(rows);
        polynomial.map_err(|error| LineError::new(0, error.to_string()))
    }

    /// The rows of an expression's coefficients.
    fn parse_expression(&self, content: &[u8]) -> Result<Vec<u64>, LineError> {
        let (multiplier, tables) = self.residues.tables();
        let width = self.width();
        let terms = algebraic::parse(content, multiplier, tables, size_of::<u64>() * width)?;
        let mut rows = vec![0; algebraic::length(&terms) * width];
        let mut row = Vec::with_capacity(width);
        for (degree, coefficient) in terms {
            row.clear();
            self.residues.reduce(&coefficient, &mut row);
            rows[degree as usize * width..][..width].copy_from_slice(&row);
        }
        Ok(rows)
    }

    /// Bytes of so many coefficients with their rows and their text, which is put together from pieces.
    pub fn bytes_with_text(&self, count: usize, style: Style) -> u64 {
        let number = self.prime().len();
        let text = 2 * (number + text::around(count, style));
        self.bytes(count)
            .saturating_add((count as u64).saturating_mul((self.row_bytes() + text) as u64))
    }

    /// Bytes of a row beside those of its element: whole words are the element.
    fn row_bytes(&self) -> usize {
        match size_of::<u64>() * self.width() {
            row if row == self.element_bytes => 0,
            row => row,
        }
    }

    /// Writes a polynomial.
    pub fn write(&self, polynomial: &AnyPoly, style: Style, out: &mut Vec<u8>) {
        let rows = polynomial.rows();
        text::write(polynomial.len(), style, out, |degree, out| {
            self.residues.write_one_of(&rows, degree, out);
        });
    }

    fn write_value(&self, value: &Value, style: Style, out: &mut Vec<u8>) {
        match value {
            Value::Polynomial(polynomial) => self.write(polynomial, style, out),
            Value::Residue(row) => quoted(style, out, |out| self.residues.write(row, out)),
            Value::Residues(rows) => {
                text::write_values(rows.len() / self.width(), style, out, |index, out| {
                    self.residues.write_one_of(rows, index, out);
                });
            }
        }
    }
}

impl<const N: usize> Operation<N> for Modular<'_, N> {
    type Operand = AnyPoly;
    type Outcome = Vec<Part>;

    fn words(&self) -> &Words {
        self.computation.words()
    }

    fn weight(&self, content: &[u8]) -> usize {
        // An operand's share of what is found comes on top; what there is without operands counts
        // for every line.
        let found = self.computation.found([0; N]);
        let found = usize::try_from(self.polynomials.bytes_with_text(found, self.style))
            .unwrap_or(usize::MAX);
        weight(
            content,
            self.polynomials.element_bytes + self.polynomials.row_bytes(),
        )
        .saturating_add(found)
    }

    fn parse(&self, content: &[u8]) -> Result<Self::Operand, LineError> {
        self.polynomials.parse(content)
    }

    fn bytes(&self, operand: &Self::Operand) -> u64 {
        self.polynomials.bytes(operand.len())
    }

    fn needed_bytes(&self, operands: [&Self::Operand; N]) -> u64 {
        let lengths = operands.map(AnyPoly::len);
        self.computation
            .scratch_bytes(self.polynomials, lengths)
            .saturating_add(
                self.polynomials
                    .bytes_with_text(self.computation.found(lengths), self.style),
            )
    }

    fn algorithm(&self, operands: [&Self::Operand; N]) -> Option<&'static str> {
        let lengths = operands.map(AnyPoly::len);
        self.computation.algorithm(self.polynomials, lengths)
    }

    fn explain(&self, operands: [&Self::Operand; N]) -> String {
        let lengths = operands.map(AnyPoly::len);
        self.computation.explain(self.polynomials, lengths)
    }

    fn held_bytes(&self) -> u64 {
        self.computation.held_bytes()
    }

    fn preparation_bytes(&self, repeated: [Option<&Self::Operand>; N]) -> u64 {
        let lengths = repeated.map(|operand| operand.map(AnyPoly::len));
        self.computation
            .preparation_bytes(self.polynomials, lengths)
    }

    fn prepare(&self, repeated: [Option<&Self::Operand>; N]) -> Result<(), EngineError> {
        Ok(self.computation.prepare(self.polynomials, repeated)?)
    }

    fn compute(&self, rows: &[[&Self::Operand; N]]) -> Result<Batch<Self::Outcome>, EngineError> {
        self.computation.compute(self.polynomials, rows)
    }

    fn write(&self, outcome: &Self::Outcome, style: Style, out: &mut Vec<u8>) {
        if let ([part], true) = (&outcome[..], style.json) {
            return self.polynomials.write_value(&part.value, style, out);
        }
        for (index, part) in outcome.iter().enumerate() {
            match (style.json, index) {
                (true, _) => {
                    out.push(if index == 0 { b'{' } else { b',' });
                    out.extend_from_slice(format!("\"{}\":", part.name).as_bytes());
                }
                (false, 0) => {}
                (false, _) => out.push(b'\n'),
            }
            self.polynomials.write_value(&part.value, style, out);
        }
        if style.json {
            out.push(b'}');
        }
    }
}
