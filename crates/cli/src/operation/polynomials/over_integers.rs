//! Products of polynomials over Z.

use super::super::{Operation, PRODUCTS, Words, engine};
use dashu_int::IBig;
use sunzi::engine::{Batch, DeviceChoice, Engine, EngineError};
use sunzi::integer::{Multiplier, text::DecimalTables};
use sunzi::poly::{Algorithm, IntegerPlan, Poly};
use sunzi_files::error::Failure;
use sunzi_files::input::{LineError, algebraic, coefficients};
use sunzi_files::polynomials as text;
use sunzi_files::style::Style;

/// Products of polynomials over Z, one a line.
pub struct OverIntegers {
    multiplier: Multiplier,
    tables: DecimalTables,
    forced: Option<Algorithm>,
    engine: Engine,
}

impl OverIntegers {
    /// With this algorithm, or with the one that fits the sizes, on the device chosen.
    pub fn new(forced: Option<Algorithm>, device: DeviceChoice) -> Result<Self, Failure> {
        Ok(Self {
            multiplier: Multiplier::new(),
            tables: DecimalTables::new(),
            forced,
            engine: engine(device, forced.is_some())?,
        })
    }

    fn plan(&self, pair: [&Poly<IBig>; 2]) -> Result<IntegerPlan, EngineError> {
        self.engine.plan_polynomials(pair, self.forced)
    }
}

impl Operation<2> for OverIntegers {
    type Operand = Poly<IBig>;
    type Outcome = Poly<IBig>;

    fn words(&self) -> &Words {
        &PRODUCTS
    }

    fn weight(&self, content: &[u8]) -> usize {
        super::weight(content, size_of::<IBig>())
    }

    fn parse(&self, content: &[u8]) -> Result<Poly<IBig>, LineError> {
        if coefficients::is_algebraic(content) {
            let integers = algebraic::integers(content, &self.multiplier, &self.tables);
            return Ok(Poly::new(integers?));
        }
        let values = coefficients::parse(content, |word| {
            let parsed = self.tables.parse(&self.multiplier, word);
            parsed.map_err(|error| LineError::new(error.offset, error.to_string()))
        })?;
        Ok(Poly::new(values))
    }

    fn bytes(&self, operand: &Poly<IBig>) -> u64 {
        let long = |value: &IBig| match value.as_sign_words().1.len() {
            // Up to two words lie inside the value itself.
            0..=2 => 0,
            words => 8 * words as u64,
        };
        let values = operand.coefficients();
        size_of_val(values) as u64 + values.iter().map(long).sum::<u64>()
    }

    fn needed_bytes(&self, [left, right]: [&Poly<IBig>; 2]) -> u64 {
        let Ok(plan) = self.plan([left, right]) else {
            return 0;
        };
        // 2.4 digits and a blank for each byte of the product.
        let digits = (plan.product_bits as u64 * 10).div_ceil(33) + 2;
        plan.bytes
            .saturating_add((left.len() + right.len()) as u64 * digits)
    }

    fn algorithm(&self, pair: [&Poly<IBig>; 2]) -> Option<&'static str> {
        Some(self.plan(pair).ok()?.algorithm.name())
    }

    fn explain(&self, pair: [&Poly<IBig>; 2]) -> String {
        self.plan(pair)
            .map_or_else(|error| error.to_string(), |plan| plan.to_string())
    }

    fn compute(&self, rows: &[[&Poly<IBig>; 2]]) -> Result<Batch<Poly<IBig>>, EngineError> {
        self.engine.multiply_polynomials(rows, self.forced)
    }

    fn write(&self, product: &Poly<IBig>, style: Style, out: &mut Vec<u8>) {
        let coefficients = product.coefficients();
        text::write(coefficients.len(), style, out, |degree, out| {
            // Writing to memory has no errors.
            let coefficient = &coefficients[degree];
            let _ = self.tables.format(&self.multiplier, coefficient, out);
        });
    }
}
