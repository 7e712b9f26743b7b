//! `sunzi sparse solve`.

use super::arithmetic::{Arithmetic, Doubles};
use super::matrix;
use super::matrix::MatrixFile;
use super::vector;
use crate::args::Common;
use crate::commands::Run;
use crate::report::{Figures, Head, Tail, files, timed};
use clap::Args;
use serde::Serialize;
use serde_json::json;
use std::iter;
use std::path::PathBuf;
use sunzi::sparse::{GradientsOptions, SparseError, Stop, conjugate_gradients_with};
use sunzi_files::failure::Failure;
use sunzi_files::input::sparse;
use sunzi_files::output::Output;
use sunzi_files::progress::Progress;
use sunzi_files::results::Results;

/// A linear system.
#[derive(Debug, Args)]
#[command(after_help = concat!(matrices!(), "
B is a file with one number a line; all are 1 where it is left out. The solution is written one number a
line. It ends when the residual's norm is at most --tolerance times that of b; where that is not reached
within --iterations steps nothing is written.

Examples:
  sunzi sparse solve m.mtx
  sunzi sparse solve m.mtx b.txt --tolerance 1e-12 -o x.txt
  sunzi sparse solve m.mtx --json"))]
pub struct Solve {
    #[command(flatten)]
    pub matrix: MatrixFile,
    /// File with the right side (`-`: standard input) [default: ones]
    #[arg(value_name = "B")]
    pub vector: Option<PathBuf>,
    /// The residual's norm, as a share of that of b, that is small enough
    #[arg(long, value_name = "E", default_value = "1e-10")]
    pub tolerance: f64,
    /// Give up after this many steps
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub iterations: usize,
}

/// What the JSON form tells beside the solution.
#[derive(Serialize)]
struct Details {
    iterations: usize,
    /// |b - M x| / |b| of the solution that is written.
    residual: f64,
}

impl Run for Solve {
    /// Solves a linear system by conjugate gradients.
    fn run(&self, common: &Common) -> Result<(), Failure> {
        let mut figures = Figures::start();
        vector::check_standard_input(&self.matrix, self.vector.as_deref())?;
        let output = Output::create(common.output.as_deref())?;
        let input = matrix::read(&self.matrix, &mut figures.seconds, sparse::read_reals)?;
        let (name, matrix) = (input.name, input.matrix);
        let numbers = Doubles::new();
        let lines = vector::Lines {
            matrix: &name,
            count: matrix.rows(),
            noun: "row",
        };
        let right = vector::read(
            self.vector.as_deref(),
            &lines,
            &[1.0],
            |content, entries| numbers.read(content, entries),
            self.matrix.memory.budget(),
            &mut figures.seconds,
        )?;
        let options = GradientsOptions {
            tolerance: self.tolerance,
            max_iterations: self.iterations,
            ..GradientsOptions::default()
        };
        let progress = Progress::of("solving");
        let report = timed(&mut figures.seconds.computing, || {
            progress.watch(|| conjugate_gradients_with(&matrix, &right, &options))
        });
        drop(progress);
        let report = report.map_err(|error| refusal(&name, &error))?;
        if report.stop != Stop::Converged {
            return Err(Failure::Computation(format!(
                "{name}: conjugate gradients {} after {} iterations, with a residual of {:.1e} times the right \
                 side: ask for less by --tolerance, or allow more by --iterations",
                report.stop,
                report.iterations(),
                report.true_residual,
            )));
        }
        let mut results = Results::new(output, common.json);
        results.facts(|| {
            let inputs = json!({
                "files": files(iter::once(&self.matrix.file).chain(&self.vector)),
                "rows": matrix.rows(),
                "nonzeros": matrix.nnz(),
                "tolerance": self.tolerance,
                "iterations": self.iterations,
            });
            Head::new("sparse solve", inputs)
        })?;
        timed(&mut figures.seconds.writing, || {
            numbers.write(&report.solution, common.json, &mut results)
        })?;
        let output = results.close(|| Tail {
            details: Details {
                iterations: report.iterations(),
                residual: report.true_residual,
            },
            figures: figures.ended(),
        })?;
        output.finish()
    }
}

/// Why there is no solution; rows and columns count from 1, as in the file.
fn refusal(name: &str, error: &SparseError) -> Failure {
    const NEED: &str = "conjugate gradients need a symmetric positive definite matrix";
    Failure::Computation(match *error {
        SparseError::NotSymmetric { row, column } => {
            let (row, column) = (u64::from(row) + 1, u64::from(column) + 1);
            format!(
                "{name}: the entries ({row}, {column}) and ({column}, {row}) differ, and {NEED}"
            )
        }
        SparseError::Diagonal { row } => {
            let row = row + 1;
            format!("{name}: the entry ({row}, {row}) is not positive, and {NEED}")
        }
        _ => format!("{name}: {error}"),
    })
}
