//! Integers of any size, from text and to text.

use crate::failure::Failure;
use crate::input::algebraic::{self, TwoVariables, Variable, Variables};
use crate::input::lines::LineReader;
use crate::input::vector::{self, Grown, Vector};
use crate::input::{LineError, coefficients};
use crate::listing;
use crate::polynomials;
use crate::results::Results;
use crate::style::{Style, quoted};
use sunzi_integer::{Integer, Rational};
use sunzi_integer::{Multiplier, text::DecimalTables};
use sunzi_poly::text::{self, Terms};

/// So many digits fit a word whatever they are.
const WORD_DIGITS: usize = 18;

/// Reads and writes integers; long ones share what conversions keep.
pub struct IntegerText {
    multiplier: Multiplier,
    tables: DecimalTables,
}

impl Default for IntegerText {
    fn default() -> Self {
        Self::new()
    }
}

impl IntegerText {
    /// With empty tables, which long numbers fill.
    pub fn new() -> Self {
        Self {
            multiplier: Multiplier::new(),
            tables: DecimalTables::new(),
        }
    }

    /// An integer, decimal or `0x…`, with or without a sign.
    pub fn read(&self, word: &[u8]) -> Result<Integer, LineError> {
        // The common case takes no tables.
        if let Some(value) = short(word) {
            return Ok(value.into());
        }
        let value = self.tables.parse(&self.multiplier, word);
        value.map_err(|error| LineError::new(error.offset, error.to_string()))
    }

    /// An exponent, which stands alone in a line: an integer from 0 to 2^64 − 1.
    pub fn read_exponent(&self, content: &[u8]) -> Result<u64, LineError> {
        let value = self.read_only(content)?;
        if value.is_negative() {
            let problem = "the exponent is negative: exponents are integers from 0 on";
            return Err(LineError::new(0, problem));
        }
        u64::try_from(value).map_err(|_| {
            let problem = format!("the exponent is too large: the greatest is {}", u64::MAX);
            LineError::new(0, problem)
        })
    }

    /// An integer that stands alone in a line.
    pub fn read_only(&self, content: &[u8]) -> Result<Integer, LineError> {
        let value = self.read(content);
        value.map_err(|error| vector::hinted(content, "integer", error))
    }

    /// The coefficients of a polynomial: of a list of integers, or of an expression; none for the expression of zero.
    pub fn read_polynomial(
        &self,
        content: &[u8],
        variable: Variable,
    ) -> Result<Vec<Integer>, LineError> {
        let content = &variable.translated(content)?;
        match coefficients::is_algebraic(content) {
            true => algebraic::integers(content, variable, &self.multiplier, &self.tables),
            false => coefficients::parse(content, |word| self.read(word))
                .map_err(|error| algebraic::in_list(content, variable, error)),
        }
    }

    /// The terms, by their degrees, of a polynomial that is an expression, of which there is room for all coefficients, of this
    /// many bytes each; the variable is x by now.
    pub(super) fn read_terms(
        &self,
        content: &[u8],
        variable: Variable,
        bytes: usize,
    ) -> Result<Terms<1>, LineError> {
        algebraic::parse(content, variable, &self.multiplier, &self.tables, bytes)
    }

    /// The coefficients of a polynomial that is an expression with decimals, in which numbers may be divided by; the variable is x by now.
    pub(super) fn read_quotients(
        &self,
        content: &[u8],
        variable: Variable,
    ) -> Result<Vec<Rational>, LineError> {
        algebraic::rationals(content, variable, &self.multiplier, &self.tables)
    }

    /// The polynomial in two variables that an expression stands for.
    pub fn read_two_variables(
        &self,
        content: &[u8],
        variables: &Variables,
    ) -> Result<TwoVariables, LineError> {
        variables.read(content, &self.multiplier, &self.tables)
    }

    /// The integers of a file with one in each line, of which none is negative if it says why not; `grown` looks at them
    /// whenever there are more, and may refuse to go on.
    pub fn read_vector(
        &self,
        reader: &mut LineReader,
        not_negative: Option<&'static str>,
        grown: &mut Grown<'_, Integer>,
    ) -> Result<Vector<Integer>, Failure> {
        let read_one = |content: &[u8], integers: &mut Vec<Integer>| {
            let value = self.read_only(content)?;
            match not_negative {
                Some(problem) if value.is_negative() => Err(LineError::new(0, problem)),
                _ => {
                    integers.push(value);
                    Ok(())
                }
            }
        };
        vector::read(reader, "integer", read_one, grown)
    }

    /// Writes the polynomial of these coefficients.
    pub fn write_polynomial(&self, coefficients: &[Integer], style: Style, out: &mut Vec<u8>) {
        polynomials::write(coefficients.len(), style, out, |degree, out| {
            self.write(&coefficients[degree], out);
        });
    }

    /// Writes a polynomial in two variables, given by powers of the second one, as an expression.
    pub fn write_two_variables(
        &self,
        rows: &[&[Integer]],
        variables: &Variables,
        out: &mut Vec<u8>,
    ) {
        let lengths = rows.iter().map(|row| row.len());
        text::write_two(lengths, variables.names(), out, |[row, place], out| {
            self.write(&rows[row][place], out);
        });
    }

    /// Writes integers as results, one after the other.
    pub fn write_results(
        &self,
        values: &[Integer],
        style: Style,
        results: &mut Results,
    ) -> Result<(), Failure> {
        listing::write(values.len(), results, |index, text| {
            quoted(style, text, |text| self.write(&values[index], text));
        })
    }

    /// Writes an integer in decimal.
    pub fn write(&self, value: &Integer, out: &mut Vec<u8>) {
        // Writing to memory has no errors.
        let _ = self.tables.format(&self.multiplier, value, out);
    }
}

/// The value of a few decimal digits, with or without a sign.
fn short(word: &[u8]) -> Option<i64> {
    let (negative, digits) = match word {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    if digits.is_empty() || digits.len() > WORD_DIGITS || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let value = digits
        .iter()
        .fold(0, |value, digit| value * 10 + i64::from(digit - b'0'));
    Some(if negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_and_long_integers_are_read_alike() {
        let text = IntegerText::new();
        for (word, value) in [
            ("0", 0),
            ("-0", 0),
            ("+7", 7),
            ("-000000000000000000000000012", -12),
            ("999999999999999999", 999_999_999_999_999_999),
            ("-9223372036854775808", i64::MIN),
            ("0x1f", 31),
            ("-0xff", -255),
        ] {
            assert_eq!(text.read(word.as_bytes()), Ok(value.into()), "{word}");
        }
        for word in ["", "+", "-", "1 2", "x", "1.5", "--1"] {
            assert!(text.read(word.as_bytes()).is_err(), "{word}");
        }
    }
}
