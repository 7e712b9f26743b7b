//! `sunzi paper`: the tables and figures of the papers that Sunzi implements, and the same measured here.
//!
//! **Problem.** A paper's claim is checked by its own experiment: its sizes, its units, its numbers beside ours. **Way.**
//! What papers say is data ([`registry`]); a function measures ([`measures`]); [`beside`] puts both into one table, file
//! and plot; [`page`] writes the map `docs/papers.md` from the same data.

mod beside;
mod machine;
mod measures;
mod page;
mod registry;

use crate::options::budget;
use crate::plots::Folder;
use beside::Beside;
use clap::Args;
use measures::{Asked, Ours};
use registry::{Entry, Registry};
use serde::Serialize;
use serde_json::json;
use std::path::PathBuf;
use sunzi_cli::door::{ChosenDevice, Common, Figures, Head, Report, timed};
use sunzi_files::failure::Failure;
use sunzi_files::output::Output;

/// What stands below the help of `sunzi paper`.
const PAPER_HELP: &str = "sunzi paper list names every table and figure of the papers, and how it is measured here;
sunzi paper page writes the page docs/papers.md, made of the same.

Others take the sizes of the paper; --quick takes few and small ones, to see that all works. The paper's numbers stand
beside ours, with the machines and the date, and are saved as ID.csv, and as ID.svg where they make a plot, in the folder
of --out. What is measured on a device says so; an OpenCL on the processor is one, whose times say nothing of a GPU.

Examples:
  sunzi bench paper list
  sunzi paper 2021-table-3.4
  sunzi paper 2021-table-3.2 --quick --out quick
  sunzi paper 2013-table-9.1 --device cuda
  sunzi paper 2013-table-6.2 cage12.mtx grid2d:300,300";

/// Which table or figure, and how it is measured.
#[derive(Debug, Args)]
#[command(after_help = PAPER_HELP, arg_required_else_help = true)]
pub struct PaperOptions {
    /// The name of a table or figure, such as 2021-table-3.4; list, or page
    #[arg(value_name = "ID")]
    id: String,
    /// Sparse matrices of Tables 6.1 to 6.3 of 2013: Matrix Market files, or what sunzi sparse generate makes
    #[arg(value_name = "MATRIX")]
    matrices: Vec<String>,
    #[command(flatten)]
    device: ChosenDevice,
    /// Take few and small sizes
    #[arg(long)]
    quick: bool,
    /// About how long each case is measured, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "0.2", value_parser = budget)]
    seconds: f64,
    /// Save the numbers and a plot in this folder
    #[arg(long, value_name = "DIR", default_value = "papers")]
    out: PathBuf,
}

/// What `sunzi paper list` tells.
#[derive(Serialize)]
struct List<'a> {
    entries: Vec<&'a Entry>,
}

impl PaperOptions {
    /// Lists, writes the page, or measures; whether it measured.
    pub fn run(&self, common: &Common) -> Result<bool, Failure> {
        let registry = Registry::read()?;
        match &*self.id {
            "list" => list(&registry, common).map(|()| false),
            "page" => {
                let mut output = Output::create(common.output.as_deref())?;
                output.write(page::text(&registry).as_bytes())?;
                output.finish().map(|()| false)
            }
            id => {
                let entry = registry.find(id).ok_or_else(|| {
                    Failure::Usage(format!(
                        "no table or figure is named `{id}`: sunzi paper list has all names"
                    ))
                })?;
                self.measure(registry.source(entry), common)
            }
        }
    }

    fn measure(&self, entry: &Entry, common: &Common) -> Result<bool, Failure> {
        let mut figures = Figures::start();
        let id = &*self.id;
        let asked = Asked {
            entry,
            quick: self.quick,
            seconds: self.seconds,
            device: self.device.choice,
            matrices: &self.matrices,
        };
        if !self.matrices.is_empty() && entry.keys != ["matrix"] {
            return Err(Failure::Usage(format!("{id} is not about sparse matrices")));
        }
        if entry.needs_device {
            asked.selection()?;
        }
        let folder = match entry.measure() {
            Some(_) => Some(Folder::open(&self.out, &format!("{id}.csv"))?),
            None => None,
        };
        let output = Output::create(common.output.as_deref())?;
        folder.iter().try_for_each(|folder| folder.spare(&output))?;
        let ours = timed(&mut figures.seconds.computing, || match entry.measure() {
            Some(measure) => measure(&asked),
            None => Ok(Ours {
                notes: vec![format!("How it is measured: {}.", entry.way())],
                ..Ours::default()
            }),
        })?;
        let mut beside = Beside::new(id, entry, ours, self.quick && entry.run.is_some());
        if let Some(folder) = folder {
            let plot = beside.chart().map(|chart| (format!("{id}.svg"), chart));
            beside.files = folder.draw(plot.into_iter().collect())?;
            beside
                .files
                .push(folder.write(&format!("{id}.csv"), &beside.csv()?)?);
        }
        let inputs = json!({ "id": id, "quick": self.quick, "seconds_per_case": self.seconds });
        let report = Report {
            head: Head::new("paper", inputs),
            result: beside,
            figures: figures.ended(),
        };
        report.write(output, common.json, Beside::to_string)?;
        Ok(entry.measure().is_some())
    }
}

fn list(registry: &Registry, common: &Common) -> Result<(), Failure> {
    let figures = Figures::start();
    let output = Output::create(common.output.as_deref())?;
    let report = Report {
        head: Head::new("paper list", json!({})),
        result: List {
            entries: registry.entries().collect(),
        },
        figures: figures.ended(),
    };
    report.write(output, common.json, |list| {
        let mut text = String::new();
        for entry in &list.entries {
            let lacks = entry.lacks.as_ref();
            let lacks = lacks.map_or_else(String::new, |lacks| format!("\n    lacks {lacks}"));
            let way = entry.way();
            text.push_str(&format!(
                "{}: {}\n    {way}{lacks}\n",
                entry.id, entry.title
            ));
        }
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_what_the_registry_says() {
        let found = include_str!("../../../../docs/papers.md");
        let expected = page::text(&Registry::read().unwrap());
        assert!(
            found == expected,
            "docs/papers.md is out of date: sunzi paper page -o docs/papers.md"
        );
    }
}
