//! Products of integers.

use super::{Operation, PRODUCTS, Words, engine, named};
use dashu_int::{IBig, Sign, UBig};
use sunzi::engine::{DeviceChoice, Engine};
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
        let scratch = Multiplier::scratch_bytes(limbs(left), limbs(right));
        product.saturating_mul(1 + TEXT).saturating_add(scratch)
    }

    fn algorithm(&self, [left, right]: [&IBig; 2]) -> Option<&'static str> {
        let algorithm = match self.forced {
            Some(algorithm) => algorithm,
            None => self.multiplier.plan(limbs(left), limbs(right)).algorithm,
        };
        Some(algorithm.name())
    }

    fn explain(&self, [left, right]: [&IBig; 2]) -> String {
        match self.forced {
            Some(algorithm) => format!(
                "{algorithm} for {} × {} limbs: asked for",
                limbs(left),
                limbs(right)
            ),
            None => self.multiplier.plan(limbs(left), limbs(right)).to_string(),
        }
    }

    fn compute(&self, [left, right]: [&IBig; 2]) -> Result<IBig, String> {
        let Some(algorithm) = self.forced else {
            return Ok(self.multiplier.mul_integers(left, right));
        };
        let ((sign_a, a), (sign_b, b)) = (left.as_sign_words(), right.as_sign_words());
        let mut product = vec![0; a.len() + b.len()];
        self.multiplier
            .mul_with(algorithm, &mut product, a, b)
            .map_err(|error| error.to_string())?;
        let sign = if sign_a == sign_b {
            Sign::Positive
        } else {
            Sign::Negative
        };
        Ok(IBig::from_parts(sign, UBig::from_words(&product)))
    }

    fn compute_on_device(&self, rows: &[[&IBig; 2]]) -> Result<Option<Vec<IBig>>, String> {
        let products = self.engine.integers_on_device(rows);
        products.map_err(|error| error.to_string())
    }

    fn engine(&self) -> Option<&Engine> {
        Some(&self.engine)
    }

    fn write(&self, product: &IBig, style: Style, out: &mut Vec<u8>) {
        quoted(style, out, |out| {
            // Writing to memory has no errors.
            let _ = self.tables.format(&self.multiplier, product, out);
        });
    }
}
