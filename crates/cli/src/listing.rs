//! Writes many values as text, of which only some are in memory at a time.

use crate::error::Failure;
use crate::output::Output;
use rayon::prelude::*;

/// Values that one task turns into text, and tasks whose texts are in memory together.
const GROUP: usize = 1 << 10;
const GROUPS: usize = 1 << 6;

/// Writes one value a line, or as the members of a JSON array where `json` says so.
pub fn write<T, W>(
    values: &[T],
    json: bool,
    output: &mut Output,
    write_one: W,
) -> Result<(), Failure>
where
    T: Sync,
    W: Fn(&T, &mut Vec<u8>) + Sync,
{
    let separator = if json { ",\n" } else { "\n" };
    let text_of = |group: &[T]| {
        let mut text = Vec::new();
        for value in group {
            write_one(value, &mut text);
            text.extend_from_slice(separator.as_bytes());
        }
        text
    };
    let stretches = values.chunks(GROUP * GROUPS);
    let last = stretches.len().saturating_sub(1);
    for (index, stretch) in stretches.enumerate() {
        let mut texts: Vec<_> = stretch.par_chunks(GROUP).map(text_of).collect();
        if json && index == last {
            // Nothing follows the last value.
            if let Some(text) = texts.last_mut() {
                text.truncate(text.len() - separator.len());
            }
        }
        for text in texts {
            output.write(&text)?;
        }
    }
    Ok(())
}
