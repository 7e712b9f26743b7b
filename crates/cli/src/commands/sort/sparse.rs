//! Integers as the positions of their ones.

use super::{Kind, Sorted};
use crate::args::sort::SortOrder;
use sunzi::order::{PositionLists, sort_by_gray_rank, sort_sparse_integers};
use sunzi_files::input::{LineError, coefficients};

/// How a line calls the integer that has no ones.
const ZERO: &[u8] = b"none";

/// Integers as positions of ones.
pub struct Sparse {
    order: SortOrder,
}

impl Sparse {
    pub fn new(order: SortOrder) -> Self {
        Self { order }
    }
}

impl Kind for Sparse {
    /// The positions, the highest first.
    type Item = Vec<u32>;

    fn read(&self, content: &[u8]) -> Result<Self::Item, LineError> {
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

    fn bytes(&self, positions: &Self::Item) -> u64 {
        (size_of_val(positions) + 2 * size_of_val(&positions[..])) as u64
    }

    fn sort(&self, items: Vec<Self::Item>) -> Sorted<Self::Item> {
        // The order counts positions from the most significant bit.
        let highest = items.iter().filter_map(|item| item.first()).max();
        let bits = highest.map_or(0, |highest| highest + 1);
        let mut starts = Vec::with_capacity(items.len() + 1);
        starts.push(0);
        let mut positions = Vec::new();
        for item in &items {
            positions.extend(item.iter().map(|position| bits - 1 - position));
            starts.push(positions.len());
        }
        let lists =
            PositionLists::new(&starts, &positions, bits).map_err(|error| error.to_string())?;
        let order = match self.order {
            SortOrder::Value => sort_sparse_integers(&lists),
            SortOrder::Gray => sort_by_gray_rank(&lists),
        };
        let mut items: Vec<_> = items.into_iter().map(Some).collect();
        let sorted = order.iter().filter_map(|&item| items[item as usize].take());
        Ok((
            sorted.collect(),
            "refinement by positions of ones".to_owned(),
        ))
    }

    fn write(&self, positions: &Self::Item, json: bool, out: &mut Vec<u8>) {
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
