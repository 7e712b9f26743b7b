//! Expressions in two variables, one a line, and what two of them take.

use sunzi::Integer;
use sunzi::poly::Poly;
use sunzi::solve::{BivariatePoly, Solutions};
use sunzi_files::input::LineError;
use sunzi_files::input::algebraic::{self, Variables};
use sunzi_files::numbers::integers::IntegerText;

/// What a line holds, in sentences.
pub const NOUN: &str = "expression";

/// A polynomial that was read.
pub struct Expression {
    /// Times the denominator.
    pub polynomial: BivariatePoly<Integer>,
    /// The positive number by which all coefficients are divided.
    pub denominator: Integer,
    /// As the user wrote it.
    pub text: String,
}

/// Reads expressions, and writes polynomials.
pub struct Expressions {
    pub variables: Variables,
    pub text: IntegerText,
}

impl Expressions {
    pub fn new(variables: &Variables) -> Self {
        Self {
            variables: variables.clone(),
            text: IntegerText::new(),
        }
    }

    /// About how many bytes the work on a line takes, from a glance at it.
    pub fn weight(&self, content: &[u8]) -> usize {
        algebraic::weight(content, size_of::<Integer>())
    }

    pub fn read(&self, content: &[u8]) -> Result<Expression, LineError> {
        let found = self.text.read_two_variables(content, &self.variables)?;
        Ok(Expression {
            polynomial: BivariatePoly::new(found.rows.into_iter().map(Poly::new).collect()),
            denominator: found.denominator,
            text: String::from_utf8_lossy(content).into_owned(),
        })
    }

    /// Writes a polynomial with coefficients that are integers.
    pub fn write(&self, polynomial: &BivariatePoly<Integer>) -> String {
        let rows: Vec<&[Integer]> = polynomial.rows().iter().map(Poly::coefficients).collect();
        let mut text = Vec::new();
        self.text
            .write_two_variables(&rows, &self.variables, &mut text);
        String::from_utf8_lossy(&text).into_owned()
    }
}

impl Expression {
    fn coefficients(&self) -> impl Iterator<Item = &Integer> {
        self.polynomial.rows().iter().flat_map(Poly::coefficients)
    }

    /// Bytes that it takes.
    pub fn bytes(&self) -> u64 {
        let bytes = self
            .coefficients()
            .map(|value| size_of::<Integer>() + 8 * value.magnitude().as_limbs().len());
        (bytes.sum::<usize>() + self.text.len()) as u64
    }

    /// Bits of the longest coefficient, in whole words.
    fn bits(&self) -> u64 {
        let words = self
            .coefficients()
            .map(|value| value.magnitude().as_limbs().len());
        64 * words.max().unwrap_or(0) as u64
    }
}

/// What a system takes, by its degrees.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// The total degrees of f and g.
    pub degrees: [usize; 2],
    /// About how many bytes resultants and their images take.
    pub bytes: u64,
}

impl Size {
    /// Of a system: its resultants have as many coefficients as the product of the total degrees d and e, of as many bits as
    /// d·b + e·a for coefficients of a and b bits, and a few more polynomials of that size are kept with them.
    pub fn of([f, g]: [&Expression; 2]) -> Self {
        const KEPT: u64 = 12;
        let degrees = [f, g].map(|one| one.polynomial.total_degree().unwrap_or(0));
        let [d, e] = degrees.map(|degree| degree as u64);
        let bits = d
            .saturating_mul(g.bits())
            .saturating_add(e.saturating_mul(f.bits()));
        let count = d.saturating_mul(e).saturating_add(1);
        Self {
            degrees,
            bytes: (bits / 8).saturating_mul(count).saturating_mul(KEPT),
        }
    }
}

/// What the solutions of a system are called: `3 real solutions of 6 (complex, with multiplicity)`.
pub fn counted(found: &Solutions) -> String {
    let count = found.solutions.len();
    let plural = if count == 1 { "" } else { "s" };
    let complex = found.complex.with_multiplicity;
    format!("{count} real solution{plural} of {complex} (complex, with multiplicity)")
}
