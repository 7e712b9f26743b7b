//! The JSON form, one for all commands: `command`, `inputs`, `results` or `result`, and figures. The page `docs/json.md`
//! describes it.

use serde::{Serialize, Serializer};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};
use sunzi::gpu::DeviceInfo;
use sunzi_files::failure::Failure;
use sunzi_files::input::literal;
use sunzi_files::output::Output;

/// What stands first.
#[derive(Debug, Serialize)]
pub struct Head {
    /// The words that name the command, without `sunzi`.
    command: &'static str,
    /// Files, what was read in them, and what options say; numbers that may be long as texts, as JSON numbers lose digits
    /// in many programs.
    inputs: Value,
}

impl Head {
    /// That of a command with these inputs.
    pub fn new(command: &'static str, inputs: Value) -> Self {
        Self { command, inputs }
    }
}

/// Files by the names that were given, `-` for standard input, operands of the command line as they stand there.
pub fn files<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Value {
    let names = paths
        .into_iter()
        .map(|path| literal::told(&path.as_ref().display().to_string()));
    names.collect()
}

/// All that is told where there is one result.
#[derive(Debug, Serialize)]
pub struct Report<R> {
    /// The command and its inputs.
    #[serde(flatten)]
    pub head: Head,
    /// What was found.
    pub result: R,
    /// How, and what that took.
    #[serde(flatten)]
    pub figures: Figures,
}

impl<R: Serialize> Report<R> {
    /// Writes it as JSON, or else the result as a text, and completes the output.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(
        &self,
        mut output: Output,
        json: bool,
        text: impl FnOnce(&R) -> String,
    ) -> Result<(), Failure> {
        let text = match json {
            true => self.json()?,
            false => text(&self.result),
        };
        output.write(text.as_bytes())?;
        output.finish()
    }

    /// The report as JSON, indented, with a line feed at its end.
    ///
    /// # Errors
    /// If the result is nothing that JSON can hold.
    pub fn json(&self) -> Result<String, Failure> {
        let text = serde_json::to_string_pretty(self);
        Ok(text.map_err(|error| Failure::Computation(error.to_string()))? + "\n")
    }
}

/// What stands after results that were written one by one.
#[derive(Debug, Serialize)]
pub struct Tail<D> {
    /// What was found beside the results.
    pub details: D,
    #[serde(flatten)]
    pub figures: Figures,
}

/// How the results came about, and what that took.
#[derive(Debug, Serialize)]
pub struct Figures {
    /// The name of the algorithm, where there are several to choose from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub algorithm: Option<String>,
    /// How many results each algorithm computed, where every result has its own.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub algorithms: BTreeMap<&'static str, u64>,
    /// Why that algorithm, in words; where every result has its own, on the largest operands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<String>,
    /// Threads that computed.
    pub threads: usize,
    /// The device that computed.
    pub device: String,
    /// Wall-clock times.
    pub seconds: Seconds,
    #[serde(skip)]
    start: Instant,
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
fn microseconds<S: Serializer>(seconds: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((seconds * 1e6).round() / 1e6)
}

impl Figures {
    /// Those of a command that starts now, on the threads that run.
    pub fn start() -> Self {
        Self {
            algorithm: None,
            algorithms: BTreeMap::new(),
            explanation: None,
            threads: sunzi_machine::threads::count(),
            device: "cpu".to_owned(),
            seconds: Seconds::default(),
            start: Instant::now(),
        }
    }

    /// A device has computed.
    pub fn computed_on(&mut self, device: &DeviceInfo) {
        self.device = format!("{}:{}", device.backend.name(), device.index);
    }

    /// This algorithm was chosen, for a reason in words.
    pub fn chosen(&mut self, algorithm: &str, explanation: impl Into<String>) {
        self.algorithm = Some(algorithm.to_owned());
        self.explanation = Some(explanation.into());
    }

    /// The command is done but for the writing of these figures.
    pub fn ended(mut self) -> Self {
        self.seconds.total = self.start.elapsed().as_secs_f64();
        self
    }
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
