//! `sunzi tune self`, `show` and `reset`: the shapes of Sunzi's own kernels on a device of this machine, the lengths from which
//! algorithms win on its processor, and the kernels of programs that `sunzi tune run` has learned.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use serde_json::{Value, json};
use sunzi::{
    engine::DeviceChoice,
    gpu::{Device, Selection},
    tune::{
        DeviceTuning, Effort, FoundThreshold, OwnKernel, ProcessorTuning, Sampling, Tuning,
        TuningError, live::LearnedKernel,
    },
};
use sunzi_files::failure::{Failure, reason};
use sunzi_files::output::Output;
use sunzi_files::progress::Progress;

use crate::args::{ChosenDevice, Common};
use crate::commands::Run;
use crate::kept;
use crate::report::{Figures, Head, Report, timed};
use crate::wording::busy;

/// What is measured, and for how long.
#[derive(Debug, Args)]
#[command(
    after_help = "Without --cpu and --gpu both are measured, the device if there is one. What is measured is kept in $SUNZI_TUNING, or
else where the system keeps such things, as in ~/.cache/sunzi/tuning.json, and used by all commands on that processor and that
device from then on. No result depends on it.

Examples:
  sunzi tune self
  sunzi tune self --cpu
  sunzi tune self --gpu --quick --device opencl
  sunzi tune show
  sunzi tune reset"
)]
pub struct Own {
    /// Only the processor: the lengths from which algorithms win, the threads that compute, and the work that they share
    #[arg(long, conflicts_with = "gpu")]
    cpu: bool,
    /// Only a device: the shapes of kernels
    #[arg(long)]
    gpu: bool,
    /// A few seconds instead of a minute or two
    #[arg(long)]
    quick: bool,
    #[command(flatten)]
    device: ChosenDevice,
}

/// It takes no arguments of its own.
#[derive(Debug, Args)]
pub struct Show {}

/// It takes no arguments of its own.
#[derive(Debug, Args)]
pub struct Reset {}

#[derive(Debug, Serialize)]
struct Told {
    file: String,
    processor: Option<String>,
    thresholds: Vec<FoundThreshold>,
    device: Option<String>,
    kernels: Vec<KernelFacts>,
    learned: Vec<LearnedFacts>,
}

/// A kernel of a program.
#[derive(Debug, Serialize)]
struct LearnedFacts {
    kernel: String,
    device: String,
    shapes: usize,
    formulas: String,
}

impl LearnedFacts {
    fn new(learned: LearnedKernel) -> Self {
        LearnedFacts {
            shapes: learned.model.shapes().len(),
            formulas: learned.model.program().to_string(),
            kernel: learned.kernel,
            device: learned.device,
        }
    }
}

#[derive(Debug, Serialize)]
struct KernelFacts {
    kernel: &'static str,
    shapes: usize,
    formulas: String,
}

impl Told {
    fn new(file: &std::path::Path, tuning: &Tuning, learned: Vec<LearnedKernel>) -> Self {
        let (device, processor) = (tuning.device.as_ref(), tuning.processor.as_ref());
        let facts = |kernel: OwnKernel| {
            let model = device?.model(kernel)?;
            Some(KernelFacts {
                kernel: kernel.name(),
                shapes: model.shapes().len(),
                formulas: model.program().to_string(),
            })
        };
        Told {
            file: file.display().to_string(),
            processor: processor.map(|of| of.processor().to_owned()),
            thresholds: processor.map_or_else(Vec::new, ProcessorTuning::thresholds),
            device: device.map(|of| of.device().to_owned()),
            kernels: OwnKernel::ALL.into_iter().filter_map(facts).collect(),
            learned: learned.into_iter().map(LearnedFacts::new).collect(),
        }
    }

    fn write(
        self,
        command: &'static str,
        inputs: Value,
        figures: Figures,
        output: Output,
        common: &Common,
    ) -> Result<(), Failure> {
        let report = Report {
            head: Head::new(command, inputs),
            result: self,
            figures: figures.ended(),
        };
        report.write(output, common.json, Self::text)
    }

