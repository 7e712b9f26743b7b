//! Commands on pairs of polynomials modulo a prime, line by line.

use super::facts;
use crate::args::{Common, TwoFiles, poly::PairArguments};
use crate::modulus;
use crate::operation::polynomials::modular::{Computation, Modular, Polynomials};
use crate::operation::polynomials::{Division, Gcds, NOUN, Product, Resultants};
use crate::pipeline::Pipeline;
use sunzi::engine::{DeviceChoice, Engine};
use sunzi::poly::Algorithm;
use sunzi_files::error::Failure;
use sunzi_files::style::Style;

/// What a pair of polynomials gives.
#[derive(Clone, Copy)]
pub enum Wanted<'a> {
    /// By this algorithm or the one that fits the sizes, where the engine says.
    Product(Option<Algorithm>, &'a Engine),
    Division,
    Gcd,
    ExtendedGcd,
    Resultant,
}

impl<'a> Wanted<'a> {
    /// The command that asks for it.
    fn command(self) -> &'static str {
        match self {
            Self::Product(..) => "poly mul",
            Self::Division => "poly divrem",
            Self::Gcd => "poly gcd",
            Self::ExtendedGcd => "poly xgcd",
            Self::Resultant => "poly resultant",
        }
    }

    fn computation(self) -> Box<dyn Computation<2> + 'a> {
        match self {
            Self::Product(algorithm, engine) => Box::new(Product { algorithm, engine }),
            Self::Division => Box::new(Division::new()),
            Self::Gcd => Box::new(Gcds { cofactors: false }),
            Self::ExtendedGcd => Box::new(Gcds { cofactors: true }),
            Self::Resultant => Box::new(Resultants),
        }
    }
}

/// A command on the pairs of two files.
pub struct Pairs<'a> {
    pub wanted: Wanted<'a>,
    pub files: &'a TwoFiles,
    pub modulus: &'a str,
    pub pretty: bool,
    pub max_memory: Option<u64>,
    pub common: &'a Common,
}

impl<'a> Pairs<'a> {
    /// With what the user asks for.
    pub fn of(wanted: Wanted<'a>, arguments: &'a PairArguments, common: &'a Common) -> Self {
        Self {
            wanted,
            files: &arguments.files,
            modulus: &arguments.modulus.prime,
            pretty: arguments.form.pretty,
            max_memory: arguments.memory.bytes,
            common,
        }
    }

    pub fn run(self) -> Result<(), Failure> {
        let field = modulus::field(self.modulus)?;
        let polynomials = Polynomials::new(&field);
        if let DeviceChoice::Only(device) = self.common.device
            && !Engine::devices_multiply(polynomials.ring())
        {
            return Err(Failure::Computation(format!(
                "products modulo a prime of several words are computed on the processor alone, not on {device}: use \
                 --device cpu or auto"
            )));
        }
        let style = Style::new(self.common.json).pretty(self.pretty);
        let operation = Modular {
            polynomials: &polynomials,
            computation: &*self.wanted.computation(),
            style,
        };
        let paths = [&*self.files.left, &self.files.right];
        let pipeline = Pipeline::open(&paths, NOUN, self.max_memory, self.common)?;
        let facts = facts(self.wanted.command(), Some(polynomials.prime()));
        pipeline.run(&operation, style, facts)
    }
}
