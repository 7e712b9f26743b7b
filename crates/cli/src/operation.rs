//! What the pipeline does with the lines of files.

use crate::kept;
use std::fmt;
use std::sync::Arc;
use sunzi::engine::{Batch, DeviceChoice, Engine, EngineError, IntegerProductPlan};
use sunzi::images::Images;
use sunzi::poly::{self, IntegerPlan};
use sunzi_files::failure::Failure;
use sunzi_files::input::LineError;
use sunzi_files::progress;

/// How operands and outcomes stand on lines.
pub trait LineFormat: Sync {
    /// What a line of a file holds.
    type Operand: Send + Sync;
    /// What is written of a row.
    type Outcome: Send;

    /// About how many bytes the work on a line takes, from a glance at it.
    fn weight(&self, content: &[u8]) -> usize;

    /// Reads the content of a line.
    fn parse(&self, content: &[u8]) -> Result<Self::Operand, LineError>;

    /// Reads the content of a line of the file with this number, where not every file holds the same.
    fn parse_of(&self, _file: usize, content: &[u8]) -> Result<Self::Operand, LineError> {
        self.parse(content)
    }

    /// Bytes that an operand takes.
    fn bytes(&self, operand: &Self::Operand) -> u64;

    /// Writes an outcome.
    fn write(&self, outcome: &Self::Outcome, out: &mut Vec<u8>);
}

/// What is computed of rows, each of which has an operand from each of N files.
pub trait Operation<T: LineFormat, const N: usize>: Sync {
    /// How sentences and figures speak of it.
    fn wording(&self) -> &'static Wording;

    /// What runs for a row; an error if nothing can, which computing gives, too.
    fn plan(&self, operands: [&T::Operand; N]) -> Result<Plan, EngineError>;

    /// The outcome of each row, or why there is none; an error is one of the device, not of a row.
    fn compute(&self, rows: &[[&T::Operand; N]]) -> Result<Batch<T::Outcome>, EngineError>;

    /// What is computed once of operands, by files, that go with every line of the other files.
    fn preparation<'a>(
        &'a self,
        _repeated: [Option<&'a T::Operand>; N],
    ) -> Option<Preparation<'a>> {
        None
    }

    /// About how many bytes an outcome takes, however short the operands are.
    fn least_bytes(&self) -> u64 {
        0
    }
}

/// What is also computed in parts, by images of a result.
pub trait OperationInParts<T: LineFormat, const N: usize>: Operation<T, N> {
    /// What the images are of.
    type Job: Images;

    /// That of a row.
    fn job(&self, operands: [&T::Operand; N]) -> Result<Self::Job, EngineError>;

    /// The outcome of a row with this value, which so many primes prove.
    fn outcome(&self, value: <Self::Job as Images>::Value, primes: usize) -> T::Outcome;
}

/// What the processor computes row by row, by one algorithm.
pub struct Rowwise<P, C> {
    pub wording: &'static Wording,
    /// About how many bytes a row takes, outcome, scratch and text, and how large its operands are.
    pub plan: P,
    pub compute: C,
}

impl<T, P, C, const N: usize> Operation<T, N> for Rowwise<P, C>
where
    T: LineFormat,
    P: Fn([&T::Operand; N]) -> Result<(u64, Sentence), EngineError> + Sync,
    C: Fn([&T::Operand; N]) -> Result<T::Outcome, EngineError> + Sync,
{
    fn wording(&self) -> &'static Wording {
        self.wording
    }

    fn plan(&self, operands: [&T::Operand; N]) -> Result<Plan, EngineError> {
        let (bytes, sentence) = (self.plan)(operands)?;
        Ok(Plan {
            algorithm: None,
            bytes,
            sentence,
        })
    }

    fn compute(&self, rows: &[[&T::Operand; N]]) -> Result<Batch<T::Outcome>, EngineError> {
        Ok(Batch::on_processor(rows, |row| (self.compute)(*row)))
    }
}

/// What runs for a row.
pub struct Plan {
    /// The name of the algorithm, where there are several to choose from.
    pub algorithm: Option<&'static str>,
    /// About how many bytes it takes: outcome, scratch and text.
    pub bytes: u64,
    /// The size of the operands; where there are several algorithms, which one runs and why.
    pub sentence: Sentence,
}

/// A sentence that is put into words only when it is wanted.
pub enum Sentence {
    Integers(IntegerProductPlan),
    Limbs(Vec<usize>),
    OverIntegers(IntegerPlan),
    Modular(poly::Plan),
    Coefficients(usize, Option<usize>),
    TotalDegrees([usize; 2]),
    AtPoints { coefficients: usize, points: usize },
}

impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integers(plan) => plan.fmt(f),
            Self::Limbs(lengths) => {
                let lengths = lengths.iter().map(usize::to_string);
                write!(
                    f,
                    "integers of {} limbs",
                    lengths.collect::<Vec<_>>().join(", ")
                )
            }
            Self::OverIntegers(plan) => plan.fmt(f),
            Self::Modular(plan) => plan.fmt(f),
            Self::Coefficients(only, None) => write!(f, "{only} coefficients"),
            Self::Coefficients(left, Some(right)) => write!(f, "{left} and {right} coefficients"),
            Self::TotalDegrees([first, second]) => {
                write!(f, "total degrees {first} and {second}")
            }
            Self::AtPoints {
                coefficients,
                points,
            } => write!(f, "{coefficients} coefficients at {points} points"),
        }
    }
}

/// Work that is done before the first row.
pub struct Preparation<'a> {
    /// About how many bytes it takes.
    pub bytes: u64,
    pub work: Box<dyn FnOnce() -> Result<(), EngineError> + 'a>,
}

/// How sentences and figures speak of an operation.
#[derive(Debug)]
pub struct Wording {
    /// What is found: `product`.
    pub one: &'static str,
    /// Several of them: `products`.
    pub many: &'static str,
    /// What is happening: `multiplying`.
    pub doing: &'static str,
    /// What stands between two operands: `times`.
    pub between: &'static str,
}

/// How sentences and figures speak of products.
pub const PRODUCTS: Wording = Wording {
    one: "product",
    many: "products",
    doing: "multiplying",
    between: "times",
};

/// The engine that computes products on the device chosen.
pub fn engine(device: DeviceChoice, algorithm_named: bool) -> Result<Engine, Failure> {
    match device {
        DeviceChoice::Only(device) if algorithm_named => Err(Failure::Usage(format!(
            "--algorithm names an algorithm of the processor, and --device {device} does without: give one of them"
        ))),
        _ => {
            let engine =
                Engine::new(device).map_err(|error| Failure::Computation(error.to_string()))?;
            Ok(tuned(engine))
        }
    }
}

/// With what was measured on this machine. What is wrong with that is a note: results do not depend on it.
fn tuned(engine: Engine) -> Engine {
    match kept::tuning() {
        Ok(Some(tuning)) => {
            let engine = engine.with_tuning(&Arc::new(tuning));
            engine
                .take_warnings()
                .iter()
                .for_each(|text| progress::warn(text));
            engine
        }
        Ok(None) => engine,
        Err(unreadable) => {
            progress::warn(&unreadable.to_string());
            engine
        }
    }
}

/// Refuses a device that was asked for and does not know how: `what` is computed on the processor alone.
pub fn refuse_unless(known: bool, device: DeviceChoice, what: &str) -> Result<(), Failure> {
    match device {
        DeviceChoice::Only(device) if !known => Err(Failure::Computation(format!(
            "{what} are computed on the processor alone, not on {device}: use --device cpu or auto"
        ))),
        _ => Ok(()),
    }
}
