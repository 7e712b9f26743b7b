//! Residues modulo a prime, from text and to text.

use super::rationals::RationalText;
use crate::failure::Failure;
use crate::input::algebraic::{self, Variable};
use crate::input::lines::LineReader;
use crate::input::vector::{self, Grown, Vector};
use crate::input::{LineError, coefficients};
use crate::listing;
use crate::polynomials;
use crate::results::Results;
use crate::style::{Style, quoted};
use sunzi_field::{AnyField, Field};
use sunzi_integer::{Integer, Rational};
use sunzi_poly::text;

/// Reads and writes elements of one field.
pub struct Residues {
    field: AnyField,
    width: usize,
    /// The prime, if it is a word, and in decimal.
    word_prime: Option<u64>,
    shown: String,
    numbers: RationalText,
}

/// The image of a quotient in a field; `None` if the denominator is 0 there.
pub fn quotient<F: Field>(
    field: &F,
    numerator: &Integer,
    denominator: &Integer,
) -> Option<F::Elem> {
    let numerator = field.from_integer(numerator);
    if denominator.is_one() {
        return Some(numerator);
    }
    let inverse = field.inv(field.from_integer(denominator))?;
    Some(field.mul(numerator, inverse))
}

impl Residues {
    /// Those of a field.
    pub fn new(field: &AnyField) -> Self {
        Self {
            field: field.clone(),
            width: field.width(),
            word_prime: field.word_prime(),
            shown: field.to_string(),
            numbers: RationalText::new(),
        }
    }

    /// Words of a residue's row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The prime in decimal.
    pub fn prime(&self) -> &str {
        &self.shown
    }

    /// What `residue` makes of the numerator and the denominator of a word of text: an integer, a quotient or a decimal.
    /// It gives `None` where the denominator is 0 modulo the prime, for which this is an error.
    pub fn read<T>(
        &self,
        word: &[u8],
        residue: impl FnOnce(&Integer, &Integer) -> Option<T>,
    ) -> Result<T, LineError> {
        let number = self.numbers.read(word)?;
        self.residue(&number, residue).map_err(|problem| {
            let slash = word.iter().position(|&byte| byte == b'/');
            LineError::new(slash.map_or(0, |at| at + 1), problem)
        })
    }

    fn residue<T>(
        &self,
        number: &Rational,
        residue: impl FnOnce(&Integer, &Integer) -> Option<T>,
    ) -> Result<T, String> {
        let denominator = Integer::from(number.denominator());
        residue(number.numerator(), &denominator).ok_or_else(|| {
            format!(
                "the denominator {denominator} is 0 modulo {}, so that there is no such residue",
                self.shown
            )
        })
    }

    /// A word of text that is a word of the machine, too, which it is most often.
    #[inline]
    pub fn short(word: &[u8]) -> Option<u64> {
        let is_short = word.len() <= 19 && !word.is_empty() && word.iter().all(u8::is_ascii_digit);
        let next = |value, digit: &u8| value * 10 + u64::from(digit - b'0');
        is_short.then(|| word.iter().fold(0, next))
    }

    /// Appends the row of the residue of a word of text.
    #[inline]
    pub fn read_row(&self, word: &[u8], rows: &mut Vec<u64>) -> Result<(), LineError> {
        if let Some(value) = Self::short(word) {
            match self.word_prime {
                // A residue in one word is its row.
                Some(prime) if value < prime && self.width == 1 => rows.push(value),
                _ => self.field.push_u64(value, rows),
            }
            return Ok(());
        }
        self.read(word, |numerator, denominator| {
            self.push_quotient(numerator, denominator, rows)
        })
    }

    /// Appends the row of a quotient, unless its denominator is 0.
    fn push_quotient(
        &self,
        numerator: &Integer,
        denominator: &Integer,
        rows: &mut Vec<u64>,
    ) -> Option<()> {
        let start = rows.len();
        self.field.push_integer(numerator, rows);
        if denominator.is_one() {
            return Some(());
        }
        let mut below = Vec::with_capacity(self.width);
        self.field.push_integer(denominator, &mut below);
        let inverse = self.field.inverse_row(&below)?;
        let row = self.field.product_row(&rows[start..], &inverse);
        rows[start..].copy_from_slice(&row);
        Some(())
    }

    /// The rows of a polynomial's coefficients: of a list of numbers or of an expression, which are reduced.
    pub fn read_polynomial(
        &self,
        content: &[u8],
        variable: Variable,
    ) -> Result<Vec<u64>, LineError> {
        let content = &variable.translated(content)?;
        match coefficients::is_algebraic(content) {
            true => self.read_expression(content, variable),
            false => coefficients::parse_rows(content, self.width, |word, rows| {
                self.read_row(word, rows)
            })
            .map_err(|error| algebraic::in_list(content, variable, error)),
        }
    }

    /// Of an expression in which the variable is x by now.
    fn read_expression(&self, content: &[u8], variable: Variable) -> Result<Vec<u64>, LineError> {
        let width = self.width;
        let bytes = size_of::<u64>() * width;
        let terms = match self.numbers.integers().read_terms(content, variable, bytes) {
            Ok(terms) => terms,
            Err(error) if matches!(content.get(error.offset), Some(b'/' | b'.')) => {
                return self.read_quotients(content, variable);
            }
            Err(error) => return Err(error),
        };
        let mut rows = vec![0; text::length(&terms) * width];
        let mut row = Vec::with_capacity(width);
        for ([degree], coefficient) in terms {
            row.clear();
            self.field.push_integer(&coefficient, &mut row);
            rows[degree as usize * width..][..width].copy_from_slice(&row);
        }
        Ok(rows)
    }

