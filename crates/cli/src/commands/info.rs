//! `sunzi info`.

use super::write_facts;
use crate::args::Common;
use crate::error::Failure;
use crate::memory::{self, Available};
use serde::Serialize;
use sunzi::integer::CpuClass;

/// What the program found.
#[derive(Debug, Serialize)]
struct Facts {
    version: &'static str,
    threads: usize,
    processors: usize,
    architecture: &'static str,
    features: Vec<&'static str>,
    integer_kernels: String,
    memory_total: Option<u64>,
    memory_available: Option<u64>,
    devices: Vec<&'static str>,
}

/// Tells what the program found.
pub fn run(common: &Common) -> Result<(), Failure> {
    let facts = Facts {
        version: env!("CARGO_PKG_VERSION"),
        threads: rayon::current_num_threads(),
        processors: std::thread::available_parallelism().map_or(1, usize::from),
        architecture: std::env::consts::ARCH,
        features: features(),
        integer_kernels: CpuClass::detect().to_string(),
        memory_total: memory::machine_total(),
        memory_available: Available::detect(None).bytes(),
        devices: vec!["cpu"],
    };
    let bytes = |size: Option<u64>| size.map_or_else(|| "unknown".to_owned(), memory::shown);
    let features = if facts.features.is_empty() {
        "none".to_owned()
    } else {
        facts.features.join(" ")
    };
    let rows = [
        ("version", facts.version.to_owned()),
        (
            "threads",
            format!("{} (of {} processors)", facts.threads, facts.processors),
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
        ("devices", "cpu (this build has no GPU support)".to_owned()),
    ];
    write_facts(common, &rows, &facts)
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
