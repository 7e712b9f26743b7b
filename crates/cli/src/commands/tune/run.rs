//! `sunzi tune run`: kernels of programs that exist.
//!
//! The program is run with a library before its driver, the crate `sunzi-layer`, which sees launches. What that is to do and what it has
//! found goes through files in a folder of this run: standard input and output are the program's.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
#[cfg(unix)]
use std::sync::atomic::{AtomicI32, Ordering};

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
use sunzi_files::progress::warn;

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
        let record = self
            .record
            .as_deref()
            .map(|path| Output::create_named("--record", path))
            .transpose()?;
        Output::distinct(&report.iter().chain(&record).collect::<Vec<_>>())?;
        self.spare_inputs()?;
        let folder = tempfile::tempdir().map_err(|error| {
            Failure::Computation(format!(
                "no folder for the plan of the run: {}",
                reason(&error)
            ))
        })?;
        let findings = folder.path().join("findings.jsonl");
        let recorded = folder.path().join("record.jsonl");
        let plan = self.plan(&findings, &recorded)?;
        let file = folder.path().join("plan.json");
        std::fs::write(&file, plan.to_json()).map_err(|error| {
            Failure::Computation(format!("{}: {}", file.display(), reason(&error)))
        })?;
        let status = timed(&mut figures.seconds.computing, || self.start(&layer, &file))?;
        let told = Told {
            program: self.program[0].display().to_string(),
            exit_code: exit_code(status),
            kernels: kernels(read(&findings)?, plan.learned),
        };
        let code = told.exit_code;
        let ended = self.tell(
            told,
            report,
            record.map(|record| (record, recorded)),
            figures,
            common,
        );
        drop(folder);
        match (code, ended) {
            (0, ended) => ended,
            // The code is the program's, whatever it means.
            (code, ended) => {
                if let Err(failure) = ended {
                    warn(&failure.to_string());
                }
                std::process::exit(code)
            }
        }
    }
}

impl RunArguments {
    /// Refuses a record or a report in the place of what is read.
    fn spare_inputs(&self) -> Result<(), Failure> {
        let place = |path: &Path| std::fs::canonicalize(path).ok();
        let Some(record) = self.record.as_deref().and_then(place) else {
            return Ok(());
        };
        let mut inputs = self.model.iter().chain(&self.describe);
        match inputs.find(|input| place(input).as_ref() == Some(&record)) {
            None => Ok(()),
            Some(input) => Err(Failure::Usage(format!(
                "--record {}: that is what is read: give the record a file of its own",
                input.display()
            ))),
        }
    }

    /// Writes the record and the report.
    fn tell(
        &self,
        told: Told,
        report: Option<Output>,
        record: Option<(Output, PathBuf)>,
        figures: Figures,
        common: &Common,
    ) -> Result<(), Failure> {
        if let Some((mut record, recorded)) = record {
            let failed = |error: std::io::Error| {
                Failure::Computation(format!("{}: {}", recorded.display(), reason(&error)))
            };
            // There is none where nothing was launched.
            if recorded.exists() {
                let mut lines = std::fs::File::open(&recorded).map_err(failed)?;
                let mut piece = vec![0; 1 << 16];
                loop {
                    match std::io::Read::read(&mut lines, &mut piece).map_err(failed)? {
                        0 => break,
                        count => record.write(&piece[..count])?,
                    }
                }
            }
            record.finish()?;
        }
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
        Ok(())
    }

    /// What the layer is to do.
    fn plan(&self, findings: &Path, recorded: &Path) -> Result<RunPlan, Failure> {
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
        plan.record = self.record.as_ref().map(|_| recorded.to_owned());
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
        let failed = |error: std::io::Error| {
            let program = self.program[0].display();
            Failure::Computation(format!("{program} cannot be run: {}", reason(&error)))
        };
        prepare(&mut command);
        let mut program = command.spawn().map_err(failed)?;
        pass_on(program.id());
        program.wait().map_err(failed)
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

/// Signals are as for a program that a shell runs: what the keyboard sends is for the program, whose end this one waits for. What ends
/// this one is passed on.
#[cfg(unix)]
fn prepare(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    extern "C" fn wait(_: libc::c_int) {}
    for (signal, handler) in [
        (libc::SIGINT, wait as extern "C" fn(libc::c_int)),
        (libc::SIGQUIT, wait),
        (libc::SIGTERM, pass),
        (libc::SIGHUP, pass),
    ] {
        // SAFETY: the functions do what handlers may, and are not there any more in the program.
        unsafe {
            let before = libc::signal(signal, handler as *const () as libc::sighandler_t);
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

/// The program, and a signal that came before there was one: a handler of signals is told nothing else.
#[cfg(unix)]
static PROGRAM: AtomicI32 = AtomicI32::new(0);
#[cfg(unix)]
static EARLY: AtomicI32 = AtomicI32::new(0);

/// What ends this program ends the other, whose end this one waits for.
#[cfg(unix)]
extern "C" fn pass(signal: libc::c_int) {
    match PROGRAM.load(Ordering::SeqCst) {
        0 => EARLY.store(signal, Ordering::SeqCst),
        // SAFETY: handlers may call it; the process is a child that was not waited for yet.
        program => unsafe {
            libc::kill(program, signal);
        },
    }
}

/// From now on signals are passed on, those that came before, too.
#[cfg(unix)]
fn pass_on(program: u32) {
    PROGRAM.store(program as i32, Ordering::SeqCst);
    match EARLY.load(Ordering::SeqCst) {
        0 => (),
        early => pass(early),
    }
}

#[cfg(not(unix))]
fn prepare(_: &mut Command) {}

#[cfg(not(unix))]
fn pass_on(_: u32) {}

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

/// What was found of each kernel; what was learned is kept for the next run, and a note tells where that cannot be.
fn kernels(findings: Vec<Finding>, learned: Vec<LearnedKernel>) -> Vec<KernelTold> {
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
    if kept != learned
        && let Err(failure) = kept::keep_kernels(kept)
    {
        warn(&format!(
            "what was learned is not kept for the next run: {failure}; SUNZI_TUNING names another place"
        ));
    }
    told
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
