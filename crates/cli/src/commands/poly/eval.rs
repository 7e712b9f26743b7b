//! `sunzi poly eval`.

use super::points::PointReader;
use super::polynomials::{NOUN, Part, Polynomials, Value, facts};
use crate::args::{Common, poly::EvalArguments};
use crate::operation::{Operation, Plan, Sentence, Wording};
use crate::pipeline::Pipeline;
use crate::report::timed;
use serde_json::Value as JsonValue;
use sunzi::engine::{Batch, EngineError};
use sunzi::poly::{AnyPoly, AnySubproductTree, PolyError};
use sunzi_files::error::Failure;
use sunzi_files::input::lines::{LineReader, check_standard_input};
use sunzi_files::memory::Available;
use sunzi_files::progress::Progress;
use sunzi_files::style::Style;

/// What an evaluation takes beside the tree, as multiples of the bytes of the points and of those of the
/// polynomial, which is divided by the root where it is longer: measured at 10^5 to 2·10^6 coefficients
/// over four fields.
const SCRATCH_OF_POINTS: u64 = 16;
const SCRATCH_OF_COEFFICIENTS: u64 = 9;

/// Evaluates polynomials at many points, line by line.
pub fn run(wanted: &EvalArguments, common: &Common) -> Result<(), Failure> {
    check_standard_input(&[&wanted.polynomials, &wanted.points])?;
    let over = &Polynomials::modulo(&wanted.modulus.prime, Style::new(common.json))?;
    let max_memory = wanted.memory.bytes;
    let mut pipeline = Pipeline::open(&[&wanted.polynomials], NOUN, max_memory, common)?;
    let mut reader = LineReader::open(&wanted.points, Available::detect(max_memory))?;
    let tree = tree(over, &mut reader, &mut pipeline, max_memory)?;
    pipeline.hold(over.ring().tree_bytes(tree.len()));

    let mut facts = facts("poly eval", Some(over.prime()));
    facts.insert("points".to_owned(), JsonValue::from(tree.len()));
    pipeline.run(over, &Evaluation { over, tree }, facts)
}

/// The tree over the points of a file.
fn tree(
    over: &Polynomials,
    reader: &mut LineReader,
    pipeline: &mut Pipeline,
    max_memory: Option<u64>,
) -> Result<AnySubproductTree, Failure> {
    let points = PointReader {
        field: over.field(),
        work: "evaluation",
        needed: &|count| over.ring().tree_bytes(count),
        max_memory,
    };
    let points = timed(&mut pipeline.seconds().reading, || {
        points.read(reader, "point")
    })?;
    let _progress = Progress::without_total("preparing");
    let tree = timed(&mut pipeline.seconds().computing, || {
        let tree = over.ring().subproduct_tree(points.entries)?;
        tree.prepare_evaluation()?;
        Ok::<_, PolyError>(tree)
    });
    tree.map_err(|error| Failure::Computation(format!("{}: {error}", reader.name())))
}

/// About how many bytes an evaluation takes beside the tree.
pub fn scratch_of_points(over: &Polynomials, points: usize) -> u64 {
    over.bytes_of(points).saturating_mul(SCRATCH_OF_POINTS)
}

/// Values at the points of a tree, in their order.
struct Evaluation<'a> {
    over: &'a Polynomials,
    tree: AnySubproductTree,
}

impl Operation<Polynomials, 1> for Evaluation<'_> {
    fn wording(&self) -> &'static Wording {
        &Wording {
            one: "evaluation",
            many: "evaluations",
            doing: "evaluating",
            between: "",
        }
    }

    fn plan(&self, [polynomial]: [&AnyPoly; 1]) -> Result<Plan, EngineError> {
        let (coefficients, points) = (polynomial.len(), self.tree.len());
        let division = self
            .over
            .bytes_of(coefficients)
            .saturating_mul(SCRATCH_OF_COEFFICIENTS);
        Ok(Plan {
            algorithm: None,
            bytes: scratch_of_points(self.over, points)
                .saturating_add(division)
                .saturating_add(self.least_bytes()),
            sentence: Sentence::AtPoints {
                coefficients,
                points,
            },
        })
    }

    fn compute(&self, rows: &[[&AnyPoly; 1]]) -> Result<Batch<Vec<Part>>, EngineError> {
        Ok(Batch::on_processor(rows, |[polynomial]| {
            Ok(vec![Part {
                name: "values",
                value: Value::Residues(self.tree.evaluate(polynomial)?),
            }])
        }))
    }

    fn least_bytes(&self) -> u64 {
        self.over.written_bytes(self.tree.len())
    }
}
