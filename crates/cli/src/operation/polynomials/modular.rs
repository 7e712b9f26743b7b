//! What is done with polynomials modulo a prime.

use super::super::residues::Residues;
use super::super::{Operation, Words};
use super::{text, weight};
use crate::fields::CommandField;
use crate::input::{LineError, algebraic, coefficients};
use crate::style::{Style, quoted};
use sunzi::engine::Engine;
use sunzi::poly::{Poly, PolyError, PolyRing};

/// Polynomials over Z/P: their ring and their text.
pub struct Polynomials<F: CommandField> {
    ring: PolyRing<F>,
    residues: Residues<F>,
}

/// What is computed of N polynomials modulo a prime.
pub trait Computation<F: CommandField, const N: usize>: Sync {
    /// How sentences and figures speak of it.
    fn words(&self) -> &Words;

    /// As [`Operation::held_bytes`].
    fn held_bytes(&self) -> u64 {
        0
    }

    /// As [`Operation::preparation_bytes`], by the operands' lengths.
    fn preparation_bytes(&self, _repeated: [Option<usize>; N]) -> u64 {
        0
    }

    /// Prepares what goes with every line of the other files, where something does.
    fn prepare(
        &self,
        _ring: &PolyRing<F>,
        _repeated: [Option<&Poly<F::Elem>>; N],
    ) -> Result<(), PolyError> {
        Ok(())
    }

    /// The parts of what is found.
    fn compute(
        &self,
        ring: &PolyRing<F>,
        operands: [&Poly<F::Elem>; N],
    ) -> Result<Vec<Part<F::Elem>>, PolyError>;

    /// As [`Operation::compute_on_device`].
    #[expect(
        clippy::type_complexity,
        reason = "rows of parts, where a device computes them"
    )]
    fn compute_on_device(
        &self,
        _ring: &PolyRing<F>,
        _rows: &[[&Poly<F::Elem>; N]],
    ) -> Result<Option<Vec<Vec<Part<F::Elem>>>>, String> {
        Ok(None)
    }

    /// As [`Operation::engine`].
    fn engine(&self) -> Option<&Engine> {
        None
    }

    /// The most coefficients and values that all parts together have, by the operands' lengths.
    fn found(&self, lengths: [usize; N]) -> usize;

    /// About how many bytes it takes beside operands and parts.
    fn scratch_bytes(&self, ring: &PolyRing<F>, lengths: [usize; N]) -> u64;

    /// As [`Operation::algorithm`].
    fn algorithm(&self, _ring: &PolyRing<F>, _lengths: [usize; N]) -> Option<&'static str> {
        None
    }

    /// As [`Operation::explain`].
    fn explain(&self, _ring: &PolyRing<F>, lengths: [usize; N]) -> String {
        let lengths = lengths.map(|length| length.to_string());
        format!("{} coefficients", lengths.join(" and "))
    }
}

/// A part of what is found: a line of text, or a member of a JSON object where there are several.
#[derive(Debug)]
pub struct Part<E> {
    /// The name of the member.
    pub name: &'static str,
    pub value: Value<E>,
}

/// What a part holds.
#[derive(Debug)]
pub enum Value<E> {
    Polynomial(Poly<E>),
    Residue(E),
    /// One line each.
    Residues(Vec<E>),
}

impl<E> Part<E> {
    pub fn polynomial(name: &'static str, polynomial: Poly<E>) -> Self {
        let value = Value::Polynomial(polynomial);
        Self { name, value }
    }
}

/// A computation, and the text of its operands and outcome.
pub struct Modular<'a, F: CommandField, const N: usize> {
    pub polynomials: &'a Polynomials<F>,
    pub computation: &'a dyn Computation<F, N>,
    pub style: Style,
}

/// Bytes of so many coefficients.
pub fn bytes<F: CommandField>(count: usize) -> u64 {
    (count as u64).saturating_mul(size_of::<F::Elem>() as u64)
}

impl<F: CommandField> Polynomials<F> {
    pub fn new(field: F) -> Self {
        let ring = PolyRing::new(field);
        let residues = Residues::new(ring.field().clone(), "coefficient");
        Self { ring, residues }
    }

    pub fn ring(&self) -> &PolyRing<F> {
        &self.ring
    }

    /// The prime in decimal.
    pub fn prime(&self) -> &str {
        self.residues.prime()
    }

