//! `sunzi sparse info`.

use super::matrix;
use super::matrix::{MatrixFile, of_any_kind};
use crate::args::Common;
use crate::commands::Run;
use crate::commands::write_facts;
use crate::report::{Figures, Head, Report, files, timed};
use crate::table::grouped;
use clap::Args;
use serde::Serialize;
use serde_json::json;
use sunzi::sparse::{
    CsrMatrix, SparseError,
    matrix_market::{Symmetry, WriteValue},
    reorder::{GrayOrdering, classify, gray_ordering},
};
use sunzi_files::failure::Failure;
use sunzi_files::input::sparse::{self, Matrix};
use sunzi_files::memory;
use sunzi_files::output::Output;

/// Which matrix is described.
#[derive(Debug, Args)]
#[command(after_help = concat!(matrices!(), "
Examples:
  sunzi sparse info m.mtx
  sunzi sparse info m.mtx.gz --json
  sunzi sparse info m.mtx --classes"))]
pub struct Info {
    #[command(flatten)]
    pub matrix: MatrixFile,
    /// Put the matrix into the Gray order, and count the non-zeros of the classes alpha to lambda (the 2013 thesis, chapter 6)
    #[arg(long)]
    pub classes: bool,
}

/// What the places of the non-zeros tell, and their values' symmetry.
#[derive(Serialize)]
struct Shape {
    /// `real`, `integer` or `pattern`.
    values: &'static str,
    rows: usize,
    columns: usize,
    /// Entries that are stored, be they 0 or not.
    nonzeros: usize,
    /// Per row: the 2013 thesis's ρ.
    rho: f64,
    density: f64,
    fewest_in_a_row: usize,
    most_in_a_row: usize,
    empty_rows: usize,
    empty_columns: usize,
    /// The greatest distances of an entry from the diagonal.
    lower_bandwidth: usize,
    upper_bandwidth: usize,
    /// `values`, `pattern` or `no`, and `skew`; of matrices that are square.
    symmetric: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    classes: Option<Classes>,
}

/// How many non-zeros are of each class after the Gray order; those of beta and of delta have some in common.
#[derive(Serialize)]
struct Classes {
    alpha: usize,
    beta: usize,
    gamma: usize,
    delta: usize,
    lambda: usize,
}

impl Run for Info {
    /// Tells what a matrix is like.
    fn run(&self, common: &Common) -> Result<(), Failure> {
        let mut figures = Figures::start();
        let output = Output::create(common.output.as_deref())?;
        let mut long = Vec::new();
        let (name, matrix) = matrix::read(&self.matrix, &mut figures.seconds, |path, budget| {
            sparse::read_any(path, budget, &mut long)
        })?;
        let shape = timed(&mut figures.seconds.computing, || {
            let mut shape = match &matrix {
                Matrix::Real(matrix) => shape("real", matrix),
                Matrix::Integer(matrix) => shape("integer", matrix),
                Matrix::Long(matrix) => shape("integer", matrix),
                Matrix::Pattern(matrix) => shape("pattern", matrix),
            };
            if self.classes {
                let needed = CLASS_BYTES * (shape.rows + shape.columns + shape.nonzeros) as u64;
                let budget = self.matrix.memory.budget();
                memory::check(&name, "the classes", needed, budget)?;
                let places = of_any_kind!(&matrix, matrix => matrix.pattern());
                shape.classes = Some(classes(&places)?);
            }
            Ok::<_, Failure>(shape)
        })?;
        let rows = rows(&name, &shape);
        let report = Report {
            head: Head::new(
                "sparse info",
                json!({ "files": files([&self.matrix.file]) }),
            ),
            result: shape,
            figures: figures.ended(),
        };
        write_facts(output, common, &rows, &report)
    }
}

/// What the order, the matrix in it and its classes take for each row, column and non-zero, amply.
const CLASS_BYTES: u64 = 24;

