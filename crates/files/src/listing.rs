//! Writes many values as text, of which only some are in memory at a time.

use crate::failure::Failure;
use crate::results::Results;
use sunzi_machine::threads::Threads;

/// Values that one task turns into text, and tasks whose texts are in memory together.
const GROUP: usize = 1 << 10;
const GROUPS: usize = 1 << 6;

/// Writes this many values as results, each by `write_one`, which is told its number.
pub fn write<W>(count: usize, results: &mut Results, write_one: W) -> Result<(), Failure>
where
    W: Fn(usize, &mut Vec<u8>) + Sync,
{
    write_groups((count, GROUP), results, write_one)
}

/// Writes a table of this many rows and columns, a result a row, each entry by `write_one`, which is told its number, row
/// by row. A row is an array in JSON.
pub fn write_table<W>(
    (rows, columns): (usize, usize),
    json: bool,
    results: &mut Results,
    write_one: W,
) -> Result<(), Failure>
where
    W: Fn(usize, &mut Vec<u8>) + Sync,
{
    let group = (GROUP / columns.max(1)).max(1);
    let (start, between, end) = if json { ("[", ",", "]") } else { ("", " ", "") };
    write_groups((rows, group), results, |row, text| {
        text.extend_from_slice(start.as_bytes());
        for column in 0..columns {
            if column > 0 {
                text.extend_from_slice(between.as_bytes());
            }
            write_one(row * columns + column, text);
        }
        text.extend_from_slice(end.as_bytes());
    })
}

/// Writes this many values in groups, one a task.
fn write_groups<W>(
    (count, group): (usize, usize),
    results: &mut Results,
    write_one: W,
) -> Result<(), Failure>
where
    W: Fn(usize, &mut Vec<u8>) + Sync,
{
    let separator = results.separator();
    let text_of = |first: usize| {
        let mut text = Vec::new();
        for index in first..count.min(first + group) {
            if index > first {
                text.extend_from_slice(separator.as_bytes());
            }
            write_one(index, &mut text);
        }
        text
    };
    for stretch in (0..count).step_by(group * GROUPS) {
        let groups = (stretch..count.min(stretch + group * GROUPS)).step_by(group);
        for text in Threads::all().map(groups, text_of) {
            results.push(&text)?;
        }
    }
    Ok(())
}
