//! Integers of any size, from text and to text.

use crate::input::LineError;
use dashu_int::IBig;
use sunzi_integer::{Multiplier, text::DecimalTables};

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
    pub fn read(&self, word: &[u8]) -> Result<IBig, LineError> {
        // The common case takes no tables.
        if let Some(value) = short(word) {
            return Ok(value.into());
        }
        let value = self.tables.parse(&self.multiplier, word);
        value.map_err(|error| LineError::new(error.offset, error.to_string()))
    }

    /// Writes an integer in decimal.
    pub fn write(&self, value: &IBig, out: &mut Vec<u8>) {
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
