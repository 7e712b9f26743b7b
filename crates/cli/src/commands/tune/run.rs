//! `sunzi tune run`: kernels of programs that exist.
//!
//! The program is run with a library before its driver, the crate `sunzi-layer`, which sees launches. What that is to do and what it has
//! found goes through files in a folder of this run: standard input and output are the program's.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use clap::Args;
use serde::Serialize;
use serde_json::json;
use sunzi::{
    gpu::discover,
    tune::{
        live::{Finding, KnownDevice, LearnedKernel, RunPlan},
        profile,
    },
};
use sunzi_files::failure::{Failure, reason};
use sunzi_files::output::Output;

use super::input;
use crate::args::Common;
use crate::commands::Run;
use crate::kept;
use crate::report::{Figures, Head, Report, files, timed};

/// The layer's library, and the variable that names another place for it.
const LAYER: &str = "libsunzi_layer.so";
const LAYER_VARIABLE: &str = "SUNZI_LAYER";
/// What loaders of OpenCL put before drivers, and the system's loader before other libraries.
const OPENCL_LAYERS: &str = "OPENCL_LAYERS";
const PRELOAD: &str = "LD_PRELOAD";

/// What is run, and how.
#[derive(Debug, Args)]
#[command(
    after_help = "The library libsunzi_layer.so sees the program's launches. It stands beside this program or in ../lib of it, or the
environment variable SUNZI_LAYER names it: in a checkout, cargo build --release makes both.

Where a kernel is launched at a new size, it is run some more times, by other blocks, on copies of its buffers. If the results are the
same bit by bit, formulas are fitted to the times as `tune kernel` does, and later launches get the block that they choose. With OpenCL
these are kernels that ask for nothing of their group, by their source, and blocks that divide the threads; of others, and with CUDA,
those that --describe describes. What was learned is kept for the next run: `sunzi tune show` lists it, `sunzi tune reset`
forgets it.

Nothing is written to the program's output. The exit code is the program's; 128 + n if signal n ended it.

Examples:
  sunzi tune run -- ./simulation --steps 1000
  sunzi tune run --record launches.jsonl --budget 0 -- python3 script.py
  sunzi tune run -o report.txt -- ./simulation
  sunzi tune run --model product.json --describe product.toml -- ./products"
)]
pub struct RunArguments {
    /// Launch by this model, what `tune kernel` or `tune fit` wrote, and make no spare launches; may be given several times
    #[arg(long, value_name = "MODEL.json")]
    model: Vec<PathBuf>,
    /// Descriptions of the program's kernels, as for `tune kernel`, without `definitions`; may be given several times
    #[arg(long, value_name = "FILE.toml")]
    describe: Vec<PathBuf>,
    /// Every launch, with its integer arguments and its time, to this file as lines of JSON
    #[arg(long, value_name = "FILE.jsonl")]
    record: Option<PathBuf>,
    /// Seconds that spare launches may take together; 0 for none
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = seconds)]
    budget: f64,
    /// Choose for this kernel even if its results change with the block, as sums of floating-point numbers do; may be given several times
    #[arg(long, value_name = "KERNEL")]
    may_change: Vec<String>,
    /// The program, and its arguments
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    program: Vec<OsString>,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() && value >= 0.0 => Ok(value),
        _ => Err("a number of seconds, or 0".to_owned()),
    }
}

/// What was found, for `-o`.
#[derive(Debug, Serialize)]
struct Told {
    program: String,
    exit_code: i32,
    kernels: Vec<KernelTold>,
}

/// What was found of a kernel on a device.
#[derive(Debug, Serialize)]
struct KernelTold {
    kernel: String,
    device: String,
    /// Shapes that were measured.
    shapes: usize,
    /// Why its launches stay as they are, if they do.
    unchanged: Option<String>,
    sizes: Vec<Size>,
    #[serde(skip)]
    code: String,
}

/// What was chosen for a size.
#[derive(Debug, PartialEq, Serialize)]
struct Size {
    data: Vec<i64>,
    own_block: Option<[u64; 3]>,
    /// `None`: the program's own.
    block: Option<[u64; 3]>,
}

