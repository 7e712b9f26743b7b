//! `sunzi sparse show`.

use super::matrix;
use super::matrix::MatrixFile;
use super::ordering::{Choice, Method, Order, OrderOptions};
use crate::args::Common;
use crate::commands::Run;
use crate::draw::Format;
use crate::draw::pattern::{Grid, Panel, draw};
use crate::report::{Figures, Head, Report, files, timed};
use crate::table::grouped;
use clap::Args;
use serde::Serialize;
use serde_json::json;
use std::path::Path;
use sunzi::sparse::CsrMatrix;
use sunzi_files::failure::Failure;
use sunzi_files::input::sparse;
use sunzi_files::output::Output;

/// A matrix and what its picture shows.
#[derive(Debug, Args)]
#[command(after_help = concat!(matrices!(), methods!(), "
The end of the file's name, .png or .svg, says what is drawn. The darker a dot the more non-zeros it holds.

Examples:
  sunzi sparse show m.mtx -o m.png
  sunzi sparse show m.mtx --compare gray -o gray.svg
  sunzi sparse show m.mtx --compare gray --compare rcm --compare random -o orders.png"))]
pub struct Show {
    #[command(flatten)]
    pub matrix: MatrixFile,
    /// Draw it in this order, too; may be given several times
    #[arg(long, value_enum, value_name = "METHOD")]
    pub compare: Vec<Method>,
    #[command(flatten)]
    pub options: OrderOptions,
}

/// What is told of the picture on standard output with `--json`.
#[derive(Serialize)]
struct Drawn {
    picture: String,
    panels: Vec<PanelFacts>,
}

/// What is told of a pattern.
#[derive(Serialize)]
struct PanelFacts {
    /// `given`, or a method of `--compare`.
    order: &'static str,
    bandwidth: usize,
    /// What `auto` chose, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    choice: Option<Choice>,
}

/// A pattern with its title, and what else is told of it.
struct Shown {
    panel: Panel,
    order: &'static str,
    bandwidth: usize,
    choice: Option<Choice>,
}

impl PanelFacts {
    fn of(shown: Shown) -> Self {
        Self {
            order: shown.order,
            bandwidth: shown.bandwidth,
            choice: shown.choice,
        }
    }
}

impl Run for Show {
    /// Draws a matrix, in several orders if asked for.
    fn run(&self, common: &Common) -> Result<(), Failure> {
        let mut figures = Figures::start();
        self.options.check("--compare", &self.compare)?;
        let (path, format) = target(common.output.as_deref())?;
        let mut output = Output::create(Some(path))?;
        let report = common.json.then(|| Output::create(None)).transpose()?;
        if let Some(report) = &report {
            Output::distinct(&[report, &output])?;
        }
        let input = matrix::read(&self.matrix, &mut figures.seconds, sparse::read_places)?;
        let pattern = &input.matrix;
        let mut panels = vec![panel(("given", "as given"), Vec::new(), None, pattern)];
        for &method in &self.compare {
            let (order, permuted) = timed(&mut figures.seconds.computing, || {
                let order = Order::find(method, pattern, &self.options)?;
                let permuted = order.applied(pattern, &input.name)?;
                Ok::<_, Failure>((order, permuted))
            })?;
            let title = match method {
                Method::Gray => "Gray code order",
                Method::Rcm => "reverse Cuthill-McKee order",
                Method::Bipartite => "bipartite Cuthill-McKee order",
                Method::Bordered => "bordered Cuthill-McKee order",
                Method::Auto => "the order chosen",
                Method::Random => "random order",
            };
            panels.push(panel(
                (method.name(), title),
                order.lines(),
                order.choice,
                &permuted,
            ));
        }
        let title = format!(
            "{}: {} x {}, {} non-zeros",
            input.name,
            grouped(pattern.rows()),
            grouped(pattern.columns()),
            grouped(pattern.nnz())
        );
        let bytes = timed(&mut figures.seconds.writing, || {
            let panels: Vec<Panel> = panels.iter().map(|shown| shown.panel.clone()).collect();
            draw(&title, &panels).encode(format)
        });
        let bytes =
            bytes.map_err(|error| Failure::Computation(format!("{}: {error}", path.display())))?;
        output.write(&bytes)?;
        let Some(mut report) = report else {
            return output.finish();
        };
        let inputs = json!({
            "files": files([&self.matrix.file]),
            "rows": pattern.rows(),
            "columns": pattern.columns(),
            "nonzeros": pattern.nnz(),
            "compare": self.compare.iter().map(|method| method.name()).collect::<Vec<_>>(),
        });
        let drawn = Report {
            head: Head::new("sparse show", inputs),
            result: Drawn {
                picture: path.display().to_string(),
                panels: panels.into_iter().map(PanelFacts::of).collect(),
            },
            figures: figures.ended(),
        };
        let told = report.write(drawn.json()?.as_bytes());
        // The picture appears when all is told.
        Output::finish_all([told.map(|()| report), Ok(output)])
    }
}

/// The file of the picture, and what is drawn into it.
fn target(path: Option<&Path>) -> Result<(&Path, Format), Failure> {
    const WANTED: &str = "name it with -o, such as -o m.png or -o m.svg";
    let path = path.filter(|&path| path != Path::new("-"));
    let path = path.ok_or_else(|| Failure::Usage(format!("a picture needs a file: {WANTED}")))?;
    let format = Format::of(path).ok_or_else(|| {
        Failure::Usage(format!(
            "{}: the end of the name must say what is drawn, .png or .svg: {WANTED}",
            path.display()
        ))
    })?;
    Ok((path, format))
}

fn panel(
    (order, title): (&'static str, &str),
    lines: Vec<String>,
    choice: Option<Choice>,
    pattern: &CsrMatrix<()>,
) -> Shown {
    let bandwidth = pattern.bandwidth();
    let mut facts = lines;
    if pattern.rows() == pattern.columns() {
        facts.push(format!("bandwidth {}", grouped(bandwidth)));
    }
    let panel = Panel {
        title: title.to_owned(),
        facts,
        grid: Grid::new(pattern),
    };
    Shown {
        panel,
        order,
        bandwidth,
        choice,
    }
}
