//! `sunzi poly mul`.

use crate::args::{Common, Operands};
use crate::error::Failure;
use crate::modulus::{self, WordField};
use crate::operation::{modular::Modular, over_integers::OverIntegers};
use crate::pipeline;
use serde_json::{Map, Value};
use sunzi::poly::CoefficientField;

/// Multiplies polynomials line by line, over Z or modulo a prime.
pub fn run(operands: &Operands, modulus: Option<&str>, common: &Common) -> Result<(), Failure> {
    match modulus.map(modulus::field).transpose()? {
        None => {
            let operation = OverIntegers::new(operands.algorithm.as_deref())?;
            pipeline::run(&operation, operands, common, facts(None))
        }
        Some(WordField::Fp32(field)) => modular(field, operands, common),
        Some(WordField::Fp64(field)) => modular(field, operands, common),
    }
}

fn modular<F: CoefficientField>(
    field: F,
    operands: &Operands,
    common: &Common,
) -> Result<(), Failure> {
    let prime = field.prime_word().to_string();
    let operation = Modular::new(field, operands.algorithm.as_deref())?;
    pipeline::run(&operation, operands, common, facts(Some(prime)))
}

/// What the JSON form tells first; the modulus is a text, as JSON numbers lose digits in many programs.
fn facts(modulus: Option<String>) -> Map<String, Value> {
    Map::from_iter([
        ("command".to_owned(), Value::from("poly mul")),
        ("modulus".to_owned(), Value::from(modulus)),
    ])
}
