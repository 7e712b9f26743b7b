//! `sunzi int`.

use crate::args::{ChosenAlgorithm, ChosenDevice, Common, MaxMemory, TwoFiles};
use crate::commands::Run;
use crate::operation::{LineFormat, Operation, PRODUCTS, Plan, Sentence, Wording, engine};
use crate::pipeline::Pipeline;
use crate::report::{Head, files};
use clap::Args;
use dashu_int::IBig;
use serde_json::json;
use sunzi::{
    engine::{Batch, Engine, EngineError},
    integer::{Algorithm, DecimalTables, Multiplier},
};
use sunzi_files::failure::Failure;
use sunzi_files::input::LineError;
use sunzi_files::input::vector::hinted;
use sunzi_files::style::{Style, quoted};

super::commands! {
    /// The commands on integers.
    IntCommand {
        /// Products of integers, line by line
        Mul(Mul),
    }
}

/// Two files, and how to multiply what stands in them.
#[derive(Debug, Args)]
#[command(
    after_help = "One integer a line, decimal or 0x…; # starts a comment; empty lines do not count.
Line i of A is multiplied by line i of B. A file of one line multiplies every line of the other.
Files are read piece by piece, so they may be longer than the memory.

Examples:
  sunzi int mul a.txt b.txt
  sunzi int mul a.txt b.txt -o products.txt --threads 2
  sunzi int mul a.txt b.txt --device cuda
  echo 12345678901234567890 | sunzi int mul - b.txt --json"
)]
pub struct Mul {
    #[command(flatten)]
    pub files: TwoFiles,
    #[command(flatten)]
    pub algorithm: ChosenAlgorithm,
    #[command(flatten)]
    pub device: ChosenDevice,
    #[command(flatten)]
    pub memory: MaxMemory,
}

/// What a line holds, in sentences.
const NOUN: &str = "integer";

impl Run for Mul {
    /// Multiplies integers line by line.
    fn run(&self, common: &Common) -> Result<(), Failure> {
        let algorithm = self.algorithm.among(&Algorithm::ALL, Algorithm::name)?;
        let products = Products {
            engine: engine(self.device.choice, algorithm.is_some())?,
            algorithm,
        };
        let integers = Integers {
            multiplier: Multiplier::new(),
            tables: DecimalTables::new(),
            style: Style::new(common.json),
        };
        let paths = [&*self.files.left, &self.files.right];
        let pipeline = Pipeline::open(&paths, NOUN, self.memory.budget(), common)?;
        let head = Head::new("int mul", json!({ "files": files(paths) }));
        pipeline.run(&integers, &products, head)
    }
}

/// Integers, one a line.
struct Integers {
    multiplier: Multiplier,
    tables: DecimalTables,
    style: Style,
}

impl LineFormat for Integers {
    type Operand = IBig;
    type Outcome = IBig;

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
        size_of_val(operand.as_sign_words().1) as u64
    }

    fn write(&self, product: &IBig, out: &mut Vec<u8>) {
        quoted(self.style, out, |out| {
            // Writing to memory has no errors.
            let _ = self.tables.format(&self.multiplier, product, out);
        });
    }
}

/// What reading the operands' text and writing the product's takes, as a multiple of the
/// product's bytes: powers of ten, quotients, their transforms, and the text itself. Measured,
/// about 46 for balanced operands.
pub(super) const TEXT: u64 = 48;

/// Products, by this algorithm or by the one that fits the sizes.
struct Products {
    engine: Engine,
    algorithm: Option<Algorithm>,
}

impl Operation<Integers, 2> for Products {
    fn wording(&self) -> &'static Wording {
        &PRODUCTS
    }

    fn plan(&self, pair: [&IBig; 2]) -> Result<Plan, EngineError> {
        let plan = self.engine.plan_integers(pair, self.algorithm);
        let product = 8 * plan.limbs.iter().sum::<usize>() as u64;
        Ok(Plan {
            algorithm: Some(plan.algorithm.name()),
            bytes: product
                .saturating_mul(1 + TEXT)
                .saturating_add(plan.scratch_bytes),
            sentence: Sentence::Integers(plan),
        })
    }

    fn compute(&self, pairs: &[[&IBig; 2]]) -> Result<Batch<IBig>, EngineError> {
        self.engine.multiply_integers(pairs, self.algorithm)
    }
}
