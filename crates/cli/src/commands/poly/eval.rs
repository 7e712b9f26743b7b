//! `sunzi poly eval`.

use super::over_rationals::{self, bytes_of};
use super::points::PointReader;
use super::polynomials::{NOUN, Named, Part, Polynomials, Value};
use crate::args::{ChosenDevice, Common, MaxMemory, OptionalModulus};
use crate::commands::Run;
use crate::operation::{Operation, Plan, Sentence, Wording, engine, refuse_unless};
use crate::pipeline::Pipeline;
use crate::report::{Head, files, timed};
use crate::wording::EVALUATIONS;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;
use sunzi::Rational;
use sunzi::{
    engine::{Batch, Engine, EngineError, Tree},
    memory::Budget,
    poly::{AnyPoly, RationalPolyRing},
};
use sunzi_files::failure::Failure;
use sunzi_files::input::lines::{LineReader, check_standard_input};
use sunzi_files::input::vector::Vector;
use sunzi_files::numbers::residues::Residues;
use sunzi_files::progress::Progress;
use sunzi_files::style::Style;

/// Polynomials, and the points at which they are evaluated.
#[derive(Debug, Args)]
#[command(after_help = concat!(polynomials!(), vectors!(), "
Each line of F is evaluated at all points: one value a line in the order of the points, first all values of
the first polynomial, then those of the second … With --json each polynomial gives an array.
", rationals!(), primes!(), "Examples:
  sunzi poly eval f.txt points.txt
  echo 'x^2 - 1/3' | sunzi poly eval - <(echo 2/3)
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
    pub modulus: OptionalModulus,
    #[command(flatten)]
    pub named: Named,
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
        let style = self.named.style(common);
        let budget = self.memory.budget();
        let Some(prime) = &self.modulus.prime else {
            refuse_unless(false, self.device.choice, "values over Q")?;
            return self.over_rationals(style, budget, common);
        };
        let over = Polynomials::modulo(prime, style)?;
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
        let head = self.head(Some(over.prime()), tree.len());
        pipeline.run(over, &Evaluation { over, tree }, head)
    }
}

impl Eval {
    /// What the JSON form tells first.
    fn head(&self, modulus: Option<&str>, points: usize) -> Head {
        let inputs = json!({
            "files": files([&self.polynomials, &self.points]),
            "modulus": modulus,
            "points": points,
        });
        Head::new("poly eval", inputs)
    }

    /// The same over Q.
    fn over_rationals(&self, style: Style, budget: Budget, common: &Common) -> Result<(), Failure> {
        let mut pipeline = Pipeline::open(&[&self.polynomials], NOUN, budget, common)?;
        let mut reader = LineReader::open(&self.points, budget)?;
        let over = over_rationals::Polynomials::new(style);
        let points = PointReader {
            work: "evaluation",
            needed: &|points: &Vector<Rational>| bytes_of(&points.entries),
            budget,
        };
        let points = timed(&mut pipeline.seconds().reading, || {
            points.read(&mut reader, |reader, grown| {
                over.text().read_vector(reader, grown)
            })
        })?;
        pipeline.hold(bytes_of(&points.entries));
        let head = self.head(None, points.entries.len());
        let evaluation = over_rationals::Evaluation {
            ring: RationalPolyRing::new(),
            points: points.entries,
        };
        pipeline.run(&over, &evaluation, head)
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
        work: "evaluation",
        needed: &|points: &Vector<u64>| over.ring().tree_bytes(points.lines.len()),
        budget,
    };
    let points = timed(&mut pipeline.seconds().reading, || {
        points.read(reader, |reader, grown| {
            Residues::new(over.field()).read_vector(reader, grown)
        })
    })?;
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
        &EVALUATIONS
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
