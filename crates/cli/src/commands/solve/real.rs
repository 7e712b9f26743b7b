//! Real solutions.

use super::SolveArguments;
use super::picture::{Seen, draw};
use super::system::{Expression, Expressions, NOUN, Size, counted};
use crate::apart;
use crate::args::Common;
use crate::draw::Format;
use crate::early::{error_probability, label};
use crate::operation::{LineFormat, Operation, Plan, Sentence, Wording};
use crate::pipeline::Pipeline;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;
use sunzi::{
    engine::{Batch, EngineError},
    solve::{BivariateSystem, RealRoot, Solution, Solutions},
};
use sunzi_files::failure::Failure;
use sunzi_files::input::LineError;
use sunzi_files::output::Output;
use sunzi_machine::threads::Threads;

pub const WORDING: Wording = Wording {
    one: "solution",
    many: "systems",
    doing: "solving",
    between: "with",
};

/// Solves systems line by line; the only one may be drawn.
pub fn run(
    wanted: &SolveArguments,
    picture: Option<(&Path, Format)>,
    common: &Common,
) -> Result<(), Failure> {
    let format = Systems {
        expressions: Expressions::new(&wanted.vars),
        digits: wanted.digits as usize,
        boxes: wanted.boxes,
        json: common.json,
        seed: wanted.early.seed(),
    };
    let output = picture
        .map(|(path, _)| Output::create(Some(path)))
        .transpose()?;
    let told = common.output.as_deref().filter(|_| picture.is_none());
    let pipeline = Pipeline::open_to(&wanted.paths(), NOUN, wanted.memory.budget(), common, told)?;
    if picture.is_some() && !pipeline.is_single() {
        return Err(Failure::Usage(
            "a picture shows one system, and there are several: leave one line in each file"
                .to_owned(),
        ));
    }
    let solving = Solving {
        wanted,
        seen: picture.map(|_| OnceLock::new()),
    };
    let names = wanted.vars.names();
    pipeline.run(&format, &solving, wanted.head(Some(wanted.digits), None))?;
    let seen = solving.seen.and_then(OnceLock::into_inner);
    let (Some(seen), Some((path, format)), Some(mut output)) = (seen, picture, output) else {
        return Ok(());
    };
    let bytes = draw(&seen, names, wanted.window, format)
        .map_err(|problem| Failure::Computation(format!("{}: {problem}", path.display())))?;
    output.write(&bytes)?;
    output.finish()
}

/// How systems and their solutions stand on lines.
struct Systems {
    expressions: Expressions,
    digits: usize,
    boxes: bool,
    json: bool,
    /// Of early termination.
    seed: Option<u128>,
}

/// A solution in JSON: coordinates rounded, and the exact ends of their intervals.
#[derive(Serialize)]
struct Told {
    x: String,
    y: String,
    x_box: [String; 2],
    y_box: [String; 2],
    multiplicity: usize,
    on_common_curve: bool,
}

/// How many complex solutions there are, in JSON.
#[derive(Serialize)]
struct Complex {
    distinct: usize,
    with_multiplicity: usize,
}

/// A system's solutions in JSON.
#[derive(Serialize)]
struct Facts {
    solutions: Vec<Told>,
    common_curve: Option<String>,
    complex: Complex,
    /// Onto which line the solutions were projected.
    projection: Option<String>,
    bound_bits: usize,
    primes: usize,
    dropped: usize,
    proved: bool,
    error_probability: f64,
    seconds: BTreeMap<&'static str, f64>,
}

impl Systems {
    /// The coordinates of each solution, and their digits.
    fn coordinates(&self, found: &Solutions) -> Vec<([String; 2], usize)> {
        found.decimals(self.digits)
    }

    fn told(solution: &Solution, [x, y]: [String; 2]) -> Told {
        let ends = |root: &RealRoot| [root.lower(), root.upper()].map(ToString::to_string);
        Told {
            x,
            y,
            x_box: ends(solution.x()),
            y_box: ends(solution.y()),
            multiplicity: solution.multiplicity(),
            on_common_curve: !solution.is_isolated(),
        }
    }

