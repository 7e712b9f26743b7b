//! `sunzi matrix`.

/// What files of matrices hold, and how results are written.
macro_rules! matrices {
    () => {
        "A matrix is a Matrix Market file, plain or gzip, coordinate or array; or a text with a row a line, whose
entries are separated by blanks, or [[1, 2], [3, 4]] (# starts a comment). Entries are integers of any size,
decimal or 0x…, quotients such as -3/4, or decimals such as 1.5 or 2e-3, all taken exactly. Results are exact
and proved; a matrix is written a row a line, integers or quotients in lowest terms.

With --mod P everything is modulo P, and results are numbers in 0 … P-1. P is an odd prime below 2^64, or a
prime r^k+1 with k = 2, 4, 8 … 256 and r below 2^64: a name (P4 P8 P16 …) or an expression.
"
    };
}

mod exact;
mod modular;
mod numbers;
mod task;
mod work;

use crate::args::{Common, MaxMemory, TwoFiles};
use crate::commands::Run;
use crate::commands::det::DetArguments;
use clap::Args;
use std::path::{Path, PathBuf};
use sunzi_files::failure::Failure;
use sunzi_files::input::lines::check_standard_input;
use task::{Pair, Single, Task};

super::commands! {
    /// The commands on dense matrices.
    MatrixCommand {
        /// The determinant: what `sunzi det` does
        Det(DetArguments),
        /// The rank
        Rank(Rank),
        /// A matrix X with A X = B
        Solve(Solve),
        /// The inverse
        Inverse(Inverse),
        /// A basis of the vectors x with M x = 0, as columns
        Nullspace(Nullspace),
        /// The reduced row echelon form
        Rref(Rref),
        /// The product A B
        Mul(Mul),
    }
}

/// A matrix, and what its entries are.
#[derive(Debug, Args)]
struct OneMatrix {
    /// File with the matrix (`-`: standard input)
    #[arg(value_name = "M")]
    file: PathBuf,
    #[command(flatten)]
    over: Over,
}

/// Two matrices, and what their entries are.
#[derive(Debug, Args)]
struct TwoMatrices {
    #[command(flatten)]
    files: TwoFiles,
    #[command(flatten)]
    over: Over,
}

/// What entries are, and the memory that there is.
#[derive(Debug, Args)]
struct Over {
    /// Compute modulo this prime: a decimal number, an expression such as 2^60-2^18+1, or a name such as P8
    /// [default: over Q]
    #[arg(long = "mod", value_name = "P", allow_hyphen_values = true)]
    prime: Option<String>,
    #[command(flatten)]
    memory: MaxMemory,
}

/// The rank of a matrix.
#[derive(Debug, Args)]
#[command(after_help = concat!(matrices!(), "
Examples:
  sunzi matrix rank m.mtx
  sunzi matrix rank m.txt --mod 2^60-2^18+1"))]
pub struct Rank {
    #[command(flatten)]
    of: OneMatrix,
}

/// Linear systems with the same matrix.
#[derive(Debug, Args)]
#[command(after_help = concat!(matrices!(), "
A has any shape; B has as many rows, and a column for each right side, as X has. Where there are several
solutions, variables without a pivot in the reduced row echelon form of A are 0, a warning says so, and
columns of `sunzi matrix nullspace A` may be added. Where there is none the command fails.

Examples:
  sunzi matrix solve a.txt b.txt
  printf '5\\n11\\n' | sunzi matrix solve a.txt - --mod 469762049"))]
pub struct Solve {
    #[command(flatten)]
    of: TwoMatrices,
}

/// The inverse of a square matrix.
#[derive(Debug, Args)]
#[command(after_help = concat!(matrices!(), "
Examples:
  sunzi matrix inverse m.mtx
  sunzi matrix inverse m.txt --mod P8 -o inverse.txt"))]
pub struct Inverse {
    #[command(flatten)]
    of: OneMatrix,
}

/// The nullspace of a matrix.
#[derive(Debug, Args)]
#[command(after_help = concat!(matrices!(), "
The basis has a column for each variable without a pivot in the reduced row echelon form, which is 1 there and
0 in the others: `sunzi matrix mul M N` gives zeros. Where only the zero vector is left, a warning says so.

Examples:
  sunzi matrix nullspace m.mtx
  printf '1 2 3\\n' | sunzi matrix nullspace -"))]
pub struct Nullspace {
    #[command(flatten)]
    of: OneMatrix,
}

/// The reduced row echelon form of a matrix.
#[derive(Debug, Args)]
#[command(after_help = concat!(matrices!(), "
Rows of zeros stay at the end, so that the form has as many rows as M.

Examples:
  sunzi matrix rref m.mtx
  sunzi matrix rref m.txt --mod 101 --json"))]
pub struct Rref {
    #[command(flatten)]
    of: OneMatrix,
}

/// A product of two matrices.
#[derive(Debug, Args)]
#[command(after_help = concat!(matrices!(), "
Examples:
  sunzi matrix mul a.mtx b.mtx
  sunzi matrix mul a.txt b.txt --mod P8"))]
pub struct Mul {
    #[command(flatten)]
    of: TwoMatrices,
}

impl OneMatrix {
    fn run(&self, single: Single, common: &Common) -> Result<(), Failure> {
        self.over.run(Task::Single(single, &self.file), common)
    }
}

impl TwoMatrices {
    fn run(&self, pair: Pair, common: &Common) -> Result<(), Failure> {
        let TwoFiles { left, right } = &self.files;
        check_standard_input(&[left, right])?;
        self.over.run(Task::Pair(pair, [left, right]), common)
    }
}

impl Over {
    fn run(&self, task: Task<&Path>, common: &Common) -> Result<(), Failure> {
        let budget = self.memory.budget();
        match &self.prime {
            Some(prime) => work::run(task, &modular::Modular::new(prime)?, budget, common),
            None => work::run(task, &exact::Exact::new(), budget, common),
        }
    }
}

/// Runs the work that each command stands for.
macro_rules! runs {
    ($($kind:ident: $($command:ident)*;)*) => {$($(
        impl Run for $command {
            fn run(&self, common: &Common) -> Result<(), Failure> {
                self.of.run($kind::$command, common)
            }
        }
    )*)*};
}
runs! {
    Single: Rank Inverse Nullspace Rref;
    Pair: Solve Mul;
}
