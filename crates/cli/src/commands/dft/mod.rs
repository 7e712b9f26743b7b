//! `sunzi dft`.

mod in_memory;
#[cfg(unix)]
mod through_files;

use crate::args::{ChosenDevice, Common, MaxMemory, Modulus};
use crate::commands::Run;
use crate::modulus;
use crate::through_files::ThroughFiles;
use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use std::path::PathBuf;
use sunzi::field::AnyField;
use sunzi_files::failure::Failure;

/// A vector, and what is done with it.
#[derive(Debug, Args)]
#[command(
    after_help = "X is a file with one number a line, decimal or 0x…, which is reduced modulo P; # starts a comment; empty lines do not
count. The number N of its entries must divide P−1 (`sunzi prime P` tells its factors); powers of two are
the fastest. The transform is X_j = sum of x_i * w^(i*j), one value a line in the order of j; w is the
root of unity of order N that --json tells. --inverse undoes it: with w^-1 for w, and divided by N.

P is an odd prime below 2^64, or a prime r^k+1 with k = 2, 4, 8 … 256 and r below 2^64: a name (P4 P8 P16
P32 P64 P128, P2F P4F P8F P16F P32F P64F P128F) or an expression.

A name that ends in .npy, of X or of -o, is a file of NumPy's: an array of uint32 or uint64 of N residues
below P, or of N rows of k digits in radix r, the lowest first.

With --scratch, a vector of 2^k entries may be longer than memory, and --max-memory is what may be used; X and -o
that are text become arrays in DIR on their way. Several processes that `mpirun` starts share the work, with or without --scratch. The same command goes on where an earlier one ended, and says from where.

Examples:
  sunzi dft x.txt --mod 469762049
  sunzi dft x.txt --mod P8 -o values.txt
  sunzi dft values.txt --mod P8 --inverse --threads 2
  seq 8 | sunzi dft - --mod '(2^63+2^34)^8+1' --json
  seq 7 | sunzi dft - --mod 469762049
  sunzi dft x.txt --mod P8 --device cuda
  sunzi dft x.npy --mod 2^64-2^32+1 -o y.npy
  sunzi dft x.npy --mod 2^64-2^32+1 -o y.npy --scratch /scratch --max-memory 4G"
)]
pub struct Vector {
    /// File with the vector (`-`: standard input)
    #[arg(value_name = "X")]
    pub file: PathBuf,
    #[command(flatten)]
    pub modulus: Modulus,
    /// From values back to what they are the transform of
    #[arg(long)]
    pub inverse: bool,
    #[command(flatten)]
    pub device: ChosenDevice,
    #[command(flatten)]
    pub memory: MaxMemory,
    #[command(flatten)]
    pub files: ThroughFiles,
    /// The order of values: natural, or transposed, a matrix of which value j is in row j mod n1 and column j/n1: a pass less
    #[arg(
        long,
        value_name = "ORDER",
        default_value = "natural",
        requires = "scratch"
    )]
    pub order: OrderName,
}

/// The name of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OrderName {
    /// Value j at place j.
    Natural,
    /// As a matrix.
    Transposed,
}

impl Run for Vector {
    /// Transforms a vector.
    fn run(&self, common: &Common) -> Result<(), Failure> {
        let field = modulus::field(&self.modulus.prime)?;
        if self.files.are_wanted() {
            return self.through_files(&field, common);
        }
        in_memory::Transform {
            field: &field,
            vector: self,
            common,
        }
        .run()
    }
}

impl Vector {
    #[cfg(unix)]
    fn through_files(&self, field: &AnyField, common: &Common) -> Result<(), Failure> {
        through_files::run(field, self, common)
    }

    #[cfg(not(unix))]
    fn through_files(&self, _: &AnyField, _: &Common) -> Result<(), Failure> {
        Err(self.files.refuse())
    }

    /// The inputs that the JSON form tells.
    fn inputs(&self, prime: &str, points: usize) -> Value {
        json!({
            "files": crate::report::files([&self.file]),
            "modulus": prime,
            "points": points,
            "inverse": self.inverse,
        })
    }
}
