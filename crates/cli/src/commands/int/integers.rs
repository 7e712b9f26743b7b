//! Integers, one a line, and what is found of them.

use crate::operation::LineFormat;
use crate::parts::{self, Part};
use dashu_int::IBig;
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
pub type Parts = Vec<Part<IBig>>;

impl Integers {
    pub fn new(style: Style) -> Self {
        Self {
            text: IntegerText::new(),
            style,
        }
    }
}

/// Bytes of an integer.
pub fn bytes_of(value: &IBig) -> u64 {
    size_of_val(value.as_sign_words().1) as u64
}

impl LineFormat for Integers {
    type Operand = IBig;
    type Outcome = Parts;

    fn weight(&self, content: &[u8]) -> usize {
        content.len()
    }

    fn parse(&self, content: &[u8]) -> Result<IBig, LineError> {
        let parsed = self.text.read(content);
        parsed.map_err(|error| hinted(content, NOUN, error))
    }

    fn bytes(&self, operand: &IBig) -> u64 {
        bytes_of(operand)
    }

    fn write(&self, parts: &Parts, out: &mut Vec<u8>) {
        let style = self.style;
        parts::write(parts, style, out, |value, out| {
            quoted(style, out, |out| self.text.write(value, out));
        });
    }
}
