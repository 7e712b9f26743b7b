//! `sunzi sparse solve`.

use super::arithmetic::{Arithmetic, Doubles};
use super::matrix;
use super::matrix::MatrixFile;
use super::ordering::{Method, Order, OrderOptions};
use super::vector;
use crate::args::Common;
use crate::commands::Run;
use crate::report::{Figures, Head, Tail, files, timed};
use clap::Args;
use serde::Serialize;
use serde_json::json;
use std::iter;
use std::path::PathBuf;
use sunzi::sparse::{
    CsrMatrix, GradientsOptions, Permutation, SparseError, Stop, conjugate_gradients_with,
};
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

--reorder puts rows and columns into another order first, both into that of the columns, so that M stays symmetric. What
that takes, and after how many products it has paid, is told by --json and on standard error.

Examples:
  sunzi sparse solve m.mtx
  sunzi sparse solve m.mtx --reorder auto
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
    /// Put rows and columns into this order first
    #[arg(long, value_enum, value_name = "METHOD")]
    pub reorder: Option<Method>,
}

/// What the JSON form tells beside the solution.
#[derive(Serialize)]
struct Details {
    iterations: usize,
    /// |b - M x| / |b| of the solution that is written.
    residual: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    order: Option<OrderTimes>,
}

/// What an order takes, and what it saves.
#[derive(Serialize)]
struct OrderTimes {
    method: &'static str,
    /// Of finding it and of applying it.
    seconds: f64,
    /// Of a product with M in the given order, and in this one.
    product_before: f64,
    product_after: f64,
    /// Products after which it has paid; none if it saves nothing.
    pays_after: Option<u64>,
}

/// A matrix in another order of its rows and columns.
struct Reordered {
    matrix: CsrMatrix<f64>,
    order: Permutation,
    times: OrderTimes,
}

/// Products that are timed, of which the fastest counts.
const TIMED: usize = 3;

impl Reordered {
    fn new(matrix: &CsrMatrix<f64>, method: Method, name: &str) -> Result<Self, Failure> {
        let failed = |error: SparseError| Failure::Computation(format!("{name}: {error}"));
        let mut seconds = 0.0;
        let (order, permuted) = timed(&mut seconds, || {
            let order = Order::find(method, matrix, &OrderOptions::default())?.columns;
            let permuted = matrix.permuted(&order, &order).map_err(failed)?;
            Ok::<_, Failure>((order, permuted))
        })?;
        let x = vec![1.0; matrix.columns()];
        let mut y = vec![0.0; matrix.rows()];
        let mut product = |matrix: &CsrMatrix<f64>| {
            let mut fastest = f64::INFINITY;
            for _ in 0..TIMED {
                let mut seconds = 0.0;
                timed(&mut seconds, || matrix.mul_vector_into(&x, &mut y)).map_err(failed)?;
                fastest = fastest.min(seconds);
            }
            Ok::<_, Failure>(fastest)
        };
        let (product_before, product_after) = (product(matrix)?, product(&permuted)?);
        let saved = product_before - product_after;
        Ok(Self {
            matrix: permuted,
            order,
            times: OrderTimes {
                method: method.name(),
                seconds,
                product_before,
                product_after,
                pays_after: (saved > 0.0).then(|| (seconds / saved).ceil() as u64),
            },
        })
    }
}

impl OrderTimes {
    fn sentence(&self, products: usize) -> String {
        let pays = match self.pays_after {
            Some(after) => format!("it pays after {after} products"),
            None => "it saves nothing".to_owned(),
        };
        format!(
            "the order takes {:.3} s, and a product {:.3} ms in place of {:.3}: {pays}, and this took {products}",
            self.seconds,
            self.product_after * 1e3,
            self.product_before * 1e3
        )
    }
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
        let order = |method| {
            if matrix.rows() != matrix.columns() {
                // The solver says so.
                return Ok(None);
            }
            let reorder = || Reordered::new(&matrix, method, &name);
            timed(&mut figures.seconds.computing, || progress.watch(reorder)).map(Some)
        };
        let reordered = self.reorder.map(order).transpose()?.flatten();
        let mut report = timed(&mut figures.seconds.computing, || {
            progress.watch(|| match &reordered {
                None => conjugate_gradients_with(&matrix, &right, &options),
                Some(new) => {
                    conjugate_gradients_with(&new.matrix, &new.order.apply(&right), &options)
                }
            })
        });
        if let (Ok(report), Some(new)) = (&mut report, &reordered) {
            report.solution = new.order.inverse().apply(&report.solution);
            if !common.json {
                progress.warn(&format!(
                    "{name}: {}",
                    new.times.sentence(report.iterations())
                ));
            }
        }
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
                "reorder": self.reorder.map(Method::name),
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
                order: reordered.map(|new| new.times),
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
