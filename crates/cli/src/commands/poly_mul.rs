//! `sunzi poly mul`.

use crate::args::{Common, Operands};
use crate::error::Failure;
use crate::fields::{self, CommandField, CommandTask};
use crate::operation::{modular::Modular, over_integers::OverIntegers};
use crate::pipeline;
use serde_json::{Map, Value};

/// Multiplies polynomials line by line, over Z or modulo a prime.
pub fn run(operands: &Operands, modulus: Option<&str>, common: &Common) -> Result<(), Failure> {
    match modulus {
        None => {
            let operation = OverIntegers::new(operands.algorithm.as_deref())?;
            pipeline::run(&operation, operands, common, facts(None))
        }
        Some(text) => fields::run(text, Products { operands, common }),
    }
}

/// The command in a field.
struct Products<'a> {
    operands: &'a Operands,
    common: &'a Common,
}

impl CommandTask for Products<'_> {
    fn run<F: CommandField>(self, field: F) -> Result<(), Failure> {
        let operation = Modular::new(field, self.operands.algorithm.as_deref())?;
        let facts = facts(Some(operation.prime().to_owned()));
        pipeline::run(&operation, self.operands, self.common, facts)
    }
}

/// What the JSON form tells first; the modulus is a text, as JSON numbers lose digits in many programs.
fn facts(modulus: Option<String>) -> Map<String, Value> {
    Map::from_iter([
        ("command".to_owned(), Value::from("poly mul")),
        ("modulus".to_owned(), Value::from(modulus)),
    ])
}
