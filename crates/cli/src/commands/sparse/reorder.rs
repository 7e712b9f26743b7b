//! `sunzi sparse reorder`.

use super::matrix::MatrixFile;
use super::matrix::{self, of_any_kind};
use super::ordering::{Choice, Method, Order, OrderOptions, Parameters};
use super::write::WrittenForm;
use super::write::{Form, write_entries, write_matrix};
use crate::args::Common;
use crate::commands::Run;
use crate::report::{Figures, Head, Tail, files, timed};
use clap::Args;
use serde::Serialize;
use serde_json::json;
use std::iter;
use std::path::Path;
use std::path::PathBuf;
use sunzi::sparse::{CsrMatrix, Permutation};
use sunzi_files::failure::Failure;
use sunzi_files::input::sparse;
use sunzi_files::listing;
use sunzi_files::memory;
use sunzi_files::output::Output;
use sunzi_files::progress::Progress;
use sunzi_files::results::Results;

/// A matrix and its new order.
#[derive(Debug, Args)]
#[command(after_help = concat!(matrices!(), methods!(), "
Row k of the result is row p(k) of M, where p(k) stands in line k of the file of --rows (from 1), and its
column k is column q(k), in line k of --columns: so if y = M x and x' is x with x'(k) = x(q(k)), then the
result times x' is y' with y'(k) = y(p(k)). What goes to a name that ends in .gz is compressed by gzip.

Examples:
  sunzi sparse reorder m.mtx -o reordered.mtx
  sunzi sparse reorder m.mtx --words 131072 -o reordered.mtx
  sunzi sparse reorder m.mtx --rows rows.txt --columns columns.txt -o reordered.mtx
  sunzi sparse reorder m.mtx --method rcm --symmetric -o reordered.mtx.gz
  sunzi sparse reorder m.mtx --method rcm --json -o reordered.json"))]
pub struct Reorder {
    #[command(flatten)]
    pub matrix: MatrixFile,
    /// How rows and columns are ordered [default: auto, or the one that the other options are for]
    #[arg(long, value_enum)]
    pub method: Option<Method>,
    #[command(flatten)]
    pub options: OrderOptions,
    #[command(flatten)]
    pub form: WrittenForm,
    /// Write the order of the rows to this file: old row numbers, one a line
    #[arg(long, value_name = "FILE")]
    pub rows: Option<PathBuf>,
    /// Write the order of the columns to this file
    #[arg(long, value_name = "FILE")]
    pub columns: Option<PathBuf>,
}

/// What the JSON form tells beside the entries of the matrix.
#[derive(Serialize)]
struct Details {
    #[serde(skip_serializing_if = "Option::is_none")]
    parameters: Option<Parameters>,
    /// What `auto` chose, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    choice: Option<Choice>,
    bandwidth_before: usize,
    bandwidth_after: usize,
    /// From 1: old row numbers in their new order.
    row_order: Vec<u64>,
    column_order: Vec<u64>,
}

impl Reorder {
    /// The method that is named, or else the one that there are options for.
    fn method(&self) -> Method {
        let by_options = self.options.method().unwrap_or(Method::Auto);
        self.method.unwrap_or(by_options)
    }
}

