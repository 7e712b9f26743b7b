//! Numbers that are integers, quotients or decimals, taken exactly or as floating point.

use super::integers::IntegerText;
use crate::failure::Failure;
use crate::input::algebraic::{self, Variable};
use crate::input::lines::LineReader;
use crate::input::vector::{self, Grown, Vector};
use crate::input::{LineError, coefficients};
use crate::listing;
use crate::polynomials;
use crate::results::Results;
use crate::style::{Style, quoted};
use sunzi_integer::{Integer, Natural, Rational};
use sunzi_linalg::DenseMatrix;

/// The greatest power of ten that an exact decimal may hold, up or down.
const MOST_PLACES: usize = 100_000;

/// Reads integers, quotients such as `-3/4` and decimals such as `1.5` or `2e-3`.
pub struct RationalText {
    integers: IntegerText,
}

impl Default for RationalText {
    fn default() -> Self {
        Self::new()
    }
}

impl RationalText {
    /// With empty tables, which long numbers fill.
    pub fn new() -> Self {
        Self {
            integers: IntegerText::new(),
        }
    }

    /// What reads and writes those that are integers.
    pub(super) fn integers(&self) -> &IntegerText {
        &self.integers
    }

    /// A number, exactly.
    pub fn read(&self, word: &[u8]) -> Result<Rational, LineError> {
        if let Some(slash) = word.iter().position(|&byte| byte == b'/') {
            return self.quotient(word, slash);
        }
        let digits = word.strip_prefix(b"-").or(word.strip_prefix(b"+"));
        let hexadecimal = matches!(digits.unwrap_or(word), [b'0', b'x' | b'X', ..]);
        let decimal = |byte: &u8| matches!(byte, b'.' | b'e' | b'E');
        match word.iter().any(decimal) && !hexadecimal {
            true => self.decimal(word),
            false => self.integers.read(word).map(Rational::from),
        }
    }

    /// The coefficients of a polynomial: of a list of numbers, or of an expression with quotients; none for the expression of zero.
    pub fn read_polynomial(
        &self,
        content: &[u8],
        variable: Variable,
    ) -> Result<Vec<Rational>, LineError> {
        let translated = &variable.translated(content)?;
        if !coefficients::is_algebraic(translated) {
            let numbers = coefficients::parse(translated, |word| self.read(word));
            return numbers.map_err(|error| algebraic::in_list(translated, variable, error));
        }
        match self.integers.read_polynomial(content, variable) {
            Ok(integers) => Ok(integers.into_iter().map(Rational::from).collect()),
            // What may be a list is refused before anything is divided.
            Err(error) if matches!(content.get(error.offset), Some(b'/' | b'.')) => {
                self.integers.read_quotients(translated, variable)
            }
            Err(error) => Err(error),
        }
    }

    /// The numbers of a file with one in each line; `grown` looks at them whenever there are more, and may refuse to go on.
    pub fn read_vector(
        &self,
        reader: &mut LineReader,
        grown: &mut Grown<'_, Rational>,
    ) -> Result<Vector<Rational>, Failure> {
        let read_one = |content: &[u8], numbers: &mut Vec<Rational>| {
            let number = self.read(content);
            numbers.push(number.map_err(|error| vector::hinted(content, "number", error))?);
            Ok(())
        };
        vector::read(reader, "number", read_one, grown)
    }

    /// Writes the polynomial of these coefficients.
    pub fn write_polynomial(&self, coefficients: &[Rational], style: Style, out: &mut Vec<u8>) {
        polynomials::write(coefficients.len(), style, out, |degree, out| {
            self.write(&coefficients[degree], out);
        });
    }

    /// Writes numbers, one a line or as a JSON array.
    pub fn write_values(&self, values: &[Rational], style: Style, out: &mut Vec<u8>) {
        polynomials::write_values(values.len(), style, out, |index, out| {
            self.write(&values[index], out);
        });
    }

    /// Writes an integer, or a quotient.
    pub fn write(&self, value: &Rational, out: &mut Vec<u8>) {
        self.integers.write(value.numerator(), out);
        if !value.is_integer() {
            out.push(b'/');
            self.integers.write(&value.denominator().into(), out);
        }
    }

