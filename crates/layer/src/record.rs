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

/// What all lines of a kernel begin with.
pub fn beginning(api: &str, identity: &Identity) -> String {
    // Texts are quoted by the writer of JSON; numbers need none, which takes a launch's time.
    let (device, kernel) = (json!(identity.device), json!(identity.kernel));
    let process = std::process::id();
    format!("{{\"api\":\"{api}\",\"process\":{process},\"device\":{device},\"kernel\":{kernel}")
}

impl Line {
    /// Adds its text. Writing to a text does not fail.
    fn add_to(&self, text: &mut String, milliseconds: Option<f64>) {
        let sides = |text: &mut String, key: &str, sides: Option<&[u64; 3]>| {
            let _ = match sides.map(|sides| &sides[..self.own.dimensions]) {
                Some([x]) => write!(text, ",\"{key}\":[{x}]"),
                Some([x, y]) => write!(text, ",\"{key}\":[{x},{y}]"),
                Some([x, y, z]) => write!(text, ",\"{key}\":[{x},{y},{z}]"),
                _ => write!(text, ",\"{key}\":null"),
            };
        };
        text.push_str(&self.kernel.beginning);
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
    lines: String,
    written: Instant,
}

impl Record {
    /// Opens the file, which several processes may write to.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().append(true).create(true).open(path)?;
        Ok(Record {
            state: Mutex::new(State {
                file,
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
        line.add_to(&mut state.lines, milliseconds);
        if state.lines.len() >= TOGETHER || state.written.elapsed() >= LONGEST {
            state.flush();
        }
    }

    /// Writes all lines.
    pub fn flush(&self) {
        if let Ok(mut state) = self.state.lock() {
            state.flush();
        }
    }
}

impl State {
    fn flush(&mut self) {
        // Where the disk is full, the program still goes on. In one piece, so that lines of other processes do not come between.
        let _ = self.file.write_all(self.lines.as_bytes());
        self.lines.clear();
        self.written = Instant::now();
    }
}