    /// Reads a list of residues, or an expression over the integers, which is reduced.
    fn parse(&self, content: &[u8]) -> Result<Poly<F::Elem>, LineError> {
        if !coefficients::is_algebraic(content) {
            return Ok(Poly::new(coefficients::parse(content, |word| {
                self.residues.read(word)
            })?));
        }
        let (multiplier, tables) = self.residues.tables();
        let zero = self.ring.field().zero();
        let reduce = |value| self.residues.reduce(&value);
        let residues = algebraic::parse(content, multiplier, tables, zero, reduce)?;
        Ok(Poly::new(residues))
    }

    /// Bytes of so many coefficients with their text, which is put together from pieces.
    pub fn bytes_with_text(&self, count: usize, style: Style) -> u64 {
        let number = self.prime().len();
        let text = number + text::around(count, style);
        bytes::<F>(count).saturating_add((count as u64).saturating_mul(2 * text as u64))
    }

    /// Writes a polynomial.
    pub fn write(&self, polynomial: &Poly<F::Elem>, style: Style, out: &mut Vec<u8>) {
        text::write(polynomial.coefficients(), style, out, |&value, out| {
            self.residues.write(value, out);
        });
    }

    fn write_value(&self, value: &Value<F::Elem>, style: Style, out: &mut Vec<u8>) {
        let write_one = |&value: &F::Elem, out: &mut Vec<u8>| self.residues.write(value, out);
        match value {
            Value::Polynomial(polynomial) => self.write(polynomial, style, out),
            Value::Residue(value) => quoted(style, out, |out| write_one(value, out)),
            Value::Residues(values) => text::write_values(values, style, out, write_one),
        }
    }
}

impl<F: CommandField, const N: usize> Operation<N> for Modular<'_, F, N> {
    type Operand = Poly<F::Elem>;
    type Outcome = Vec<Part<F::Elem>>;

    fn words(&self) -> &Words {
        self.computation.words()
    }

    fn weight(&self, content: &[u8]) -> usize {
        // An operand's share of what is found comes on top; what there is without operands counts
        // for every line.
        let found = self.computation.found([0; N]);
        let found = usize::try_from(self.polynomials.bytes_with_text(found, self.style))
            .unwrap_or(usize::MAX);
        weight::<F::Elem>(content).saturating_add(found)
    }

    fn parse(&self, content: &[u8]) -> Result<Self::Operand, LineError> {
        self.polynomials.parse(content)
    }

    fn bytes(&self, operand: &Self::Operand) -> u64 {
        bytes::<F>(operand.len())
    }

    fn needed_bytes(&self, operands: [&Self::Operand; N]) -> u64 {
        let lengths = operands.map(Poly::len);
        self.computation
            .scratch_bytes(&self.polynomials.ring, lengths)
            .saturating_add(
                self.polynomials
                    .bytes_with_text(self.computation.found(lengths), self.style),
            )
    }

    fn algorithm(&self, operands: [&Self::Operand; N]) -> Option<&'static str> {
        let lengths = operands.map(Poly::len);
        self.computation.algorithm(&self.polynomials.ring, lengths)
    }

    fn explain(&self, operands: [&Self::Operand; N]) -> String {
        let lengths = operands.map(Poly::len);
        self.computation.explain(&self.polynomials.ring, lengths)
    }

    fn held_bytes(&self) -> u64 {
        self.computation.held_bytes()
    }

    fn preparation_bytes(&self, repeated: [Option<&Self::Operand>; N]) -> u64 {
        let lengths = repeated.map(|operand| operand.map(Poly::len));
        self.computation.preparation_bytes(lengths)
    }

    fn prepare(&self, repeated: [Option<&Self::Operand>; N]) -> Result<(), String> {
        self.computation
            .prepare(&self.polynomials.ring, repeated)
            .map_err(|error| error.to_string())
    }

    fn compute(&self, operands: [&Self::Operand; N]) -> Result<Self::Outcome, String> {
        self.computation
            .compute(&self.polynomials.ring, operands)
            .map_err(|error| error.to_string())
    }

    fn compute_on_device(
        &self,
        rows: &[[&Self::Operand; N]],
    ) -> Result<Option<Vec<Self::Outcome>>, String> {
        let ring = &self.polynomials.ring;
        self.computation.compute_on_device(ring, rows)
    }

    fn engine(&self) -> Option<&Engine> {
        self.computation.engine()
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
