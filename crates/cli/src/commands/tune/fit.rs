//! `sunzi tune fit`.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use serde_json::json;
use sunzi::tune::{AnchoredModel, Constants};
use sunzi_files::failure::Failure;
use sunzi_files::output::Output;

use super::input;
use crate::args::Common;
use crate::commands::Run;
use crate::report::{Figures, Head, Report, files, timed};

/// What a model is fitted to.
#[derive(Debug, Args)]
#[command(
    after_help = "TIMES is CSV: its first line names a column for each data parameter, for each program parameter, and
`milliseconds`; other columns are passed over, but of a column `kernel` only rows of the kernel count.
DEVICE is TOML, such as
  multiprocessors = 40
  warps = 32                # that reside on a multiprocessor
  blocks = 16               # likewise
  l1_bytes = 65536          # may be left out
  l2_bytes = 4194304
  bandwidth = 448.0         # GB/s

Examples:
  sunzi tune fit times.csv --describe kernel.toml --profile device.toml -o model.json
  sunzi tune choose model.json n=8192"
)]
pub struct Fit {
    /// Times of shapes at small sizes
    #[arg(value_name = "TIMES.csv")]
    times: PathBuf,
    /// The description of the kernel
    #[arg(long, value_name = "FILE.toml")]
    describe: PathBuf,
    /// The device that was measured
    #[arg(long, value_name = "DEVICE.toml")]
    profile: PathBuf,
    /// The kernel, where the description has several
    #[arg(long, value_name = "NAME")]
    kernel: Option<String>,
}

/// What was fitted, for `--json`.
#[derive(Debug, Serialize)]
pub struct Fitted<'a> {
    pub kernel: &'a str,
    pub samples: usize,
    pub shapes: usize,
    pub sampling_ms: f64,
    pub cut_short: bool,
    /// The name of the device that ran the kernel, if one did.
    pub measured_on: Option<&'a str>,
    pub model: String,
}

impl Run for Fit {
    fn run(&self, common: &Common) -> Result<(), Failure> {
        let mut figures = Figures::start();
        let destination = Destination::create(common, "tune fit")?;
        let description = input::description(&self.describe)?;
        let kernel = input::kernel(&description, self.kernel.as_deref(), &self.describe)?;
        let device = input::device(&self.profile)?;
        let samples = input::times(&self.times, kernel)?;
        let model = timed(&mut figures.seconds.computing, || {
            AnchoredModel::fit(kernel, &device, Constants::default(), &samples)
        });
        let model = model.map_err(|error| Failure::Computation(error.to_string()))?;
        let inputs = json!({ "files": files([&self.times, &self.describe, &self.profile]) });
        destination.write(&model, |file| Report {
            head: Head::new("tune fit", inputs),
            result: Fitted {
                kernel: kernel.name(),
                samples: samples.len(),
                shapes: model.shapes().len(),
                sampling_ms: 0.0,
                cut_short: false,
                measured_on: None,
                model: file,
            },
            figures: figures.ended(),
        })
    }
}

/// Where a model goes, and with `--json` what is told of it.
pub struct Destination {
    model: Output,
    report: Option<Output>,
    name: String,
}

impl Destination {
    pub fn create(common: &Common, command: &str) -> Result<Self, Failure> {
        let path = common.output.as_deref().ok_or_else(|| {
            Failure::Usage(format!(
                "a model needs a file: name it with -o, as `sunzi {command} … -o model.json`"
            ))
        })?;
        let model = Output::create(Some(path))?;
        let report = common.json.then(|| Output::create(None)).transpose()?;
        if let Some(report) = &report {
            Output::distinct(&[report, &model])?;
        }
        Ok(Destination {
            model,
            report,
            name: path.display().to_string(),
        })
    }

    /// Refuses another output that goes to the same file.
    pub fn must_differ_from(&self, other: &Output) -> Result<(), Failure> {
        let report = self.report.iter();
        let all: Vec<&Output> = report.chain([&self.model, other]).collect();
        Output::distinct(&all)
    }

    pub fn write<'a>(
        mut self,
        model: &AnchoredModel,
        told: impl FnOnce(String) -> Report<Fitted<'a>>,
    ) -> Result<(), Failure> {
        self.model
            .write(format!("{}\n", model.to_json()).as_bytes())?;
        let Some(mut report) = self.report else {
            return self.model.finish();
        };
        let told = report.write(told(self.name).json()?.as_bytes());
        // The model appears when all is told.
        Output::finish_all([told.map(|()| report), Ok(self.model)])
    }
}
