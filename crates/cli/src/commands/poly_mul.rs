//! `sunzi poly mul`.

use crate::args::{Common, Operands};
use crate::error::Failure;
use crate::modulus::{self, WordField};
use crate::operation::modular::Modular;
use crate::pipeline;
use serde_json::{Map, Value};
use sunzi::field::Field;
use sunzi::poly::CoefficientField;

/// Multiplies polynomials line by line, over Z or modulo a prime.
pub fn run(operands: &Operands, modulus: Option<&str>, common: &Common) -> Result<(), Failure> {
    match modulus.map(modulus::field).transpose()? {
        None => Err(Failure::Computation("not yet".into())),
        Some(WordField::Fp32(field)) => modular(field, operands, common),
        Some(WordField::Fp64(field)) => modular(field, operands, common),
    }
}

fn modular<F: CoefficientField>(
    field: F,
    operands: &Operands,
    common: &Common,
) -> Result<(), Failure> {
    let modulus = Field::modulus(&field).to_string();
    let operation = Modular::new(field, operands.algorithm.as_deref())?;
    let facts = Map::from_iter([
        ("command".to_owned(), Value::from("poly mul")),
        ("modulus".to_owned(), Value::from(modulus)),
    ]);
    pipeline::run(&operation, operands, common, facts)
}
