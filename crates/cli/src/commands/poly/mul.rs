//! `sunzi poly mul`.

use super::over_integers;
use super::polynomials::Pretty;
use super::polynomials::{NOUN, Part, Polynomials, head};
use crate::args::{ChosenAlgorithm, ChosenDevice, Common, MaxMemory, OptionalModulus, TwoFiles};
use crate::commands::Run;
#[cfg(unix)]
use crate::modulus;
use crate::operation::{Operation, PRODUCTS, Plan, Sentence, Wording, engine, refuse_unless};
use crate::pipeline::Pipeline;
#[cfg(unix)]
use crate::ranks::Company;
#[cfg(unix)]
use crate::report::{Head, files};
use crate::through_files::ThroughFiles;
#[cfg(unix)]
use crate::through_files::text::Entries;
#[cfg(unix)]
use crate::through_files::{self, Job};
use clap::Args;
#[cfg(unix)]
use serde_json::json;
#[cfg(unix)]
use std::sync::Arc;
use sunzi::engine::{Batch, Engine, EngineError};
use sunzi::poly::{Algorithm, AnyPoly};
#[cfg(unix)]
use sunzi::scale::FileProduct;
use sunzi_files::failure::Failure;
#[cfg(unix)]
use sunzi_files::numbers::residues::Residues;

/// Two files, and how to multiply what stands in them.
#[derive(Debug, Args)]
#[command(after_help = concat!(polynomials!(), pairs!(), written!(), primes!(), "Examples:
  sunzi poly mul f.txt g.txt
  sunzi poly mul f.txt g.txt --pretty
  sunzi poly mul f.txt g.txt --mod 469762049 -o product.txt
  sunzi poly mul f.txt g.txt --mod '2^60-2^18+1' --json --threads 2
  sunzi poly mul f.txt g.txt --mod P8
  sunzi poly mul f.txt g.txt --mod '(2^62+2^36)^16+1'
  sunzi poly mul f.npy g.npy --mod 2^64-2^32+1 -o h.npy --scratch /scratch --max-memory 4G

With --scratch each file holds one polynomial: the list of its coefficients, or an array of NumPy's in a name that ends in
.npy, of uint32 or uint64 below P, or of N rows of k digits; over Z of int32, int64, uint32 or uint64, whose products are rows
of 2 or 3 words of uint64 in two's complement. Several processes that `mpirun` starts share the work on such arrays, with or
without --scratch. The same command goes on where an earlier one ended."))]
pub struct Mul {
    #[command(flatten)]
    pub files: TwoFiles,
    #[command(flatten)]
    pub modulus: OptionalModulus,
    #[command(flatten)]
    pub form: Pretty,
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
    /// Multiplies polynomials line by line, over Z or modulo a prime.
    fn run(&self, common: &Common) -> Result<(), Failure> {
        if self.through_files.are_wanted() {
            return self.through_files(common);
        }
        let algorithm = self.algorithm.among(&Algorithm::ALL, Algorithm::name)?;
        let engine = engine(self.device.choice, algorithm.is_some())?;
        let style = self.form.style(common);
        let paths = [&*self.files.left, &self.files.right];
        let open = || Pipeline::open(&paths, NOUN, self.memory.budget(), common);
        let Some(modulus) = &self.modulus.prime else {
            let polynomials = over_integers::Polynomials::new(style);
            let products = over_integers::Products { engine, algorithm };
            return open()?.run(&polynomials, &products, head("poly mul", &paths, None));
        };
        let over = &Polynomials::modulo(modulus, style)?.by(&engine);
        let known = Engine::devices_multiply(over.ring());
        refuse_unless(known, self.device.choice, "products modulo this prime")?;
        let products = Products {
            over,
            engine,
            algorithm,
        };
        let head = head("poly mul", &paths, Some(over.prime()));
        open()?.run(over, &products, head)
    }
}

impl Mul {
    /// Multiplies two polynomials that may be longer than memory.
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
        if self.form.is_pretty() {
            return Err(Failure::Usage(
                "through files coefficients are written as words: leave --pretty out".to_owned(),
            ));
        }
        let (options, inputs) = (&self.through_files, [&*self.files.left, &*self.files.right]);
        let field = self.modulus.prime.as_deref().map(modulus::field);
        let field = field.transpose()?;
        let residues = field.as_ref().map(Residues::new);
        let entries = match (&field, &residues) {
            (Some(field), Some(residues)) => Entries::Coefficients(residues, field.word_bits() / 8),
            _ => Entries::Integers,
        };
        let budget = self.memory.budget();
        let company = &Company::join()?;
        options.refuse_device(self.device.choice, company)?;
        let arrays = options.arrays("poly mul", entries, &inputs, common, budget, company)?;
        let ([a, b], output, scratch) = (
            [0, 1].map(|i| &arrays.inputs[i]),
            &arrays.output,
            options.scratch(),
        );
        let product = match &field {
            Some(field) => FileProduct::new(field, a, b, output, scratch),
            None => FileProduct::over_integers(a, b, output, scratch),
        };
        let product = product
            .within(self.memory.budget())
            .fresh(options.fresh)
            .verify(!options.no_verify)
            .among(Arc::clone(&company.ranks));
        let product = match options.scratch {
            Some(_) => product,
            None => product.without_scratch(),
        };
        let head = |_: &_| {
            let mut told = json!({
                "files": files(inputs),
                "scratch": options.scratch.as_ref().map(|path| path.display().to_string()),
            });
            if let Some(field) = &field {
                told["modulus"] = json!(field.to_string());
            }
            Head::new("poly mul", told)
        };
        let job = Job {
            company,
            plan: &|| product.plan(),
            start: &|| product.start(),
            head: &head,
            details: &|_| json!({}),
        };
        through_files::run(options, common, entries, arrays, &job)
    }

    #[cfg(not(unix))]
    fn through_files(&self, _: &Common) -> Result<(), Failure> {
        Err(self.through_files.refuse())
    }
}

/// Products modulo a prime, by this algorithm or by the one that fits the sizes.
struct Products<'a> {
    over: &'a Polynomials,
    engine: Engine,
    algorithm: Option<Algorithm>,
}

impl Operation<Polynomials, 2> for Products<'_> {
    fn wording(&self) -> &'static Wording {
        &PRODUCTS
    }

    fn plan(&self, pair: [&AnyPoly; 2]) -> Result<Plan, EngineError> {
        let lengths = pair.map(AnyPoly::len);
        let ring = self.over.ring();
        let plan = self.engine.plan_residues(ring, lengths, self.algorithm)?;
        let written = self.over.written_bytes(lengths.iter().sum());
        Ok(Plan {
            algorithm: Some(plan.algorithm.name()),
            bytes: plan.scratch_bytes.saturating_add(written),
            sentence: Sentence::Modular(plan),
        })
    }

    fn compute(&self, pairs: &[[&AnyPoly; 2]]) -> Result<Batch<Vec<Part>>, EngineError> {
        let ring = self.over.ring();
        let products = self.engine.multiply_residues(ring, pairs, self.algorithm)?;
        Ok(products.map(|product| vec![Part::polynomial("product", product)]))
    }
}
