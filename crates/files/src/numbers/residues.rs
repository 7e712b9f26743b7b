//! Residues modulo a prime, from text and to text.

use crate::failure::Failure;
use crate::input::lines::LineReader;
use crate::input::vector::{self, Grown, Vector};
use crate::input::{LineError, algebraic, coefficients};
use crate::listing;
use crate::polynomials;
use crate::results::Results;
use crate::style::{Style, quoted};
use dashu_int::ops::RemEuclid;
use dashu_int::{IBig, Sign};
use sunzi_field::{AnyField, Field};
use sunzi_integer::{Multiplier, text::DecimalTables};
use sunzi_poly::text;

/// Reads and writes elements of one field.
pub struct Residues {
    field: AnyField,
    width: usize,
    modulus: IBig,
    /// The modulus in decimal.
    shown: String,
    /// What a residue is called in sentences: `coefficient`.
    noun: &'static str,
    multiplier: Multiplier,
    tables: DecimalTables,
}

/// An integer from 0 to p − 1.
pub enum Residue {
    /// In a word.
    Word(u64),
    /// In any number of words.
    Long(IBig),
}

impl Residue {
    /// As an element of the field.
    pub fn element<F: Field>(&self, field: &F) -> F::Elem {
        match self {
            Self::Word(word) => field.from_u64(*word),
            Self::Long(value) => field.from_integer(value),
        }
    }
}

impl Residues {
    /// Those of a field; `noun` is what sentences call one.
    pub fn new(field: &AnyField, noun: &'static str) -> Self {
        let modulus = field.modulus();
        Self {
            field: field.clone(),
            width: field.width(),
            shown: modulus.to_string(),
            modulus: modulus.into(),
            noun,
            multiplier: Multiplier::new(),
            tables: DecimalTables::new(),
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

    /// A word of text as a residue, which it must be already.
    #[inline]
    pub fn read(&self, word: &[u8]) -> Result<Residue, LineError> {
        // 19 digits fit a word: the common case takes no long integers.
        if word.len() <= 19 && word.iter().all(u8::is_ascii_digit) && !word.is_empty() {
            let value = word
                .iter()
                .fold(0u64, |value, digit| value * 10 + u64::from(digit - b'0'));
            if IBig::from(value) < self.modulus {
                return Ok(Residue::Word(value));
            }
        }
        let value = self.tables.parse(&self.multiplier, word);
        let value = value.map_err(|error| LineError::new(error.offset, error.to_string()))?;
        self.checked(value, || abbreviated(word))
            .map_err(|problem| LineError::new(0, problem))
    }

    /// Appends the row of such a word.
    #[inline]
    pub fn read_row(&self, word: &[u8], rows: &mut Vec<u64>) -> Result<(), LineError> {
        match self.read(word)? {
            // A residue below p, in one word, is its row.
            Residue::Word(word) if self.width == 1 => rows.push(word),
            Residue::Word(word) => self.field.push_u64(word, rows),
            Residue::Long(value) => self.field.push_integer(&value, rows),
        }
        Ok(())
    }

    /// The rows of a polynomial's coefficients: of a list of residues, or of an expression over the integers, which is
    /// reduced.
    pub fn read_polynomial(&self, content: &[u8]) -> Result<Vec<u64>, LineError> {
        match coefficients::is_algebraic(content) {
            true => self.read_expression(content),
            false => coefficients::parse_rows(content, self.width, |word, rows| {
                self.read_row(word, rows)
            }),
        }
    }

    fn read_expression(&self, content: &[u8]) -> Result<Vec<u64>, LineError> {
        let width = self.width;
        let bytes = size_of::<u64>() * width;
        let terms = algebraic::parse(content, &self.multiplier, &self.tables, bytes)?;
        let mut rows = vec![0; text::length(&terms) * width];
        let mut row = Vec::with_capacity(width);
        for ([degree], coefficient) in terms {
            row.clear();
            self.field.push_integer(&coefficient, &mut row);
            rows[degree as usize * width..][..width].copy_from_slice(&row);
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

    /// `shown` is how a sentence calls the value.
    fn checked(&self, value: IBig, shown: impl FnOnce() -> String) -> Result<Residue, String> {
        let negative = value.sign() == Sign::Negative && value != IBig::ZERO;
        if !negative && value < self.modulus {
            return Ok(Residue::Long(value));
        }
        let (noun, shown) = (self.noun, shown());
        if self.shown.len() > SHOWN {
            let digits = self.shown.len();
            return Err(format!(
                "the {noun} {shown} is not in 0 … p - 1, where the prime p has {digits} digits: \
                 write its residue modulo p"
            ));
        }
        Err(format!(
            "the {noun} {shown} is not in 0 … {}: write {}, which is the same modulo {}",
            &self.modulus - IBig::ONE,
            value.rem_euclid(&self.modulus),
            self.shown,
        ))
    }

    /// Writes the element of a row in decimal.
    #[inline]
    pub fn write(&self, row: &[u64], out: &mut Vec<u8>) {
        match row {
            &[word] => write_word(word, out),
            _ => {
                let value = self.field.integer(row).into();
                // Writing to memory has no errors.
                let _ = self.tables.format(&self.multiplier, &value, out);
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

/// Letters of a number that a sentence shows in full.
const SHOWN: usize = 40;

/// A word of the input, which is an integer, in a sentence: long ones are cut.
fn abbreviated(word: &[u8]) -> String {
    let text = String::from_utf8_lossy(word);
    if text.len() <= SHOWN {
        return text.into_owned();
    }
    let digits = text.trim_start_matches(['+', '-']);
    let digits = digits
        .strip_prefix("0x")
        .or_else(|| digits.strip_prefix("0X"))
        .unwrap_or(digits);
    let start: String = text.chars().take(SHOWN / 2).collect();
    format!("{start}… ({} digits)", digits.len())
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
    fn residues_are_checked_against_the_prime() {
        let prime = 9_223_372_036_854_775_783;
        let field = AnyField::modulo_word(prime).unwrap();
        let residues = Residues::new(&field, "coefficient");
        for (word, value) in [("9223372036854775782", prime - 1), ("0x10", 16), ("-0", 0)] {
            let mut rows = Vec::new();
            assert_eq!(residues.read_row(word.as_bytes(), &mut rows), Ok(()));
            assert_eq!(rows, [value]);
        }
        for word in [&b"9223372036854775783"[..], b"-1", b"99999999999999999999"] {
            assert!(residues.read(word).is_err());
        }
        let error = residues.read(b"-2").err().unwrap();
        assert!(
            error.problem.contains("write 9223372036854775781, which"),
            "{}",
            error.problem
        );
    }

    #[test]
    fn long_coefficients_are_named_by_their_start_or_their_length() {
        assert_eq!(abbreviated(b"-97"), "-97");
        assert_eq!(abbreviated(&[b'7'; 40]), "7".repeat(40));
        let nines = format!("-{}", "9".repeat(50));
        assert_eq!(
            abbreviated(nines.as_bytes()),
            format!("-{}… (50 digits)", "9".repeat(19))
        );
        let hexadecimal = format!("0x{}", "f".repeat(60));
        assert!(abbreviated(hexadecimal.as_bytes()).ends_with("… (60 digits)"));
    }
}
