//! What `--json` tells beside the results.

use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use sunzi::gpu::DeviceInfo;
use sunzi_files::error::Failure;
use sunzi_files::output::Output;

/// Figures of a command that goes line by line, in the order in which they are written.
#[derive(Debug, Serialize)]
pub struct Report {
    /// The number of results, by what they are: `products`.
    #[serde(flatten)]
    pub counted: BTreeMap<&'static str, u64>,
    /// How many of them each algorithm computed, where there are several to choose from.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub algorithms: BTreeMap<&'static str, u64>,
    /// The largest operands; where there are several algorithms, which one ran on them and why.
    pub largest: Option<String>,
    #[serde(flatten)]
    pub figures: Figures,
}

/// Figures of every command that computes.
#[derive(Debug, Serialize)]
pub struct Figures {
    /// Threads that computed.
    pub threads: usize,
    /// The device that computed.
    pub device: String,
    /// Wall-clock times.
    pub seconds: Seconds,
}

/// Wall-clock seconds by what was done in them, written to the microsecond.
#[derive(Debug, Default, Serialize)]
pub struct Seconds {
    /// Reading the files and turning text into numbers.
    #[serde(serialize_with = "microseconds")]
    pub reading: f64,
    /// Computing with them.
    #[serde(serialize_with = "microseconds")]
    pub computing: f64,
    /// Turning numbers into text and writing it.
    #[serde(serialize_with = "microseconds")]
    pub writing: f64,
    /// From the start of the command.
    #[serde(serialize_with = "microseconds")]
    pub total: f64,
}

/// Writes seconds with no more digits than a clock deserves.
pub fn microseconds<S: Serializer>(seconds: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((seconds * 1e6).round() / 1e6)
}

impl Report {
    /// A report that holds nothing yet.
    pub fn new() -> Self {
        Self {
            counted: BTreeMap::new(),
            algorithms: BTreeMap::new(),
            largest: None,
            figures: Figures::new(),
        }
    }
}

impl Figures {
    /// Those of the threads that run now; no time has passed.
    pub fn new() -> Self {
        Self {
            threads: sunzi_threads::count(),
            device: "cpu".to_owned(),
            seconds: Seconds::default(),
        }
    }

    /// A device has computed.
    pub fn computed_on(&mut self, device: &DeviceInfo) {
        self.device = format!("{}:{}", device.backend.name(), device.index);
    }
}

/// Writes all that a command tells, a report as JSON or else a text, and completes the output.
pub fn write_report(
    mut output: Output,
    json: bool,
    report: &impl Serialize,
    text: impl FnOnce() -> String,
) -> Result<(), Failure> {
    let text = match json {
        true => json_text(report)?,
        false => text(),
    };
    output.write(text.as_bytes())?;
    output.finish()
}

/// A report as JSON, indented, with a line feed at its end.
pub fn json_text(report: &impl Serialize) -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(report);
    Ok(text.map_err(|error| Failure::Computation(error.to_string()))? + "\n")
}

/// Adds the time that `work` takes to `total`.
pub fn timed<T>(total: &mut f64, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    *total += Duration::as_secs_f64(&start.elapsed());
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_written_to_the_microsecond() {
        let seconds = Seconds {
            reading: 0.123_456_789,
            computing: 2.000_000_4,
            ..Seconds::default()
        };
        assert_eq!(
            serde_json::to_string(&seconds).unwrap(),
            r#"{"reading":0.123457,"computing":2.0,"writing":0.0,"total":0.0}"#
        );
    }
}
