//! `sunzi int mul`.

use crate::args::{Common, IntProductArguments};
use crate::operation::integers::{self, Integers};
use crate::pipeline::Pipeline;
use serde_json::{Map, Value};
use sunzi_files::error::Failure;
use sunzi_files::style::Style;

/// Multiplies integers line by line.
pub fn run(wanted: &IntProductArguments, common: &Common) -> Result<(), Failure> {
    let operation = Integers::new(wanted.algorithm.name.as_deref(), common.device)?;
    let paths = [&*wanted.files.left, &wanted.files.right];
    let pipeline = Pipeline::open(&paths, integers::NOUN, wanted.memory.bytes, common)?;
    let facts = Map::from_iter([("command".to_owned(), Value::from("int mul"))]);
    pipeline.run(&operation, Style::new(common.json), facts)
}
