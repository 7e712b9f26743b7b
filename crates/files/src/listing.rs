//! Writes many values as text, of which only some are in memory at a time.

use crate::error::Failure;
use crate::results::Results;
use sunzi_threads::Threads;

/// Values that one task turns into text, and tasks whose texts are in memory together.
const GROUP: usize = 1 << 10;
const GROUPS: usize = 1 << 6;

/// Writes this many values as results, each by `write_one`, which is told its number.
pub fn write<W>(count: usize, results: &mut Results, write_one: W) -> Result<(), Failure>
where
    W: Fn(usize, &mut Vec<u8>) + Sync,
{
    let separator = results.separator();
    let text_of = |first: usize| {
        let mut text = Vec::new();
        for index in first..count.min(first + GROUP) {
            if index > first {
                text.extend_from_slice(separator.as_bytes());
            }
            write_one(index, &mut text);
        }
        text
    };
    for stretch in (0..count).step_by(GROUP * GROUPS) {
        let groups = (stretch..count.min(stretch + GROUP * GROUPS)).step_by(GROUP);
        for text in Threads::all().map(groups, text_of) {
            results.push(&text)?;
        }
    }
    Ok(())
}
