//! Products of integers.

use super::{Operation, PRODUCTS, Words, engine, named};
use dashu_int::IBig;
use sunzi::engine::{Batch, DeviceChoice, Engine, EngineError};
use sunzi::integer::{Algorithm, Multiplier, text::DecimalTables};
use sunzi_files::error::Failure;
use sunzi_files::input::LineError;
use sunzi_files::input::vector::hinted;
use sunzi_files::style::{Style, quoted};

/// What reading the operands' text and writing the product's takes, as a multiple of the
/// product's bytes: powers of ten, quotients, their transforms, and the text itself. Measured,
/// about 46 for balanced operands.
const TEXT: u64 = 48;

/// What a line holds, in sentences.
pub const NOUN: &str = "integer";

/// Products of integers, one a line.
pub struct Integers {
    multiplier: Multiplier,
    tables: DecimalTables,
    forced: Option<Algorithm>,
    engine: Engine,
}

impl Integers {
    /// With the algorithm of that name, or with the one that fits the sizes, on the device chosen.
    pub fn new(algorithm: Option<&str>, device: DeviceChoice) -> Result<Self, Failure> {
        let forced = algorithm
            .map(|name| named(name, &Algorithm::ALL, Algorithm::name))
            .transpose()?;
        Ok(Self {
            multiplier: Multiplier::new(),
            tables: DecimalTables::new(),
            forced,
            engine: engine(device, forced.is_some())?,
        })
    }
}

fn limbs(value: &IBig) -> usize {
    value.as_sign_words().1.len()
}

impl Operation<2> for Integers {
    type Operand = IBig;
    type Outcome = IBig;

    fn words(&self) -> &Words {
        &PRODUCTS
    }

    fn weight(&self, content: &[u8]) -> usize {
        content.len()
    }

    fn parse(&self, content: &[u8]) -> Result<IBig, LineError> {
        let parsed = self.tables.parse(&self.multiplier, content);
        parsed.map_err(|error| {
            hinted(
                content,
                NOUN,
                LineError::new(error.offset, error.to_string()),
            )
        })
    }

    fn bytes(&self, operand: &IBig) -> u64 {
        8 * limbs(operand) as u64
    }

    fn needed_bytes(&self, [left, right]: [&IBig; 2]) -> u64 {
        let product = self.bytes(left) + self.bytes(right);
        let scratch = self
            .engine
            .plan_integers([left, right], self.forced)
            .scratch_bytes;
        product.saturating_mul(1 + TEXT).saturating_add(scratch)
    }

    fn algorithm(&self, pair: [&IBig; 2]) -> Option<&'static str> {
        Some(
            self.engine
                .plan_integers(pair, self.forced)
                .algorithm
                .name(),
        )
    }

    fn explain(&self, pair: [&IBig; 2]) -> String {
        self.engine.plan_integers(pair, self.forced).to_string()
    }

    fn compute(&self, rows: &[[&IBig; 2]]) -> Result<Batch<IBig>, EngineError> {
        self.engine.multiply_integers(rows, self.forced)
    }

    fn write(&self, product: &IBig, style: Style, out: &mut Vec<u8>) {
        quoted(style, out, |out| {
            // Writing to memory has no errors.
            let _ = self.tables.format(&self.multiplier, product, out);
        });
    }
}