    /// Writes a matrix, row by row.
    pub fn write_matrix(
        &self,
        matrix: &DenseMatrix<Rational>,
        style: Style,
        results: &mut Results,
    ) -> Result<(), Failure> {
        let shape = (matrix.rows(), matrix.columns());
        let entries = matrix.entries();
        listing::write_table(shape, style.json, results, |index, text| {
            quoted(style, text, |text| self.write(&entries[index], text));
        })
    }

    /// The floating point number nearest to it.
    pub fn read_float(&self, word: &[u8]) -> Result<f64, LineError> {
        let text = std::str::from_utf8(word).unwrap_or_default();
        let has_digits = word.iter().any(u8::is_ascii_digit);
        let value = match text.parse::<f64>() {
            Ok(value) if value.is_finite() || has_digits => value,
            Ok(_) => {
                return Err(LineError::new(
                    0,
                    format!(
                        "{} is no number that can be computed with: write a finite one",
                        shortened(text)
                    ),
                ));
            }
            // A quotient, a hexadecimal number, or no number at all.
            Err(_) => self.read(word)?.to_f64(),
        };
        match value.is_finite() {
            true => Ok(value),
            false => Err(LineError::new(
                0,
                "the number is too large for floating point, which ends at 1.8e308",
            )),
        }
    }

    fn quotient(&self, word: &[u8], slash: usize) -> Result<Rational, LineError> {
        let numerator = self.integers.read(&word[..slash])?;
        let behind = |error: LineError| LineError {
            offset: error.offset + slash + 1,
            ..error
        };
        let denominator = self.integers.read(&word[slash + 1..]).map_err(behind)?;
        Rational::new(numerator, denominator)
            .map_err(|_| LineError::new(slash + 1, "a quotient has the denominator 0"))
    }

    /// Digits with a point, an exponent or both.
    fn decimal(&self, word: &[u8]) -> Result<Rational, LineError> {
        let end = word
            .iter()
            .position(|byte| matches!(byte, b'e' | b'E'))
            .unwrap_or(word.len());
        let (mantissa, exponent) = word.split_at(end);
        let point = mantissa.iter().position(|&byte| byte == b'.');
        let exponent = match exponent {
            [] => 0,
            [_, digits @ ..] => small(digits).map_err(|problem| LineError::new(end, problem))?,
        };
        let (digits, places) = match point {
            None => (mantissa.to_vec(), 0),
            Some(point) => {
                let places = mantissa.len() - point - 1;
                if mantissa[point + 1..].contains(&b'.') {
                    let second = mantissa[point + 1..].iter().position(|&byte| byte == b'.');
                    let second = point + 1 + second.unwrap_or_default();
                    return Err(LineError::new(second, "a number has two decimal points"));
                }
                (
                    [&mantissa[..point], &mantissa[point + 1..]].concat(),
                    places,
                )
            }
        };
        // A byte that stood behind the point stands one place earlier without it.
        let moved = |error: LineError| LineError {
            offset: error.offset + usize::from(point.is_some_and(|point| error.offset >= point)),
            ..error
        };
        let value = self.integers.read(&digits).map_err(moved)?;
        let power = exponent - places as i64;
        let ten_to = |power: u64| Natural::from(10u8).pow(power as usize);
        if power.unsigned_abs() > MOST_PLACES as u64 {
            return Err(LineError::new(
                0,
                format!("the number has more than {MOST_PLACES} decimal places"),
            ));
        }
        Ok(match power >= 0 {
            true => Rational::from(value * Integer::from(ten_to(power.unsigned_abs()))),
            false => Rational::from_parts(value, ten_to(power.unsigned_abs())),
        })
    }
}

/// Writes floating point numbers as results, one after the other: each as the shortest decimal that reads back as the
/// same number, in JSON too.
pub fn write_floats(values: &[f64], results: &mut Results) -> Result<(), Failure> {
    listing::write(values.len(), results, |index, out| {
        let text = format!("{:?}", values[index]);
        out.extend_from_slice(text.strip_suffix(".0").unwrap_or(&text).as_bytes());
    })
}