    /// The same of an expression with quotients or decimals.
    fn read_quotients(&self, content: &[u8], variable: Variable) -> Result<Vec<u64>, LineError> {
        let mut rows = Vec::new();
        for number in self.numbers.integers().read_quotients(content, variable)? {
            let push = |numerator: &_, denominator: &_| {
                self.push_quotient(numerator, denominator, &mut rows)
            };
            self.residue(&number, push)
                .map_err(|problem| LineError::new(0, problem))?;
        }
        Ok(rows)
    }

    /// The rows of a file with a residue in each line; `grown` looks at them whenever there are more, and may refuse to
    /// go on.
    pub fn read_vector(
        &self,
        reader: &mut LineReader,
        grown: &mut Grown<'_, u64>,
    ) -> Result<Vector<u64>, Failure> {
        let read_one = |content: &[u8], rows: &mut Vec<u64>| self.read_only(content, rows);
        vector::read(reader, "integer", read_one, grown)
    }

    /// Appends the row of a residue that stands alone in a line.
    pub fn read_only(&self, content: &[u8], rows: &mut Vec<u64>) -> Result<(), LineError> {
        let entry = self.read_row(content, rows);
        entry.map_err(|error| vector::hinted(content, "integer", error))
    }

    /// Writes the element of a row in decimal.
    #[inline]
    pub fn write(&self, row: &[u64], out: &mut Vec<u8>) {
        match row {
            &[word] => write_word(word, out),
            _ => {
                let value: Integer = self.field.integer(row);
                self.numbers.integers().write(&value, out);
            }
        }
    }

    /// Writes the polynomial of these coefficients.
    pub fn write_polynomial(&self, rows: &[u64], style: Style, out: &mut Vec<u8>) {
        polynomials::write(rows.len() / self.width, style, out, |degree, out| {
            self.write_one_of(rows, degree, out);
        });
    }

    /// Writes residues, one a line or as a JSON array.
    pub fn write_values(&self, rows: &[u64], style: Style, out: &mut Vec<u8>) {
        polynomials::write_values(rows.len() / self.width, style, out, |index, out| {
            self.write_one_of(rows, index, out);
        });
    }

    /// Writes residues as results, one after the other.
    pub fn write_results(
        &self,
        rows: &[u64],
        style: Style,
        results: &mut Results,
    ) -> Result<(), Failure> {
        listing::write(rows.len() / self.width, results, |index, text| {
            quoted(style, text, |text| self.write_one_of(rows, index, text));
        })
    }

    /// Writes a matrix of residues, row by row.
    pub fn write_matrix(
        &self,
        rows: &[u64],
        shape: (usize, usize),
        style: Style,
        results: &mut Results,
    ) -> Result<(), Failure> {
        listing::write_table(shape, style.json, results, |index, text| {
            quoted(style, text, |text| self.write_one_of(rows, index, text));
        })
    }

    /// Writes that one of several rows.
    #[inline]
    fn write_one_of(&self, rows: &[u64], index: usize, out: &mut Vec<u8>) {
        self.write(&rows[index * self.width..][..self.width], out);
    }
}

/// Writes a word in decimal.
#[inline]
fn write_word(mut word: u64, out: &mut Vec<u8>) {
    let mut digits = [0; 20];
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = b'0' + (word % 10) as u8;
        word /= 10;
        if word == 0 {
            return out.extend_from_slice(&digits[start..]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_written_in_full() {
        for word in [0, 9, 10, 12_345, u64::MAX] {
            let mut text = Vec::new();
            write_word(word, &mut text);
            assert_eq!(text, word.to_string().into_bytes());
        }
    }

    #[test]
    fn everything_is_reduced() {
        let prime = 9_223_372_036_854_775_783;
        let field = AnyField::modulo_word(prime).unwrap();
        let residues = Residues::new(&field);
        for (word, value) in [
            ("9223372036854775782", prime - 1),
            ("9223372036854775783", 0),
            ("9999999999999999999", 9_999_999_999_999_999_999 - prime),
            ("0x10", 16),
            ("-0", 0),
            ("-2", prime - 2),
            ("1/2", prime.div_ceil(2)),
            ("-1.5", (prime - 3) / 2),
            ("9223372036854775784000", 1000),
        ] {
            let mut rows = vec![7];
            assert_eq!(residues.read_row(word.as_bytes(), &mut rows), Ok(()));
            assert_eq!(rows, [7, value], "{word}");
        }
        let mut rows = Vec::new();
        let error = residues.read_row(b"1/9223372036854775783", &mut rows);
        let error = error.unwrap_err();
        assert_eq!(error.offset, 2);
        assert!(error.problem.contains("is 0 modulo"), "{}", error.problem);
    }

    #[test]
    fn long_residues_are_reduced() {
        let field = AnyField::generalized_fermat(10, 2).unwrap();
        let residues = Residues::new(&field);
        for (word, value) in [
            ("101", 0u8),
            ("-1", 100),
            ("1/2", 51),
            ("242", 40),
            ("0.1", 91),
        ] {
            let mut rows = Vec::new();
            assert_eq!(residues.read_row(word.as_bytes(), &mut rows), Ok(()));
            assert_eq!(field.integer::<Integer>(&rows), value, "{word}");
        }
    }
}
