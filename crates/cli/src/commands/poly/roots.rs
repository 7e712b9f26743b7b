//! `sunzi poly roots`.

use super::over_integers::{Polynomials, bytes_of};
use super::polynomials::{NOUN, Named};
use crate::apart;
use crate::args::{Common, MaxMemory};
use crate::commands::Run;
use crate::operation::{LineFormat, Operation, Plan, Sentence, Wording};
use crate::pipeline::Pipeline;
use crate::report::{Head, files};
use clap::Args;
use serde::Serialize;
use serde_json::json;
use std::path::PathBuf;
use std::str::FromStr;
use sunzi::Integer;
use sunzi::Rational;
use sunzi::{
    engine::{Batch, EngineError},
    poly::Poly,
    solve::{RealRoots, RootSearch},
};
use sunzi_files::failure::Failure;
use sunzi_files::input::LineError;
use sunzi_files::numbers::rationals::RationalText;
use sunzi_machine::threads::Threads;
use thiserror::Error;

/// Polynomials, and how their roots are told.
#[derive(Debug, Args)]
#[command(after_help = concat!(polynomials!(), "
Each polynomial gives a line that counts its real roots, then a line `root multiplicity` for each, ascending.
Digits are right, the last one rounded; a root with fewer digits is that number. Roots that would be written
alike have as many digits as tell them apart, and the first line says so. With --json a root has the
ends of the interval that was proved to hold it alone, without rounding, too; both are the same where the root
is an integer divided by a power of two.

Examples:
  sunzi poly roots f.txt
  echo 'x^3 - 2*x + 1' | sunzi poly roots - --digits 50
  sunzi poly roots f.txt --in 0,3/2 --json"))]
pub struct Roots {
    /// File with polynomials (`-`: standard input)
    #[arg(value_name = "F")]
    pub polynomials: PathBuf,
    /// Significant digits of roots; intervals are no wider than 10^-N
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub digits: u32,
    /// Only roots from A to B, both included: integers, quotients or decimals
    #[arg(long = "in", value_name = "A,B", allow_hyphen_values = true)]
    pub within: Option<Range>,
    #[command(flatten)]
    pub named: Named,
    #[command(flatten)]
    pub memory: MaxMemory,
}

/// The numbers from one to another.
#[derive(Clone, Debug)]
pub struct Range {
    lower: Rational,
    upper: Rational,
}

/// What is wrong with a range.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RangeError {
    #[error("a range is given by two numbers A,B, as -1,3/2")]
    NotTwo,
    #[error("{0}")]
    Number(String),
    #[error("the range is empty: A must not exceed B")]
    Empty,
}

impl FromStr for Range {
    type Err = RangeError;

    fn from_str(text: &str) -> Result<Self, RangeError> {
        let (lower, upper) = text.split_once(',').ok_or(RangeError::NotTwo)?;
        let numbers = RationalText::new();
        let read = |word: &str| {
            let number = numbers.read(word.trim().as_bytes());
            number.map_err(|error| RangeError::Number(error.problem))
        };
        let (lower, upper) = (read(lower)?, read(upper)?);
        match lower <= upper {
            true => Ok(Self { lower, upper }),
            false => Err(RangeError::Empty),
        }
    }
}

impl Run for Roots {
    /// Finds real roots, line by line.
    fn run(&self, common: &Common) -> Result<(), Failure> {
        let format = RootLines {
            polynomials: Polynomials::new(self.named.style(common)),
            digits: self.digits as usize,
            json: common.json,
        };
        let paths = [&*self.polynomials];
        let pipeline = Pipeline::open(&paths, NOUN, self.memory.budget(), common)?;
        let range = self.within.as_ref();
        let range = range.map(|Range { lower, upper }| [lower, upper].map(ToString::to_string));
        let inputs = json!({ "files": files(paths), "digits": self.digits, "in": range });
        pipeline.run(
            &format,
            &Finding { wanted: self },
            Head::new("poly roots", inputs),
        )
    }
}

const WORDING: Wording = Wording {
    one: "root",
    many: "roots",
    doing: "finding roots",
    between: "",
};

/// Polynomials over Z, and their real roots.
struct RootLines {
    polynomials: Polynomials,
    digits: usize,
    json: bool,
}

/// A root in JSON.
#[derive(Serialize)]
struct Told {
    root: String,
    interval: [String; 2],
    multiplicity: usize,
}

impl LineFormat for RootLines {
    type Operand = Poly<Integer>;
    type Outcome = RealRoots;

    fn weight(&self, content: &[u8]) -> usize {
        self.polynomials.weight(content)
    }

    fn parse(&self, content: &[u8]) -> Result<Poly<Integer>, LineError> {
        self.polynomials.parse(content)
    }

    fn bytes(&self, operand: &Poly<Integer>) -> u64 {
        self.polynomials.bytes(operand)
    }

    fn write(&self, roots: &RealRoots, out: &mut Vec<u8>) {
        let written = roots.decimals(self.digits);
        let remark = apart::remark(&written, self.digits);
        let told = roots.iter().zip(written);
        let text = match self.json {
            true => {
                let told = Threads::all().map(told, |(root, (text, _))| Told {
                    root: text,
                    interval: [root.lower(), root.upper()].map(ToString::to_string),
                    multiplicity: root.multiplicity(),
                });
                // Strings and numbers have no errors.
                serde_json::to_string(&told).unwrap_or_default()
            }
            false => {
                let count = roots.len();
                let plural = if count == 1 { "" } else { "s" };
                let mut text = format!("# {count} real root{plural}{remark}");
                let lines =
                    told.map(|(root, (text, _))| format!("\n{text} {}", root.multiplicity()));
                text.extend(lines);
                text
            }
        };
        out.extend_from_slice(text.as_bytes());
    }
}

/// Finds roots.
struct Finding<'a> {
    wanted: &'a Roots,
}

impl Operation<RootLines, 1> for Finding<'_> {
    fn wording(&self) -> &'static Wording {
        &WORDING
    }

    fn plan(&self, [polynomial]: [&Poly<Integer>; 1]) -> Result<Plan, EngineError> {
        // Conversions of a polynomial of degree n hold n integers of n bits more than its coefficients have, a few times.
        const KEPT: u64 = 8;
        let count = polynomial.len() as u64;
        let grown = count.saturating_mul(count / 4 + 64);
        let digits = u64::from(self.wanted.digits).saturating_mul(count);
        Ok(Plan {
            algorithm: None,
            bytes: bytes_of(polynomial)
                .saturating_add(grown)
                .saturating_add(digits)
                .saturating_mul(KEPT),
            sentence: Sentence::Coefficients(polynomial.len(), None),
        })
    }

    fn compute(&self, rows: &[[&Poly<Integer>; 1]]) -> Result<Batch<RealRoots>, EngineError> {
        let find = |[polynomial]: &[&Poly<Integer>; 1]| {
            // log2(10) < 3.33.
            let bits = i64::from(self.wanted.digits) * 333 / 100 + 1;
            let search = RootSearch::new().bits(bits);
            let search = match &self.wanted.within {
                Some(Range { lower, upper }) => search.within(lower.clone(), upper.clone()),
                None => search,
            };
            Ok(search.of(polynomial)?)
        };
        Ok(Batch::on_processor(rows, find))
    }
}
