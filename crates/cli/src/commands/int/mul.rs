//! `sunzi int mul`.

use super::integers::{Integers, NOUN, Parts, TEXT};
use crate::args::{ChosenAlgorithm, ChosenDevice, Common, MaxMemory, TwoFiles};
use crate::commands::Run;
use crate::operation::{Operation, PRODUCTS, Plan, Sentence, Wording, engine};
use crate::parts::Part;
use crate::pipeline::Pipeline;
#[cfg(unix)]
use crate::ranks::Company;
use crate::report::{Head, files};
use crate::through_files::ThroughFiles;
#[cfg(unix)]
use crate::through_files::text::Entries;
#[cfg(unix)]
use crate::through_files::{self, Job};
use clap::Args;
use serde_json::json;
#[cfg(unix)]
use std::sync::Arc;
use sunzi::Integer;
use sunzi::engine::{Batch, Engine, EngineError};
use sunzi::integer::Algorithm;
#[cfg(unix)]
use sunzi::scale::FileProduct;
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
  echo 12345678901234567890 | sunzi int mul - b.txt --json
  sunzi int mul a.npy b.npy -o c.npy --scratch /scratch --max-memory 4G

With --scratch each file holds one integer that may be longer than memory: 0x…, or an array of limbs, uint64, the lowest first, in
a name that ends in .npy, as is the product's. Several processes that `mpirun` starts share the work on such arrays, with or without
--scratch. The same command goes on where an earlier one ended.")
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
    #[command(flatten)]
    pub through_files: ThroughFiles,
}

impl Run for Mul {
    /// Multiplies integers line by line.
    fn run(&self, common: &Common) -> Result<(), Failure> {
        let operands = [&*self.files.left, &*self.files.right];
        if self.through_files.are_wanted() {
            return self.through_files(common);
        }
        let algorithm = self.algorithm.among(&Algorithm::ALL, Algorithm::name)?;
        let products = Products {
            engine: engine(self.device.choice, algorithm.is_some())?,
            algorithm,
        };
        let integers = Integers::new(Style::new(common.json));
        let pipeline = Pipeline::open(&operands, NOUN, self.memory.budget(), common)?;
        let head = Head::new("int mul", json!({ "files": files(operands) }));
        pipeline.run(&integers, &products, head)
    }
}

impl Mul {
    /// Multiplies two integers that may be longer than memory.
    #[cfg(unix)]
    fn through_files(&self, common: &Common) -> Result<(), Failure> {
        if self
            .algorithm
            .among(&Algorithm::ALL, Algorithm::name)?
            .is_some()
        {
            return Err(Failure::Usage(
                "there is one algorithm for products through files: leave --algorithm out"
                    .to_owned(),
            ));
        }
        let (options, inputs) = (&self.through_files, [&*self.files.left, &*self.files.right]);
        let (entries, scratch) = (Entries::Hexadecimal, options.scratch());
        let budget = self.memory.budget();
        let company = &Company::join()?;
        options.refuse_device(self.device.choice, company)?;
        let arrays = options.arrays("int mul", entries, &inputs, common, budget, company)?;
        let [a, b] = [0, 1].map(|i| &arrays.inputs[i]);
        let product = FileProduct::of_integers(a, b, &arrays.output, scratch)
            .within(self.memory.budget())
            .fresh(options.fresh)
            .verify(!options.no_verify)
            .among(Arc::clone(&company.ranks));
        let product = match options.scratch {
            Some(_) => product,
            None => product.without_scratch(),
        };
        let job = Job {
            company,
            plan: &|| product.plan(),
            start: &|| product.start(),
            head: &|_| {
                let told = json!({ "files": files(inputs), "scratch": options.scratch.as_ref().map(|path| path.display().to_string()) });
                Head::new("int mul", told)
            },
            details: &|_| json!({}),
        };
        through_files::run(options, common, entries, arrays, &job)
    }

    #[cfg(not(unix))]
    fn through_files(&self, _: &Common) -> Result<(), Failure> {
        Err(self.through_files.refuse())
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