impl Run for RunArguments {
    fn run(&self, common: &Common) -> Result<(), Failure> {
        let mut figures = Figures::start();
        if common.json && common.output.is_none() {
            return Err(Failure::Usage(
                "standard output is the program's: name a file for the report with -o, or say -o - to have it after the program's output"
                    .to_owned(),
            ));
        }
        let layer = layer()?;
        let report = common
            .output
            .as_deref()
            .map(|path| Output::create(Some(path)))
            .transpose()?;
        let folder = tempfile::tempdir().map_err(|error| {
            Failure::Computation(format!(
                "no folder for the plan of the run: {}",
                reason(&error)
            ))
        })?;
        let findings = folder.path().join("findings.jsonl");
        let plan = self.plan(&findings)?;
        let file = folder.path().join("plan.json");
        std::fs::write(&file, plan.to_json()).map_err(|error| {
            Failure::Computation(format!("{}: {}", file.display(), reason(&error)))
        })?;
        let status = timed(&mut figures.seconds.computing, || self.start(&layer, &file))?;
        let told = Told {
            program: self.program[0].display().to_string(),
            exit_code: exit_code(status),
            kernels: kernels(read(&findings)?, plan.learned)?,
        };
        drop(folder);
        let code = told.exit_code;
        if let Some(report) = report {
            let inputs = json!({
                "files": files(self.model.iter().chain(&self.describe)),
                "record": self.record.as_deref().map(|file| file.display().to_string()),
                "budget": self.budget,
                "may_change": self.may_change,
            });
            let told = Report {
                head: Head::new("tune run", inputs),
                result: told,
                figures: figures.ended(),
            };
            told.write(report, common.json, Told::text)?;
        }
        match code {
            0 => Ok(()),
            // The code is the program's, whatever it means.
            code => std::process::exit(code),
        }
    }
}

impl RunArguments {
    /// What the layer is to do.
    fn plan(&self, findings: &Path) -> Result<RunPlan, Failure> {
        let mut plan = RunPlan::new(findings.to_owned());
        for file in &self.describe {
            input::description(file)?;
            plan.descriptions.push(input::text(file)?);
        }
        let models = self.model.iter().map(|file| input::model(file));
        plan.models = models.collect::<Result<_, _>>()?;
        plan.seconds = match plan.models.is_empty() {
            true => self.budget,
            false => 0.0,
        };
        plan.learned = kept::kernels()?;
        plan.may_change.clone_from(&self.may_change);
        plan.devices = discover()
            .devices
            .iter()
            .map(|info| KnownDevice {
                name: info.name.clone(),
                profile: profile(info),
            })
            .collect();
        if let Some(file) = &self.record {
            // From the root, since the program may change its folder; empty, since lines are added.
            let there =
                std::path::absolute(file).and_then(|file| std::fs::write(&file, "").map(|()| file));
            plan.record = Some(there.map_err(|error| {
                Failure::Computation(format!("--record {}: {}", file.display(), reason(&error)))
            })?);
        }
        Ok(plan)
    }

    /// Runs the program to its end.
    fn start(&self, layer: &Path, plan: &Path) -> Result<ExitStatus, Failure> {
        let mut command = Command::new(&self.program[0]);
        command
            .args(&self.program[1..])
            .env(RunPlan::VARIABLE, plan)
            .env(OPENCL_LAYERS, first(layer, OPENCL_LAYERS))
            .env(PRELOAD, first(layer, PRELOAD));
        prepare(&mut command);
        command.status().map_err(|error| {
            let program = self.program[0].display();
            Failure::Computation(format!("{program} cannot be run: {}", reason(&error)))
        })
    }
}

/// The layer before what else a variable names.
fn first(layer: &Path, variable: &str) -> OsString {
    let mut all = layer.as_os_str().to_owned();
    if let Some(others) = env::var_os(variable).filter(|others| !others.is_empty()) {
        all.push(":");
        all.push(others);
    }
    all
}

/// Signals are as for a program that a shell runs: what the keyboard sends is for the program, whose end this one waits for.
#[cfg(unix)]
fn prepare(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    extern "C" fn wait(_: libc::c_int) {}
    for signal in [libc::SIGINT, libc::SIGQUIT] {
        // SAFETY: the function does nothing, and is not there any more in the program.
        unsafe {
            let before = libc::signal(signal, wait as *const () as libc::sighandler_t);
            if before == libc::SIG_IGN {
                libc::signal(signal, libc::SIG_IGN);
            }
        }
    }
    // SAFETY: setting what a signal does is allowed between fork and exec.
    unsafe {
        command.pre_exec(|| {
            libc::signal(libc::SIGXFSZ, libc::SIG_DFL);
            Ok(())
        });
    }
}

#[cfg(not(unix))]
fn prepare(_: &mut Command) {}

#[cfg(unix)]
fn exit_code(status: ExitStatus) -> i32 {
    use std::os::unix::process::ExitStatusExt;
    status
        .code()
        .or(status.signal().map(|signal| 128 + signal))
        .unwrap_or(1)
}

#[cfg(not(unix))]
fn exit_code(status: ExitStatus) -> i32 {
    status.code().unwrap_or(1)
}

