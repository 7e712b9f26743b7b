//! `sunzi sparse spmv`.

use super::arithmetic::{Arithmetic, Doubles, ManyWords, Words};
use super::matrix;
use super::matrix::MatrixFile;
use super::vector;
use crate::args::Common;
use crate::commands::Run;
use crate::modulus;
use crate::report::{Figures, Head, Tail, files, timed};
use clap::Args;
use serde::Serialize;
use serde_json::json;
use std::iter;
use std::path::PathBuf;
use sunzi::field::{Fp32, Fp64};
use sunzi_files::failure::Failure;
use sunzi_files::output::Output;
use sunzi_files::progress::Progress;
use sunzi_files::results::Results;

/// A matrix and a vector.
#[derive(Debug, Args)]
#[command(after_help = concat!(matrices!(), "
X is a file with one number a line; all are 1 where it is left out. # starts a comment. Numbers are floating
point: integers from 2^53 on are rounded to the nearest. The product is written one number a line, as the
shortest decimal that reads back as the same floating point number; or with --mod P, exactly, as residues in
0 … P-1; then the entries of M are integers of any size, and those of X residues, too.

Examples:
  sunzi sparse spmv m.mtx
  sunzi sparse spmv m.mtx x.txt -o y.txt
  sunzi sparse spmv m.mtx --transpose --repeat 1000 --json
  sunzi sparse spmv m.mtx x.txt --mod 469762049"))]
pub struct Spmv {
    #[command(flatten)]
    pub matrix: MatrixFile,
    /// File with the vector (`-`: standard input) [default: ones]
    #[arg(value_name = "X")]
    pub vector: Option<PathBuf>,
    /// Compute modulo this prime: a decimal number, an expression such as 2^60-2^18+1, or a name such as P8
    #[arg(long = "mod", value_name = "P", allow_hyphen_values = true)]
    pub prime: Option<String>,
    /// The product of the transposed matrix
    #[arg(long)]
    pub transpose: bool,
    /// Multiply this many times, for the time of one (told by --json)
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: u32,
}

/// What the JSON form tells beside the product.
#[derive(Serialize)]
struct Details {
    /// Of one product, in seconds.
    seconds_per_product: f64,
}

impl Run for Spmv {
    /// Multiplies a matrix and a vector.
    fn run(&self, common: &Common) -> Result<(), Failure> {
        let Some(prime) = &self.prime else {
            return multiply(&Doubles::new(), self, common);
        };
        let modulus = modulus::field(prime)?;
        if let Some(field) = modulus.over::<Fp32>() {
            multiply(&Words::new(&modulus, field), self, common)
        } else if let Some(field) = modulus.over::<Fp64>() {
            multiply(&Words::new(&modulus, field), self, common)
        } else {
            multiply(&ManyWords::new(&modulus), self, common)
        }
    }
}

fn multiply<A: Arithmetic>(arithmetic: &A, wanted: &Spmv, common: &Common) -> Result<(), Failure> {
    let mut figures = Figures::start();
    vector::check_standard_input(&wanted.matrix, wanted.vector.as_deref())?;
    let output = Output::create(common.output.as_deref())?;
    let (input, rest) = matrix::read(&wanted.matrix, &mut figures.seconds, |path, memory| {
        arithmetic.read_matrix(path, memory)
    })?;
    let (name, mut matrix) = (input.name, input.matrix);
    let (rows, columns, nonzeros) = (matrix.rows(), matrix.columns(), matrix.nnz());
    if wanted.transpose {
        // Once is enough for all products.
        matrix = timed(&mut figures.seconds.computing, || matrix.transposed());
    }
    let failed = |error: String| Failure::Computation(format!("{name}: {error}"));
    let lines = vector::Lines {
        matrix: &name,
        count: matrix.columns(),
        noun: if wanted.transpose { "row" } else { "column" },
    };
    let x = vector::read(
        wanted.vector.as_deref(),
        &lines,
        &arithmetic.one(),
        |content, parts| arithmetic.read(content, parts),
        wanted.matrix.memory.budget(),
        &mut figures.seconds,
    )?;
    let factor = timed(&mut figures.seconds.computing, || {
        arithmetic.factor(matrix, rest)
    });
    let factor = factor.map_err(failed)?;
    let progress = Progress::over(wanted.repeat.into(), "products");
    let mut seconds = 0.0;
    let mut product = Vec::new();
    for _ in 0..wanted.repeat {
        progress.piece("multiplying");
        product = timed(&mut seconds, || arithmetic.product(&factor, &x)).map_err(failed)?;
    }
    drop(progress);
    figures.seconds.computing += seconds;
    if let Some(row) = product.iter().position(|value| !arithmetic.is_valid(value)) {
        let line = if wanted.transpose { "column" } else { "row" };
        return Err(Failure::Computation(format!(
            "{name}: {line} {} times the vector is too large for floating point, which ends at 1.8e308: scale the \
             numbers down, or compute modulo a prime (--mod)",
            row + 1
        )));
    }
    let mut results = Results::new(output, common.json);
    results.facts(|| {
        let inputs = json!({
            "files": files(iter::once(&wanted.matrix.file).chain(&wanted.vector)),
            "rows": rows,
            "columns": columns,
            "nonzeros": nonzeros,
            "transpose": wanted.transpose,
            "repeat": wanted.repeat,
            "modulus": arithmetic.modulus(),
        });
        Head::new("sparse spmv", inputs)
    })?;
    timed(&mut figures.seconds.writing, || {
        arithmetic.write(&product, common.json, &mut results)
    })?;
    let output = results.close(|| Tail {
        details: Details {
            seconds_per_product: seconds / f64::from(wanted.repeat),
        },
        figures: figures.ended(),
    })?;
    output.finish()
}
