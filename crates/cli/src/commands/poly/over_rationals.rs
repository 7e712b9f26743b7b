//! Polynomials over Q, one a line: division, greatest common divisors with cofactors, values.

use super::rows::{Job, with_text};
use crate::args::{Common, MaxMemory, TwoFiles};
use crate::operation::{LineFormat, Operation, Plan, Sentence, Wording};
use crate::parts;
use crate::wording::{DIVISIONS, EVALUATIONS, GCDS};
use sunzi::Rational;
use sunzi::engine::{Batch, EngineError};
use sunzi::poly::{Poly, RationalPolyRing};
use sunzi_files::failure::Failure;
use sunzi_files::input::LineError;
use sunzi_files::numbers::rationals::RationalText;
use sunzi_files::polynomials::weight;
use sunzi_files::style::Style;

/// Polynomials over Q, one a line, and what is found of them.
pub struct Polynomials {
    text: RationalText,
    style: Style,
}

/// A part of what is found over Q.
pub type Part = parts::Part<Value>;

/// What a part holds.
pub enum Value {
    Polynomial(Poly<Rational>),
    /// One a line.
    Numbers(Vec<Rational>),
}

impl Polynomials {
    pub fn new(style: Style) -> Self {
        Self {
            text: RationalText::new(),
            style,
        }
    }

    /// How numbers are read.
    pub fn text(&self) -> &RationalText {
        &self.text
    }

    /// Writes a polynomial.
    pub fn write_polynomial(&self, polynomial: &Poly<Rational>, out: &mut Vec<u8>) {
        self.text
            .write_polynomial(polynomial.coefficients(), self.style, out);
    }
}

impl LineFormat for Polynomials {
    type Operand = Poly<Rational>;
    type Outcome = Vec<Part>;

    fn weight(&self, content: &[u8]) -> usize {
        weight(content, size_of::<Rational>())
    }

    fn parse(&self, content: &[u8]) -> Result<Poly<Rational>, LineError> {
        self.text
            .read_polynomial(content, self.style.variable)
            .map(Poly::new)
    }

    fn bytes(&self, operand: &Poly<Rational>) -> u64 {
        bytes_of(operand.coefficients())
    }

    fn write(&self, found: &Vec<Part>, out: &mut Vec<u8>) {
        parts::write(found, self.style, out, |value, out| match value {
            Value::Polynomial(polynomial) => self.write_polynomial(polynomial, out),
            Value::Numbers(numbers) => self.text.write_values(numbers, self.style, out),
        });
    }
}

/// Bytes that numbers take.
pub fn bytes_of(numbers: &[Rational]) -> u64 {
    // Up to two words lie inside a value itself.
    let long = |words: usize| if words <= 2 { 0 } else { 8 * words as u64 };
    let of = |number: &Rational| {
        let [numerator, denominator] = [number.numerator().magnitude(), number.denominator()];
        long(numerator.as_limbs().len()) + long(denominator.as_limbs().len())
    };
    size_of_val(numbers) as u64 + numbers.iter().map(of).sum::<u64>()
}

fn polynomial(name: &'static str, polynomial: Poly<Rational>) -> Part {
    Part {
        name,
        value: Value::Polynomial(polynomial),
    }
}

/// Divides line by line.
pub fn divrem(
    files: &TwoFiles,
    memory: &MaxMemory,
    style: Style,
    common: &Common,
) -> Result<(), Failure> {
    let ring = RationalPolyRing::new();
    Job::of_pairs("poly divrem", files, memory, common, &DIVISIONS).run(
        &Polynomials::new(style),
        None,
        |[a, b]| {
            let operands = bytes_of(a.coefficients()).saturating_add(bytes_of(b.coefficients()));
            let bytes = with_text(ring.divrem_bytes(a, b)?.saturating_add(operands));
            Ok((bytes, Sentence::Coefficients(a.len(), Some(b.len()))))
        },
        |[a, b]| {
            let (quotient, remainder) = ring.divrem(a, b)?;
            Ok(vec![
                polynomial("quotient", quotient),
                polynomial("remainder", remainder),
            ])
        },
    )
}

/// Finds greatest common divisors with cofactors line by line.
pub fn xgcd(
    files: &TwoFiles,
    memory: &MaxMemory,
    style: Style,
    common: &Common,
) -> Result<(), Failure> {
    let ring = RationalPolyRing::new();
    Job::of_pairs("poly xgcd", files, memory, common, &GCDS).run(
        &Polynomials::new(style),
        None,
        |[a, b]| {
            let operands = bytes_of(a.coefficients()).saturating_add(bytes_of(b.coefficients()));
            let bytes = ring.xgcd_bytes(a, b)?.saturating_add(with_text(operands));
            Ok((bytes, Sentence::Coefficients(a.len(), Some(b.len()))))
        },
        |[a, b]| {
            let found = ring.xgcd(a, b)?;
            Ok(vec![
                polynomial("gcd", found.gcd),
                polynomial("s", found.s),
                polynomial("t", found.t),
            ])
        },
    )
}

/// Values at points.
pub struct Evaluation {
    pub ring: RationalPolyRing,
    pub points: Vec<Rational>,
}

impl Operation<Polynomials, 1> for Evaluation {
    fn wording(&self) -> &'static Wording {
        &EVALUATIONS
    }

    fn plan(&self, [polynomial]: [&Poly<Rational>; 1]) -> Result<Plan, EngineError> {
        Ok(Plan {
            algorithm: None,
            bytes: with_text(self.ring.evaluate_bytes(polynomial, &self.points)),
            sentence: Sentence::AtPoints {
                coefficients: polynomial.len(),
                points: self.points.len(),
            },
        })
    }

    fn compute(&self, rows: &[[&Poly<Rational>; 1]]) -> Result<Batch<Vec<Part>>, EngineError> {
        Ok(Batch::on_processor(rows, |[polynomial]| {
            let value = Value::Numbers(self.ring.evaluate(polynomial, &self.points)?);
            Ok(vec![Part {
                name: "values",
                value,
            }])
        }))
    }

    fn least_bytes(&self) -> u64 {
        with_text(bytes_of(&self.points))
    }
}
