//! Integers as lists of the positions of their ones, from text and to text.

use crate::failure::Failure;
use crate::input::lines::LineReader;
use crate::input::vector::{self, Grown, Vector};
use crate::input::{LineError, coefficients};
use crate::listing;
use crate::results::Results;

/// How a line calls the integer that has no ones.
const ZERO: &[u8] = b"none";

/// The positions of the integer in a line, the highest first.
pub fn read(content: &[u8]) -> Result<Vec<u32>, LineError> {
    if content == ZERO {
        return Ok(Vec::new());
    }
    let mut positions = coefficients::parse(content, position)?;
    positions.sort_unstable_by(|a, b| b.cmp(a));
    match positions.windows(2).find(|pair| pair[0] == pair[1]) {
        None => Ok(positions),
        Some(pair) => Err(LineError::new(
            second(content, pair[0]),
            format!("position {} stands twice in this line", pair[0]),
        )),
    }
}

/// Those of a file with an integer in each line; `grown` looks at them whenever there are more, and may refuse to go on.
pub fn read_vector(
    reader: &mut LineReader,
    grown: &mut Grown<'_, Vec<u32>>,
) -> Result<Vector<Vec<u32>>, Failure> {
    let read_one = |content: &[u8], integers: &mut Vec<Vec<u32>>| {
        integers.push(read(content)?);
        Ok(())
    };
    vector::read(reader, "integer", read_one, grown)
}

/// Writes integers as results, one after the other.
pub fn write_results(
    integers: &[Vec<u32>],
    json: bool,
    results: &mut Results,
) -> Result<(), Failure> {
    listing::write(integers.len(), results, |index, text| {
        write(&integers[index], json, text)
    })
}

/// Writes the positions of an integer.
fn write(positions: &[u32], json: bool, out: &mut Vec<u8>) {
    let count = positions.len();
    let write_one = |index: usize, out: &mut Vec<u8>| {
        out.extend(positions[index].to_string().bytes());
    };
    if json {
        out.push(b'[');
        coefficients::write(count, b",", out, write_one);
        out.push(b']');
    } else if positions.is_empty() {
        out.extend_from_slice(ZERO);
    } else {
        coefficients::write(count, b" ", out, write_one);
    }
}

/// The greatest position, so that its successor fits a word, too.
const GREATEST: u32 = u32::MAX - 1;

/// Reads a position.
fn position(word: &[u8]) -> Result<u32, LineError> {
    let text = std::str::from_utf8(word).unwrap_or_default();
    let digits = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.is_empty();
    match text.parse::<u32>() {
        Ok(position) if digits && position <= GREATEST => Ok(position),
        _ if digits => Err(LineError::new(
            0,
            format!("the position is too large: the greatest is {GREATEST}"),
        )),
        _ if word == ZERO => Err(LineError::new(
            0,
            "`none` is 0, which has no ones: it stands alone in its line".to_owned(),
        )),
        _ => Err(LineError::new(
            0,
            format!(
                "{} is no position of a one: write numbers from 0 on, or `none`",
                String::from_utf8_lossy(word)
            ),
        )),
    }
}

/// Where a position that stands twice in a line stands for the second time.
fn second(content: &[u8], wanted: u32) -> usize {
    let words = content.split(u8::is_ascii_whitespace);
    let mut at = 0;
    let mut found = false;
    for word in words {
        if position(word) == Ok(wanted) {
            if found {
                return at;
            }
            found = true;
        }
        at += word.len() + 1;
    }
    0
}