/// The layer's library.
fn layer() -> Result<PathBuf, Failure> {
    if !cfg!(target_os = "linux") {
        return Err(Failure::Computation(
            "programs are run with a layer before their driver on Linux alone".to_owned(),
        ));
    }
    let found = match env::var_os(LAYER_VARIABLE) {
        Some(named) => {
            let named = PathBuf::from(named);
            if !named.is_file() {
                return Err(Failure::Computation(format!(
                    "{LAYER_VARIABLE} names {}, and there is no such file: name {LAYER}",
                    named.display()
                )));
            }
            named
        }
        None => beside().ok_or_else(|| {
            Failure::Computation(format!(
                "the library {LAYER}, which sees launches, is neither beside this program nor in ../lib of it: name it by the environment \
                 variable {LAYER_VARIABLE}; in a checkout `cargo build --release` makes it"
            ))
        })?,
    };
    let found = std::path::absolute(&found).unwrap_or(found);
    let separates = |byte: &u8| matches!(byte, b':' | b' ' | b';');
    match found.as_os_str().as_encoded_bytes().iter().any(separates) {
        true => Err(Failure::Computation(format!(
            "{}: loaders take no name with a colon or a space: put the library elsewhere, and name it by {LAYER_VARIABLE}",
            found.display()
        ))),
        false => Ok(found),
    }
}

/// The library where the program is installed, if it is there.
fn beside() -> Option<PathBuf> {
    let program = env::current_exe().ok()?;
    let folder = program.parent()?;
    let places = [folder.join(LAYER), folder.join("../lib").join(LAYER)];
    places.into_iter().find(|place| place.is_file())
}

/// What the layer has found. A line that a program's end has cut is left out.
fn read(file: &Path) -> Result<Vec<Finding>, Failure> {
    match std::fs::read_to_string(file) {
        Ok(text) => Ok(text
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(Failure::Computation(format!(
            "{}: {}",
            file.display(),
            reason(&error)
        ))),
    }
}

/// What was found of each kernel; what was learned is kept for the next run.
fn kernels(
    findings: Vec<Finding>,
    learned: Vec<LearnedKernel>,
) -> Result<Vec<KernelTold>, Failure> {
    let mut told: Vec<KernelTold> = Vec::new();
    let mut kept = learned.clone();
    for finding in findings {
        let is_its = |device: &String, kernel: &String, code: &String| {
            (device, kernel, code) == (&finding.device, &finding.kernel, &finding.code)
        };
        let is_it = |kernel: &KernelTold| is_its(&kernel.device, &kernel.kernel, &kernel.code);
        let is_learned = |other: &LearnedKernel| is_its(&other.device, &other.kernel, &other.code);
        let index = told.iter().position(is_it).unwrap_or_else(|| {
            let before = learned.iter().find(|other| is_learned(other));
            told.push(KernelTold {
                kernel: finding.kernel.clone(),
                device: finding.device.clone(),
                shapes: before.map_or(0, |learned| learned.model.shapes().len()),
                unchanged: None,
                sizes: Vec::new(),
                code: finding.code.clone(),
            });
            told.len() - 1
        });
        let kernel = &mut told[index];
        if let Some(model) = &finding.model {
            kernel.shapes = model.shapes().len();
        }
        let size = Size {
            data: finding.data,
            own_block: finding.own_block,
            block: finding.block,
        };
        kernel
            .sizes
            .retain(|other| (&other.data, other.own_block) != (&size.data, size.own_block));
        kernel.sizes.push(size);
        kernel.unchanged.clone_from(&finding.unchanged);
        let unchanged = finding.unchanged.is_some();
        if unchanged || finding.model.is_some() {
            kept.retain(|other| !is_learned(other));
        }
        if let (Some(model), false) = (finding.model.clone(), unchanged) {
            kept.push(LearnedKernel {
                device: finding.device.clone(),
                kernel: finding.kernel.clone(),
                code: finding.code.clone(),
                model,
            });
        }
    }
    if kept != learned {
        kept::keep_kernels(kept)?;
    }
    Ok(told)
}

impl Told {
    fn text(&self) -> String {
        let mut text = format!("{} ended with code {}\n", self.program, self.exit_code);
        if self.kernels.is_empty() {
            text += "no kernel was launched that the layer has seen\n";
        }
        for kernel in &self.kernels {
            text += &format!("\n{} on {}\n", kernel.kernel, kernel.device);
            if let Some(unchanged) = &kernel.unchanged {
                text += &format!("  stays as it is: {unchanged}\n");
                continue;
            }
            text += &format!("  shapes measured: {}\n", kernel.shapes);
            for Size {
                data,
                own_block,
                block,
            } in &kernel.sizes
            {
                let sides = |block: &Option<[u64; 3]>, none: &str| {
                    block.map_or_else(
                        || none.to_owned(),
                        |block| block.map(|side| side.to_string()).join(" x "),
                    )
                };
                let own = sides(own_block, "the driver's");
                let by = sides(block, "stays");
                text += &format!("  {data:?}: {own} -> {by}\n");
            }
        }
        text
    }
}
