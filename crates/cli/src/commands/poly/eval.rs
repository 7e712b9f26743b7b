//! `sunzi poly eval`.

use super::facts;
use super::points::PointReader;
use crate::args::{Common, poly::EvalArguments};
use crate::error::Failure;
use crate::fields::{self, CommandField, CommandTask};
use crate::input::lines::{LineReader, check_standard_input};
use crate::memory::Available;
use crate::operation::polynomials::modular::{Modular, Polynomials};
use crate::operation::polynomials::{Evaluation, NOUN};
use crate::pipeline::Pipeline;
use crate::progress::Progress;
use crate::report::timed;
use crate::style::Style;
use serde_json::Value;
use sunzi::poly::{PolyError, SubproductTree};

/// Evaluates polynomials at many points, line by line.
pub fn run(arguments: &EvalArguments, common: &Common) -> Result<(), Failure> {
    check_standard_input(&[&arguments.polynomials, &arguments.points])?;
    fields::run(&arguments.modulus.prime, Evaluate { arguments, common })
}

/// The command in a field.
struct Evaluate<'a> {
    arguments: &'a EvalArguments,
    common: &'a Common,
}

impl CommandTask for Evaluate<'_> {
    fn run<F: CommandField>(self, field: F) -> Result<(), Failure> {
        let Self { arguments, common } = self;
        let max_memory = arguments.memory.bytes;
        let polynomials = Polynomials::new(field);
        let mut pipeline = Pipeline::open(&[&arguments.polynomials], NOUN, max_memory, common)?;
        let mut reader = LineReader::open(&arguments.points, Available::detect(max_memory))?;
        let tree = tree(&polynomials, &mut reader, &mut pipeline, max_memory)?;

        let mut facts = facts("poly eval", Some(polynomials.prime()));
        facts.insert("points".to_owned(), Value::from(tree.len()));
        let style = Style::new(common.json);
        let operation = Modular {
            polynomials: &polynomials,
            computation: &Evaluation::new(polynomials.ring(), tree),
            style,
        };
        pipeline.run(&operation, style, facts)
    }
}

/// The tree over the points of a file.
fn tree<F: CommandField>(
    polynomials: &Polynomials<F>,
    reader: &mut LineReader,
    pipeline: &mut Pipeline,
    max_memory: Option<u64>,
) -> Result<SubproductTree<F>, Failure> {
    let ring = polynomials.ring();
    let points = PointReader {
        field: ring.field(),
        work: "evaluation",
        needed: &|count| SubproductTree::bytes(ring, count),
        max_memory,
    };
    let points = timed(&mut pipeline.seconds().reading, || {
        points.read(reader, "point")
    })?;
    let _progress = Progress::without_total("preparing");
    let tree = timed(&mut pipeline.seconds().computing, || {
        let tree = SubproductTree::new(ring, &points.entries)?;
        tree.prepare_evaluation()?;
        Ok::<_, PolyError>(tree)
    });
    tree.map_err(|error| Failure::Computation(format!("{}: {error}", reader.name())))
}
