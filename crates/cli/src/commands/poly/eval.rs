//! `sunzi poly eval`.

use super::facts;
use super::points::PointReader;
use crate::args::{Common, poly::EvalArguments};
use crate::modulus;
use crate::operation::polynomials::modular::{Modular, Polynomials};
use crate::operation::polynomials::{Evaluation, NOUN};
use crate::pipeline::Pipeline;
use crate::report::timed;
use serde_json::Value;
use sunzi::field::AnyField;
use sunzi::poly::{AnySubproductTree, PolyError};
use sunzi_files::error::Failure;
use sunzi_files::input::lines::{LineReader, check_standard_input};
use sunzi_files::memory::Available;
use sunzi_files::progress::Progress;
use sunzi_files::style::Style;

/// Evaluates polynomials at many points, line by line.
pub fn run(arguments: &EvalArguments, common: &Common) -> Result<(), Failure> {
    check_standard_input(&[&arguments.polynomials, &arguments.points])?;
    let field = modulus::field(&arguments.modulus.prime)?;
    let max_memory = arguments.memory.bytes;
    let polynomials = Polynomials::new(&field);
    let mut pipeline = Pipeline::open(&[&arguments.polynomials], NOUN, max_memory, common)?;
    let mut reader = LineReader::open(&arguments.points, Available::detect(max_memory))?;
    let tree = tree(&field, &polynomials, &mut reader, &mut pipeline, max_memory)?;

    let mut facts = facts("poly eval", Some(polynomials.prime()));
    facts.insert("points".to_owned(), Value::from(tree.len()));
    let style = Style::new(common.json);
    let operation = Modular {
        polynomials: &polynomials,
        computation: &Evaluation::new(&polynomials, tree),
        style,
    };
    pipeline.run(&operation, style, facts)
}

/// The tree over the points of a file.
fn tree(
    field: &AnyField,
    polynomials: &Polynomials,
    reader: &mut LineReader,
    pipeline: &mut Pipeline,
    max_memory: Option<u64>,
) -> Result<AnySubproductTree, Failure> {
    let ring = polynomials.ring();
    let points = PointReader {
        field,
        work: "evaluation",
        needed: &|count| ring.tree_bytes(count),
        max_memory,
    };
    let points = timed(&mut pipeline.seconds().reading, || {
        points.read(reader, "point")
    })?;
    let _progress = Progress::without_total("preparing");
    let tree = timed(&mut pipeline.seconds().computing, || {
        let tree = ring.subproduct_tree(points.entries)?;
        tree.prepare_evaluation()?;
        Ok::<_, PolyError>(tree)
    });
    tree.map_err(|error| Failure::Computation(format!("{}: {error}", reader.name())))
}
