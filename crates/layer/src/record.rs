//! The record of launches: a line of JSON for each.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};
use sunzi_tune::live::Launched;

/// Bytes of lines that are written together, and how long they may wait for others.
const TOGETHER: usize = 1 << 15;
const LONGEST: Duration = Duration::from_millis(200);

/// A launch that is recorded.
#[derive(Debug)]
pub struct Line {
    pub api: &'static str,
    pub kernel: String,
    pub device: String,
    /// As the program made it.
    pub own: Launched,
    /// As it was launched in its place.
    pub chosen: Option<Launched>,
    /// Integer arguments by their places.
    pub integers: Vec<(usize, i64)>,
}

impl Line {
    fn text(&self, milliseconds: Option<f64>) -> String {
        let sides = |of: &[u64; 3]| json!(of[..self.own.dimensions]);
        let block = |launched: &Launched| launched.block.as_ref().map_or(Value::Null, &sides);
        let integers = self.integers.iter();
        let integers = integers.map(|(place, value)| (place.to_string(), json!(value)));
        let mut line = Map::new();
        let mut say = |key: &str, value: Value| line.insert(key.to_owned(), value);
        say("api", json!(self.api));
        say("process", json!(std::process::id()));
        say("device", json!(self.device));
        say("kernel", json!(self.kernel));
        say("global", sides(&self.own.threads));
        say("block", block(&self.own));
        say("chosen", self.chosen.as_ref().map_or(Value::Null, block));
        say("integers", Value::Object(integers.collect()));
        say("milliseconds", json!(milliseconds));
        Value::Object(line).to_string() + "\n"
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
        let text = line.text(milliseconds);
        let Ok(mut state) = self.state.lock() else {
            return;
        };
        state.lines += &text;
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
