//! The options of `sunzi bench gpu`.

use crate::options::budget;
use clap::Args;
use std::path::PathBuf;
use sunzi_cli::door::ChosenDevice;
use sunzi_files::failure::Failure;

/// What stands below the help of `sunzi bench gpu`.
const GPU_HELP: &str = "Measured are, one after the other:
  ceilings      what the device does at most: bytes copied, multiplications, launches a second
  launch        the host's time for a launch, one of the ceilings
  ntt           transforms modulo primes of 31, 50 (in doubles) and 61 bits, one by one and in batches
  big-primes    transforms modulo primes r^k + 1, against k transforms modulo primes of 61 bits, which take as
                many bytes (without what puts their residues together)
  integers      batches of products of 2 to 1024 words of 32 bits by each kernel, with and without copies
                to the device and back; long products by transforms
  polynomials   products over Z and modulo a prime by transforms, likewise
  algebra       greatest common divisors, determinants, values at many points and interpolation modulo a
                prime of 31 bits, with copies, and by the processor

Each result is compared with the processor's before it is timed; a wrong one ends the measurement with exit
code 1. A floor is what bytes and multiplications take at the measured ceilings.

Sizes are those of which a case moves no more than a GPU should in --seconds at 20 GB/s (up to 4 GB), or an
OpenCL on the processor at 40 MB/s: --seconds 0.001 is a test of a few sizes. --device names the device (cuda,
opencl, with :N for a number); without it a GPU is taken, or else whatever OpenCL offers.

With --peers, the programs in the folder DIR/bin, which measure others' codes on the same device, are run for the same
sizes, and their times stand beside Sunzi's. scripts/gpu-peers builds one, for cuFFT; tools/peers/gpu/README.md tells what a
program is asked and answers. Nothing is fetched or built by this command. A program that fails is told of and left
out.

Examples:
  sunzi bench gpu
  sunzi bench gpu --device cuda --seconds 0.5 --out gpu
  sunzi bench gpu --groups launch,ntt --json -o gpu.json
  sunzi bench gpu --device cuda --groups ntt,integers --peers gpu-peers";

/// What of a device is measured, and for how long.
#[derive(Debug, Args)]
#[command(after_help = GPU_HELP)]
pub struct GpuOptions {
    #[command(flatten)]
    pub device: ChosenDevice,
    /// What to measure: launch, ntt, big-primes, integers, polynomials, algebra, separated by commas, or all
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        default_value = "all"
    )]
    pub groups: Vec<String>,
    /// About how long each case is measured, in seconds; sizes are limited by it
    #[arg(long, value_name = "SECONDS", default_value = "0.2", value_parser = budget)]
    pub seconds: f64,
    /// Write all times (gpu.csv) and draw plots into this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Run the programs by others in this folder's bin for the same sizes, and compare
    #[arg(long, value_name = "DIR")]
    pub peers: Option<PathBuf>,
    /// End a program of --peers that takes longer than this for one size
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = budget, requires = "peers")]
    pub peer_limit: f64,
}

/// Something that is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    Launch,
    Ntt,
    BigPrimes,
    Integers,
    Polynomials,
    Algebra,
}

impl Group {
    const ALL: [Self; 6] = [
        Self::Launch,
        Self::Ntt,
        Self::BigPrimes,
        Self::Integers,
        Self::Polynomials,
        Self::Algebra,
    ];

    /// Its name, which its cases have as their section.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Launch => "launch",
            Self::Ntt => "ntt",
            Self::BigPrimes => "big-primes",
            Self::Integers => "integers",
            Self::Polynomials => "polynomials",
            Self::Algebra => "algebra",
        }
    }
}

/// The groups of these names, each once, in their order of measurement.
pub fn chosen_groups(names: &[String]) -> Result<Vec<Group>, Failure> {
    let names: Vec<&str> = names.iter().map(|name| name.trim()).collect();
    let known = |name: &str| name == "all" || Group::ALL.iter().any(|group| group.name() == name);
    if let Some(unknown) = names.iter().find(|name| !known(name)) {
        let all = Group::ALL.map(Group::name).join(", ");
        return Err(Failure::Usage(format!(
            "nothing is measured by the name `{unknown}`: the names are {all}, or all of them by `all`"
        )));
    }
    let chosen = |group: &Group| names.contains(&group.name()) || names.contains(&"all");
    Ok(Group::ALL.into_iter().filter(chosen).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_group_is_chosen_once() {
        let names = |text: &str| {
            let names: Vec<String> = text.split(',').map(str::to_owned).collect();
            chosen_groups(&names)
        };
        assert_eq!(
            names("ntt, launch,ntt").unwrap(),
            [Group::Launch, Group::Ntt]
        );
        assert_eq!(names("ntt,all").unwrap(), Group::ALL);
        assert!(names("").is_err() && names("fft").is_err());
    }
}
