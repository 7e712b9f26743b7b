//! Rational programs: what a formula of numbers of data, of a shape and of a device comes to, in steps that always end.

mod bounds;
mod builder;
mod code;
mod error;
mod evaluation;
mod formulas;

pub use builder::{ProgramBuilder, Value};
pub use code::Language;
pub(crate) use code::{in_code, number};
pub use error::ProgramError;
pub use formulas::FlowStep;

use serde::{Deserialize, Serialize};

/// The version of programs as JSON that this crate writes and reads.
pub(crate) const VERSION: u32 = 1;

/// What an input of a program is a number of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InputKind {
    /// Of the data: what the caller brings.
    Data,
    /// Of the program: what is chosen.
    Program,
    /// Of the device.
    Hardware,
    /// Of measurements of a shape.
    Measured,
}

/// An input of a program, and between which values it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Its name: letters, digits and underscores, no digit first.
    pub name: String,
    /// What it is a number of.
    pub kind: InputKind,
    /// Its least value.
    pub from: f64,
    /// Its largest value.
    pub to: f64,
}

/// A step of a program, over the numbers of steps before it. Comparisons give 1 where they hold and 0 otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// The input of this number.
    Input(usize),
    /// A number.
    Constant(f64),
    /// A sum.
    Add(usize, usize),
    /// A difference.
    Subtract(usize, usize),
    /// A product.
    Multiply(usize, usize),
    /// A quotient, whose divisor is never zero.
    Divide(usize, usize),
    /// The largest integer that is not more.
    Floor(usize),
    /// The least integer that is not less.
    Ceiling(usize),
    /// The lesser.
    Minimum(usize, usize),
    /// The larger.
    Maximum(usize, usize),
    /// Whether the first is less.
    Less(usize, usize),
    /// Whether the first is not more.
    AtMost(usize, usize),
    /// Whether both are equal.
    Equal(usize, usize),
    /// The second where the first is not zero, the third otherwise.
    Select(usize, usize, usize),
}

impl Step {
    /// The steps that it needs.
    pub(crate) fn operands(self) -> impl Iterator<Item = usize> {
        let operands = match self {
            Step::Input(_) | Step::Constant(_) => [None; 3],
            Step::Floor(a) | Step::Ceiling(a) => [Some(a), None, None],
            Step::Add(a, b)
            | Step::Subtract(a, b)
            | Step::Multiply(a, b)
            | Step::Divide(a, b)
            | Step::Minimum(a, b)
            | Step::Maximum(a, b)
            | Step::Less(a, b)
            | Step::AtMost(a, b)
            | Step::Equal(a, b) => [Some(a), Some(b), None],
            Step::Select(a, b, c) => [Some(a), Some(b), Some(c)],
        };
        operands.into_iter().flatten()
    }

    /// The same step over other numbers.
    pub(crate) fn renumbered(self, of: impl Fn(usize) -> usize) -> Self {
        match self {
            Step::Input(_) | Step::Constant(_) => self,
            Step::Add(a, b) => Step::Add(of(a), of(b)),
            Step::Subtract(a, b) => Step::Subtract(of(a), of(b)),
            Step::Multiply(a, b) => Step::Multiply(of(a), of(b)),
            Step::Divide(a, b) => Step::Divide(of(a), of(b)),
            Step::Floor(a) => Step::Floor(of(a)),
            Step::Ceiling(a) => Step::Ceiling(of(a)),
            Step::Minimum(a, b) => Step::Minimum(of(a), of(b)),
            Step::Maximum(a, b) => Step::Maximum(of(a), of(b)),
            Step::Less(a, b) => Step::Less(of(a), of(b)),
            Step::AtMost(a, b) => Step::AtMost(of(a), of(b)),
            Step::Equal(a, b) => Step::Equal(of(a), of(b)),
            Step::Select(a, b, c) => Step::Select(of(a), of(b), of(c)),
        }
    }
}

/// A value that a program gives, by its name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Output {
    /// Its name, as inputs have them.
    pub name: String,
    /// The step whose value it is.
    pub step: usize,
}

/// A straight flowchart of +, −, ×, ÷, ⌊⌋, ⌈⌉, minima, maxima, comparisons and choices between two values (thesis of 2021,
/// chapter 4). It has no loops, so it always ends; no divisor is zero and nothing overflows, for all inputs in their ranges:
/// interval arithmetic proves it when a program is made or read.
///
/// As JSON it has a `version`, `inputs`, `steps` and `outputs`. Its `Display` is its formulas, and [`RationalProgram::code`] is
/// the same in a programming language.
///
/// ```
/// use sunzi::tune::{InputKind, ProgramBuilder, RationalProgram};
///
/// let mut waves = ProgramBuilder::default();
/// let n = waves.input("n", InputKind::Data, 1.0, 1e6)?;
/// let threads = waves.input("threads", InputKind::Program, 32.0, 1024.0)?;
/// let units = waves.input("units", InputKind::Hardware, 28.0, 28.0)?;
/// let blocks = waves.divide(n, threads)?;
/// let blocks = waves.ceiling(blocks)?;
/// waves.output("blocks", blocks)?;
/// let all = waves.divide(blocks, units)?;
/// let all = waves.ceiling(all)?;
/// waves.output("waves", all)?;
/// let program = waves.build()?;
///
/// assert_eq!(program.evaluate(&[10_000.0, 128.0, 28.0])?, [79.0, 3.0]);
/// assert_eq!(program.to_string(), "blocks = ceil(n / threads)\nwaves = ceil(blocks / units)\n");
/// let text = serde_json::to_string(&program)?;
/// assert_eq!(serde_json::from_str::<RationalProgram>(&text)?, program);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Document", into = "Document")]
pub struct RationalProgram {
    inputs: Vec<Input>,
    steps: Vec<Step>,
    outputs: Vec<Output>,
}

/// A program as it is written.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    version: u32,
    inputs: Vec<Input>,
    steps: Vec<Step>,
    outputs: Vec<Output>,
}

impl From<RationalProgram> for Document {
    fn from(program: RationalProgram) -> Self {
        Document {
            version: VERSION,
            inputs: program.inputs,
            steps: program.steps,
            outputs: program.outputs,
        }
    }
}

impl TryFrom<Document> for RationalProgram {
    type Error = ProgramError;

    /// What is read is proved again: files come from anywhere.
    fn try_from(read: Document) -> Result<Self, ProgramError> {
        if read.version != VERSION {
            return Err(ProgramError::Version(read.version));
        }
        let program = RationalProgram {
            inputs: read.inputs,
            steps: read.steps,
            outputs: read.outputs,
        };
        bounds::check(&program)?;
        Ok(program)
    }
}

impl RationalProgram {
    /// The inputs, in the order of their values.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// The steps, in order.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// What it gives, in the order of values.
    pub fn outputs(&self) -> &[Output] {
        &self.outputs
    }
}

/// Whether a name is one in all languages that programs are written in: those that have a meaning there are made none by
/// what the code writers put behind them.
pub(crate) fn is_name(name: &str) -> bool {
    let mut characters = name.chars();
    let first = |c: char| c.is_ascii_alphabetic() || c == '_';
    characters.next().is_some_and(first) && characters.all(|c| first(c) || c.is_ascii_digit())
}
