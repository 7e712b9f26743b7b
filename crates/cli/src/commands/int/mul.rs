//! `sunzi int mul`.

use super::integers::{Integers, NOUN, Parts, TEXT};
use crate::args::{ChosenAlgorithm, ChosenDevice, Common, MaxMemory, TwoFiles};
use crate::commands::Run;
use crate::operation::{Operation, PRODUCTS, Plan, Sentence, Wording, engine};
use crate::parts::Part;
use crate::pipeline::Pipeline;
use crate::report::{Head, files};
use clap::Args;
use serde_json::json;
use sunzi::Integer;
use sunzi::engine::{Batch, Engine, EngineError};
use sunzi::integer::Algorithm;
use sunzi_files::failure::Failure;
use sunzi_files::style::Style;

/// Two files, and how to multiply what stands in them.
#[derive(Debug, Args)]
#[command(
    after_help = concat!(integers!(), together!(), "
Examples:
  sunzi int mul a.txt b.txt
  sunzi int mul -e 12 -e 13
  sunzi int mul a.txt b.txt -o products.txt --threads 2
  sunzi int mul a.txt b.txt --device cuda
  echo 12345678901234567890 | sunzi int mul - b.txt --json")
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

impl Run for Mul {
    /// Multiplies integers line by line.
    fn run(&self, common: &Common) -> Result<(), Failure> {
        let algorithm = self.algorithm.among(&Algorithm::ALL, Algorithm::name)?;
        let products = Products {
            engine: engine(self.device.choice, algorithm.is_some())?,
            algorithm,
        };
        let integers = Integers::new(Style::new(common.json));
        let paths = [&*self.files.left, &self.files.right];
        let pipeline = Pipeline::open(&paths, NOUN, self.memory.budget(), common)?;
        let head = Head::new("int mul", json!({ "files": files(paths) }));
        pipeline.run(&integers, &products, head)
    }
}

/// Products, by this algorithm or by the one that fits the sizes.
struct Products {
    engine: Engine,
    algorithm: Option<Algorithm>,
}

impl Operation<Integers, 2> for Products {
    fn wording(&self) -> &'static Wording {
        &PRODUCTS
    }

    fn plan(&self, pair: [&Integer; 2]) -> Result<Plan, EngineError> {
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

    fn compute(&self, pairs: &[[&Integer; 2]]) -> Result<Batch<Parts>, EngineError> {
        let products = self.engine.multiply_integers(pairs, self.algorithm)?;
        Ok(products.map(|value| {
            vec![Part {
                name: "product",
                value,
            }]
        }))
    }
}
