//! `sunzi scratch`: what computations through files have left in a folder.

use crate::args::Common;
use crate::commands::Run;
use crate::report::{Figures, Head, Report};
#[cfg(unix)]
use crate::through_files::text::folder::{self, Folder};
use clap::Args;
use serde::Serialize;
use serde_json::json;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use sunzi::scale::{self, FoundJob, ScaleError};
use sunzi_files::failure::Failure;
use sunzi_files::memory::shown;
use sunzi_files::output::Output;

super::commands! {
    /// What is done with scratch files.
    ScratchCommand {
        /// Jobs that were begun, and how far they came
        List(List),
        /// Removes the jobs at which nobody works
        Clean(Clean),
    }
}

/// The folder of `sunzi scratch list`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sunzi scratch list /scratch
  sunzi scratch list /scratch --json")]
pub struct List {
    /// Folder that was given by --scratch
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// The folder of `sunzi scratch clean`.
#[derive(Debug, Args)]
#[command(
    after_help = "The jobs go, with what there is of their results; inputs and whole results stay.

Examples:
  sunzi scratch clean /scratch"
)]
pub struct Clean {
    /// Folder that was given by --scratch
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

impl Run for List {
    fn run(&self, common: &Common) -> Result<(), Failure> {
        tell(Action::List, &self.folder, common)
    }
}

impl Run for Clean {
    fn run(&self, common: &Common) -> Result<(), Failure> {
        tell(Action::Clean, &self.folder, common)
    }
}

/// What is done with all jobs of a folder.
#[derive(Clone, Copy)]
enum Action {
    List,
    Clean,
}

/// All of them.
#[derive(Serialize)]
struct Jobs {
    jobs: Vec<Told>,
    arrays: Vec<Arrays>,
}

/// Operands and results that are text elsewhere.
#[derive(Serialize)]
struct Arrays {
    folder: String,
    bytes: u64,
}

/// A job as it is told.
#[derive(Serialize)]
struct Told {
    folder: String,
    input: String,
    output: String,
    modulus: String,
    operation: String,
    bands_done: usize,
    bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    in_use_by: Option<String>,
}

impl Told {
    #[cfg(unix)]
    fn new(job: FoundJob) -> Self {
        let fact = |name: &str| {
            let lines = job.facts.lines().filter_map(|line| line.strip_prefix(name));
            let value = lines.filter_map(|line| line.strip_prefix(' ')).next();
            value.unwrap_or("unknown").to_owned()
        };
        Self {
            input: fact("input"),
            output: fact("output"),
            modulus: fact("modulus"),
            operation: fact("operation"),
            folder: job.folder.display().to_string(),
            bands_done: job.bands,
            bytes: job.bytes,
            in_use_by: job.holder,
        }
    }

    fn lines(&self) -> String {
        let state = match &self.in_use_by {
            Some(holder) => format!("in use by {holder}"),
            None => format!("{} bands done", self.bands_done),
        };
        format!(
            "{}\n  {} of {} to {} modulo {}\n  {state}, {} on the disk\n",
            self.folder,
            self.operation.to_lowercase(),
            self.input,
            self.output,
            self.modulus,
            shown(self.bytes)
        )
    }
}

/// Does it; the jobs that were found.
#[cfg(unix)]
fn jobs(action: Action, folder: &Path) -> Result<Jobs, Failure> {
    let jobs = match action {
        Action::List => scale::found(folder),
        Action::Clean => scale::clean(folder),
    };
    let jobs = jobs.map_err(|error| match &error {
        ScaleError::Disk { path, .. } if path == folder => Failure::Usage(error.to_string()),
        _ => Failure::Computation(error.to_string()),
    })?;
    let mut arrays = folder::found(folder);
    if let Action::Clean = action {
        // Jobs that go on need them.
        let all_are_gone = scale::found(folder).is_ok_and(|jobs| jobs.is_empty());
        arrays.retain(|(folder, _)| {
            let locked = Folder::try_lock(folder.clone());
            all_are_gone && locked.is_ok_and(|locked| locked.is_some_and(|folder| folder.remove()))
        });
    }
    Ok(Jobs {
        jobs: jobs.into_iter().map(Told::new).collect(),
        arrays: arrays
            .into_iter()
            .map(|(folder, bytes)| Arrays {
                folder: folder.display().to_string(),
                bytes,
            })
            .collect(),
    })
}

#[cfg(not(unix))]
fn jobs(_: Action, _: &Path) -> Result<Jobs, Failure> {
    Err(Failure::Usage(
        "transforms through files are for Unix".to_owned(),
    ))
}

/// Does it, and tells the jobs.
fn tell(action: Action, folder: &Path, common: &Common) -> Result<(), Failure> {
    let figures = Figures::start();
    let output = Output::create(common.output.as_deref())?;
    let command = match action {
        Action::List => "scratch list",
        Action::Clean => "scratch clean",
    };
    let report = Report {
        head: Head::new(command, json!({ "folder": folder.display().to_string() })),
        result: jobs(action, folder)?,
        figures: figures.ended(),
    };
    report.write(output, common.json, |found| {
        let jobs = found.jobs.iter().map(Told::lines);
        let arrays = found.arrays.iter().map(|Arrays { folder, bytes }| {
            format!(
                "{folder}\n  arrays of text, {} on the disk\n",
                shown(*bytes)
            )
        });
        jobs.chain(arrays).collect()
    })
}
