//! `sunzi poly mul`.

use super::facts;
use super::pairs::{Pairs, Wanted};
use crate::args::{Common, poly::ProductArguments};
use crate::operation::engine;
use crate::operation::polynomials::over_integers::OverIntegers;
use crate::operation::polynomials::{NOUN, named_algorithm};
use crate::pipeline::Pipeline;
use sunzi_files::error::Failure;
use sunzi_files::style::Style;

/// Multiplies polynomials line by line, over Z or modulo a prime.
pub fn run(arguments: &ProductArguments, common: &Common) -> Result<(), Failure> {
    let algorithm = arguments.algorithm.name.as_deref();
    let algorithm = algorithm.map(named_algorithm).transpose()?;
    let (files, pretty) = (&arguments.files, arguments.form.pretty);
    let max_memory = arguments.memory.bytes;
    if let Some(modulus) = &arguments.modulus {
        let engine = engine(common.device, algorithm.is_some())?;
        return Pairs {
            wanted: Wanted::Product(algorithm, &engine),
            files,
            modulus,
            pretty,
            max_memory,
            common,
        }
        .run();
    }
    let operation = OverIntegers::new(algorithm, common.device)?;
    let pipeline = Pipeline::open(&[&files.left, &files.right], NOUN, max_memory, common)?;
    let style = Style::new(common.json).pretty(pretty);
    pipeline.run(&operation, style, facts("poly mul", None))
}
