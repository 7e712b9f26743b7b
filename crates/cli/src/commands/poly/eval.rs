//! `sunzi poly eval`.

use super::points::PointReader;
use super::polynomials::{NOUN, Part, Polynomials, Value};
use crate::args::{ChosenDevice, Common, MaxMemory, Modulus};
use crate::commands::Run;
use crate::operation::{Operation, Plan, Sentence, Wording, engine, refuse_unless};
use crate::pipeline::Pipeline;
use crate::report::{Head, files, timed};
use clap::Args;
use serde_json::json;
use std::path::PathBuf;
use sunzi::{
    engine::{Batch, Engine, EngineError, Tree},
    memory::Budget,
    poly::AnyPoly,
};
use sunzi_files::failure::Failure;
use sunzi_files::input::lines::{LineReader, check_standard_input};
use sunzi_files::progress::Progress;
use sunzi_files::style::Style;

/// Polynomials, and the points at which they are evaluated.
#[derive(Debug, Args)]
#[command(after_help = concat!(polynomials!(), vectors!(), "
Each line of F is evaluated at all points: one value a line in the order of the points, first all values of
the first polynomial, then those of the second … With --json each polynomial gives an array.
", primes!(), "Examples:
  sunzi poly eval f.txt points.txt --mod 469762049
  sunzi poly eval f.txt points.txt --mod P8 -o values.txt --threads 2
  seq 100 | sunzi poly eval f.txt - --mod '2^60-2^18+1' --json"))]
pub struct Eval {
    /// File with polynomials (`-`: standard input)
    #[arg(value_name = "F")]
    pub polynomials: PathBuf,
    /// File with points (`-`: standard input)
    #[arg(value_name = "POINTS")]
    pub points: PathBuf,
    #[command(flatten)]
    pub modulus: Modulus,
    #[command(flatten)]
    pub device: ChosenDevice,
    #[command(flatten)]
    pub memory: MaxMemory,
}

/// What an evaluation takes beside the tree, as multiples of the bytes of the points and of those of the
/// polynomial, which is divided by the root where it is longer: measured at 10^5 to 2·10^6 coefficients
/// over four fields.
const SCRATCH_OF_POINTS: u64 = 16;
const SCRATCH_OF_COEFFICIENTS: u64 = 9;

impl Run for Eval {
    /// Evaluates polynomials at many points, line by line.
    fn run(&self, common: &Common) -> Result<(), Failure> {
        check_standard_input(&[&self.polynomials, &self.points])?;
        let over = Polynomials::modulo(&self.modulus.prime, Style::new(common.json))?;
        let budget = self.memory.budget();
        let mut pipeline = Pipeline::open(&[&self.polynomials], NOUN, budget, common)?;
        let mut reader = LineReader::open(&self.points, budget)?;
        let engine = engine(self.device.choice, false)?;
        let over = &over.by(&engine);
        let tree = tree(
            (over, &engine, self.device),
            &mut reader,
            &mut pipeline,
            budget,
        )?;
        pipeline.hold(over.ring().tree_bytes(tree.len()));

        let inputs = json!({
            "files": files([&self.polynomials, &self.points]),
            "modulus": over.prime(),
            "points": tree.len(),
        });
        let head = Head::new("poly eval", inputs);
        pipeline.run(over, &Evaluation { over, tree }, head)
    }
}

/// The tree over the points of a file.
fn tree<'e>(
    (over, engine, device): (&Polynomials, &'e Engine, ChosenDevice),
    reader: &mut LineReader,
    pipeline: &mut Pipeline,
    budget: Budget,
) -> Result<Tree<'e>, Failure> {
    let points = PointReader {
        field: over.field(),
        work: "evaluation",
        needed: &|count| over.ring().tree_bytes(count),
        budget,
    };
    let points = timed(&mut pipeline.seconds().reading, || points.read(reader))?;
    refuse_unless_known(over, device, points.lines.len())?;
    let _progress = Progress::of("preparing");
    let tree = timed(&mut pipeline.seconds().computing, || {
        let tree = engine.subproduct_tree(over.ring(), points.entries)?;
        tree.prepare_evaluation()?;
        Ok::<_, EngineError>(tree)
    });
    tree.map_err(|error| Failure::Computation(format!("{}: {error}", reader.name())))
}

/// Refuses a device that was asked for and has no tree over so many points.
pub fn refuse_unless_known(
    over: &Polynomials,
    device: ChosenDevice,
    points: usize,
) -> Result<(), Failure> {
    let is_known = Engine::devices_have_trees(over.ring(), points);
    refuse_unless(
        is_known,
        device.choice,
        &format!("values at {points} points modulo this prime"),
    )
}

/// About how many bytes an evaluation takes beside the tree.
pub fn scratch_of_points(over: &Polynomials, points: usize) -> u64 {
    over.bytes_of(points).saturating_mul(SCRATCH_OF_POINTS)
}

/// Values at the points of a tree, in their order.
struct Evaluation<'a> {
    over: &'a Polynomials,
    tree: Tree<'a>,
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
        let polynomials: Vec<_> = rows.iter().map(|[polynomial]| *polynomial).collect();
        let values = self.tree.evaluate_all(&polynomials)?;
        Ok(values.map(|values| {
            vec![Part {
                name: "values",
                value: Value::Residues(values),
            }]
        }))
    }

    fn least_bytes(&self) -> u64 {
        self.over.written_bytes(self.tree.len())
    }
}