/// Counts the classes.
fn classes(places: &CsrMatrix<()>) -> Result<Classes, Failure> {
    let failed = |error: SparseError| Failure::Computation(error.to_string());
    let order = gray_ordering(places, &GrayOrdering::default()).map_err(failed)?;
    let reordered = places
        .permuted(&order.rows, &order.columns)
        .map_err(failed)?;
    let kinds = classify(&reordered, &order.report).map_err(failed)?;
    Ok(Classes {
        alpha: kinds.alpha,
        beta: kinds.beta,
        gamma: kinds.gamma,
        delta: kinds.delta,
        lambda: kinds.lambda,
    })
}

/// Looks at every entry.
fn shape<E: WriteValue + Copy>(values: &'static str, matrix: &CsrMatrix<E>) -> Shape {
    let (rows, columns, nonzeros) = (matrix.rows(), matrix.columns(), matrix.nnz());
    let mut in_column = vec![false; columns];
    let (mut lower, mut upper) = (0, 0);
    for (row, column, _) in matrix.iter() {
        in_column[column as usize] = true;
        lower = lower.max(row.saturating_sub(column) as usize);
        upper = upper.max(column.saturating_sub(row) as usize);
    }
    let starts = matrix.row_starts();
    let lengths = || starts.windows(2).map(|pair| pair[1] - pair[0]);
    let share = |count: usize, of: f64| if of > 0.0 { count as f64 / of } else { 0.0 };
    Shape {
        values,
        rows,
        columns,
        nonzeros,
        rho: share(nonzeros, rows as f64),
        density: share(nonzeros, rows as f64 * columns as f64),
        fewest_in_a_row: lengths().min().unwrap_or(0),
        most_in_a_row: lengths().max().unwrap_or(0),
        empty_rows: lengths().filter(|&length| length == 0).count(),
        empty_columns: in_column.iter().filter(|&&there| !there).count(),
        lower_bandwidth: lower,
        upper_bandwidth: upper,
        symmetric: symmetry(matrix),
        classes: None,
    }
}

/// How a matrix compares with its transpose.
fn symmetry<E: WriteValue + Copy>(matrix: &CsrMatrix<E>) -> &'static str {
    match Symmetry::of(matrix) {
        Symmetry::Symmetric => "values",
        Symmetry::SkewSymmetric => "skew",
        Symmetry::General => match Symmetry::of(&matrix.pattern()) {
            Symmetry::Symmetric => "pattern",
            _ => "no",
        },
    }
}

/// The facts in words.
fn rows(name: &str, shape: &Shape) -> Vec<(&'static str, String)> {
    let symmetric = match shape.symmetric {
        "values" => "yes",
        "skew" => "skew",
        "pattern" => "the pattern is, the values are not",
        _ if shape.rows != shape.columns => "no: not square",
        _ => "no",
    };
    let band = match (shape.lower_bandwidth, shape.upper_bandwidth) {
        (lower, upper) if lower == upper => grouped(lower),
        (lower, upper) => format!(
            "{} ({} below the diagonal, {} above)",
            grouped(lower.max(upper)),
            grouped(lower),
            grouped(upper)
        ),
    };
    let mut rows = vec![
        ("matrix", name.to_owned()),
        ("values", shape.values.to_owned()),
        ("rows", grouped(shape.rows)),
        ("columns", grouped(shape.columns)),
        ("non-zeros", grouped(shape.nonzeros)),
        ("density", format!("{:.3e}", shape.density)),
        ("rho (non-zeros per row)", format!("{:.2}", shape.rho)),
        (
            "non-zeros in a row",
            format!(
                "{} to {}",
                grouped(shape.fewest_in_a_row),
                grouped(shape.most_in_a_row)
            ),
        ),
        ("empty rows", grouped(shape.empty_rows)),
        ("empty columns", grouped(shape.empty_columns)),
        ("bandwidth", band),
        ("symmetric", symmetric.to_owned()),
    ];
    if let Some(classes) = &shape.classes {
        let of_columns = |count: usize| match shape.columns {
            0 => grouped(count),
            columns => format!("{}, {:.2}n", grouped(count), count as f64 / columns as f64),
        };
        rows.extend([
            ("alpha", of_columns(classes.alpha)),
            ("beta", of_columns(classes.beta)),
            ("gamma", of_columns(classes.gamma)),
            ("delta", of_columns(classes.delta)),
            ("lambda", of_columns(classes.lambda)),
        ]);
    }
    rows
}