    fn text(&self, found: &Solutions) -> String {
        let mut text = String::new();
        if let Some(curve) = &found.common_curve {
            let curve = self.expressions.write(curve);
            text += &format!("# common curve: {curve}\n# of the system without it: ");
        } else {
            text += "# ";
        }
        text += &counted(found);
        let coordinates: Vec<String> = match self.boxes {
            true => {
                let ends = |root: &RealRoot| format!("{} {}", root.lower(), root.upper());
                let line = |at: &Solution| [at.x(), at.y()].map(ends).join(" ");
                Threads::all().map(&found.solutions, line)
            }
            false => {
                let written = self.coordinates(found);
                text += &apart::remark(&written, self.digits);
                written
                    .into_iter()
                    .map(|(both, _)| both.join(" "))
                    .collect()
            }
        };
        if !found.proved {
            text.push('\n');
            text += &label(self.seed);
        }
        for (solution, at) in found.solutions.iter().zip(coordinates) {
            let mark = match solution.is_isolated() {
                true => "",
                false => " # on the common curve",
            };
            text += &format!("\n{at} {}{mark}", solution.multiplicity());
        }
        text
    }

    fn facts(&self, found: &Solutions) -> Facts {
        let microseconds = |seconds: f64| (seconds * 1e6).round() / 1e6;
        let steps = found.steps.named().into_iter();
        let written = found.solutions.iter().zip(self.coordinates(found));
        Facts {
            solutions: Threads::all().map(written, |(solution, (at, _))| Self::told(solution, at)),
            common_curve: found
                .common_curve
                .as_ref()
                .map(|curve| self.expressions.write(curve)),
            complex: Complex {
                distinct: found.complex.distinct,
                with_multiplicity: found.complex.with_multiplicity,
            },
            projection: found.direction.map(|direction| direction.to_string()),
            bound_bits: found.bound_bits,
            primes: found.primes,
            dropped: found.dropped,
            proved: found.proved,
            error_probability: error_probability(found.proved),
            seconds: steps
                .map(|(name, seconds)| (name, microseconds(seconds)))
                .collect(),
        }
    }
}

impl LineFormat for Systems {
    type Operand = Expression;
    type Outcome = Solutions;

    fn weight(&self, content: &[u8]) -> usize {
        self.expressions.weight(content)
    }

    fn parse(&self, content: &[u8]) -> Result<Expression, LineError> {
        self.expressions.read(content)
    }

    fn bytes(&self, operand: &Expression) -> u64 {
        operand.bytes()
    }

    fn write(&self, found: &Solutions, out: &mut Vec<u8>) {
        let text = match self.json {
            // Strings and numbers have no errors.
            true => serde_json::to_string(&self.facts(found)).unwrap_or_default(),
            false => self.text(found),
        };
        out.extend_from_slice(text.as_bytes());
    }
}

/// Solves systems, and keeps what is drawn.
struct Solving<'a> {
    wanted: &'a SolveArguments,
    seen: Option<OnceLock<Seen>>,
}

impl Operation<Systems, 2> for Solving<'_> {
    fn wording(&self) -> &'static Wording {
        &WORDING
    }

    fn plan(&self, pair: [&Expression; 2]) -> Result<Plan, EngineError> {
        let size = Size::of(pair);
        Ok(Plan {
            algorithm: None,
            bytes: size.bytes,
            sentence: Sentence::TotalDegrees(size.degrees),
        })
    }

    fn compute(&self, pairs: &[[&Expression; 2]]) -> Result<Batch<Solutions>, EngineError> {
        let solve = |[f, g]: &[&Expression; 2]| {
            let system = BivariateSystem::over_integers(f.polynomial.clone(), g.polynomial.clone());
            let system = system.digits(self.wanted.digits as usize);
            let system = match self.wanted.early.seed() {
                Some(seed) => system.early_termination(seed),
                None => system,
            };
            let found = system.solve()?;
            if let Some(place) = &self.seen {
                let seen = Seen::new([f, g], &found)?;
                // There is but one system.
                place.get_or_init(|| seen);
            }
            Ok(found)
        };
        Ok(Batch::on_processor(pairs, solve))
    }
}
