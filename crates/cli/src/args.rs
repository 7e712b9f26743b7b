//! Arguments that commands share.

use clap::{ArgMatches, Args};
use std::path::PathBuf;
use sunzi::{engine::DeviceChoice, gpu::Selection, memory::Budget};
use sunzi_files::failure::Failure;
use sunzi_files::memory::parse_size;

/// Options that every command takes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options of all commands")]
pub struct Common {
    /// Write the result to this file, which appears only when complete; compressed if it ends in .gz (`-`: standard output)
    #[arg(short, long, value_name = "FILE", global = true)]
    pub output: Option<PathBuf>,
    /// Machine-readable result (JSON) with timings
    #[arg(long, global = true)]
    pub json: bool,
    /// Number of threads [default: all processors, or what tune self found]
    #[arg(long, value_name = "N", global = true, value_parser = parse_threads)]
    pub threads: Option<u16>,
}

/// Of commands that have no JSON form: the option is not told there, and refused.
#[derive(Debug, Args)]
pub struct WithoutJson {
    #[arg(id = "json", long = "json", hide = true)]
    asked_for: bool,
}

impl WithoutJson {
    /// Refuses the JSON form for this reason.
    pub fn check(&self, reason: &str) -> Result<(), Failure> {
        match self.asked_for {
            true => Err(Failure::Usage(format!("{reason}: leave --json out"))),
            false => Ok(()),
        }
    }
}

/// Where to compute what other devices than the processor can take, too.
#[derive(Clone, Copy, Debug, Args)]
pub struct ChosenDevice {
    /// The choice.
    #[arg(
        id = "device",
        long = "device",
        value_name = "DEVICE",
        default_value = "auto",
        value_parser = parse_device,
        help = "Where to compute: auto, cpu, cuda[:N] or opencl[:N], as `sunzi info` lists them"
    )]
    pub choice: DeviceChoice,
}

/// Two files.
#[derive(Debug, Args)]
pub struct TwoFiles {
    /// First file (`-`: standard input)
    #[arg(value_name = "A")]
    pub left: PathBuf,
    /// Second file (`-`: standard input)
    #[arg(value_name = "B")]
    pub right: PathBuf,
}

/// An algorithm that the user wants.
#[derive(Debug, Args)]
pub struct ChosenAlgorithm {
    /// Use this algorithm instead of the one that fits the sizes; a wrong name lists all names
    #[arg(long = "algorithm", value_name = "NAME")]
    name: Option<String>,
}

impl ChosenAlgorithm {
    /// The algorithm that the user named, if any, out of those there are.
    pub fn among<A: Copy>(
        &self,
        all: &[A],
        name_of: impl Fn(A) -> &'static str,
    ) -> Result<Option<A>, Failure> {
        let Some(name) = &self.name else {
            return Ok(None);
        };
        let mut known = all.iter().copied();
        let found = known.find(|&algorithm| name_of(algorithm) == name);
        found.map(Some).ok_or_else(|| {
            let names: Vec<_> = all.iter().map(|&algorithm| name_of(algorithm)).collect();
            Failure::Usage(format!(
                "there is no algorithm `{name}`: the names are {}",
                names.join(", ")
            ))
        })
    }
}

/// How much memory may be used.
#[derive(Debug, Args)]
pub struct MaxMemory {
    /// Refuse what needs more memory than this, such as 4G [default: what is available]
    #[arg(id = MAX_MEMORY, long = MAX_MEMORY, value_name = "SIZE", value_parser = parse_size)]
    limit: Option<u64>,
}

/// The option that sets the limit.
const MAX_MEMORY: &str = "max-memory";

impl MaxMemory {
    /// What the computation may take.
    pub fn budget(&self) -> Budget {
        Budget::within(self.limit)
    }

    /// The limit that the user gave to the command that was chosen.
    pub fn limit_among(matches: &ArgMatches) -> Option<u64> {
        match matches.subcommand() {
            Some((_, matches)) => Self::limit_among(matches),
            // Not all commands take it.
            None => matches.try_get_one(MAX_MEMORY).ok().flatten().copied(),
        }
    }
}

/// A prime that has to be given.
#[derive(Debug, Args)]
pub struct Modulus {
    /// Compute modulo this prime: a decimal number, an expression such as 2^60-2^18+1, or a name such
    /// as P8
    #[arg(long = "mod", value_name = "P", allow_hyphen_values = true)]
    pub prime: String,
}

/// A prime that may be given.
#[derive(Debug, Args)]
pub struct OptionalModulus {
    /// Compute modulo this prime: a decimal number, an expression such as 2^60-2^18+1, or a name such
    /// as P8 [default: over Z or Q]
    #[arg(long = "mod", value_name = "P", allow_hyphen_values = true)]
    pub prime: Option<String>,
}

/// Reads how many threads are to compute.
fn parse_threads(text: &str) -> Result<u16, String> {
    let count = text.parse().ok();
    count
        .filter(|count| (1..=MOST_THREADS).contains(count))
        .ok_or_else(|| format!("give a number of threads from 1 to {MOST_THREADS}"))
}

/// Threads that can be asked for, on any machine.
const MOST_THREADS: u16 = 4096;

/// Reads where to compute.
fn parse_device(text: &str) -> Result<DeviceChoice, String> {
    match text.parse() {
        // What the library calls any device or any GPU has no name here: `auto` and `opencl` find it.
        Ok(DeviceChoice::Only(Selection::Any | Selection::Gpu)) | Err(_) => {
            Err("the devices are auto, cpu, cuda, cuda:N, opencl and opencl:N".to_owned())
        }
        Ok(choice) => Ok(choice),
    }
}
