//! The record of launches: a line of JSON for each.

use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::json;
use sunzi_tune::live::Launched;

use crate::run::{Identity, Tuned};

/// Bytes of lines that are written together, and how long they may wait for others.
const TOGETHER: usize = 1 << 15;
const LONGEST: Duration = Duration::from_millis(200);

/// A launch that is recorded.
#[derive(Debug)]
pub struct Line {
    pub kernel: Arc<Tuned>,
    /// As the program made it.
    pub own: Launched,
    /// As it was launched in its place.
    pub chosen: Option<Launched>,
    /// Integer arguments by their places.
    pub integers: Vec<(usize, i64)>,
}

/// What all lines of a kernel begin with, behind the process.
pub fn beginning(api: &str, identity: &Identity) -> String {
    // Texts are quoted by the writer of JSON; numbers need none, which takes a launch's time.
    let (device, kernel) = (json!(identity.device), json!(identity.kernel));
    format!("\"api\":\"{api}\",\"device\":{device},\"kernel\":{kernel}")
}

impl Line {
    /// Adds its text. Writing to a text does not fail.
    fn add_to(&self, text: &mut String, process: u32, milliseconds: Option<f64>) {
        let sides = |text: &mut String, key: &str, sides: Option<&[u64; 3]>| {
            let _ = match sides.map(|sides| &sides[..self.own.dimensions]) {
                Some([x]) => write!(text, ",\"{key}\":[{x}]"),
                Some([x, y]) => write!(text, ",\"{key}\":[{x},{y}]"),
                Some([x, y, z]) => write!(text, ",\"{key}\":[{x},{y},{z}]"),
                _ => write!(text, ",\"{key}\":null"),
            };
        };
        let _ = write!(text, "{{\"process\":{process},{}", self.kernel.beginning);
        sides(text, "global", Some(&self.own.threads));
        sides(text, "block", self.own.block.as_ref());
        sides(
            text,
            "chosen",
            self.chosen
                .as_ref()
                .and_then(|chosen| chosen.block.as_ref()),
        );
        text.push_str(",\"integers\":{");
        for (index, (place, value)) in self.integers.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            let _ = write!(text, "{comma}\"{place}\":{value}");
        }
        let _ = match milliseconds.filter(|time| time.is_finite()) {
            Some(milliseconds) => writeln!(text, "}},\"milliseconds\":{milliseconds}}}"),
            None => writeln!(text, "}},\"milliseconds\":null}}"),
        };
    }
}

/// The file, and lines that are not yet in it.
#[derive(Debug)]
pub struct Record {
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    file: File,
    process: Process,
    lines: String,
    written: Instant,
}

/// The process that something belongs to: after a fork, the child has a copy of what its parent will write down by itself.
#[derive(Debug)]
pub struct Process(u32);

impl Default for Process {
    fn default() -> Self {
        Process(std::process::id())
    }
}

impl Process {
    /// Whether this is another process than before, a child of it.
    pub fn has_changed(&mut self) -> bool {
        let now = std::process::id();
        std::mem::replace(&mut self.0, now) != now
    }
}

impl Record {
    /// Opens the file, which several processes may write to.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().append(true).create(true).open(path)?;
        Ok(Record {
            state: Mutex::new(State {
                file,
                process: Process::default(),
                lines: String::new(),
                written: Instant::now(),
            }),
        })
    }

    /// Takes a line; its time is unknown if the driver did not tell.
    pub fn write(&self, line: &Line, milliseconds: Option<f64>) {
        let Ok(mut state) = self.state.lock() else {
            return;
        };
        state.forget_parents();
        let State { process, lines, .. } = &mut *state;
        line.add_to(lines, process.0, milliseconds);
        if state.lines.len() >= TOGETHER || state.written.elapsed() >= LONGEST {
            state.flush();
        }
    }

    /// Writes all lines.
    pub fn flush(&self) {
        if let Ok(mut state) = self.state.lock() {
            state.forget_parents();
            state.flush();
        }
    }
}

impl State {
    fn forget_parents(&mut self) {
        if self.process.has_changed() {
            self.lines.clear();
        }
    }

    fn flush(&mut self) {
        // Where the disk is full, the program still goes on. In one piece, so that lines of other processes do not come between.
        let _ = self.file.write_all(self.lines.as_bytes());
        self.lines.clear();
        self.written = Instant::now();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_forgets_the_lines_of_its_parent() {
        let this = std::process::id();
        let path = std::env::temp_dir().join(format!("sunzi-layer-record-{this}"));
        let record = Record::open(&path).unwrap();
        let add = |process: u32| {
            let mut state = record.state.lock().unwrap();
            state.process = Process(process);
            state.lines.push_str("line\n");
        };
        add(this + 1);
        record.flush();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "");
        add(this);
        record.flush();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "line\n");
        std::fs::remove_file(path).unwrap();
    }
}