impl Run for Reorder {
    /// Puts rows and columns into another order.
    fn run(&self, common: &Common) -> Result<(), Failure> {
        let mut figures = Figures::start();
        // What cannot be written is told before the work; all files appear together at its end.
        let form = Form::new(self.form, common)?;
        if self.form.symmetric && !matches!(self.method(), Method::Rcm) {
            return Err(Failure::Usage(
                "--symmetric goes with --method rcm: other orders are not the same for rows and for columns"
                    .to_owned(),
            ));
        }
        self.options.check("--method", &[self.method()])?;
        let output = Output::create(common.output.as_deref())?;
        let row_file = order_file("--rows", self.rows.as_deref())?;
        let column_file = order_file("--columns", self.columns.as_deref())?;
        let orders = row_file.iter().chain(&column_file);
        Output::distinct(&iter::once(&output).chain(orders).collect::<Vec<_>>())?;
        let mut results = Results::new(output, common.json);
        let mut long = Vec::new();
        let (name, matrix) = matrix::read(&self.matrix, &mut figures.seconds, |path, budget| {
            sparse::read_any(path, budget, &mut long)
        })?;
        let progress = Progress::of("reordering");
        let method = self.method().name();
        let comment = |order: &Order| {
            let mut words = vec![format!(
                "in the order of sunzi sparse reorder --method {method}"
            )];
            words.extend(order.lines());
            words.join(", ")
        };
        let (order, details, written) = of_any_kind!(&matrix, matrix => {
            let needed = WORKING_BYTES * matrix.nnz() as u64;
            memory::check(&name, "reordering", needed, self.matrix.memory.budget())?;
            // The same order of rows and columns leaves it as it is.
            let symmetry = form.symmetry(&name, matrix)?;
            let order = timed(&mut figures.seconds.computing, || {
                progress.watch(|| Order::find(self.method(), matrix, &self.options))
            })?;
            let permuted = timed(&mut figures.seconds.computing, || order.applied(matrix, &name))?;
            if let (Some(choice), false) = (&order.choice, common.json) {
                progress.warn(&format!("{name}: {}", choice.sentence()));
            }
            drop(progress);
            let written = timed(&mut figures.seconds.writing, || {
                results.facts(|| self.head(matrix))?;
                match common.json {
                    true => write_entries(&permuted, &mut results),
                    false => write_matrix(&permuted, symmetry, &comment(&order), &mut results),
                }
            });
            let details = Details::of(&order, matrix, &permuted);
            (order, details, written)
        });
        let matrix = written.and_then(|()| {
            results.close(|| Tail {
                details,
                figures: figures.ended(),
            })
        });
        let orders = [(&order.rows, row_file), (&order.columns, column_file)];
        let orders = orders
            .into_iter()
            .filter_map(|(order, file)| Some((order, file?)));
        let orders = orders.map(|(order, file)| write_order(order, file));
        Output::finish_all(orders.chain([matrix]))
    }
}

/// Bytes for each entry that orders and their application take.
const WORKING_BYTES: u64 = 40;

impl Reorder {
    /// What the JSON form tells first.
    fn head<E: Copy>(&self, matrix: &CsrMatrix<E>) -> Head {
        let inputs = json!({
            "files": files([&self.matrix.file]),
            "method": self.method().name(),
            "rows": matrix.rows(),
            "columns": matrix.columns(),
            "nonzeros": matrix.nnz(),
        });
        Head::new("sparse reorder", inputs)
    }
}

impl Details {
    fn of<E: Copy>(order: &Order, before: &CsrMatrix<E>, after: &CsrMatrix<E>) -> Self {
        let from_one = |order: &Permutation| {
            let indices = order.order().iter();
            indices.map(|&index| u64::from(index) + 1).collect()
        };
        Self {
            parameters: order.parameters.clone(),
            choice: order.choice.clone(),
            bandwidth_before: before.bandwidth(),
            bandwidth_after: after.bandwidth(),
            row_order: from_one(&order.rows),
            column_order: from_one(&order.columns),
        }
    }
}

/// A file for an order, which must not be standard output, too.
fn order_file(option: &'static str, path: Option<&Path>) -> Result<Option<Output>, Failure> {
    match path {
        Some(path) if path == Path::new("-") => Err(Failure::Usage(
            "--rows and --columns need names of files: the matrix goes to standard output"
                .to_owned(),
        )),
        path => path
            .map(|path| Output::create_named(option, path))
            .transpose(),
    }
}

/// Writes an order; the file, which is to be finished.
fn write_order(order: &Permutation, file: Output) -> Result<Output, Failure> {
    let mut lines = Results::new(file, false);
    let order = order.order();
    listing::write(order.len(), &mut lines, |index, text| {
        text.extend((u64::from(order[index]) + 1).to_string().bytes());
    })?;
    lines.close(|| ())
}
