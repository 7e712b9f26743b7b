//! `sunzi tune kernel`.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use sunzi::{
    engine::DeviceChoice,
    gpu::{Device, GpuError, Selection},
    tune::{AnchoredModel, Constants, KernelRunner, LaunchError, Sampling, SamplingError, profile},
};
use sunzi_files::failure::Failure;
use sunzi_files::output::Output;
use sunzi_files::progress::Progress;

use super::fit::{Destination, Fitted};
use super::input;
use crate::args::{ChosenDevice, Common};
use crate::commands::Run;
use crate::report::{Figures, Head, Report, files, timed};

/// A kernel that is run.
#[derive(Debug, Args)]
#[command(
    after_help = "The description says what the kernel is called with, and at which sizes it is run:
  version = 1
  [[kernel]]
  name = \"doubled\"
  data = { n = { from = 1, to = 1048576, samples = [1024, 4096, 16384] } }
  program = { bx = { from = 32, to = 1024, factor = 2 } }
  block = [\"bx\"]
  grid = [\"ceil(n / bx)\"]
  arguments = [
    { buffer = \"to\", element = \"u32\", length = \"n\", result = true },
    { buffer = \"from\", element = \"u32\", length = \"n\", fill = \"index\" },
    { value = \"n\", element = \"u32\" },
  ]

Examples:
  sunzi tune kernel doubled.cu --describe doubled.toml -o doubled.json
  sunzi tune kernel doubled.cl --describe doubled.toml --device opencl --budget 10 -o doubled.json"
)]
pub struct KernelArguments {
    /// The kernel's code: CUDA C++ (with extern "C") or OpenCL C
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Its description
    #[arg(long, value_name = "FILE.toml")]
    describe: PathBuf,
    /// The kernel, where the description has several
    #[arg(long, value_name = "NAME")]
    kernel: Option<String>,
    /// Seconds after which no further run begins
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0, value_parser = positive)]
    budget: f64,
    /// Timed runs of a shape, whose median counts
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    runs: u16,
    /// The times, too, to this file as CSV
    #[arg(long, value_name = "TIMES.csv")]
    times: Option<PathBuf>,
    #[command(flatten)]
    device: ChosenDevice,
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() && value > 0.0 => Ok(value),
        _ => Err("a positive number of seconds".to_owned()),
    }
}

impl Run for KernelArguments {
    fn run(&self, common: &Common) -> Result<(), Failure> {
        let mut figures = Figures::start();
        let destination = Destination::create(common, "tune kernel")?;
        let times = self
            .times
            .as_deref()
            .map(|path| Output::create_named("--times", path))
            .transpose()?;
        if let Some(times) = &times {
            destination.must_differ_from(times)?;
        }
        let description = input::description(&self.describe)?;
        let kernel = input::kernel(&description, self.kernel.as_deref(), &self.describe)?;
        let text = input::text(&self.file)?;
        let name = self.file.display().to_string();
        let device = open(&name, self.device.choice)?;
        let known = profile(device.info());
        let failed = |error: LaunchError| Failure::Computation(error.to_string());
        // SAFETY: the user describes their own program, as they would call it from one of their own.
        let mut runner =
            unsafe { KernelRunner::new(&device, kernel, &name, &text) }.map_err(failed)?;
        let mut sizes = kernel.samples();
        sizes.retain(|data| runner.bytes(data) <= device.memory_free() / 2);
        if sizes.len() < 2 {
            return Err(Failure::Computation(format!(
                "of the sizes to measure at {} fit the memory of {}, and at least two are needed: name smaller ones by `samples`",
                sizes.len(),
                device.info().name
            )));
        }
        let sampling = Sampling {
            seconds: self.budget,
            runs: self.runs.into(),
            ..Sampling::default()
        };
        let progress = Progress::over_at_most(sizes.len() as u64, "sizes");
        progress.say("running");
        let sampled = timed(&mut figures.seconds.computing, || {
            let run = |data: &[i64], shape: &[i64]| {
                let done = sizes.iter().position(|size| size == data);
                progress.at(done.unwrap_or_default() as u64);
                runner.run(data, shape)
            };
            sampling.run(kernel, &known, &sizes, run).map_err(unsampled)
        })?;
        figures.computed_on(device.info());
        device
            .take_warnings()
            .iter()
            .for_each(|warning| progress.warn(warning));
        if sampled.cut_short {
            progress.warn("the time was up before all sizes were run: --budget gives more");
        }
        drop(progress);
        let compiled = kernel.clone().with_resources(runner.resources().clone());
        let model = AnchoredModel::fit(&compiled, &known, Constants::default(), &sampled.samples)
            .map_err(|error| Failure::Computation(error.to_string()))?;
        if let Some(mut times) = times {
            let names: Vec<&str> = kernel.data_names().chain(kernel.program_names()).collect();
            times.write(format!("{},milliseconds\n", names.join(",")).as_bytes())?;
            for sample in &sampled.samples {
                let values: Vec<String> = sample
                    .data
                    .iter()
                    .chain(&sample.shape)
                    .map(i64::to_string)
                    .collect();
                times
                    .write(format!("{},{}\n", values.join(","), sample.milliseconds).as_bytes())?;
            }
            times.finish()?;
        }
        let inputs = json!({
            "files": files([&self.file, &self.describe]),
            "budget": self.budget,
            "runs": self.runs,
        });
        destination.write(&model, |file| Report {
            head: Head::new("tune kernel", inputs),
            result: Fitted {
                kernel: kernel.name(),
                samples: sampled.samples.len(),
                shapes: model.shapes().len(),
                sampling_ms: sampled.milliseconds,
                cut_short: sampled.cut_short,
                measured_on: Some(&device.info().name),
                model: file,
            },
            figures: figures.ended(),
        })
    }
}

/// Why times could not be taken.
fn unsampled(error: SamplingError<LaunchError>) -> Failure {
    Failure::Computation(match error {
        // These concern all shapes, or say themselves which.
        SamplingError::Run {
            source: LaunchError::Gpu(source @ GpuError::Compile { .. }),
            ..
        } => source.to_string(),
        SamplingError::Run {
            source: source @ LaunchError::Gpu(_),
            data,
            shape,
        } => format!("shape {shape:?} at {data:?}: {source}"),
        SamplingError::Run { source, .. } => source.to_string(),
        error => error.to_string(),
    })
}

/// The device that takes a file's language: CUDA for `.cu`, else the one that was named, or the first with OpenCL.
fn open(file: &str, choice: DeviceChoice) -> Result<Device, Failure> {
    let selection = match choice {
        DeviceChoice::Only(selection) => selection,
        DeviceChoice::Cpu => {
            return Err(Failure::Usage(
                "kernels run on cuda or opencl devices: `sunzi info` lists them".to_owned(),
            ));
        }
        DeviceChoice::Auto => {
            let wanted = if file.ends_with(".cu") {
                "cuda"
            } else {
                "opencl"
            };
            wanted
                .parse::<Selection>()
                .map_err(|error| Failure::Computation(error.to_string()))?
        }
    };
    Device::open(selection).map_err(|error| Failure::Computation(error.to_string()))
}
