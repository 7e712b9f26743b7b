//! The commands, one file each.

pub mod det;
pub mod dft;
pub mod info;
pub mod int_mul;
pub mod poly;
pub mod prime;
pub mod prime_search;
pub mod sort;
pub mod sparse;

use crate::args::Common;
use serde::Serialize;
use sunzi_files::error::Failure;
use sunzi_files::output::Output;

/// Writes a table of facts: `name  value` lines, or the JSON form.
fn write_facts(
    mut output: Output,
    common: &Common,
    rows: &[(&str, String)],
    json: &impl Serialize,
) -> Result<(), Failure> {
    if common.json {
        let text = serde_json::to_string_pretty(json)
            .map_err(|error| Failure::Computation(error.to_string()))?;
        output.write(text.as_bytes())?;
        output.write(b"\n")?;
    } else {
        let width = rows
            .iter()
            .map(|(name, _)| name.chars().count())
            .max()
            .unwrap_or(0);
        for (name, value) in rows {
            let padding = " ".repeat(width - name.chars().count());
            output.write(format!("{name}{padding}  {value}\n").as_bytes())?;
        }
    }
    output.finish()
}
