//! What `--json` tells beside the results.

use serde::Serialize;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Figures of a command on two files, in the order in which they are written.
#[derive(Debug, Serialize)]
pub struct Report {
    /// The number of products.
    pub products: u64,
    /// How many of them each algorithm computed.
    pub algorithms: BTreeMap<&'static str, u64>,
    /// The algorithm of the largest product, and why it ran.
    pub largest: Option<String>,
    /// Threads that computed.
    pub threads: usize,
    /// The device that computed.
    pub device: &'static str,
    /// Wall-clock times.
    pub seconds: Seconds,
}

/// Wall-clock seconds by what was done in them.
#[derive(Debug, Default, Serialize)]
pub struct Seconds {
    /// Reading the files and turning text into numbers.
    pub reading: f64,
    /// Multiplying.
    pub computing: f64,
    /// Turning numbers into text and writing it.
    pub writing: f64,
    /// From the start of the command.
    pub total: f64,
}

impl Report {
    /// A report that holds nothing yet.
    pub fn new() -> Self {
        Self {
            products: 0,
            algorithms: BTreeMap::new(),
            largest: None,
            threads: rayon::current_num_threads(),
            device: "cpu",
            seconds: Seconds::default(),
        }
    }
}

/// Adds the time that `work` takes to `total`.
pub fn timed<T>(total: &mut f64, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    *total += Duration::as_secs_f64(&start.elapsed());
    result
}