/// The exponent of a decimal.
fn small(digits: &[u8]) -> Result<i64, String> {
    let text = std::str::from_utf8(digits).unwrap_or_default();
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if unsigned.is_empty() {
        return Err("an exponent has no digits after it".to_owned());
    }
    if !unsigned.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(format!(
            "{} is no exponent: write an integer",
            shortened(text)
        ));
    }
    match text.parse::<i64>() {
        Ok(value) if value.unsigned_abs() <= MOST_PLACES as u64 => Ok(value),
        _ => Err(format!(
            "the exponent {} is too large: at most {MOST_PLACES} is supported",
            shortened(text)
        )),
    }
}

/// The start of a text, for a sentence.
fn shortened(text: &str) -> String {
    const SHOWN: usize = 20;
    let mut start: String = text.chars().take(SHOWN).collect();
    if start.len() < text.len() {
        start.push('…');
    }
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(word: &str) -> Result<(String, String), LineError> {
        let value = RationalText::new().read(word.as_bytes())?;
        Ok((
            value.numerator().to_string(),
            value.denominator().to_string(),
        ))
    }

    #[test]
    fn numbers_are_read_exactly() {
        for (word, numerator, denominator) in [
            ("0", "0", "1"),
            ("-12", "-12", "1"),
            ("0x10", "16", "1"),
            ("0x1e", "30", "1"),
            ("3/4", "3", "4"),
            ("-3/-4", "3", "4"),
            ("3/-4", "-3", "4"),
            ("1.5", "3", "2"),
            ("-.25", "-1", "4"),
            ("7.", "7", "1"),
            ("2e3", "2000", "1"),
            ("2.5E-2", "1", "40"),
            ("1.25e+2", "125", "1"),
        ] {
            let expected = (numerator.to_owned(), denominator.to_owned());
            assert_eq!(exact(word), Ok(expected), "{word}");
        }
    }

    #[test]
    fn polynomials_may_have_quotients() {
        let text = RationalText::new();
        let quotient = |n: i32, d: u8| Rational::from_parts(n.into(), d.into());
        let [half, third] = [quotient(1, 2), quotient(-1, 3)];
        let [zero, one] = [Rational::ZERO, Rational::ONE];
        for (line, coefficients) in [
            ("1/2 -1/3", vec![half.clone(), third.clone()]),
            ("[0.5, -2/6]", vec![half.clone(), third.clone()]),
            ("x^2 - x/3 + 1/2", vec![half.clone(), third, one.clone()]),
            ("(x + 1)/2*2", vec![one.clone(), one]),
            ("1/2 x", vec![zero.clone(), half.clone()]),
            ("0.5 X", vec![zero.clone(), half]),
            ("x - x", vec![]),
            ("0", vec![zero]),
        ] {
            assert_eq!(
                text.read_polynomial(line.as_bytes(), Variable::default()),
                Ok(coefficients),
                "{line}"
            );
        }
        for (line, offset) in [
            ("1/2 - 1/3", 4),
            ("1/x", 2),
            ("x/0", 2),
            ("1/2*y", 4),
            ("1/2 1/0", 6),
            ("1/2 z", 4),
        ] {
            let error = text
                .read_polynomial(line.as_bytes(), Variable::default())
                .unwrap_err();
            assert_eq!(error.offset, offset, "{line}: {}", error.problem);
        }
    }

    #[test]
    fn what_is_no_number_is_located() {
        for (word, offset) in [
            ("x", 0),
            ("1z", 1),
            ("1/0", 2),
            ("1/", 2),
            ("/2", 0),
            ("1/2/3", 3),
            ("1.2.3", 3),
            ("1.x", 2),
            ("1e", 1),
            ("1e5.5", 1),
            ("1e99999999999", 1),
            ("nan", 0),
            ("inf", 0),
            ("-", 1),
            (".", 1),
            ("1_0", 1),
        ] {
            assert_eq!(exact(word).unwrap_err().offset, offset, "{word}");
        }
    }

    #[test]
    fn floating_point_numbers_are_finite() {
        let read = |word: &str| RationalText::new().read_float(word.as_bytes());
        for (word, value) in [
            ("1.5", 1.5),
            ("-2e-3", -2e-3),
            ("1/4", 0.25),
            ("0x10", 16.0),
        ] {
            assert_eq!(read(word), Ok(value));
        }
        for word in [
            "nan",
            "inf",
            "-Infinity",
            "1e999",
            "x",
            "1/0",
            "",
            "1e400/1e400",
        ] {
            assert!(read(word).is_err(), "{word}");
        }
    }
}
