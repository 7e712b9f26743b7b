//! Integers as numbers.

use super::Kind;
use crate::args::sort::SortOrder;
use crate::input::{LineError, vector};
use crate::operation::integer_text::IntegerText;
use crate::style::{Style, quoted};
use dashu_int::{IBig, Sign};

/// Integers as numbers.
pub struct Dense {
    order: SortOrder,
    text: IntegerText,
}

impl Dense {
    pub fn new(order: SortOrder) -> Self {
        Self {
            order,
            text: IntegerText::new(),
        }
    }
}

impl Kind for Dense {
    type Item = IBig;

    fn read(&self, content: &[u8]) -> Result<IBig, LineError> {
        let value = self.text.read(content);
        let value = value.map_err(|error| vector::hinted(content, error))?;
        let negative = value.sign() == Sign::Negative && value != IBig::ZERO;
        if negative && self.order == SortOrder::Gray {
            return Err(LineError::new(
                0,
                "a negative integer has no place in the Gray code: leave --order gray out",
            ));
        }
        Ok(value)
    }

    fn bytes(&self, value: &IBig) -> u64 {
        let words = value.as_sign_words().1.len();
        (2 * size_of::<IBig>() + 8 * words) as u64
    }

    fn sort(&self, mut items: Vec<IBig>) -> Result<(Vec<IBig>, &'static str), String> {
        items.sort();
        Ok((items, "comparison"))
    }

    fn write(&self, value: &IBig, json: bool, out: &mut Vec<u8>) {
        quoted(Style::new(json), out, |out| self.text.write(value, out));
    }
}