    fn text(&self) -> String {
        let mut text = match self.device.is_none() && self.processor.is_none() {
            true => format!(
                "nothing is measured: `sunzi tune self` does it, and keeps it in {}\n",
                self.file
            ),
            false => format!("in {}\n", self.file),
        };
        if let Some(processor) = &self.processor {
            text += &format!("\nprocessor: {processor}\n");
            for found in &self.thresholds {
                text += &format!(
                    "  {:<42} {:<26} {:>6} (built in: {})\n",
                    found.of, found.algorithm, found.measured, found.built_in
                );
            }
        }
        if let Some(device) = &self.device {
            text += &format!("\ndevice: {device}\n");
        }
        for kernel in &self.kernels {
            text += &format!(
                "\n{}: {} shapes\n{}",
                kernel.kernel, kernel.shapes, kernel.formulas
            );
        }
        for learned in &self.learned {
            text += &format!(
                "\nlearned: {} on {}: {} shapes\n{}",
                learned.kernel, learned.device, learned.shapes, learned.formulas
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

impl Own {
    /// The device that is measured, if one is. One that nobody asked for may lack, and is told.
    fn device(&self, choice: DeviceChoice, progress: &Progress) -> Result<Option<Device>, Failure> {
        let selection = match choice {
            DeviceChoice::Only(_) if self.cpu => {
                return Err(Failure::Usage(format!(
                    "--cpu measures the processor alone, and --device {choice} does without: give one of them"
                )));
            }
            DeviceChoice::Cpu if self.gpu => {
                return Err(Failure::Usage(
                    "kernels run on cuda or opencl devices: `sunzi info` lists them".to_owned(),
                ));
            }
            DeviceChoice::Cpu => return Ok(None),
            DeviceChoice::Auto if self.cpu => return Ok(None),
            DeviceChoice::Only(selection) => selection,
            DeviceChoice::Auto => Selection::Any,
        };
        match Device::open(selection) {
            Ok(device) => Ok(Some(device)),
            Err(none) if choice == DeviceChoice::Auto && !self.gpu => {
                progress.warn(&format!("only the processor is measured: {none}"));
                Ok(None)
            }
            Err(none) => Err(Failure::Computation(none.to_string())),
        }
    }

    /// The processor.
    fn processor(&self) -> Result<ProcessorTuning, TuningError> {
        let effort = match self.quick {
            true => Effort::QUICK,
            false => Effort::THOROUGH,
        };
        ProcessorTuning::measure(&effort)
    }
}

impl Run for Own {
    fn run(&self, common: &Common) -> Result<(), Failure> {
        let mut figures = Figures::start();
        let output = Output::create(common.output.as_deref())?;
        let file = file()?;
        let progress = Progress::of("measuring");
        // Before anything is measured for nothing.
        let device = self.device(self.device.choice, &progress)?;
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder).map_err(|error| {
                Failure::Computation(format!("{}: {}", folder.display(), reason(&error)))
            })?;
        }
        let mut kept = Output::create_named("SUNZI_TUNING", &file)?;
        // What is not measured now stays; what is damaged goes.
        let mut tuning = kept::tuning().ok().flatten().unwrap_or_default();
        let failed = |error: &dyn std::fmt::Display| Failure::Computation(error.to_string());
        if !self.gpu && !matches!(self.device.choice, DeviceChoice::Only(_)) {
            let processor = timed(&mut figures.seconds.computing, || self.processor());
            let processor = processor.map_err(|error| failed(&error))?;
            if let Some(said) = processor.waited().and_then(busy) {
                progress.warn(&said);
            }
            tuning.processor = Some(processor);
        }
        if let Some(device) = device {
            let sampling = match self.quick {
                true => Sampling {
                    seconds: 10.0,
                    runs: 1,
                    ..Sampling::default()
                },
                false => Sampling {
                    seconds: 90.0,
                    ..Sampling::default()
                },
            };
            let shapes = timed(&mut figures.seconds.computing, || {
                DeviceTuning::measure(&device, &sampling)
            });
            figures.computed_on(device.info());
            tuning.device = Some(shapes.map_err(|error| failed(&error))?);
            device
                .take_warnings()
                .iter()
                .for_each(|warning| progress.warn(warning));
        }
        drop(progress);
        kept.write(format!("{}\n", tuning.to_json()).as_bytes())?;
        kept.finish()?;
        let inputs = json!({ "cpu": self.cpu, "gpu": self.gpu, "quick": self.quick });
        Told::new(&file, &tuning, kept::kernels()?).write(
            "tune self",
            inputs,
            figures,
            output,
            common,
        )
    }
}

impl Run for Show {
    fn run(&self, common: &Common) -> Result<(), Failure> {
        let figures = Figures::start();
        let output = Output::create(common.output.as_deref())?;
        let file = file()?;
        let tuning = kept::tuning()?;
        let told = Told::new(&file, &tuning.unwrap_or_default(), kept::kernels()?);
        told.write("tune show", json!({}), figures, output, common)
    }
}

impl Run for Reset {
    fn run(&self, common: &Common) -> Result<(), Failure> {
        let figures = Figures::start();
        let output = Output::create(common.output.as_deref())?;
        let file = file()?;
        for kept in [Some(&file), kept::kernels_file().as_ref()]
            .into_iter()
            .flatten()
        {
            match std::fs::remove_file(kept) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(Failure::Computation(format!(
                        "{}: {}",
                        kept.display(),
                        reason(&error)
                    )));
                }
                _ => {}
            }
        }
        let told = Told::new(&file, &Tuning::default(), Vec::new());
        told.write("tune reset", json!({}), figures, output, common)
    }
}
