//! Products of polynomials over Z.

use crate::operation::{LineFormat, Operation, PRODUCTS, Plan, Sentence, Wording};
use sunzi::Integer;
use sunzi::engine::{Batch, Engine, EngineError};
use sunzi::poly::{Algorithm, Poly};
use sunzi_files::input::LineError;
use sunzi_files::numbers::integers::IntegerText;
use sunzi_files::polynomials::weight;
use sunzi_files::style::{Style, quoted};

/// Polynomials over Z, one a line.
pub struct Polynomials {
    text: IntegerText,
    style: Style,
}

impl Polynomials {
    pub fn new(style: Style) -> Self {
        Self {
            text: IntegerText::new(),
            style,
        }
    }

    pub fn style(&self) -> Style {
        self.style
    }

    /// How integers are read and written.
    pub fn text(&self) -> &IntegerText {
        &self.text
    }

    /// Writes one integer.
    pub fn write_integer(&self, value: &Integer, out: &mut Vec<u8>) {
        quoted(self.style, out, |out| self.text.write(value, out));
    }
}

impl LineFormat for Polynomials {
    type Operand = Poly<Integer>;
    type Outcome = Poly<Integer>;

    fn weight(&self, content: &[u8]) -> usize {
        weight(content, size_of::<Integer>())
    }

    fn parse(&self, content: &[u8]) -> Result<Poly<Integer>, LineError> {
        self.text
            .read_polynomial(content, self.style.variable)
            .map(Poly::new)
    }

    fn bytes(&self, operand: &Poly<Integer>) -> u64 {
        bytes_of(operand)
    }

    fn write(&self, product: &Poly<Integer>, out: &mut Vec<u8>) {
        self.text
            .write_polynomial(product.coefficients(), self.style, out);
    }
}

/// Bytes that a polynomial takes.
pub fn bytes_of(polynomial: &Poly<Integer>) -> u64 {
    let long = |value: &Integer| match value.magnitude().as_limbs().len() {
        // Up to two words lie inside the value itself.
        0..=2 => 0,
        words => 8 * words as u64,
    };
    let values = polynomial.coefficients();
    size_of_val(values) as u64 + values.iter().map(long).sum::<u64>()
}

/// Products, by this algorithm or by the one that fits the sizes.
pub struct Products {
    pub engine: Engine,
    pub algorithm: Option<Algorithm>,
}

impl Operation<Polynomials, 2> for Products {
    fn wording(&self) -> &'static Wording {
        &PRODUCTS
    }

    fn plan(&self, pair: [&Poly<Integer>; 2]) -> Result<Plan, EngineError> {
        let plan = self.engine.plan_polynomials(pair, self.algorithm)?;
        // 2.4 digits and a blank for each byte of the product.
        let digits = (plan.product_bits as u64 * 10).div_ceil(33) + 2;
        let text = (plan.len_a + plan.len_b) as u64 * digits;
        Ok(Plan {
            algorithm: Some(plan.algorithm.name()),
            bytes: plan.bytes.saturating_add(text),
            sentence: Sentence::OverIntegers(plan),
        })
    }

    fn compute(&self, pairs: &[[&Poly<Integer>; 2]]) -> Result<Batch<Poly<Integer>>, EngineError> {
        self.engine.multiply_polynomials(pairs, self.algorithm)
    }
}
