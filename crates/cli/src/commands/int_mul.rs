//! `sunzi int mul`.

use crate::args::{Common, Operands};
use crate::error::Failure;
use crate::operation::integers::Integers;
use crate::pipeline;
use serde_json::{Map, Value};

/// Multiplies integers line by line.
pub fn run(operands: &Operands, common: &Common) -> Result<(), Failure> {
    let operation = Integers::new(operands.algorithm.as_deref())?;
    let facts = Map::from_iter([("command".to_owned(), Value::from("int mul"))]);
    pipeline::run(&operation, operands, common, facts)
}
