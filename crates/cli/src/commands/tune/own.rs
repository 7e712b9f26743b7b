//! `sunzi tune self`, `show` and `reset`: the shapes of Sunzi's own kernels on a device of this machine.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use sunzi::engine::DeviceChoice;
use sunzi::gpu::{Device, Selection};
use sunzi::tune::Sampling;
use sunzi::tuning::{OwnKernel, Tuning};
use sunzi_files::error::{Failure, reason};
use sunzi_files::output::Output;
use sunzi_files::progress::Progress;

use crate::args::Common;
use crate::commands::Run;
use crate::kept;
use crate::report::write_report;

/// How long is measured.
#[derive(Debug, Args)]
#[command(
    after_help = "What is measured is kept in $SUNZI_TUNING, or else where the system keeps such things, as in
~/.cache/sunzi/tuning.json, and used by all commands on that device from then on. No result depends on it.

Examples:
  sunzi tune self
  sunzi tune self --quick --device opencl
  sunzi tune show
  sunzi tune reset"
)]
pub struct Own {
    /// A few seconds instead of a minute
    #[arg(long)]
    quick: bool,
}

/// It takes no arguments of its own.
#[derive(Debug, Args)]
pub struct Show {}

/// It takes no arguments of its own.
#[derive(Debug, Args)]
pub struct Reset {}

#[derive(Debug, Serialize)]
struct Told {
    command: &'static str,
    file: String,
    device: Option<String>,
    kernels: Vec<KernelFacts>,
}

#[derive(Debug, Serialize)]
struct KernelFacts {
    kernel: &'static str,
    shapes: usize,
    formulas: String,
}

impl Told {
    fn new(command: &'static str, file: &std::path::Path, tuning: Option<&Tuning>) -> Self {
        let facts = |kernel: OwnKernel| {
            let model = tuning?.model(kernel)?;
            Some(KernelFacts {
                kernel: kernel.name(),
                shapes: model.shapes().len(),
                formulas: model.program().to_string(),
            })
        };
        Told {
            command,
            file: file.display().to_string(),
            device: tuning.map(|tuning| tuning.device().to_owned()),
            kernels: OwnKernel::ALL.into_iter().filter_map(facts).collect(),
        }
    }

    fn text(&self) -> String {
        let Some(device) = &self.device else {
            return format!(
                "nothing is measured: `sunzi tune self` does it, and keeps it in {}\n",
                self.file
            );
        };
        let mut text = format!("{device}, in {}\n", self.file);
        for kernel in &self.kernels {
            text += &format!(
                "\n{}: {} shapes\n{}",
                kernel.kernel, kernel.shapes, kernel.formulas
            );
        }
        text
    }
}

/// Where it is kept.
fn file() -> Result<PathBuf, Failure> {
    kept::file().ok_or_else(|| {
        Failure::Usage("there is no folder to keep it in: name a file by the environment variable SUNZI_TUNING".to_owned())
    })
}

impl Run for Own {
    fn run(&self, common: &Common) -> Result<(), Failure> {
        let output = Output::create(common.output.as_deref())?;
        let file = file()?;
        let selection = match common.device {
            DeviceChoice::Only(selection) => selection,
            DeviceChoice::Auto => Selection::Any,
            DeviceChoice::Cpu => {
                return Err(Failure::Usage(
                    "kernels run on cuda or opencl devices: `sunzi info` lists them".to_owned(),
                ));
            }
        };
        let failed = |error: &dyn std::fmt::Display| Failure::Computation(error.to_string());
        let device = Device::open(selection).map_err(|error| failed(&error))?;
        let sampling = match self.quick {
            true => Sampling {
                seconds: 6.0,
                runs: 1,
                ..Sampling::default()
            },
            false => Sampling {
                seconds: 60.0,
                ..Sampling::default()
            },
        };
        // Before anything is measured for nothing.
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder).map_err(|error| {
                Failure::Computation(format!("{}: {}", folder.display(), reason(&error)))
            })?;
        }
        let mut kept = Output::create_named("SUNZI_TUNING", &file)?;
        let progress = Progress::without_total("measuring");
        let tuning = Tuning::measure(&device, &sampling).map_err(|error| failed(&error))?;
        device
            .take_notices()
            .iter()
            .for_each(|notice| progress.note(notice));
        drop(progress);
        kept.write(format!("{}\n", tuning.to_json()).as_bytes())?;
        kept.finish()?;
        let told = Told::new("tune self", &file, Some(&tuning));
        write_report(output, common.json, &told, || told.text())
    }

    fn computes_on_devices(&self) -> bool {
        true
    }
}

impl Run for Show {
    fn run(&self, common: &Common) -> Result<(), Failure> {
        let output = Output::create(common.output.as_deref())?;
        let file = file()?;
        let tuning = kept::tuning()?;
        let told = Told::new("tune show", &file, tuning.as_ref());
        write_report(output, common.json, &told, || told.text())
    }
}

impl Run for Reset {
    fn run(&self, common: &Common) -> Result<(), Failure> {
        let output = Output::create(common.output.as_deref())?;
        let file = file()?;
        match std::fs::remove_file(&file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(Failure::Computation(format!(
                    "{}: {}",
                    file.display(),
                    reason(&error)
                )));
            }
            _ => {}
        }
        let told = Told::new("tune reset", &file, None);
        write_report(output, common.json, &told, || told.text())
    }
}
