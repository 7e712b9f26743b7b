//! Writes many values as text, of which only some are in memory at a time.

use crate::error::Failure;
use crate::results::Results;
use sunzi_threads::Threads;

/// Values that one task turns into text, and tasks whose texts are in memory together.
const GROUP: usize = 1 << 10;
const GROUPS: usize = 1 << 6;

/// Writes values as results, each by `write_one`.
pub fn write<T, W>(values: &[T], results: &mut Results, write_one: W) -> Result<(), Failure>
where
    T: Sync,
    W: Fn(&T, &mut Vec<u8>) + Sync,
{
    let separator = results.separator();
    let text_of = |group: &[T]| {
        let mut text = Vec::new();
        for (index, value) in group.iter().enumerate() {
            if index > 0 {
                text.extend_from_slice(separator.as_bytes());
            }
            write_one(value, &mut text);
        }
        text
    };
    for stretch in values.chunks(GROUP * GROUPS) {
        for text in Threads::all().map(stretch.chunks(GROUP), text_of) {
            results.push(&text)?;
        }
    }
    Ok(())
}
