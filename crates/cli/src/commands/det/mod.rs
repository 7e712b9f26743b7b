//! `sunzi det`.

mod exact;
mod float;
mod modular;

use crate::args::{ChosenDevice, Common, MaxMemory};
use crate::commands::Run;
use crate::commands::dense::input::Purpose;
use crate::early::EarlyOptions;
use crate::images::ImageOptions;
#[cfg(unix)]
use crate::ranks::refuse_several;
use crate::report::{Head, files};
use clap::{Args, ValueEnum};
use serde_json::json;
use std::path::PathBuf;
use sunzi::matrix::IntegerMethod;
use sunzi_files::failure::Failure;

/// What is told behind the options.
const HELP: &str = "M is a Matrix Market file, plain or gzip, coordinate or array; or a text with a row a line, whose entries
are separated by blanks, or [[1, 2], [3, 4]] (# starts a comment). Entries are integers of any size, decimal or
0x…, quotients such as -3/4, or decimals such as 1.5 or 2e-3, all taken exactly: the determinant is written as
an integer or as a quotient in lowest terms.

With --mod P the determinant modulo P is written: a number in 0 … P-1. P is an odd prime below 2^64, or a
prime r^k+1 with k = 2, 4, 8 … 256 and r below 2^64: a name (P4 P8 P16 …) or an expression.

With --float entries are floating point numbers, and the determinant is written in decimal and as m * 2^e
with 1 <= |m| < 2: neither overflows. A warning tells where rounding may have left no digit right.

--method tells how a determinant over the integers is found; the JSON form tells as `algorithm` what was done. big-prime refuses
a determinant that may have more bits than P128.

With --images A..B only the images modulo primes A to B-1 of their order are written: as a line of JSON, a part,
which any machine computes by itself. --combine puts parts together, in any order, and proves the result; what is
missing or doubled is told by number. One machine alone has quicker ways: the explanation in the JSON form tells on how many
times as many cores parts are quicker. mpirun -n 4 sunzi det M (a build with the feature mpi) shares all images among
processes, on one machine or on many: batches are handed out to whoever is ready, and the first process writes the result.

Examples:
  sunzi det m.mtx
  sunzi det -e '[[1, 1/2], [1/2, 1/3]]'
  sunzi det m.txt --mod '2^60-2^18+1'
  sunzi det m.mtx.gz --float --json
  sunzi det m.txt --method big-prime --json
  sunzi det m.txt --images 0..1000 -o part0.json
  sunzi det m.txt --combine part0.json part1.json
  printf '1 1/2\\n1/2 1/3\\n' | sunzi det -";

/// A matrix, and how its determinant is found.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct DetArguments {
    /// File with the matrix (`-`: standard input)
    #[arg(value_name = "M")]
    pub file: PathBuf,
    /// Compute modulo this prime: a decimal number, an expression such as 2^60-2^18+1, or a name such as P8
    #[arg(
        long = "mod",
        value_name = "P",
        allow_hyphen_values = true,
        conflicts_with = "float"
    )]
    pub prime: Option<String>,
    /// Compute in floating point
    #[arg(long, conflicts_with_all = ["early", "images", "combine"])]
    pub float: bool,
    /// Modulo a prime or in floating point: the algorithm [default: elimination]
    #[arg(long, value_enum, value_name = "NAME")]
    pub algorithm: Option<DetAlgorithm>,
    /// Exactly: how the determinant of integers is found [default: whatever is quickest]
    #[arg(long, value_enum, value_name = "METHOD", conflicts_with_all = ["prime", "float", "algorithm", "early", "images", "combine"])]
    pub method: Option<ExactMethod>,
    #[command(flatten)]
    pub early: EarlyOptions,
    #[command(flatten)]
    pub images: ImageOptions,
    #[command(flatten)]
    pub device: ChosenDevice,
    #[command(flatten)]
    pub memory: MaxMemory,
}

/// How a determinant is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DetAlgorithm {
    /// Gaussian elimination
    Elimination,
    /// Condensation after Salem and Said
    Condensation,
}

/// How a determinant over the integers is found.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum ExactMethod {
    /// Modulo many primes of a word
    Residues,
    /// A divisor of it from a linear system, and residues for the rest
    Lifting,
    /// Modulo one prime r^k + 1 above twice the bound
    BigPrime,
    /// Modulo one power of two above twice the bound
    TwoAdic,
    /// Elimination on the integers themselves
    FractionFree,
}

impl From<ExactMethod> for IntegerMethod {
    fn from(method: ExactMethod) -> Self {
        match method {
            ExactMethod::Residues => Self::Residues,
            ExactMethod::Lifting => Self::Lifting,
            ExactMethod::BigPrime => Self::BigPrime,
            ExactMethod::TwoAdic => Self::TwoAdic,
            ExactMethod::FractionFree => Self::FractionFree,
        }
    }
}

/// What needs memory, in sentences.
const WORK: &str = "determinant";

impl DetArguments {
    /// What the matrix is read for.
    fn purpose(&self) -> Purpose {
        Purpose {
            work: WORK,
            square: Some("a determinant"),
            copies: 1,
            budget: self.memory.budget(),
        }
    }

    /// What the JSON form tells first of a matrix with so many rows.
    fn head(&self, rows: usize, arithmetic: &str, modulus: Option<&str>) -> Head {
        let inputs = json!({
            "files": files([&self.file]),
            "rows": rows,
            "arithmetic": arithmetic,
            "early": self.early.asked_for(),
            "seed": self.early.told_seed(),
            "modulus": modulus,
            "method": self.method.map(|method| IntegerMethod::from(method).to_string()),
        });
        Head::new("det", inputs)
    }
}

impl Run for DetArguments {
    /// Finds a determinant.
    fn run(&self, common: &Common) -> Result<(), Failure> {
        #[cfg(unix)]
        if self.prime.is_some() || self.float {
            refuse_several("determinants are computed modulo a prime and in floating point")?;
        }
        #[cfg(unix)]
        if self.method.is_some() {
            refuse_several("determinants are computed by a method of one's choice")?;
        }
        match &self.prime {
            Some(prime) => modular::run(prime, self, common),
            None if self.float => float::run(self, common),
            None => exact::run(self, common),
        }
    }
}

/// The name of an algorithm.
fn name(algorithm: DetAlgorithm) -> &'static str {
    match algorithm {
        DetAlgorithm::Elimination => "elimination",
        DetAlgorithm::Condensation => "condensation",
    }
}
