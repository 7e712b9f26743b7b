//! `sunzi info`.

use super::write_facts;
use crate::args::Common;
use crate::commands::Run;
use crate::report::{Figures, Head, Report, timed};
use clap::Args;
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeMap;
use sunzi::{
    gpu::{Discovery, discover},
    integer::Multiplier,
    memory::Budget,
};
use sunzi_files::failure::Failure;
use sunzi_files::memory;
use sunzi_files::output::Output;
use sunzi_machine::memory::machine_bytes;

/// It takes no arguments of its own.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sunzi info
  sunzi info --json --threads 1")]
pub struct Info {}

/// What the program found.
#[derive(Debug, Serialize)]
struct Facts {
    version: &'static str,
    processors: usize,
    architecture: &'static str,
    features: Vec<&'static str>,
    integer_kernels: String,
    memory_total: Option<u64>,
    memory_available: Option<u64>,
    devices: Vec<DeviceFacts>,
    /// Why there is none by an interface.
    no_devices: BTreeMap<&'static str, String>,
}

/// What is known of a device that `--device` can name.
#[derive(Debug, Serialize)]
struct DeviceFacts {
    device: String,
    name: String,
    #[serde(flatten)]
    limits: Option<Limits>,
}

/// The limits of a device that is not the processor itself.
#[derive(Debug, Serialize)]
struct Limits {
    kind: String,
    driver: String,
    memory: u64,
    largest_buffer: u64,
    shared_memory: usize,
    group_threads: usize,
    units: usize,
    clock_mhz: u32,
    unit_threads: usize,
    unit_groups: usize,
    unit_registers: usize,
    unit_shared_memory: usize,
    cache: u64,
    bandwidth: u64,
    doubles: bool,
}

impl Run for Info {
    /// Tells what the program found.
    fn run(&self, common: &Common) -> Result<(), Failure> {
        let mut figures = Figures::start();
        let output = Output::create(common.output.as_deref())?;
        let found = timed(&mut figures.seconds.computing, discover);
        let facts = Facts {
            version: env!("CARGO_PKG_VERSION"),
            processors: std::thread::available_parallelism().map_or(1, usize::from),
            architecture: std::env::consts::ARCH,
            features: features(),
            integer_kernels: Multiplier::new().kernels().to_owned(),
            memory_total: machine_bytes(),
            memory_available: Budget::system().available(),
            devices: devices(&found),
            no_devices: found
                .absent
                .iter()
                .map(|(backend, reason)| (backend.name(), reason.clone()))
                .collect(),
        };
        let bytes = |size: Option<u64>| size.map_or_else(|| "unknown".to_owned(), memory::shown);
        let features = if facts.features.is_empty() {
            "none".to_owned()
        } else {
            facts.features.join(" ")
        };
        let mut rows = vec![
            ("version", facts.version.to_owned()),
            (
                "threads",
                format!("{} (of {} processors)", figures.threads, facts.processors),
            ),
            ("processor", facts.architecture.to_owned()),
            ("features used", features),
            ("integer kernels", facts.integer_kernels.clone()),
            (
                "memory",
                format!(
                    "{} available of {}",
                    bytes(facts.memory_available),
                    bytes(facts.memory_total)
                ),
            ),
        ];
        let shown = facts.devices.iter().map(DeviceFacts::shown);
        let absent = facts.no_devices.iter();
        let absent = absent.map(|(backend, reason)| format!("no {backend}: {reason}"));
        let names = std::iter::once("devices").chain(std::iter::repeat(""));
        rows.extend(names.zip(shown.chain(absent)));
        let report = Report {
            head: Head::new("info", json!({})),
            result: facts,
            figures: figures.ended(),
        };
        write_facts(output, common, &rows, &report)
    }
}

/// The devices that `--device` can name.
fn devices(found: &Discovery) -> Vec<DeviceFacts> {
    let processor = DeviceFacts {
        device: "cpu".to_owned(),
        name: "the processor".to_owned(),
        limits: None,
    };
    let others = found.devices.iter().map(|device| DeviceFacts {
        device: format!("{}:{}", device.backend.name(), device.index),
        name: device.name.clone(),
        limits: Some(Limits {
            kind: device.kind.to_string(),
            driver: device.driver.clone(),
            memory: device.memory,
            largest_buffer: device.largest_buffer,
            shared_memory: device.shared_memory,
            group_threads: device.group_threads,
            units: device.units,
            clock_mhz: device.clock_mhz,
            unit_threads: device.unit_threads,
            unit_groups: device.unit_groups,
            unit_registers: device.unit_registers,
            unit_shared_memory: device.unit_shared_memory,
            cache: device.cache,
            bandwidth: device.bandwidth,
            doubles: device.doubles,
        }),
    });
    std::iter::once(processor).chain(others).collect()
}

impl DeviceFacts {
    /// A line that tells it.
    fn shown(&self) -> String {
        let Self {
            device,
            name,
            limits,
        } = self;
        let Some(limits) = limits else {
            return format!("{device}: {name}");
        };
        format!(
            "{device}: {name} ({}; {}): {} of memory{}, {} in a buffer; {} units of {} MHz; groups of {} threads share {}; {}",
            limits.kind,
            limits.driver,
            memory::shown(limits.memory),
            match limits.bandwidth {
                0 => String::new(),
                bytes => format!(" at {} GB/s", bytes / 1_000_000_000),
            },
            memory::shown(limits.largest_buffer),
            limits.units,
            limits.clock_mhz,
            limits.group_threads,
            memory::shown(limits.shared_memory as u64),
            if limits.doubles {
                "doubles"
            } else {
                "no doubles"
            },
        )
    }
}

/// The processor features that kernels use and this processor has.
#[cfg(target_arch = "x86_64")]
fn features() -> Vec<&'static str> {
    macro_rules! detected {
        ($($name:tt)*) => {
            [$(($name, std::arch::is_x86_feature_detected!($name))),*]
        };
    }
    let all = detected!("bmi2" "adx" "avx2" "fma" "avx512f" "avx512dq" "avx512bw" "avx512vl" "avx512ifma" "avx512vbmi");
    all.into_iter()
        .filter_map(|(name, found)| found.then_some(name))
        .collect()
}

/// The processor features that kernels use and this processor has.
#[cfg(not(target_arch = "x86_64"))]
fn features() -> Vec<&'static str> {
    Vec::new()
}
