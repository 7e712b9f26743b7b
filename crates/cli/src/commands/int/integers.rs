//! Integers, one a line, and what is found of them.

use crate::operation::LineFormat;
use crate::parts::{self, Part};
use sunzi::Integer;
use sunzi_files::input::LineError;
use sunzi_files::input::vector::hinted;
use sunzi_files::numbers::integers::IntegerText;
use sunzi_files::style::{Style, quoted};

/// What a line holds, in sentences.
pub const NOUN: &str = "integer";

/// What reading the operands' text and writing the result's takes, as a multiple of the result's bytes: powers of ten,
/// quotients, their transforms, and the text itself. Measured, about 46 for products of balanced operands.
pub const TEXT: u64 = 48;

/// Integers, one a line.
pub struct Integers {
    text: IntegerText,
    style: Style,
}

/// What a row gives.
pub type Parts = Vec<Part<Integer>>;

impl Integers {
    pub fn new(style: Style) -> Self {
        Self {
            text: IntegerText::new(),
            style,
        }
    }
}

/// Bytes of an integer.
pub fn bytes_of(value: &Integer) -> u64 {
    size_of_val(value.magnitude().as_limbs()) as u64
}

impl LineFormat for Integers {
    type Operand = Integer;
    type Outcome = Parts;

    fn weight(&self, content: &[u8]) -> usize {
        content.len()
    }

    fn parse(&self, content: &[u8]) -> Result<Integer, LineError> {
        let parsed = self.text.read(content);
        parsed.map_err(|error| hinted(content, NOUN, error))
    }

    fn bytes(&self, operand: &Integer) -> u64 {
        bytes_of(operand)
    }

    fn write(&self, parts: &Parts, out: &mut Vec<u8>) {
        let style = self.style;
        parts::write(parts, style, out, |value, out| {
            quoted(style, out, |out| self.text.write(value, out));
        });
    }
}
