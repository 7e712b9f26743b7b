//! The results of a command, written as they come, so that they need not be in memory together.
//!
//! Each is a line of text; in the JSON form all are members of one array in an object, with facts before and figures
//! after them.

use crate::failure::Failure;
use crate::output::Output;
use crate::output::standard::Content;
use serde::Serialize;
use std::io::{self, Write};

/// Results on their way to an output.
pub struct Results {
    output: Output,
    json: bool,
    /// Whether there are some.
    any: bool,
}

impl Results {
    /// Results that go to `output`, in the JSON form or as lines.
    pub fn new(output: Output, json: bool) -> Self {
        Self {
            output,
            json,
            any: false,
        }
    }

    /// Writes the facts of the JSON form, which come first.
    pub fn facts<F: Serialize>(&mut self, facts: impl FnOnce() -> F) -> Result<(), Failure> {
        if !self.json {
            return Ok(());
        }
        let mut text = object(&facts())?;
        text.pop();
        text.push_str(",\"results\":[\n");
        self.output.write_parts(&[text.as_bytes()], Content::Open)
    }

    /// What stands between two results.
    pub fn separator(&self) -> &'static str {
        if self.json { ",\n" } else { "\n" }
    }

    /// Writes a result, or several with separators between them.
    pub fn push(&mut self, text: &[u8]) -> Result<(), Failure> {
        let separator = self.separator().as_bytes();
        let (before, after, content): (&[u8], &[u8], _) = match (self.json, self.any) {
            (true, true) => (separator, b"", Content::Open),
            (true, false) => (b"", b"", Content::Open),
            (false, _) => (b"", separator, Content::Whole),
        };
        self.any = true;
        self.output.write_parts(&[before, text, after], content)
    }

    /// Lets something write text that is not of lines alone.
    pub fn fill(
        &mut self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        self.output.fill(write)
    }

    /// Writes the figures of the JSON form, which come last; the output, which is to be finished.
    pub fn close<F: Serialize>(mut self, figures: impl FnOnce() -> F) -> Result<Output, Failure> {
        if self.json {
            let text = object(&figures())?;
            let members = text.strip_prefix('{').unwrap_or(&text);
            let parts: [&[u8]; 3] = [b"\n],", members.as_bytes(), b"\n"];
            self.output.write_parts(&parts, Content::Whole)?;
        }
        Ok(self.output)
    }
}

fn object(value: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string(value).map_err(|error| Failure::Computation(error.to_string()))
}
